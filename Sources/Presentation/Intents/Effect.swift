public import Reactive

/// What is to be done beside a change of state: work to run, and work to stop.
///
/// A reducer returns effects and runs none, so it stays a pure function that a
/// test calls without anything happening:
///
/// ```swift
/// case .search(let text):
///   state.isSearching = true
///   return .run(repository.find(text).map { .found($0) }, id: "search")
/// ```
///
/// Work is an observable of intents, each of which goes back into the store. It
/// should not fail: turn errors into intents with `catch`, because an error that
/// arrives is only reported to `Hooks.defaultErrorHandler`.
public struct Effect<Intent: Sendable>: Sendable {
  enum Step: Sendable {
    case run(Observable<Intent>, EffectID?, EffectPolicy)
    case cancel(EffectID)
  }

  let steps: [Step]

  /// Nothing to do.
  public static var none: Effect { Effect(steps: []) }

  /// Sends an intent, after those that wait already.
  public static func send(_ intent: Intent) -> Effect { run(.just(intent)) }

  /// Runs work whose elements are intents.
  ///
  /// - Parameters:
  ///   - intents: Subscribed after the new state was published.
  ///   - id: The name of the work; without one it runs beside all other work and
  ///     ends by itself or with the store.
  ///   - policy: What happens when work of that name still runs.
  public static func run(
    _ intents: Observable<Intent>, id: EffectID? = nil, policy: EffectPolicy = .latest
  ) -> Effect {
    Effect(steps: [.run(intents, id, policy)])
  }

  /// Stops the work of a name; harmless when there is none.
  public static func cancel(_ id: EffectID) -> Effect { Effect(steps: [.cancel(id)]) }

  /// Does several things, in order.
  public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

  /// Does several things, in order.
  public static func merge(_ effects: [Effect]) -> Effect {
    Effect(steps: effects.flatMap(\.steps))
  }

  /// The same effect for a store of other intents.
  public func map<Other>(
    _ transform: @escaping @Sendable (Intent) -> Other
  ) -> Effect<Other> {
    Effect<Other>(
      steps: steps.map { step in
        switch step {
        case .run(let intents, let id, let policy): .run(intents.map(transform), id, policy)
        case .cancel(let id): .cancel(id)
        }
      })
  }
}

/// Names running work, so that later work can take its place or stop it.
public struct EffectID: Hashable, @unchecked Sendable {
  // Unchecked: it is made of a Sendable value and never changes.
  private let value: AnyHashable

  /// Makes a name of any value, such as an id or a case of an enumeration.
  public init(_ value: some Hashable & Sendable) {
    self.value = AnyHashable(value)
  }
}

extension EffectID: ExpressibleByStringLiteral {
  /// Makes a name of a word.
  public init(stringLiteral word: String) {
    self.init(word)
  }
}

/// What becomes of work whose name is taken by work that still runs.
public enum EffectPolicy: Hashable, Sendable {
  /// It takes its place: the running work is stopped first. Searching as one types.
  case latest
  /// It is dropped. Saving, where a second tap means nothing.
  case first
}

public import Reactive

/// Side effects that a reducer returns: work to run, and work to stop.
///
/// A reducer returns effects and runs none, so it is a pure function that a test can call:
///
/// ```swift
/// case .search(let text):
///   state.isSearching = true
///   return .run(repository.find(text).map { .found($0) }, id: "search")
/// ```
///
/// Work is an observable of intents, which are sent to the store. It should not fail: turn errors
/// into intents with `catch`, because an error is only reported to `Hooks.defaultErrorHandler`.
public struct Effect<Intent: Sendable>: Sendable {
  enum Step: Sendable {
    case run(Observable<Intent>, EffectID?, EffectPolicy)
    case cancel(EffectID)
  }

  let steps: [Step]

  /// No work.
  public static var none: Effect { Effect(steps: []) }

  /// Sends an intent, after those that are queued.
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

  /// Stops the work of a name; does nothing if no such work runs.
  public static func cancel(_ id: EffectID) -> Effect { Effect(steps: [.cancel(id)]) }

  /// Several effects, in order.
  public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

  /// Several effects, in order.
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

/// The name of running work, by which later work can replace or stop it.
public struct EffectID: Hashable, @unchecked Sendable {
  // Unchecked: it is made of a Sendable value and never changes.
  private let value: AnyHashable

  /// Makes a name from any value, such as an id or a case of an enumeration.
  public init(_ value: some Hashable & Sendable) {
    self.value = AnyHashable(value)
  }
}

extension EffectID: ExpressibleByStringLiteral {
  /// Makes a name from a string.
  public init(stringLiteral word: String) {
    self.init(word)
  }
}

/// The treatment of new work while work of the same name runs.
public enum EffectPolicy: Hashable, Sendable {
  /// The new work replaces the running one, which is stopped first; for a search as the user types.
  case latest
  /// The new work is dropped; for saving, where a second tap has no effect.
  case first
}

import Presentation
import Reactive
import ReactiveTestSupport
import Testing

/// A store whose every state must be foretold: one that nobody expected fails the test.
final class TestStore<State: Equatable & Sendable, Intent: Sendable> {
  private let store: IntentStore<State, Intent>
  private let bag = DisposeBag()
  private let states: Recorder<State>
  private var seen = 1

  init(_ initial: State, reduce: @escaping IntentStore<State, Intent>.Reducer) {
    store = IntentStore(initial, reduce: reduce)
    states = store.states.recorded(in: bag)
  }

  /// Sends an intent and says what it changes.
  func send(
    _ intent: Intent, _ change: (inout State) -> Void = { _ in },
    at location: SourceLocation = #_sourceLocation
  ) {
    expectNothing(at: location)
    store.send(intent)
    receive(change, at: location)
  }

  /// Says what an intent that an effect sent has changed.
  func receive(_ change: (inout State) -> Void, at location: SourceLocation = #_sourceLocation) {
    let states = states.elements
    guard seen < states.count else {
      Issue.record("No further state was published.", sourceLocation: location)
      return
    }
    var expected = states[seen - 1]
    change(&expected)
    #expect(states[seen] == expected, sourceLocation: location)
    seen += 1
  }

  /// Says that all states were foretold.
  func expectNothing(at location: SourceLocation = #_sourceLocation) {
    let unforetold = states.elements.dropFirst(seen)
    #expect(unforetold.isEmpty, "These states were not foretold.", sourceLocation: location)
  }
}

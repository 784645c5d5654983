import Foundation
import Reactive
import Testing

/// The thread of a test's views: actions that are scheduled here run when the test waits for them.
///
/// `@unchecked Sendable`: the condition's lock protects what waits.
final class ScreenThread: ImmediateSchedulerType, @unchecked Sendable {
  private let condition = NSCondition()
  private var waiting: [@Sendable () -> Void] = []

  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let started = SingleAssignmentDisposable()
    condition.withLock {
      waiting.append { if !started.isDisposed { started.setDisposable(action(state)) } }
      condition.signal()
    }
    return started
  }

  /// Runs what is scheduled, on the caller's thread, until a claim holds.
  ///
  /// A minute in which it does not is an issue at the caller's line.
  func run(
    until isEnough: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let limit = Date(timeIntervalSinceNow: 60)
    while !isEnough() {
      guard let work = next(before: limit) else {
        Issue.record("waited in vain", sourceLocation: sourceLocation)
        return
      }
      work()
    }
  }

  private func next(before limit: Date) -> (@Sendable () -> Void)? {
    condition.withLock {
      while waiting.isEmpty { if !condition.wait(until: limit) { return nil } }
      return waiting.removeFirst()
    }
  }
}

import Reactive
package import Testing

/// Fails a test that leaves sinks or subscriptions alive (law M5).
///
/// Each test has a counter of its own, so tests may run at the same time.
package struct Accounted: TestTrait, SuiteTrait, TestScoping {
  package init() {}

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    #if DEBUG
      let counter = Resources.Counter()
      try await Resources.$counter.withValue(counter) { try await function() }
      // Another thread may not have returned yet from the call that let the test end. The deadline
      // only turns a leak into a failure.
      let deadline = ContinuousClock.now + .seconds(10)
      while counter.total != 0, ContinuousClock.now < deadline { await Task.yield() }
      #expect(counter.total == 0, "sinks or subscriptions outlived the test")
    #else
      try await function()
    #endif
  }
}

extension Trait where Self == Accounted {
  /// Nothing that the test subscribed may outlive it.
  package static var accounted: Self { Accounted() }
}

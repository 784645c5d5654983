import Reactive
import Testing

/// Fails a test that leaves sinks or subscriptions alive (law M5).
///
/// Each test counts into a book of its own, so tests may run side by side.
struct Accounted: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    #if DEBUG
      let counter = Resources.Counter()
      try await Resources.$counter.withValue(counter) { try await function() }
      #expect(counter.total == 0, "sinks or subscriptions outlived the test")
    #else
      try await function()
    #endif
  }
}

extension Trait where Self == Accounted {
  /// Nothing that the test subscribed may outlive it.
  static var accounted: Self { Accounted() }
}

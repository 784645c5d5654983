import Reactive

/// The reason why a check for leaks failed.
public enum LeakError: Error, Hashable {
  /// This number of sinks and subscriptions was still alive at the end.
  case outlived(count: Int)
  /// This is not a debug build, and other builds count nothing.
  case needsDebugBuild
}

/// Runs a test's body and fails when one of its subscriptions outlived it.
///
/// ```swift
/// try withLeakCheck {
///   let scheduler = TestScheduler(initialClock: 0)
///   let found = scheduler.start { Observable.just("milk").delay(.seconds(3), scheduler: scheduler) }
///   #expect(found.events.count == 2)
/// }
/// ```
///
/// It counts the sinks and subscriptions that the body makes on its own thread, also while other
/// tests run at the same time. An ended subscription counts as long as it is retained: release it
/// within the body.
///
/// - Parameter body: called once.
/// - Returns: the result of the body.
/// - Throws: ``LeakError``, or the error of the body. In builds that count nothing it throws
///   `needsDebugBuild`.
public func withLeakCheck<Result>(_ body: () throws -> Result) throws -> Result {
  #if DEBUG
    let counter = Resources.Counter()
    let result = try Resources.$counter.withValue(counter) { try body() }
    if counter.total > 0 { throw LeakError.outlived(count: counter.total) }
    return result
  #else
    throw LeakError.needsDebugBuild
  #endif
}

import Reactive

/// What a check for leaks found.
public enum LeakError: Error, Hashable {
  /// So many sinks and subscriptions were still alive at the end.
  case outlived(count: Int)
  /// This is no debug build, and others count nothing.
  case needsDebugBuild
}

/// Runs a test's body and fails when something that it subscribed outlived it.
///
///     try withLeakCheck {
///       let scheduler = TestScheduler(initialClock: 0)
///       ...
///     }
///
/// What counts are the sinks and subscriptions that the body makes on its own thread, also
/// while other tests run beside it. Whoever keeps an ended subscription keeps one of them: let
/// go of it within the body.
///
/// - Parameter body: called once.
/// - Returns: what the body returned.
/// - Throws: ``LeakError``, or what the body threw. In builds that count nothing it throws as
///   well: a check that is not on does not pass.
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

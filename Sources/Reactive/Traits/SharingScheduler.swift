/// Where drivers deliver and measure time: the main queue, unless a test says otherwise.
public enum SharingScheduler {
  @TaskLocal private static var replacement: (@Sendable () -> any SchedulerType)?

  /// Makes the scheduler of a driver, or of an operator of one.
  public static var make: @Sendable () -> any SchedulerType {
    replacement ?? { MainScheduler() }
  }

  /// Whether a test put another scheduler in the place of the main queue.
  static var isMocked: Bool { replacement != nil }

  /// Lets drivers that an action makes deliver and measure time on another scheduler.
  ///
  /// With a virtual clock a test of a driver takes no time:
  ///
  ///     let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
  ///     let found = SharingScheduler.mock(scheduler: scheduler) {
  ///       scheduler.start { Search(typed: typed).results.asObservable() }
  ///     }
  ///
  /// Where a driver delivers is decided when it is made, so what counts is that it is made within
  /// the action, and on the thread of the action. Other threads and tests beside it keep the main
  /// queue. Closures of a driver belong to the main actor, also then: a test that gives it some
  /// runs its clock there.
  ///
  /// - Parameters:
  ///   - scheduler: takes the place of the main queue.
  ///   - action: called once, before this returns.
  /// - Returns: what the action returns.
  /// - Throws: what the action throws.
  public static func mock<Result>(
    scheduler: any SchedulerType, action: () throws -> Result
  ) rethrows -> Result {
    try mock(makeScheduler: { scheduler }, action: action)
  }

  /// Lets drivers that an action makes deliver and measure time on schedulers that a closure makes.
  ///
  /// - Parameters:
  ///   - makeScheduler: called for each driver, and for each operator that waits.
  ///   - action: called once, before this returns.
  /// - Returns: what the action returns.
  /// - Throws: what the action throws.
  public static func mock<Result>(
    makeScheduler: @escaping @Sendable () -> any SchedulerType, action: () throws -> Result
  ) rethrows -> Result {
    try $replacement.withValue(makeScheduler, operation: action)
  }
}

/// The scheduler on which drivers deliver and measure time: the main queue, or that of a test.
public enum SharingScheduler {
  @TaskLocal private static var replacement: (@Sendable () -> any SchedulerType)?

  /// Makes the scheduler of a driver, or of an operator of one.
  public static var make: @Sendable () -> any SchedulerType {
    replacement ?? { MainScheduler() }
  }

  /// Whether a test replaced the main queue.
  static var isMocked: Bool { replacement != nil }

  /// Makes drivers that an action creates deliver and measure time on another scheduler.
  ///
  /// With a virtual clock a test of a driver takes no time:
  ///
  /// ```swift
  /// let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
  /// let found = SharingScheduler.mock(scheduler: scheduler) {
  ///   scheduler.start { Search(typed: typed).results.asObservable() }
  /// }
  /// ```
  ///
  /// A driver takes its scheduler when it is created, so it has to be created within the action and
  /// on the thread of the action. Other threads and tests keep the main queue. The closures of a
  /// driver belong to the main actor in a test too: a test with such closures runs its clock there.
  ///
  /// - Parameters:
  ///   - scheduler: replaces the main queue.
  ///   - action: called once, before this returns.
  public static func mock<Result>(
    scheduler: any SchedulerType, action: () throws -> Result
  ) rethrows -> Result {
    try mock(makeScheduler: { scheduler }, action: action)
  }

  /// Makes drivers that an action creates deliver and measure time on schedulers of a closure.
  ///
  /// - Parameters:
  ///   - makeScheduler: called for each driver, and for each operator that waits.
  ///   - action: called once, before this returns.
  public static func mock<Result>(
    makeScheduler: @escaping @Sendable () -> any SchedulerType, action: () throws -> Result
  ) rethrows -> Result {
    try $replacement.withValue(makeScheduler, operation: action)
  }
}

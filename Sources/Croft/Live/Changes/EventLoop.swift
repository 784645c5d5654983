import CroftLibc
internal import Dispatch
import LMDB
import Synchronization

/// The event loop of the system's dispatch library, which runs the timers of a process.
///
/// On Linux it opens three descriptors when the first timer is set, and ends the process where there
/// are none. So the loop is started here, while descriptors are known to be free; it never ends.
///
/// Threads: any.
enum EventLoop {
  /// More than the loop opens.
  private static let neededDescriptors = 4
  /// How long its start is waited for.
  private static let longestStart = DispatchTimeInterval.seconds(1)
  /// Whether the loop runs; nothing has to be done where the system's needs no descriptors.
  private static let isRunning: Mutex<Bool> = {
    #if canImport(Darwin)
      Mutex(true)
    #else
      Mutex(false)
    #endif
  }()

  /// Starts the loop, unless it runs.
  ///
  /// - Parameter path: The store that is observed, for errors.
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where the process has no descriptors left; it can
  ///   be called again.
  static func start(for path: String) throws {
    try isRunning.withLock { isRunning in
      if isRunning { return }
      try checkDescriptors(path)
      let hasFired = DispatchSemaphore(value: 0)
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "croft.start"))
      timer.setEventHandler { hasFired.signal() }
      timer.schedule(deadline: .now() + .milliseconds(1))
      timer.activate()
      // It has its descriptors when the timer fires.
      isRunning = hasFired.wait(timeout: .now() + longestStart) == .success
      timer.cancel()
    }
  }

  /// Throws where some descriptors cannot be opened, and closes them again.
  private static func checkDescriptors(_ path: String) throws {
    #if !canImport(Darwin)
      var descriptors: [Int32] = []
      defer { for descriptor in descriptors { close(descriptor) } }
      for _ in 0..<neededDescriptors {
        // Safety: the system copies the path.
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
          let code = LMDBError.Code(rawValue: errno)
          throw StoreError(LMDBError(.open, code, "/dev/null"), opening: path)
        }
        descriptors.append(descriptor)
      }
    #endif
  }
}

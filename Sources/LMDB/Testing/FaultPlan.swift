#if DEBUG || CROFT_SWARM
  internal import Synchronization

  /// A plan for one call of the C library or of the file system: it fails, or something comes before it.
  ///
  /// It exists in debug builds, and in those with `-D CROFT_SWARM`.
  ///
  /// Bind it to a scope and everything that the scope does, on its own thread or task, is counted:
  /// ```swift
  /// let plan = FaultPlan(failingCall: 7, with: .outOfSpace)
  /// try FaultPlan.$current.withValue(plan) { try workload() }
  /// plan.hasFailedCall   // false: the workload makes fewer than 7 calls
  /// ```
  /// A test raises the number from 1 until no call fails any more, and checks after each failure
  /// that the store holds either its old contents or everything that the workload wrote.
  ///
  /// Threads: a plan may be counted from several threads at once.
  package final class FaultPlan: Sendable {
    /// The plan of the running task or thread, if any.
    @TaskLocal package static var current: FaultPlan?

    private let failingCall: Int
    private let code: Int32
    private let only: String?
    private let action: (@Sendable () -> Void)?
    private let calls = Atomic<Int>(0)
    private let failedCall = Mutex<String?>(nil)

    /// How many calls all threads of the process have made, with or without a plan.
    ///
    /// It includes the calls of queues, which have no task; a test reads it in a process of its own.
    package static var callsOfAllThreads: Int { allCalls.load(ordering: .relaxed) }
    private static let allCalls = Atomic<Int>(0)

    /// A plan whose call number `failingCall`, counted from 1, fails with a code.
    package init(failingCall: Int, with code: LMDBError.Code) {
      self.failingCall = failingCall
      self.code = code.rawValue
      only = nil
      action = nil
    }

    /// A plan that does something right before call number `call`, from 1, of one function.
    ///
    /// No call fails. What another process does at just that moment is tested without one. The function has
    /// its name in FileCalls.swift or Handles.swift, such as `isShared(_:bytes:)`.
    package init(
      beforeCall call: Int, of function: String, do action: @escaping @Sendable () -> Void
    ) {
      failingCall = call
      code = LMDBError.Code.outOfSpace.rawValue
      only = function
      self.action = action
    }

    /// Whether the planned call has come.
    package var hasFailedCall: Bool { calls.load(ordering: .relaxed) >= failingCall }

    /// How many calls have been made, the failed one included.
    package var callCount: Int { calls.load(ordering: .relaxed) }

    /// The function of the planned call, by its name in Handles.swift or FileCalls.swift.
    package var failedFunction: String? { failedCall.withLock { $0 } }

    /// Counts a call of the C library; the code that it must fail with, or nil when it may continue.
    static func failure(in function: StaticString) -> Int32? {
      allCalls.add(1, ordering: .relaxed)
      return current?.count(function)
    }

    /// Counts a call of the file system; the code that it must fail with, or nil when it may continue.
    ///
    /// A plan with a code of the C library does not count it.
    static func fileCallFailure(in function: StaticString) -> Int32? {
      guard let plan = current, plan.code > 0 else { return nil }
      return plan.count(function)
    }

    private func count(_ function: StaticString) -> Int32? {
      if let only, only != "\(function)" { return nil }
      let call = calls.wrappingAdd(1, ordering: .relaxed).newValue
      guard call == failingCall else { return nil }
      failedCall.withLock { $0 = "\(function)" }
      guard let action else { return code }
      action()
      return nil
    }
  }
#endif

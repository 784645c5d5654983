#if DEBUG || CROFT_SWARM
  internal import Synchronization

  /// A plan that makes one call of the C library or of the file system fail, for tests.
  ///
  /// It exists in debug builds, and in those with `-D CROFT_SWARM`.
  ///
  /// Bind it to a scope and everything that the scope does, on its own thread or task, is counted:
  /// ```swift
  /// let plan = FaultPlan(failingCall: 7, with: .outOfSpace)
  /// try FaultPlan.$current.withValue(plan) { try workload() }
  /// plan.hasStruck   // false: the workload makes fewer than 7 calls
  /// ```
  /// A test raises the number from 1 until the plan strikes no more, and looks after each
  /// failure whether the store holds what it held before, or all that the workload meant to
  /// write.
  ///
  /// Threads: a plan may be counted from several threads at once.
  package final class FaultPlan: Sendable {
    /// The plan of the running task or thread, if any.
    @TaskLocal package static var current: FaultPlan?

    private let failingCall: Int
    private let code: Int32
    private let calls = Atomic<Int>(0)
    private let struck = Mutex<String?>(nil)

    /// How many calls all threads of the process have made, planned for or not.
    ///
    /// It counts what queues do of which no task knows; a test looks at it in a process of its own.
    package static var callsOfAllThreads: Int { allCalls.load(ordering: .relaxed) }
    private static let allCalls = Atomic<Int>(0)

    /// A plan whose call number `failingCall`, counted from 1, fails with a code.
    package init(failingCall: Int, with code: LMDBError.Code) {
      self.failingCall = failingCall
      self.code = code.rawValue
    }

    /// Whether the planned call has come.
    package var hasStruck: Bool { calls.load(ordering: .relaxed) >= failingCall }

    /// How many calls have been made, the failed one included.
    package var callCount: Int { calls.load(ordering: .relaxed) }

    /// The function whose call failed, by its name in Calls.swift or FileCalls.swift.
    package var struckFunction: String? { struck.withLock { $0 } }

    /// Counts a call of the C library; the code that it must fail with, or nil when it may go on.
    static func strike(in function: StaticString) -> Int32? {
      allCalls.add(1, ordering: .relaxed)
      return current?.count(function)
    }

    /// Counts a call of the file system, which knows the system's codes only and is not counted by a
    /// plan with another one.
    static func strikeFileCall(in function: StaticString) -> Int32? {
      guard let plan = current, plan.code > 0 else { return nil }
      return plan.count(function)
    }

    private func count(_ function: StaticString) -> Int32? {
      let call = calls.wrappingAdd(1, ordering: .relaxed).newValue
      guard call == failingCall else { return nil }
      struck.withLock { $0 = "\(function)" }
      return code
    }
  }
#endif

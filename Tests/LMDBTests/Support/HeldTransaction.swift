import Dispatch
import Foundation
import LMDB
import Testing

/// A thread that holds a transaction open until it is told to end.
final class HeldTransaction: @unchecked Sendable {
  // Both semaphores protect themselves; nothing else is stored.
  private let release = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Returns when the transaction is open.
  init(_ hold: @escaping @Sendable (_ untilReleased: () -> Void) -> Void) {
    let begun = DispatchSemaphore(value: 0)
    let (release, ended) = (release, ended)
    Thread.detachNewThread {
      hold {
        begun.signal()
        release.wait()
      }
      ended.signal()
    }
    begun.wait()
  }

  /// A write transaction, committed in the end.
  static func writing(_ environment: Environment) -> HeldTransaction {
    HeldTransaction { untilReleased in
      do {
        try environment.write { _ in untilReleased() }
      } catch {
        preconditionFailure("The held transaction failed: \(error)")
      }
    }
  }

  /// A read transaction.
  static func reading(_ environment: Environment) -> HeldTransaction {
    HeldTransaction { untilReleased in
      do {
        try environment.read { _ in untilReleased() }
      } catch {
        preconditionFailure("The held transaction failed: \(error)")
      }
    }
  }

  /// Ends the transaction, and returns when that is done.
  func end() {
    release.signal()
    ended.wait()
  }
}

/// A thread of one's own, for what a test does while it awaits a process.
final class OtherThread: Sendable {
  private let ended = DispatchSemaphore(value: 0)

  /// Returns when the body says that it has begun.
  init(_ body: @escaping @Sendable (_ begun: () -> Void) throws -> Void) {
    let begun = DispatchSemaphore(value: 0)
    let ended = ended
    Thread.detachNewThread {
      do {
        try body { begun.signal() }
      } catch {
        Issue.record(error)
        begun.signal()
      }
      ended.signal()
    }
    begun.wait()
  }

  /// Returns when the body has ended.
  func join() { ended.wait() }
}

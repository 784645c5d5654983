import Foundation
import Reactive
import Testing
import TestSupport

/// Brings two threads into the order that makes a held lock show.
final class Meeting: Sendable {
  private let lock = NSLock()
  private let isReached = Gate()
  private let isHeld = Gate()
  private let visits = Counter()
  private let isArmed = Box(false)

  /// Called by the user code: the first visit waits until the other thread holds the lock, and
  /// then wants it.
  func attend() {
    guard isArmed.value == true, visits.increment() == 1 else { return }
    isReached.open()
    isHeld.pass("nobody took the lock")
    lock.withLock {}
  }

  /// Sends on one thread and, while that is in user code, does the rest with the lock held.
  func hold(
    sending send: @escaping @Sendable () -> Void, meanwhile body: @escaping @Sendable () -> Void
  ) {
    isArmed.value = true
    inParallel(2) { thread in
      if thread == 0 {
        send()
        // Chains without user code of their own have nothing to attend.
        if self.visits.value == 0 { self.attend() }
      } else {
        self.isReached.pass("the user code was not reached")
        self.lock.withLock {
          self.isHeld.open()
          body()
        }
      }
    }
  }
}

import CroftLibc
import Synchronization

/// The signals that a line editor answers: a new size of the terminal, ^C from elsewhere, and the
/// end.
///
/// A handler only writes the number of its signal to a pipe, as POSIX allows; the editor reads it
/// between two keys.
struct EditorSignals {
  /// What woke the editor.
  enum Event: Equatable {
    case input
    case signal(Int32)
    /// Another thread has called `wake()`.
    case wake
  }

  private static let pipe = SignalPipe()
  private static let numbers = [SIGWINCH, SIGTERM, SIGHUP, SIGINT]
  /// Whether a wake is in the pipe, which then needs no other.
  private static let isWoken = Atomic(false)
  /// Whether a signal came that asks for the end; a signal handler may set it.
  private static let hasEndingSignal = Atomic(false)
  private let saved: [(number: Int32, action: sigaction?)]

  /// Whether ^C or a signal that asks for the end came since a value was made that is in use.
  static var isEnding: Bool { hasEndingSignal.load(ordering: .relaxed) }

  init() {
    // Made here, because a signal handler may not allocate.
    guard let pipe = Self.pipe else {
      saved = []
      return
    }
    pipe.drain()
    Self.isWoken.store(false, ordering: .relaxed)
    Self.hasEndingSignal.store(false, ordering: .relaxed)
    saved = Self.numbers.map { number in
      (number, SignalHandler.install({ EditorSignals.note($0) }, for: number))
    }
  }

  /// Restores the signal handlers that were installed before.
  func restore() {
    for (number, action) in saved { SignalHandler.restore(number, action) }
    Self.hasEndingSignal.store(false, ordering: .relaxed)
  }

  /// Notes a signal; its handler calls it.
  private static func note(_ number: Int32) {
    if number != SIGWINCH { hasEndingSignal.store(true, ordering: .relaxed) }
    pipe?.notify(number)
  }

  /// Wakes what waits, from any thread.
  ///
  /// One wake is written until it is taken: a full pipe would take no signal.
  static func wake() {
    if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { pipe?.notify(wakeNumber) }
  }

  /// No signal has this number.
  private static let wakeNumber: Int32 = 0

  /// Waits for input, a signal or a call of `wake()`; nil if none has come.
  ///
  /// - Parameter seconds: How long; nil for any time.
  func wait(for descriptor: FileDescriptor, within seconds: Int? = nil) -> Event? {
    guard let pipe = Self.pipe else { return .input }
    let milliseconds = seconds.map { Int32($0 * 1_000) } ?? -1
    guard let isSignal = pipe.wait(orFor: descriptor, within: milliseconds) else { return nil }
    guard isSignal, let number = pipe.next() else { return .input }
    return Self.event(of: number)
  }

  /// Waits for a signal or a call of `wake()`, whatever the input has.
  func wait() -> Event {
    // Without a pipe nobody could end the wait.
    guard let pipe = Self.pipe else { return .signal(SIGINT) }
    return Self.event(of: pipe.waitForNumber())
  }

  private static func event(of number: Int32) -> Event {
    guard number == wakeNumber else { return .signal(number) }
    // What is woken looks at its work after this.
    isWoken.store(false, ordering: .sequentiallyConsistent)
    return .wake
  }

  /// Whether a read would return at once, or after a wait.
  static func hasInput(_ descriptor: FileDescriptor, within milliseconds: Int32 = 0) -> Bool {
    var wait = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) == 1
  }
}

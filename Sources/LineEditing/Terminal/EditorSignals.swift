import CroftLibc

/// The signals that a line editor answers: a new size of the terminal, ^C from elsewhere, and the end.
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
  private let saved: [(number: Int32, action: sigaction?)]

  init() {
    // Made here, because a signal handler may not allocate.
    guard let pipe = Self.pipe else {
      saved = []
      return
    }
    pipe.drain()
    saved = Self.numbers.map { number in
      (number, SignalHandler.install({ EditorSignals.pipe?.notify($0) }, for: number))
    }
  }

  /// Restores the signal handlers that were installed before.
  func restore() {
    for (number, action) in saved { SignalHandler.restore(number, action) }
  }

  /// Wakes what waits, from any thread.
  static func wake() { pipe?.notify(wakeNumber) }

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
    return number == Self.wakeNumber ? .wake : .signal(number)
  }

  /// Waits for a signal or a call of `wake()`, whatever the input has.
  func wait() -> Event {
    // Without a pipe nobody could end the wait.
    guard let pipe = Self.pipe else { return .signal(SIGINT) }
    let number = pipe.waitForNumber()
    return number == Self.wakeNumber ? .wake : .signal(number)
  }

  /// Whether a read would return at once, or after a wait.
  static func hasInput(_ descriptor: FileDescriptor, within milliseconds: Int32 = 0) -> Bool {
    var wait = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) == 1
  }
}

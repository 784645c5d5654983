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
  private var saved: [(number: Int32, action: sigaction)] = []

  /// Installs the handlers.
  init() {
    // Made here, because a signal handler may not allocate.
    guard let pipe = Self.pipe else { return }
    pipe.drain()
    for number in Self.numbers {
      var action = sigaction()
      let handler: @convention(c) (Int32) -> Void = { EditorSignals.pipe?.notify($0) }
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      var old = sigaction()
      if sigaction(number, &action, &old) == 0 { saved.append((number, old)) }
    }
  }

  /// Restores the signal handlers that were installed before.
  func restore() {
    for (number, action) in saved {
      var action = action
      sigaction(number, &action, nil)
    }
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
    var waits = [
      pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = seconds.map { Int32($0 * 1_000) } ?? -1
    var count = poll(&waits, 2, milliseconds)
    while count < 0, errno == EINTR { count = poll(&waits, 2, milliseconds) }
    if count == 0 { return nil }
    if waits[0].revents != 0, let number = pipe.next() {
      return number == Self.wakeNumber ? .wake : .signal(number)
    }
    return .input
  }

  /// Whether a read would return at once, or after a wait.
  static func hasInput(_ descriptor: FileDescriptor, within milliseconds: Int32 = 0) -> Bool {
    var wait = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) == 1
  }
}

/// A pipe to the process itself that carries the numbers of signals (POSIX, signal-safety).
private struct SignalPipe {
  let reader: Int32
  private let writer: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      // A write to a full pipe and a read of an empty one return at once.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  /// Writes the number of a signal; a signal handler may call it.
  func notify(_ number: Int32) {
    let code = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writer, &byte, 1)
    errno = code
  }

  /// The next number; nil without one.
  func next() -> Int32? {
    var byte: UInt8 = 0
    return read(reader, &byte, 1) == 1 ? Int32(byte) : nil
  }

  func drain() { while next() != nil {} }
}

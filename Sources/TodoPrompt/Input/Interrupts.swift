import CroftLibc

/// The handling of ^C while no line is being edited.
enum Interrupts {
  /// Holds a byte for each ^C that has not been handled; nil if no pipe can be opened.
  private static let selfPipe = SelfPipe()

  /// Makes a crash end the process at once.
  ///
  /// The runtime's backtracer asks on a terminal for a key first, and waits half a minute for it.
  static func endCrashesAtOnce() {
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      signal(number, SIG_DFL)
    }
  }

  /// Makes ^C end the process with 130, for commands and scripts.
  ///
  /// A running transaction is rolled back; every change that was answered is stored.
  static func endProcess() {
    install { _ in _exit(130) }
  }

  /// Makes ^C end a question and nothing else, for the prompt.
  static func endQuestion() {
    // Made here, because a signal handler may not allocate.
    guard selfPipe != nil else { return install { _ in } }
    install { _ in Interrupts.selfPipe?.notify() }
  }

  /// Whether a ^C has come that nothing has handled; false where ^C ends the process.
  static var isRequested: Bool {
    guard let selfPipe else { return false }
    var wait = pollfd(fd: selfPipe.reader, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) > 0
  }

  /// Discards every ^C so far.
  static func forget() { selfPipe?.drain() }

  /// Waits until a read of a file would not block.
  ///
  /// A signal alone is not enough: one that comes between a question and the read of its answer
  /// would be lost, and one on another thread would not interrupt the read.
  ///
  /// - Returns: Whether there is input; false after a ^C, which stays requested until it is forgotten.
  static func waitForInput(of descriptor: FileDescriptor) -> Bool {
    guard let selfPipe else { return true }
    var waits = [
      pollfd(fd: selfPipe.reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waits, 2, -1) < 0 && errno == EINTR {}
    return waits[0].revents == 0
  }

  private static func install(_ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(SIGINT, &action, nil)
  }
}

/// A pipe to the process itself, to which a signal handler may write (POSIX, signal-safety).
private struct SelfPipe {
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

  /// Writes a byte; a signal handler may call it.
  func notify() {
    let code = errno
    var byte: UInt8 = 0
    _ = write(writer, &byte, 1)
    errno = code
  }

  func drain() {
    var bytes = (UInt64(0), UInt64(0))
    while read(reader, &bytes, 16) > 0 {}
  }
}

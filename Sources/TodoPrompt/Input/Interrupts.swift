#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What ^C does while no line is being edited.
enum Interrupts {
  /// Holds a byte for each ^C that has to be heard; nil where the process has no file left for it.
  private static let selfPipe = SelfPipe()

  /// Ends the process at once with 130: for commands and scripts.
  ///
  /// A transaction in hand is lost as a whole, and what was acknowledged is stored.
  static func endProcess() {
    install { _ in _exit(130) }
  }

  /// Ends a question and nothing else: for the prompt, which stays.
  static func endQuestion() {
    // Made here, because nothing may be made in a signal's handler.
    guard selfPipe != nil else { return install { _ in } }
    install { _ in Interrupts.selfPipe?.notify() }
  }

  /// Forgets every ^C so far; those that come from now on are heard.
  static func forget() { selfPipe?.drain() }

  /// Waits until a file can be read without waiting, or has ended.
  ///
  /// A signal alone does not do: one that comes between the question and the reading of its answer
  /// would be lost, and on another thread it would wake nobody.
  ///
  /// - Returns: Whether it was not a ^C that ended the wait.
  static func waitForInput(of descriptor: FileDescriptor) -> Bool {
    guard let selfPipe else { return true }
    var waits = [
      pollfd(fd: selfPipe.reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waits, 2, -1) < 0 && errno == EINTR {}
    guard waits[0].revents != 0 else { return true }
    selfPipe.drain()
    return false
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

/// A pipe to the process itself, which a signal's handler may write to (POSIX, signal-safety).
private struct SelfPipe {
  let reader: Int32
  private let writer: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      // A full pipe rings already, and an empty one is silent.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  /// May be called in a signal's handler.
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

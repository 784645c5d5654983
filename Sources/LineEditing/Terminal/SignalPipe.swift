import CroftLibc

/// A pipe to the process itself, to which a signal handler may write (POSIX, signal-safety).
struct SignalPipe {
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

  /// Waits for the next number.
  func waitForNumber() -> Int32 {
    while true {
      if let number = next() { return number }
      var wait = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      _ = poll(&wait, 1, -1)
    }
  }

  func drain() { while next() != nil {} }

  /// Waits until there is a number or a file can be read.
  ///
  /// - Parameter milliseconds: How long; -1 for any time.
  /// - Returns: Whether there is a number; nil if nothing has come.
  func wait(orFor descriptor: FileDescriptor, within milliseconds: Int32 = -1) -> Bool? {
    var waits = [
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
    ]
    var count = poll(&waits, 2, milliseconds)
    while count < 0, errno == EINTR { count = poll(&waits, 2, milliseconds) }
    return count == 0 ? nil : waits[0].revents != 0
  }
}

/// What the process does when a signal comes.
enum SignalHandler {
  /// Installs a handler, such as `SIG_IGN`.
  ///
  /// - Returns: The action before, for `restore`; nil where it cannot be told.
  @discardableResult
  static func install(
    _ handler: (@convention(c) (Int32) -> Void)?, for number: Int32
  ) -> sigaction? {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    var old = sigaction()
    return sigaction(number, &action, &old) == 0 ? old : nil
  }

  static func restore(_ number: Int32, _ action: sigaction?) {
    guard var action else { return }
    sigaction(number, &action, nil)
  }
}

import CroftLibc

/// A file descriptor of the process, such as one of its three standard streams.
package struct FileDescriptor {
  /// The system's number of it.
  package let number: Int32

  /// The descriptor of a number, which something else closes.
  package init(number: Int32) { self.number = number }

  /// Where a program reads.
  package static let standardInput = FileDescriptor(number: 0)
  /// Where a program writes results.
  package static let standardOutput = FileDescriptor(number: 1)
  /// Where a program writes messages.
  package static let standardError = FileDescriptor(number: 2)

  /// Opens `/dev/null` for standard streams that the process was started without.
  ///
  /// Otherwise the next file that is opened would get the number of such a stream: the store would
  /// be standard output, and results would overwrite it. The modes make every use fail, as a
  /// closed stream does.
  package static func fillClosedStandardStreams() {
    for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The system takes the lowest free number, and all lower ones are in use.
      _ = open("/dev/null", mode)
    }
  }

  /// A file that cannot be opened.
  package struct Failure: Error {
    /// The code of the system.
    package let code: Int32
  }

  /// Opens a file, a pipe or a device for reading.
  ///
  /// The caller closes it.
  package static func opening(_ path: String) throws(Failure) -> FileDescriptor {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    if number < 0 { throw Failure(code: errno) }
    return FileDescriptor(number: number)
  }

  /// Closes the descriptor, which must not be used after that.
  package func close() { _ = CroftLibc.close(number) }

  /// Whether a person may be at the other end.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// The path of the terminal, such as `/dev/pts/3`; nil without a terminal.
  package var terminalName: String? {
    guard isTerminal, let name = ttyname(number) else { return nil }
    return String(cString: name)
  }

  /// The number of the session of the terminal; nil without a terminal.
  package var terminalSession: Int? {
    let session = tcgetsid(number)
    return session < 0 ? nil : Int(session)
  }

  /// The current width of the terminal; nil without a terminal, or its width is unknown.
  package var columns: Int? { windowSize.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

  /// The height of the terminal; nil for anything else.
  package var rows: Int? { windowSize.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  private var windowSize: winsize? {
    var size = winsize()
    guard isTerminal, ioctl(number, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return size
  }

  /// Discards input that was typed and not read yet.
  package func discardTypedAhead() {
    tcflush(number, TCIFLUSH)
  }

  /// What reading or writing has done.
  package enum Outcome: Equatable {
    /// So many bytes were read or written.
    case bytes(Int)
    /// A ^C has ended it.
    case interrupted
    /// The other end is closed, or the input has ended.
    case closed
    /// The system has refused it, with its code.
    case failed(code: Int32)
  }

  /// Reads available bytes, up to the buffer's size; `closed` at the end of the input.
  ///
  /// It is interrupted by a ^C, also by one before the call that nothing has handled.
  package func read(into buffer: inout [UInt8]) -> Outcome {
    guard Interrupts.waitForInput(of: self) else { return .interrupted }
    let size = buffer.count
    let count = buffer.withUnsafeMutableBytes { CroftLibc.read(number, $0.baseAddress, size) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .closed }
    return errno == EINTR ? .interrupted : .failed(code: errno)
  }

  /// Writes all bytes; `closed` if the reading end was closed.
  ///
  /// - Parameter isCancelled: Asked before each part that the system takes; true ends the writing,
  ///   and the outcome is `interrupted`.
  package func write(_ bytes: [UInt8], isCancelled: () -> Bool = { false }) -> Outcome {
    var written = 0
    while written < bytes.count {
      if isCancelled() { return .interrupted }
      let count = bytes.withUnsafeBytes { buffer in
        CroftLibc.write(number, buffer.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        return errno == EPIPE ? .closed : .failed(code: errno)
      }
    }
    return .bytes(written)
  }
}

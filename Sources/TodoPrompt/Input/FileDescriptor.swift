#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file of the process, most often one of the three it was started with.
struct FileDescriptor {
  let number: Int32

  static let standardInput = FileDescriptor(number: 0)
  static let standardOutput = FileDescriptor(number: 1)
  static let standardError = FileDescriptor(number: 2)

  /// Fills the places of standard streams that the process was started without.
  ///
  /// Else the next file to be opened would take such a place: the store would be
  /// standard output, and results would be written over it. What is put there
  /// refuses to be used, as a closed stream does.
  static func fillClosedStandardStreams() {
    for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is taken, and all below this one are in use.
      _ = open("/dev/null", mode)
    }
  }

  var isTerminal: Bool { isatty(number) == 1 }

  /// The path of the terminal, such as `/dev/pts/3`; nil when it is none.
  var terminalName: String? {
    guard isTerminal, let name = ttyname(number) else { return nil }
    return String(cString: name)
  }

  /// The number of the session that the terminal belongs to; nil when it is none.
  var terminalSession: Int? {
    let session = tcgetsid(number)
    return session < 0 ? nil : Int(session)
  }

  /// The width of the terminal now; nil when it is none, or does not say.
  var columns: Int? {
    var size = winsize()
    guard isTerminal, ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// Drops what was typed and not read yet.
  func discardTypedAhead() {
    tcflush(number, TCIFLUSH)
  }

  /// How a read or a write ended that did not move any bytes.
  enum Outcome: Equatable {
    case bytes(Int)
    case interrupted
    case closed
    case failed(code: Int32)
  }

  /// Reads what there is, up to the buffer's size; `closed` at the end of the input.
  ///
  /// A ^C that nobody has heard yet interrupts it, also one from before the call.
  func read(into buffer: inout [UInt8]) -> Outcome {
    guard Interrupts.waitForInput(of: self) else { return .interrupted }
    let size = buffer.count
    let count = buffer.withUnsafeMutableBytes { systemRead(number, $0.baseAddress, size) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .closed }
    return errno == EINTR ? .interrupted : .failed(code: errno)
  }

  /// Writes all the bytes; `closed` when nobody reads them any more.
  func write(_ bytes: [UInt8]) -> Outcome {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        systemWrite(number, buffer.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        return errno == EPIPE ? .closed : .failed(code: errno)
      }
    }
    return .bytes(written)
  }

  /// What an error of the system means, in its own words.
  static func reason(code: Int32) -> String {
    String(cString: strerror(code))
  }
}

private func systemRead(_ number: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, start, count)
}

private func systemWrite(_ number: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(number, start, count)
}

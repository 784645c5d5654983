public import Foundation
import LineEditing

/// The standard streams, or those of a test.
public struct Streams {
  /// Where lines and answers are read.
  let input: any ShellInput
  /// Reads the next bytes of the same input, in place of lines; nil at the end.
  let readBytes: () throws -> Data?
  /// Whether a person types the lines.
  let isInputTerminal: Bool
  /// Whether a person reads the results as they are written.
  let isOutputTerminal: Bool
  /// Whether a person types the lines, and reads the results.
  var isTerminal: Bool { isInputTerminal && isOutputTerminal }
  /// Writes bytes of results.
  let write: (Data) throws -> Void
  /// Writes a message.
  let report: (String) -> Void
  /// Shows how far a long work is, in place of what it showed before; an empty text ends that.
  let showProgress: (String) -> Void

  /// Whether ^C was typed since the last line was read.
  var isInterrupted: () -> Bool = { false }
  /// Calls a closure with one that waits for a change, and is false after ^C, which ends that.
  var whileWaiting: ((_ next: () -> Bool) throws -> Void) throws -> Void = { try $0 { false } }
  /// Ends one wait, from any thread.
  var noteChange: @Sendable () -> Void = {}

  /// The reader of the output has left, which ends a program quietly.
  struct ReaderLeft: Error {}

  /// A line of the input cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
    /// Whether no line can be read after it.
    let isEnd: Bool

    /// Bytes in another encoding than UTF-8.
    static let notUTF8 = Unreadable(description: Streams.notUTF8, isEnd: false)

    /// An input that fails with a code of the system.
    static func failed(_ code: Int32) -> Unreadable {
      let reason = String(cString: strerror(code))
      return Unreadable(description: "the standard input cannot be read: \(reason)", isEnd: true)
    }
  }

  /// Reads the next line where nobody types; nil at the end.
  ///
  /// - Throws: ``Unreadable`` for bytes in another encoding, and for an input that fails.
  func readLine() throws(Unreadable) -> String? {
    switch input.readLine(prompt: "") {
    case .line(let line): return line
    case .undecodable: throw Unreadable.notUTF8
    case .failed(let code): throw Unreadable.failed(code)
    case .end, .interrupted: return nil
    }
  }

  /// What is said of a line in another encoding, such as Latin-1.
  static let notUTF8 =
    "the line is not in UTF-8, and nothing of it was done; convert the input, "
    + "as iconv -f LATIN1 -t UTF-8 does"

  /// Makes streams of closures.
  public init(
    readLine: @escaping () -> String?, readBytes: (() throws -> Data?)? = nil,
    isInputTerminal: Bool = false, isOutputTerminal: Bool = false,
    write: @escaping (Data) throws -> Void,
    report: @escaping (String) -> Void, showProgress: @escaping (String) -> Void = { _ in }
  ) {
    (self.write, self.report) = (write, report)
    self.readBytes = readBytes ?? { readLine().map { Data(($0 + "\n").utf8) } }
    input = GivenInput(readLine) { text in
      // The error is ignored: the results after the prompt report it.
      try? write(Data(text.utf8))
    }
    self.showProgress = showProgress
    (self.isInputTerminal, self.isOutputTerminal) = (isInputTerminal, isOutputTerminal)
  }

  private init(
    _ input: any ShellInput, readBytes: @escaping () throws -> Data?, isInputTerminal: Bool,
    isOutputTerminal: Bool, write: @escaping (Data) throws -> Void,
    report: @escaping (String) -> Void, showProgress: @escaping (String) -> Void
  ) {
    (self.input, self.readBytes, self.write, self.report) = (input, readBytes, write, report)
    self.showProgress = showProgress
    (self.isInputTerminal, self.isOutputTerminal) = (isInputTerminal, isOutputTerminal)
  }

  /// The bytes of input that are read at a time.
  static let bytesPerRead = 64 << 10

  /// Those of the process.
  public static var standard: Streams {
    let (isInputTerminal, isOutputTerminal) = (
      isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1
    )
    var streams = Streams(
      StandardInput(
        isTyped: isInputTerminal && isOutputTerminal,
        variables: ProcessInfo.processInfo.environment),
      readBytes: { try FileHandle.standardInput.read(upToCount: bytesPerRead) },
      isInputTerminal: isInputTerminal, isOutputTerminal: isOutputTerminal,
      write: { try writeAll($0) },
      report: { text in
        // The error is ignored: there is nowhere left to report it.
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
      },
      showProgress: { text in
        guard isatty(STDERR_FILENO) == 1 else { return }
        // The error is ignored, as for a message. The line is erased first.
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
      })
    let isTerminal = streams.isTerminal
    streams.isInterrupted = {
      InterruptWait.isEnding || isTerminal && LineReader.isInterrupted
    }
    streams.whileWaiting = { body in
      let wait = InterruptWait()
      defer { wait.end() }
      try body { wait.next() }
    }
    streams.noteChange = { InterruptWait.wake() }
    return streams
  }

  /// Writes bytes to the standard output.
  private static func writeAll(_ data: Data) throws {
    var rest = data[...]
    while !rest.isEmpty {
      // A reader that takes nothing more must not keep `watch` from its end.
      if InterruptWait.isEnding { throw Shell.Interrupted() }
      // Safety: the bytes are written while they are borrowed.
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another program has made the pipe one that does not wait.
        var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      // Where the signal is ignored, a reader such as head that has enough is an error here.
      case EPIPE: throw ReaderLeft()
      case let code: throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
      }
    }
  }
}

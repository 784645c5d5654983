public import Foundation

/// The standard streams, or those of a test.
public struct Streams {
  /// Reads the next line; nil at the end.
  let readLine: () -> String?
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

  /// The reader of the output has left, which ends a program quietly.
  struct ReaderLeft: Error {}

  /// Makes streams of closures.
  public init(
    readLine: @escaping () -> String?, readBytes: (() throws -> Data?)? = nil,
    isInputTerminal: Bool = false, isOutputTerminal: Bool = false,
    write: @escaping (Data) throws -> Void,
    report: @escaping (String) -> Void, showProgress: @escaping (String) -> Void = { _ in }
  ) {
    (self.readLine, self.write, self.report) = (readLine, write, report)
    self.readBytes = readBytes ?? { readLine().map { Data(($0 + "\n").utf8) } }
    self.showProgress = showProgress
    (self.isInputTerminal, self.isOutputTerminal) = (isInputTerminal, isOutputTerminal)
  }

  /// The bytes of input that are read at a time.
  static let bytesPerRead = 64 << 10

  /// Those of the process.
  public static var standard: Streams {
    Streams(
      readLine: { Swift.readLine(strippingNewline: true) },
      readBytes: { try FileHandle.standardInput.read(upToCount: bytesPerRead) },
      isInputTerminal: isatty(STDIN_FILENO) == 1, isOutputTerminal: isatty(STDOUT_FILENO) == 1,
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
  }

  /// Writes bytes to the standard output.
  private static func writeAll(_ data: Data) throws {
    var rest = data[...]
    while !rest.isEmpty {
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
      // Where the signal is ignored, a reader such as head that has enough is an error of the write.
      case EPIPE: throw ReaderLeft()
      case let code: throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
      }
    }
  }
}

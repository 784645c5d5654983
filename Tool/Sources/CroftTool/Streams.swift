public import Foundation

/// The standard streams, or those of a test.
public struct Streams {
  /// Reads the next line; nil at the end.
  let readLine: () -> String?
  /// Whether a person types the lines.
  let isTerminal: Bool
  /// Writes bytes of results; false when nobody reads any more.
  let write: (Data) -> Bool
  /// Writes a message.
  let report: (String) -> Void

  /// Makes streams of closures.
  public init(
    readLine: @escaping () -> String?, isTerminal: Bool, write: @escaping (Data) -> Bool,
    report: @escaping (String) -> Void
  ) {
    (self.readLine, self.isTerminal, self.write, self.report) =
      (readLine, isTerminal, write, report)
  }

  /// Those of the process.
  public static var standard: Streams {
    Streams(
      readLine: { Swift.readLine(strippingNewline: true) }, isTerminal: isatty(STDIN_FILENO) == 1,
      write: { data in
        do {
          try FileHandle.standardOutput.write(contentsOf: data)
          return true
        } catch {
          // The error is ignored: a reader that has left, such as head, wants nothing more.
          return false
        }
      },
      report: { text in
        // The error is ignored: there is nowhere left to report it.
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
      })
  }
}

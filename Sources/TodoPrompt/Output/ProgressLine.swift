import LineEditing
import Synchronization
import TerminalText

/// How far a change of many items has come, on a line of the terminal that the answer replaces.
///
/// Threads: any.
final class ProgressLine: Sendable {
  private let descriptor: FileDescriptor
  /// The columns of the text that is shown; 0 without one.
  private let shownColumns = Mutex(0)

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  /// Shows a text in place of the one before.
  func show(_ text: String) {
    guard descriptor.isTerminal else { return }
    shownColumns.withLock { columns in
      let blanks = String(repeating: " ", count: max(0, columns - text.displayWidth))
      // What cannot be shown is no error of the change.
      _ = descriptor.write(Array("\r\(text)\(blanks)".utf8))
      columns = max(columns, text.displayWidth)
    }
  }

  func clear() {
    shownColumns.withLock { columns in
      if columns == 0 { return }
      let blanks = String(repeating: " ", count: columns)
      // What cannot be removed is no error either.
      _ = descriptor.write(Array("\r\(blanks)\r".utf8))
      columns = 0
    }
  }
}

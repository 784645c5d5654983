/// A stream on which lines are drawn.
package protocol TerminalOutput: AnyObject {
  /// The width that lines must fit; nil for lines of any length.
  var columns: Int? { get }
  /// How many lines can be seen at once; nil for any number.
  var rows: Int? { get }
  /// Writes the text, at the latest when flushed.
  func write(_ text: String)
  /// Writes everything so far to the system.
  func flush()
}

extension TerminalOutput {
  /// Writes the text and everything before it to the system.
  package func show(_ text: String) {
    write(text)
    flush()
  }
}

/// The rows of a terminal that shows nothing else, and the control sequences that change them.
///
/// Only rows that differ are written. Each has its place by its number, so nothing depends on the
/// cursor or on how a terminal wraps (ECMA-48: CUP, EL, ED).
struct ScreenRows {
  /// What is shown; nil before the first drawing, and after the terminal has changed its size.
  private var shown: [String]?

  /// The sequences that show some rows.
  ///
  /// - Parameter rows: The rows, none of which is wider than the terminal, and no more than it has.
  /// - Complexity: O(n) in the characters of the rows.
  mutating func draw(_ rows: [String]) -> String {
    defer { shown = rows }
    guard let shown else {
      return "\u{1B}[H\u{1B}[2J" + rows.indices.map { Self.row($0, rows[$0]) }.joined()
    }
    return (0..<max(rows.count, shown.count)).map { index in
      let (old, new) = (
        index < shown.count ? shown[index] : "", index < rows.count ? rows[index] : ""
      )
      return old == new ? "" : Self.row(index, new)
    }.joined()
  }

  /// Forgets what is shown, so that everything is drawn again.
  mutating func forget() { shown = nil }

  private static func row(_ index: Int, _ text: String) -> String {
    "\u{1B}[\(index + 1);1H" + text + "\u{1B}[K"
  }
}

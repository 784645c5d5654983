/// Draws a line that is edited: writes the control sequences that turn what is shown into what must
/// be.
///
/// It draws from the row in which the line begins downwards, and writes nothing above it. Rows end
/// with a carriage return and a newline, so nothing depends on how a terminal wraps. The sequences
/// are those that every terminal since the VT100 knows.
struct EditorScreen {
  /// What is shown; nil when the line has not been drawn.
  private var shown: EditorLayout?
  /// The code (SGR) of a style; nil for one that is not shown.
  var code: (ANSIStyle) -> String? = ANSIStyle.usualCode

  /// Forgets what is shown, after something else was printed; the cursor is in a new row.
  mutating func forget() { shown = nil }

  /// The sequences that draw a layout.
  ///
  /// - Complexity: O(n) in the characters of both layouts.
  mutating func draw(_ layout: EditorLayout) -> String {
    defer { shown = layout }
    var operations = Operations(code: code)
    guard let shown else {
      operations.write(layout.rows[...], from: 0)
      operations.move(toRow: layout.cursorRow, column: layout.cursorColumn)
      return operations.text
    }
    operations.row = shown.cursorRow
    if let (row, index) = Self.difference(shown, layout) {
      let column = row < layout.rows.count ? EditorLayout.width(of: layout.rows[row][..<index]) : 0
      if row < layout.rows.count, row < shown.rows.count {
        operations.move(toRow: row, column: column)
        operations.text += "\u{1B}[J"
        operations.write(layout.rows[row...], from: index)
      } else if row < shown.rows.count {
        // Rows have gone.
        operations.move(toRow: row, column: 0)
        operations.text += "\u{1B}[J"
      } else {
        let last = shown.rows.count - 1
        operations.move(toRow: last, column: 0)
        operations.text += "\r\n"
        operations.row += 1
        operations.write(layout.rows[row...], from: 0)
      }
    }
    operations.move(toRow: layout.cursorRow, column: layout.cursorColumn)
    return operations.text
  }

  /// The sequences that erase what is shown after a terminal has changed its width.
  mutating func erase(columns: Int) -> String {
    guard let shown else { return "" }
    self.shown = nil
    let rows = shown.rowsAboveCursor(wrappedTo: columns)
    return (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\r\u{1B}[J"
  }

  /// The sequences that leave the line: the cursor is at the beginning of the row below it.
  mutating func leave() -> String {
    defer { shown = nil }
    guard let shown else { return "\r\n" }
    var operations = Operations(code: code)
    operations.row = shown.cursorRow
    let last = shown.rows.count - 1
    operations.move(toRow: last, column: 0)
    // The row for the cursor after a full one is empty already.
    if last == 0 || !shown.rows[last].isEmpty { operations.text += "\r\n" }
    return operations.text
  }

  /// Where two layouts begin to differ; nil if their rows are equal.
  private static func difference(
    _ old: EditorLayout, _ new: EditorLayout
  ) -> (row: Int, index: Int)? {
    for row in 0..<min(old.rows.count, new.rows.count) {
      if old.rows[row] == new.rows[row] { continue }
      return (row, zip(old.rows[row], new.rows[row]).prefix { $0 == $1 }.count)
    }
    let same = min(old.rows.count, new.rows.count)
    return old.rows.count == new.rows.count ? nil : (same, 0)
  }

  /// Control sequences, and the row that the cursor is in after them.
  private struct Operations {
    let code: (ANSIStyle) -> String?
    var text = ""
    var row = 0

    /// Writes cells from one of the first row on, and all of the other rows.
    mutating func write(_ rows: ArraySlice<[EditorLayout.Cell]>, from index: Int) {
      for (number, cells) in rows.enumerated() {
        if number > 0 {
          text += "\r\n"
          row += 1
        }
        write(number == 0 ? cells[index...] : cells[...])
      }
    }

    private mutating func write(_ cells: ArraySlice<EditorLayout.Cell>) {
      var style: ANSIStyle?
      for cell in cells {
        if cell.style != style {
          if style != nil { text += "\u{1B}[0m" }
          if let code = cell.style.flatMap(self.code) { text += "\u{1B}[\(code)m" }
          style = cell.style
        }
        text += cell.text
      }
      if style != nil { text += "\u{1B}[0m" }
    }

    mutating func move(toRow target: Int, column: Int) {
      if target < row { text += "\u{1B}[\(row - target)A" }
      if target > row { text += "\u{1B}[\(target - row)B" }
      row = target
      text += "\r"
      if column > 0 { text += "\u{1B}[\(column)C" }
    }
  }
}

import TerminalText

/// A line as rows of a terminal: which character is in which column, and where the cursor is.
///
/// A wide character that does not fit in the rest of a row begins the next one. A line that ends in
/// the last column has one more row, for the cursor.
struct EditorLayout: Equatable {
  struct Cell: Equatable {
    let text: String
    let width: Int
    let style: ANSIStyle?
  }

  private(set) var rows: [[Cell]] = [[]]
  private(set) var cursorRow = 0
  /// The column of the cursor, less than the width of the terminal.
  private(set) var cursorColumn = 0
  private let columns: Int
  private var column = 0

  /// Lays out nothing, in a terminal of some columns.
  init(columns: Int) {
    self.columns = max(1, columns)
  }

  /// Adds text at the end; a newline in it begins a row.
  ///
  /// - Parameter styles: The style of each character; those after the last one have none.
  mutating func add(_ text: String, styles: [ANSIStyle?] = []) {
    var index = 0
    for character in text {
      let style = index < styles.count ? styles[index] : nil
      index += 1
      if character == "\n" {
        startRow()
        continue
      }
      let shown = String(character).escapingControls()
      // An escaped character is several characters of one column.
      for part in shown { add(Cell(text: String(part), width: part.displayWidth, style: style)) }
    }
  }

  /// Puts the cursor after the text so far.
  mutating func placeCursor() {
    cursorRow = rows.count - 1
    cursorColumn = column
  }

  mutating func startRow() {
    rows.append([])
    column = 0
  }

  private mutating func add(_ cell: Cell) {
    // No column takes half a character, and a mark without a letter would change the one before.
    let hasLetter = cell.text.unicodeScalars.first.map { $0.displayWidth > 0 } ?? false
    let isShown = hasLetter && cell.width <= columns
    let cell = isShown ? cell : Cell(text: "?", width: 1, style: cell.style)
    if column + cell.width > columns { startRow() }
    rows[rows.count - 1].append(cell)
    column += cell.width
    if column == columns { startRow() }
  }

  /// The rows that fit in a terminal of some rows, among them that of the cursor.
  func clipped(to height: Int) -> EditorLayout {
    guard rows.count > height, height > 0 else { return self }
    var clipped = self
    let first = max(0, cursorRow - height + 1)
    clipped.rows = Array(rows[first..<min(rows.count, first + height)])
    clipped.cursorRow = cursorRow - first
    return clipped
  }

  /// How many rows there are above the cursor after a terminal has wrapped the rows to a new width.
  ///
  /// Terminals that wrap do so with each row that has become too long.
  func rowsAboveCursor(wrappedTo columns: Int) -> Int {
    guard columns < self.columns, columns > 0 else { return cursorRow }
    let above = rows.prefix(cursorRow).reduce(0) { count, row in
      count + max(1, (Self.width(of: row[...]) + columns - 1) / columns)
    }
    return above + cursorColumn / columns
  }

  static func width(of cells: ArraySlice<Cell>) -> Int {
    cells.reduce(0) { $0 + $1.width }
  }
}

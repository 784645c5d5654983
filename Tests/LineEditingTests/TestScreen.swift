@testable import TerminalText
@testable import LineEditing

/// A terminal of some rows and columns that interprets what a program writes, as a VT100 does.
///
/// It knows carriage return, newline, the cursor's moves and places, erasing, and styles, which it
/// ignores.
struct TestScreen {
  private(set) var columns: Int
  /// All rows that were shown; the last ones are on the screen.
  private(set) var rows: [[String]] = [[]]
  private(set) var row = 0
  private(set) var column = 0
  /// How often something was written into a row above the first one it may write to.
  private(set) var violations = 0
  let height: Int

  init(columns: Int, height: Int = 1000) {
    self.columns = columns
    self.height = height
  }

  /// The text of the rows, without blanks at the ends and without empty rows at the bottom.
  var text: [String] {
    var lines = rows.map { cells in
      var line = cells.joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  mutating func write(_ output: String) {
    var rest = output[...]
    while let character = rest.popFirst() {
      switch character {
      case "\r\n": (column, _) = (0, moveDown())
      case "\r": column = 0
      case "\n": moveDown()
      case "\u{7}": break
      case "\u{1B}": interpret(&rest)
      default: put(character)
      }
    }
  }

  /// Narrows the screen: rows that are too long are wrapped, and the cursor stays at its character.
  mutating func narrow(to newColumns: Int) {
    var wrapped: [[String]] = []
    var place = (row: 0, column: 0)
    for (index, cells) in rows.enumerated() {
      let start = wrapped.count
      var used = cells
      while used.last == " " { used.removeLast() }
      wrapped.append(Array(used.prefix(newColumns)))
      while used.count > newColumns {
        used.removeFirst(newColumns)
        wrapped.append(Array(used.prefix(newColumns)))
      }
      if index == row {
        place = (start + column / newColumns, column % newColumns)
        while wrapped.count <= place.row { wrapped.append([]) }
      }
    }
    columns = newColumns
    rows = wrapped
    (row, column) = place
  }

  @discardableResult private mutating func moveDown() -> Bool {
    row += 1
    while rows.count <= row { rows.append([]) }
    return true
  }

  private mutating func interpret(_ rest: inout Substring) {
    guard rest.first == "[" else { return }
    rest.removeFirst()
    let parameters = rest.prefix { !$0.isLetter }
    rest = rest[parameters.endIndex...]
    let count = Int(parameters) ?? 1
    switch rest.popFirst() {
    case "A":
      row -= count
      if row < max(0, rows.count - height) {
        violations += 1
        row = max(0, row)
      }
    case "B": row = min(row + count, rows.count - 1)
    case "C": column = min(column + count, columns - 1)
    case "H":
      let place = parameters.split(separator: ";").compactMap { Int($0) }
      (row, column) = place.count == 2 ? (place[0] - 1, place[1] - 1) : (0, 0)
      if row >= height { violations += 1 }
      while rows.count <= row { rows.append([]) }
    case "K": rows[row] = Array(rows[row].prefix(column))
    case "J" where parameters == "2":
      rows = rows.map { _ in [] }
    case "J":
      rows.removeSubrange((row + 1)...)
      rows[row] = Array(rows[row].prefix(column))
    default: break
    }
  }

  private mutating func put(_ character: Character) {
    let width = character.displayWidth
    if width == 0 {
      if column > 0, column <= rows[row].count { rows[row][column - 1] += String(character) }
      return
    }
    if column + width > columns {
      // A terminal wraps here; an editor that counts on it is wrong in some terminals.
      violations += 1
      column = 0
      moveDown()
    }
    while rows[row].count < column + width { rows[row].append(" ") }
    rows[row][column] = String(character)
    for extra in 1..<max(1, width) + 0 where extra < width { rows[row][column + extra] = "" }
    column += width
  }
}

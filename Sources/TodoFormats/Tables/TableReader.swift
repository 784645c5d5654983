/// A table with a header: its rows as parts, which are named by their columns.
struct TableReader {
  private var rows: CSVRows
  /// The names of the columns; a repeated name has its number after it.
  private(set) var columns: [String]

  /// A row as the parts of its cells that are not empty.
  struct Row {
    let line: Int
    let parts: [TaskRecord.Part]
  }

  /// Takes the rows after a header.
  init(rows: CSVRows, header: [String]) {
    self.rows = rows
    var counts: [String: Int] = [:]
    columns = []
    for (index, cell) in header.enumerated() {
      let name = cell.trimmedBlanks.isEmpty ? "column \(index + 1)" : cell.trimmedBlanks
      let count = (counts[name] ?? 0) + 1
      counts[name] = count
      columns.append(count == 1 ? name : "\(name) (\(count))")
    }
  }

  /// The next row that is not blank; a malformed one is an error of the file.
  mutating func next(_ file: inout TaskFile) throws -> Row? {
    guard let row = try file.next(of: { try rows.nextFilled() }) else { return nil }
    let parts = zip(columns, row.cells).compactMap { name, cell in
      cell.isEmpty ? nil : TaskRecord.Part(name, cell)
    }
    let surplus = row.cells.dropFirst(columns.count).count { !$0.isEmpty }
    if surplus > 0 {
      file.warn(
        row.line, "The row has more cells than the header; \(surplus) of them are left out.",
        "머리글보다 칸이 많습니다. \(surplus)개를 뺍니다.")
    }
    return Row(line: row.line, parts: parts)
  }
}

extension String {
  /// Writes a table: the usual columns, then those that only some rows have.
  ///
  /// A column that a row has no part of is empty.
  init(table rows: [[TaskRecord.Part]], columns: [String]) {
    var known = Set(columns)
    var all = columns
    for part in rows.joined() where known.insert(part.name).inserted { all.append(part.name) }
    let lines = rows.map { parts in
      let cells = Dictionary(parts.map { ($0.name, $0.text) }) { $1 }
      return all.map { cells[$0] ?? "" }
    }
    self = ([all] + lines).map { $0.map(\.csvCell).joined(separator: ",") + "\n" }.joined()
  }
}

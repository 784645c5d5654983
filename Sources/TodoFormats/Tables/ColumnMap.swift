/// Which columns of a table mean which fields.
package struct ColumnMap: Hashable, Sendable {
  /// A column: by its name in the header, or by its number from 1.
  package enum Column: Hashable, Sendable {
    /// The name, whatever the case.
    case name(String)
    /// The number, for tables without a header.
    case number(Int)
  }

  /// The columns by the field that they mean.
  package let columns: [TaskField: Column]

  /// Reads `title=Task,due=Deadline`; a name with a comma is in quotes, as in a table.
  ///
  /// - Throws: `TaskIssue` for an unknown field, one that comes twice, or a missing name.
  package init(_ text: String) throws {
    var columns: [TaskField: Column] = [:]
    var rows = CSVRows(Array(text.utf8)[...], separator: UInt8(ascii: ","))
    let cells: [String]
    do {
      cells = try rows.next()?.cells ?? []
    } catch {
      throw Self.issue(
        "The map of columns has a quote that is not closed.", "열 대응에 닫히지 않은 따옴표가 있습니다.")
    }
    for cell in cells {
      let pair = cell.split(separator: "=", maxSplits: 1).map { String($0).trimmedBlanks }
      guard pair.count == 2, !pair[1].isEmpty else {
        throw Self.issue(
          "Write \(cell.quotedBriefly) as FIELD=COLUMN.", "\(cell.quotedBriefly): 필드=열 이름으로 쓰세요.")
      }
      guard let field = Self.field(named: pair[0]) else {
        let names = TaskField.ofTables.map(\.rawValue).joined(separator: ", ")
        throw Self.issue(
          "There is no field \(pair[0].quotedBriefly). Use one of \(names).",
          "\(pair[0].quotedBriefly) 필드는 없습니다. 쓸 수 있는 필드: \(names).")
      }
      guard columns[field] == nil else {
        throw Self.issue(
          "The field \(field.rawValue) has two columns: name one.",
          "\(field.rawValue) 필드에 열이 둘입니다. 하나만 쓰세요.")
      }
      let number = Int(pair[1]).flatMap { $0 > 0 ? $0 : nil }
      columns[field] = number.map { .number($0) } ?? .name(pair[1])
    }
    self.columns = columns
  }

  private static func issue(_ english: String, _ korean: String) -> TaskIssue {
    TaskIssue(.fatal, row: nil, english, korean)
  }

  static func name(of field: TaskField) -> String { field == .notes ? "note" : field.rawValue }

  /// The field that a column of a name means; nil for an unknown one.
  static func field(named name: String) -> TaskField? {
    let name = name.lowercased()
    let own = TaskField.ofTables.first {
      Self.name(of: $0).lowercased() == name || $0.rawValue.lowercased() == name
    }
    return own ?? TaskField.otherNames.first { $0.value.contains(name) }?.key
  }
}

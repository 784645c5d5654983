import Croft

/// What changed between two results of a query.
struct RowDifferences {
  /// How a row differs from the result before, by the sign that is written.
  enum Change: String {
    case insert = "+"
    case update = "~"
    case delete = "-"

    /// The word for it in JSON.
    var word: String {
      switch self {
      case .insert: "insert"
      case .update: "update"
      case .delete: "delete"
      }
    }
  }

  /// The places of the primary key among the values; empty where the rows do not have it.
  private let keys: [Int]

  /// Compares rows by the values at some places, or as a whole.
  init(keys: [Int]) { self.keys = keys }

  /// The changes: first the rows that have gone, in the old order, then the others in the new one.
  ///
  /// Rows without a key are not updated: the old one has gone, and the new one has come. A row that
  /// is only at another place is no change.
  func changes(
    from old: [[StoredValue]], to new: [[StoredValue]]
  ) -> [(change: Change, row: [StoredValue])] {
    guard let oldByKey = byKey(old), let newByKey = byKey(new) else {
      let gone = Self.rows(of: old, without: new)
      let come = Self.rows(of: new, without: old)
      return gone.map { (.delete, $0) } + come.map { (.insert, $0) }
    }
    var changes: [(change: Change, row: [StoredValue])] = []
    for row in old where newByKey[key(of: row)] == nil { changes.append((.delete, row)) }
    for row in new {
      guard let before = oldByKey[key(of: row)] else {
        changes.append((.insert, row))
        continue
      }
      if before != row { changes.append((.update, row)) }
    }
    return changes
  }

  private func key(of row: [StoredValue]) -> [StoredValue] { keys.map { row[$0] } }

  /// The rows by their keys; nil without keys, and where one is not unique.
  private func byKey(_ rows: [[StoredValue]]) -> [[StoredValue]: [StoredValue]]? {
    if keys.isEmpty { return nil }
    var found: [[StoredValue]: [StoredValue]] = [:]
    for row in rows where found.updateValue(row, forKey: key(of: row)) != nil { return nil }
    return found
  }

  /// The rows that are more often in one result than in the other one.
  private static func rows(
    of rows: [[StoredValue]], without others: [[StoredValue]]
  ) -> [[StoredValue]] {
    var counts: [[StoredValue]: Int] = [:]
    for row in others { counts[row, default: 0] += 1 }
    return rows.filter { row in
      guard let count = counts[row], count > 0 else { return true }
      counts[row] = count - 1
      return false
    }
  }
}

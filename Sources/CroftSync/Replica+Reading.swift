import Croft

// Rows of the server are read; those that cannot be objects of this program are set aside.

extension Replica {
  /// Rows with this store's numbers, and what they are where they cannot be read.
  struct ReadRows {
    var rows: [(object: ObjectKey, row: ServerRow)] = []
    var unread: [(object: ObjectKey, row: SyncRow)] = []
    /// How many rows of unknown models were set aside.
    var strangers = 0
  }

  /// Reads rows, together with those that were set aside and may be readable by now.
  ///
  /// - Parameters:
  ///   - again: Whether rows are tried again whose bytes were none.
  ///   - isFull: Whether the rows are all that there are.
  func read(
    _ received: [SyncRow], by schema: SpaceSchema, again: Bool, isFull: Bool,
    _ tx: inout WriteTransaction
  ) throws -> ReadRows {
    var read = ReadRows()
    var rows = Dictionary(received.map { ($0.object, $0) }) { $0.version > $1.version ? $0 : $1 }
    // The server has no other rows than those of a whole state: remembered ones are gone.
    func isNewer(_ row: SyncRow) -> Bool {
      rows[row.object].map { $0.version < row.version } ?? !isFull
    }
    let strangers = try tx.strangers()
    for (object, row) in strangers {
      if schema.own(object) != nil {
        try tx.setStranger(nil, of: object)
        if isNewer(row) { rows[object] = row }
      } else if isFull, rows[object] == nil {
        try tx.setStranger(nil, of: object)
      }
    }
    if again {
      for row in try tx.asides().values.compactMap(\.row) where isNewer(row) {
        rows[row.object] = row
      }
    }
    for row in rows.values.sorted(by: { $0.object < $1.object }) {
      guard let object = schema.own(row.object) else {
        guard laws.contains(.setAside) else {
          throw SyncError.serverInvalid(reason: "the row of \(row.object) cannot be read")
        }
        if let known = strangers[row.object], known.version >= row.version { continue }
        if strangers[row.object] == nil, !row.isDeleted { read.strangers += 1 }
        try tx.setStranger(row.isDeleted ? nil : row, of: row.object)
        continue
      }
      if let (_, readable) = schema.own(row) {
        read.rows.append((object, readable))
      } else if row.isDeleted, laws.contains(.setAside) {
        // A deletion needs no bytes; it is forgotten once it is old, as any other.
        let born = try tx.record(of: object)?.born ?? Stamp(time: 0, replica: 0)
        read.rows.append((object, ServerRow(version: row.version, isDeleted: true, born: born)))
      } else {
        read.unread.append((object, row))
      }
    }
    return read
  }

  /// How many of the server's objects are out of sight.
  func asideCount() throws -> Int {
    try store.writeRemote { try $0.asides().count + $0.strangers().count }
  }
}

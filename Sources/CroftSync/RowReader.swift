import Croft

/// Reads rows of the server; those that cannot be objects of this program are set aside.
struct RowReader {
  /// Rows with this store's numbers, and what they are where they cannot be read.
  struct Rows {
    var rows: [(object: ObjectKey, row: ServerRow)] = []
    var unread: [(object: ObjectKey, row: SyncRow)] = []
  }

  private let schema: SpaceSchema
  private let laws: Laws
  /// The rows of unknown models that there were before.
  private let strangers: [SyncObject: SyncRow]
  /// Whether the rows are all that there are: the server has no others, and none that are later.
  private let isFull: Bool
  /// How many rows of unknown models were set aside.
  private(set) var strangerCount = 0

  init(_ schema: SpaceSchema, _ laws: Laws, strangers: [SyncObject: SyncRow], isFull: Bool) {
    (self.schema, self.laws, self.strangers) = (schema, laws, strangers)
    self.isFull = isFull
  }

  /// Rows that were set aside and may be readable by now, unless later ones come.
  ///
  /// - Parameters:
  ///   - rows: The rows that come.
  ///   - asides: Objects whose rows are tried again.
  func formerRows(
    beside rows: PulledRows, _ asides: [ObjectKey: Aside], _ tx: inout WriteTransaction
  ) throws -> [SyncRow] {
    var former: [SyncRow] = []
    func isNewer(_ row: SyncRow, _ tx: borrowing WriteTransaction) throws -> Bool {
      if isFull { return false }
      return try rows.version(of: row.object, tx).map { $0 < row.version } ?? true
    }
    for (object, row) in strangers {
      if schema.own(object) != nil {
        try tx.setStranger(nil, of: object)
        if try isNewer(row, tx) { former.append(row) }
      } else if isFull, try rows.version(of: object, tx) == nil {
        try tx.setStranger(nil, of: object)
      }
    }
    for row in asides.values.compactMap(\.row) where try isNewer(row, tx) { former.append(row) }
    return former.sorted { $0.object < $1.object }
  }

  /// Reads rows; those of unknown models are set aside.
  mutating func read(_ rows: [SyncRow], _ tx: inout WriteTransaction) throws -> Rows {
    var read = Rows()
    for row in rows where row.object.model != SpaceSchema.model {
      guard let object = schema.own(row.object) else {
        guard laws.contains(.setAside) else {
          throw SyncError.serverInvalid(reason: "the row of \(row.object) cannot be read")
        }
        if !isFull, let known = strangers[row.object], known.version >= row.version { continue }
        if strangers[row.object] == nil, !row.isDeleted { strangerCount += 1 }
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
}

extension Replica {
  /// How many of the server's objects are out of sight.
  func asideCount() throws -> Int {
    try store.writeRemote { try $0.asides().count + $0.strangers().count }
  }
}

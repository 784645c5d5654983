import Croft

/// The rows of the server that are applied together, ascending by object: in memory, or staged in the store.
struct PulledRows {
  /// Those in memory, one of an object.
  private let rows: [SyncRow]
  /// Whether they are in the tree `staging`, and none is in memory.
  let isStaged: Bool

  /// All that are staged.
  static let staged = PulledRows()

  private init() { (rows, isStaged) = ([], true) }

  /// Takes the rows of an answer; of two of one object the later one.
  init(_ pulled: [SyncRow]) {
    var rows: [SyncRow] = []
    for row in pulled.sorted(by: { ($0.object, $0.version) < ($1.object, $1.version) }) {
      if rows.last?.object == row.object { rows.removeLast() }
      rows.append(row)
    }
    (self.rows, isStaged) = (rows, false)
  }

  var isEmpty: Bool { rows.isEmpty && !isStaged }

  /// Calls a closure with all rows, some at a time.
  ///
  /// - Parameters:
  ///   - limit: The most rows at a time.
  ///   - bytes: The most bytes of them where they are staged, unless one row has more.
  func forEachBlock(
    of limit: Int, bytes: Int = Replica.mostBytes, _ tx: inout WriteTransaction,
    _ body: ([SyncRow], inout WriteTransaction) throws -> Void
  ) throws {
    if !isStaged {
      for start in stride(from: 0, to: rows.count, by: limit) {
        try body(Array(rows[start...].prefix(limit)), &tx)
      }
      return
    }
    var last: [UInt8]?
    while true {
      let block = try tx.staged(after: last, limit: limit, bytes: bytes)
      guard let end = block.last else { return }
      try body(block, &tx)
      last = end.key
    }
  }

  /// The rows that describe models, which are the first ones.
  func descriptions(in store: Store) throws -> [SyncRow] {
    if !isStaged { return Array(rows.prefix { $0.object.model == SpaceSchema.model }) }
    return try store.writeRemote { tx in
      var descriptions: [SyncRow] = []
      while let row = try tx.staged(after: descriptions.last?.key, limit: 1, bytes: .max).first,
        row.object.model == SpaceSchema.model
      {
        descriptions.append(row)
      }
      return descriptions
    }
  }

  /// The version of an object's row; nil where it is not among them.
  func version(of object: SyncObject, _ tx: borrowing WriteTransaction) throws -> UInt64? {
    if isStaged {
      let key = object.bytes
      guard let bytes = try tx.value(at: key, in: .staging) else { return nil }
      guard let row = SyncRow(key: key, bytes) else { throw StoreError.damaged(key, in: .staging) }
      return row.version
    }
    var range = rows.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if rows[middle].object == object { return rows[middle].version }
      range =
        rows[middle].object < object
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

extension WriteTransaction {
  mutating func stage(_ row: SyncRow) throws {
    try setValue(row.bytes, at: row.key, in: .staging)
  }

  fileprivate func staged(after key: [UInt8]?, limit: Int, bytes: Int) throws -> [SyncRow] {
    try values(in: .staging, after: key, limit: limit, bytes: bytes).map { key, value in
      guard let row = SyncRow(key: key, value) else { throw StoreError.damaged(key, in: .staging) }
      return row
    }
  }
}

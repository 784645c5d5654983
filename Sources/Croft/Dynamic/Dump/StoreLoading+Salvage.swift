import LMDB

// Objects of a damaged file, as far as they can be read.
extension StoreLoading {
  /// Adds the objects of a model that can be read.
  ///
  /// - Parameters:
  ///   - source: The model's table in the damaged file.
  ///   - lost: Gets a sentence for each damaged object, and for those that a damaged page hides.
  /// - Returns: How many objects were added.
  func addObjects(
    of source: Table, in transaction: borrowing LMDB.ReadTransaction,
    _ progress: (Int) throws -> Void, lost: (String) throws -> Void
  ) throws -> Int {
    guard let table = tables[source.schema.name] else { return 0 }
    let places = table.schema.columns.compactMap { source.schema.place(named: $0.name) }
    let (pending, layout) = (PendingObjects(table), source.layout)
    var count = 0
    try RowSalvage(of: source).run(in: transaction, lost: lost) { row in
      let values = try layout.columns.map { try $0.value(in: row, layout) }
      try pending.append(places.map { values[$0] })
      count += 1
      guard pending.isFull else { return }
      try environment.write { try pending.write(to: &$0) }
      try progress(count)
    }
    try environment.write { try pending.write(to: &$0) }
    return count
  }

  /// Sets references to objects that were lost to nil, and leaves objects out that must have one.
  ///
  /// - Parameter lost: Gets a sentence for each.
  /// - Returns: How many objects were left out.
  func mendReferences(lost: (String) throws -> Void) throws -> Int {
    var (removed, before) = (0, -1)
    // An object that is left out may be one that others refer to.
    while removed != before {
      before = removed
      for table in tables.values.sorted(by: { $0.schema.name < $1.schema.name }) {
        // The tables know their references only after the indexes are built, and the models before.
        let targets = targets(of: table.schema)
        if !targets.isEmpty { removed += try mendReferences(of: table, to: targets, lost: lost) }
      }
    }
    return removed
  }

  private func mendReferences(
    of table: Table, to targets: [String: Table], lost: (String) throws -> Void
  ) throws -> Int {
    var removed = 0
    var start: [UInt8]? = []
    while let part = start {
      // Some are written in each commit, so that few are in memory.
      let pending = PendingObjects(table)
      var (keys, keyBytes): ([[UInt8]], Int) = ([], 0)
      do {
        let transaction = try LMDB.ReadTransaction(beginningIn: environment)
        start = try table.forEachRow(behind: part, in: transaction) { row in
          let values = try table.layout.columns.map { try $0.value(in: row, table.layout) }
          let name = unsafe "\(table.schema.name) \(table.schema.describe(key: row.keyBytes))"
          let kept = try self.values(values, of: table, to: targets, in: transaction) { loss in
            try lost("\(name)\(loss)")
          }
          guard kept != values else { return true }
          // Safety: the bytes are copied while the row is borrowed.
          let key = unsafe [UInt8](row.keyBytes)
          keys.append(key)
          keyBytes += key.count
          if let kept { try pending.append(kept) } else { removed += 1 }
          return !pending.isFull && keyBytes <= Threshold.ascendingRowBytes.value
        }
      }
      try environment.write { transaction in
        for key in keys { try unsafe transaction.delete(key.span.bytes, in: table.rows) }
        try pending.write(to: &transaction)
      }
    }
    return removed
  }

  /// The values of an object without references to lost objects; nil where it must have one.
  private func values(
    _ old: [StoredValue], of table: Table, to targets: [String: Table],
    in transaction: borrowing LMDB.ReadTransaction, lost: (String) throws -> Void
  ) throws -> [StoredValue]? {
    var (values, isRemoved) = (old, false)
    for (place, column) in table.schema.columns.enumerated() {
      guard let target = targets[column.name] else { continue }
      let value = try values[place].keeping(column.storage) { element in
        let code = element.keyCode(kind: column.storage.kind)
        return try unsafe transaction.get(code.span.bytes, in: target.rows) != nil
      }
      guard value != values[place] else { continue }
      isRemoved = isRemoved || value == nil
      try lost(
        value == nil
          ? " is left out: its \(column.name) refers to an object that is lost"
          : ": its \(column.name) referred to an object that is lost")
      values[place] = value ?? values[place]
      if value == StoredValue.none { clearStruct(around: column.name, in: table.schema, &values) }
    }
    return isRemoved ? nil : values
  }
}

extension StoreLoading {
  /// Sets the innermost optional struct that a column is in to nil.
  ///
  /// The file does not have whether the reference is optional in the struct: without it the object
  /// might be one that cannot be read.
  private func clearStruct(
    around name: String, in schema: Schema, _ values: inout [StoredValue]
  ) {
    var outer = name[...]
    while let dot = outer.lastIndex(of: ".") {
      outer = outer[..<dot]
      guard let mark = schema.place(named: String(outer)),
        schema.columns[mark].storage.kind == .bool
      else { continue }
      for (place, column) in schema.columns.enumerated()
      where column.name.hasPrefix("\(outer).") && column.storage.isOptional {
        values[place] = .none
      }
      values[mark] = schema.columns[mark].storage.isOptional ? .none : .bool(false)
      return
    }
  }

  /// The tables that the references of a model lead to, by the names of their properties.
  private func targets(of schema: Schema) -> [String: Table] {
    let fields = models.first { $0.name == schema.name }?.fields ?? []
    let names = fields.compactMap { field -> (String, Table)? in
      let target = models.first { $0.id == field.reference?.model }
      return target.flatMap { tables[$0.name] }.map { (field.name, $0) }
    }
    return Dictionary(names, uniquingKeysWith: { first, _ in first })
  }
}

extension StoredValue {
  /// The value without the references of which a test is false; nil where a property must have one.
  fileprivate func keeping(
    _ storage: StorageType, _ exists: (StoredValue) throws -> Bool
  ) throws -> StoredValue? {
    guard case .list(let values) = self else {
      if try self == StoredValue.none || exists(self) { return self }
      return storage.isOptional ? StoredValue.none : nil
    }
    let isDictionary = storage.collection == .dictionary
    var kept: [StoredValue] = []
    for place in stride(from: 0, to: values.count, by: isDictionary ? 2 : 1) {
      let element = values[isDictionary ? place + 1 : place]
      let isThere = try element == StoredValue.none || exists(element)
      guard isThere || storage.isElementOptional else { continue }
      if isDictionary { kept.append(values[place]) }
      kept.append(isThere ? element : StoredValue.none)
    }
    return .list(kept)
  }
}

/// Reads the rows of a model from both ends, as far as pages can be read.
///
/// Confined to the call that made it.
private final class RowSalvage {
  private let table: Table
  private let arena = RecordArena()
  /// How many rows there were, damaged ones among them.
  private var count = 0
  /// The last key of the rows that were read from the start.
  private var last: [UInt8]?
  /// The first key of the rows that were read from the end.
  private var first: [UInt8]?

  init(of table: Table) { self.table = table }

  /// Passes each row that can be read to a closure.
  ///
  /// - Parameter lost: Gets a sentence for each damaged row, and for those that no page brings.
  func run(
    in transaction: borrowing LMDB.ReadTransaction, lost: (String) throws -> Void,
    _ body: (RecordView) throws -> Void
  ) throws {
    let failure = try read(in: transaction, .forward, lost, body)
    if failure != nil { _ = try read(in: transaction, .backward, lost, body) }
    try tellHidden(in: transaction, failure, lost)
  }

  /// Reads rows in one direction.
  ///
  /// - Returns: The error of a damaged page, which ends that; nil at the other end.
  private func read(
    in transaction: borrowing LMDB.ReadTransaction, _ direction: KeyRange.Direction,
    _ lost: (String) throws -> Void, _ body: (RecordView) throws -> Void
  ) throws -> LMDBError? {
    var isShort = false
    while true {
      // A range with an end, because a scan of all rows throws where a page hides some.
      let range = KeyRange(
        lower: last.map { .exclusive($0) } ?? .inclusive([0]),
        upper: first.map { .exclusive($0) } ?? .unbounded)
      var isEmpty = true
      do {
        try transaction.forEachBlock(of: table.rows, in: range, direction: direction) { block in
          isEmpty = false
          try take(block, lost, body)
          let key = block.key(at: block.count - 1).copied()
          if direction == .forward { last = key } else { first = key }
          return !isShort
        }
        if isEmpty || !isShort { return nil }
      } catch let error as LMDBError where error.isDamage {
        // A block that reaches a damaged page is lost as a whole, so the last ones are small.
        if isShort { return error }
        isShort = true
      }
    }
  }

  private func take(
    _ block: borrowing RowBlock, _ lost: (String) throws -> Void,
    _ body: (RecordView) throws -> Void
  ) throws {
    arena.clear()
    for place in 0..<block.count {
      // Safety: the bytes are used while the block is borrowed.
      let bytes = unsafe block.entries[place]
      count += 1
      do {
        let row = try unsafe table.view(key: bytes.key, row: bytes.value, arena)
        try row.checkSum(table.layout)
        try body(row)
      } catch let error as StoreError {
        guard case .corrupt = error else { throw error }
        try lost("\(error)")
      }
    }
  }

  /// Tells how many rows no page brings.
  private func tellHidden(
    in transaction: borrowing LMDB.ReadTransaction, _ failure: LMDBError?,
    _ lost: (String) throws -> Void
  ) throws {
    // Where the number is damaged as well, it is not known how many there were.
    let hidden = (try? transaction.count(of: table.rows)).map { $0 - count } ?? 0
    guard hidden > 0 || failure != nil else { return }
    func described(_ key: [UInt8]) -> String {
      // Safety: the key is described while it is borrowed.
      unsafe key.withUnsafeBytes { unsafe table.schema.describe(key: $0) }
    }
    let number =
      hidden == 1 ? "1 object" : hidden > 1 ? "\(hidden) objects" : "an unknown number of objects"
    let place =
      switch (last, first) {
      case (let last?, let first?):
        " between the keys \(described(last)) and \(described(first))"
      case (let last?, nil): " after the key \(described(last))"
      case (nil, let first?): " before the key \(described(first))"
      case (nil, nil): ""
      }
    let reason = failure.map { "\($0)" } ?? "a damaged page hides them"
    try lost("\(table.schema.name): \(number)\(place) cannot be read: \(reason)")
  }
}

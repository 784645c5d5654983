import LMDB

extension ReadTransaction {
  /// Passes the objects of a model that differ from those of another file, by primary key.
  ///
  /// These are objects that one of the files lacks, and objects with other values in each.
  ///
  /// Properties are compared by their names. One that only one of the files has, or that has
  /// another type there, is not compared; that one of them may be nil is no other type.
  /// ``models()`` tells how the models differ.
  ///
  /// ```swift
  /// try old.read { old in
  ///   try new.read { new in
  ///     try new.forEachDifference(of: "Book", from: old) { print($0) }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - model: The name of a model of both files, with a primary key of the same properties and
  ///     types.
  ///   - other: What the other file has, or another snapshot of this one.
  ///   - body: Gets each difference; an error that it throws ends the comparison.
  /// - Returns: How many objects both have with the same values.
  /// - Throws: ``StoreError/unknownModel(model:)``;
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` for another primary key;
  ///   ``StoreError/corrupt(model:key:reason:)``, also at the end where a damaged page lacks
  ///   objects, which were passed as ones that the file does not have; what the closure throws.
  /// - Complexity: O(objects), in the memory of some hundred objects.
  @discardableResult
  public func forEachDifference(
    of model: String, from other: borrowing ReadTransaction,
    _ body: (ObjectDifference) throws -> Void
  ) throws -> Int {
    do {
      var old = try ObjectQueue(of: model, other.storedModels())
      var new = try ObjectQueue(of: model, storedModels())
      let compared = try old.comparedPlaces(new)
      var equalCount = 0
      while true {
        let (left, right) = (try old.first(in: other.base), try new.first(in: base))
        if left == nil, right == nil { return equalCount }
        let isOld = right.map { right in left.map { !right.isBefore($0) } ?? false } ?? true
        let isNew = left.map { left in right.map { !left.isBefore($0) } ?? false } ?? true
        if isOld { old.removeFirst() }
        if isNew { new.removeFirst() }
        var changed: [String] = []
        if isOld, isNew, let left, let right {
          changed = compared.filter { !left.values[$0.old].isIdentical(to: right.values[$0.new]) }
            .map { new.table.schema.columns[$0.new].name }
          if changed.isEmpty {
            equalCount += 1
            continue
          }
        }
        try body(
          ObjectDifference(
            old: isOld ? left.map { old.object($0) } : nil,
            new: isNew ? right.map { new.object($0) } : nil, changedNames: changed))
      }
    } catch { throw failing(error) }
  }
}

/// The objects of a model by primary key, some of which were read.
private struct ObjectQueue {
  /// An object, and the code of its key.
  struct Row {
    let key: [UInt8]
    let values: [StoredValue]

    func isBefore(_ other: Row) -> Bool { key.lexicographicallyPrecedes(other.key) }
  }

  /// The most objects that are read at a time.
  private static let rowsMax = 256
  /// The bytes of rows after which no more are read at a time.
  private static let bytesMax = 1 << 20

  let table: Table
  private let names: [String]
  private var rows: ArraySlice<Row> = []
  private var last: [UInt8] = []
  /// How many rows were read so far.
  private var count = 0
  private var isComplete = false

  init(of model: String, _ stored: StoredModels) throws {
    guard let schema = stored.schemas[model] else { throw StoreError.unknownModel(model: model) }
    table = try stored.table(of: schema).0
    names = schema.columns.map(\.name)
  }

  /// The places of the properties that both models have, with values of one type.
  func comparedPlaces(_ new: ObjectQueue) throws -> [(old: Int, new: Int)] {
    let (left, right) = (table.schema, new.table.schema)
    func key(_ schema: Schema) -> [(String, StorageType.Kind)] {
      schema.keyPlaces.map { (schema.columns[$0].name, schema.columns[$0].storage.kind) }
    }
    guard key(left).elementsEqual(key(right), by: ==) else {
      throw StoreError.schemaMismatch(
        model: right.name, field: nil,
        reason: "the other file has another primary key, so that objects have no counterparts")
    }
    return right.columns.enumerated().compactMap { place, column in
      guard let other = left.place(named: column.name) else { return nil }
      let storage = left.columns[other].storage
      let isSame =
        storage.kind == column.storage.kind && storage.collection == column.storage.collection
      return isSame ? (old: other, new: place) : nil
    }
  }

  func object(_ row: Row) -> DynamicObject {
    DynamicObject(model: table.schema.name, names: names, values: row.values)
  }

  /// The first object that was not removed; nil after the last one.
  mutating func first(in transaction: borrowing LMDB.ReadTransaction) throws -> Row? {
    if rows.isEmpty, !isComplete { try read(in: transaction) }
    return rows.first
  }

  mutating func removeFirst() { rows.removeFirst() }

  private mutating func read(in transaction: borrowing LMDB.ReadTransaction) throws {
    var (read, bytes) = ([Row](), 0)
    let end = try table.forEachRow(behind: last, in: transaction) { row in
      // The rest of a block is read once more, so that large objects are not in memory together.
      guard read.count < Self.rowsMax, bytes < Self.bytesMax else { return false }
      let values = try table.layout.columns.map { try $0.value(in: row, table.layout) }
      // Safety: the bytes are copied while the row is borrowed.
      unsafe read.append(Row(key: [UInt8](row.keyBytes), values: values))
      bytes += row.rowCount
      return read.count < Self.rowsMax && bytes < Self.bytesMax
    }
    isComplete = end == nil
    count += read.count
    let stored = isComplete ? try transaction.count(of: table.rows) : count
    guard count == stored else {
      throw StoreError.corrupt(
        model: table.schema.name, key: nil,
        reason: "\(count) objects are in its pages, and their tree has \(stored)")
    }
    last = read.last?.key ?? last
    rows = read[...]
  }
}

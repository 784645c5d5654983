import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads and extends the catalog in the tree `meta`.
struct CatalogReader {
  static let treeName = "meta"
  let path: String
  let shapes: [ModelShape]

  /// Reads the catalog for the program's models.
  ///
  /// - Returns: The catalog, or nil where the store is new or lacks one of the models.
  /// - Throws: ``StoreError`` for what is no Croft store, is newer, or does not match.
  func read(_ transaction: borrowing some Transaction & ~Copyable) throws -> Catalog? {
    guard let meta = try transaction.database(named: Self.treeName) else {
      try requireEmpty(transaction)
      return nil
    }
    let header = try header(meta, transaction)
    let records = try records(meta, transaction)
    var models: [ModelStorage] = []
    var slot = 0
    for shape in shapes {
      guard let record = records.first(where: { $0.name == shape.name }) else { return nil }
      try record.check(shape)
      models.append(try open(record, shape, &slot, transaction))
    }
    // The rules of models that refer to these hold, whether the program knows them or not.
    while let record = records.first(where: { record in
      !models.contains { $0.id == record.id } && record.refers(to: models)
    }) {
      models.append(try open(record, ModelShape(record), &slot, transaction))
    }
    return Catalog(meta: meta, generation: header.generation, models: models)
  }

  /// Adds what the store lacks of the program's models, in the same transaction.
  func extend(_ transaction: inout LMDB.WriteTransaction) throws -> Catalog {
    if let catalog = try read(transaction) { return catalog }
    let isNew = try transaction.database(named: Self.treeName) == nil
    let meta = try transaction.openDatabase(named: Self.treeName)
    var header =
      try isNew ? StoreHeader(store: UUID().words) : header(meta, transaction)
    var records = try isNew ? [] : records(meta, transaction)
    let missing = shapes.filter { shape in !records.contains { $0.name == shape.name } }
    var ids = Dictionary(records.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    for shape in missing { ids[shape.name] = (ids.values.max() ?? 0) + 1 }
    for shape in missing {
      let record = try ModelRecord(
        shape, ids: ids, firstIndex: (records.flatMap(\.indexes).map(\.id).max() ?? 0) + 1)
      try create(record, meta, &transaction)
      records.append(record)
    }
    header.generation += 1
    try write(header, meta, &transaction)
    guard let catalog = try read(transaction) else {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "the catalog lost a model just written")
    }
    return catalog
  }

  /// Reads the store's header.
  func header(
    _ meta: Database, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> StoreHeader {
    let key = StoreHeader.key
    guard let bytes = try unsafe transaction.get(key.span.bytes, in: meta) else {
      throw StoreError.notACroftFile(
        path: path, reason: "it is an LMDB file without Croft's header")
    }
    return try StoreHeader(bytes, path: path)
  }

  /// Writes the store's header.
  func write(
    _ header: StoreHeader, _ meta: Database, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let key = StoreHeader.key
    let bytes = header.bytes
    _ = try unsafe transaction.put(bytes.span.bytes, at: key.span.bytes, in: meta)
  }

  private func create(
    _ record: ModelRecord, _ meta: Database, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = [UInt8](try encoder.encode(record))
    let key = record.catalogKey
    _ = try unsafe transaction.put(json.span.bytes, at: key.span.bytes, in: meta)
    _ = try transaction.openDatabase(named: record.treeName)
    for index in record.indexes {
      _ = try transaction.openDatabase(named: ModelRecord.treeName(ofIndex: index.id))
    }
  }

  private func open(
    _ record: ModelRecord, _ shape: ModelShape, _ slot: inout Int,
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> ModelStorage {
    func tree(_ name: String) throws -> Database {
      guard let tree = try transaction.database(named: name) else {
        throw StoreError.corrupt(model: shape.name, key: nil, reason: "its tree \(name) is missing")
      }
      return tree
    }
    guard let layout = record.layouts.last, layout.fields == record.fields.map(\.id) else {
      throw StoreError.corrupt(
        model: shape.name, key: nil, reason: "the catalog has no layout for it")
    }
    let rows = try tree(record.treeName)
    let rowLayout = RowLayout(shape: shape, id: layout.id)
    var indexes: [IndexStorage] = []
    for index in record.indexes {
      let columns = index.columns.compactMap { column in
        record.fields.firstIndex { $0.id == column.field }.map {
          IndexColumn(
            place: $0, isDescending: column.isDescending, isCaseFolded: column.isCaseFolded)
        }
      }
      guard !columns.isEmpty, columns.count == index.columns.count else {
        throw StoreError.corrupt(
          model: shape.name, key: nil, reason: "an index in the catalog names unknown fields")
      }
      indexes.append(
        IndexStorage(
          id: index.id, slot: slot, columns: columns, isUnique: index.isUnique,
          entries: try tree(ModelRecord.treeName(ofIndex: index.id)), layout: rowLayout))
      slot += 1
    }
    var references: [ReferenceStorage] = []
    for (place, field) in record.fields.enumerated() {
      guard let reference = field.reference else { continue }
      guard let index = indexes.first(where: { $0.columns == [IndexColumn(place: place)] }) else {
        throw StoreError.corrupt(
          model: shape.name, key: nil, reason: "its references \(field.name) have no index")
      }
      references.append(
        ReferenceStorage(
          column: place, target: reference.model,
          targetRows: try tree(ModelRecord.treeName(ofModel: reference.model)),
          onDelete: reference.onDelete, index: index))
    }
    return ModelStorage(
      id: record.id, shape: shape, layout: rowLayout, rows: rows, indexes: indexes,
      references: references)
  }

  private func records(
    _ meta: Database, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> [ModelRecord] {
    var json: [[UInt8]] = []
    try transaction.forEachBlock(of: meta, in: .prefix(ModelRecord.keyPrefix)) { block in
      for place in 0..<block.count {
        json.append(block.value(at: place).copied())
      }
      return true
    }
    return try json.map { bytes in
      do {
        return try JSONDecoder().decode(ModelRecord.self, from: Data(bytes))
      } catch {
        throw StoreError.corrupt(
          model: nil, key: nil, reason: "a row of the catalog cannot be read (\(error))")
      }
    }
  }

  /// An LMDB file with trees of somebody else's is not ours to write into.
  private func requireEmpty(_ transaction: borrowing some Transaction & ~Copyable) throws {
    guard try transaction.isEmpty() else {
      throw StoreError.notACroftFile(
        path: path, reason: "it is an LMDB file that another program made")
    }
  }
}

extension RawSpan {
  /// The bytes in an array of their own.
  func copied() -> [UInt8] {
    // Safety: the bytes are copied while the span is borrowed.
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }
}

import CroftFoundation
import LMDB

extension ReadTransaction {
  /// Writes all models and objects of the file as lines of JSON, for ``Store/load(at:progress:from:)``.
  ///
  /// The first line has the models, with their indexes and references, and each further one an object, by model and
  /// primary key; the last one says how many there are. What a program added to the file beside its models, such as
  /// changes that were not sent to a server, is not among them. The article <doc:Dumps> has the format.
  ///
  /// ```swift
  /// try store.dump { line in print(line) }
  /// ```
  ///
  /// - Parameter write: Gets each line without its end; an error that it throws ends the dump.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for an object that cannot be read; what the closure throws.
  /// - Complexity: O(objects), in the memory of one object.
  public func dump(_ write: (String) throws -> Void) throws {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      func writeLine(_ content: some Encodable) throws {
        try write(String(decoding: try encoder.encode(content), as: UTF8.self))
      }
      let models = try dumpedModels()
      try writeLine(DumpMark(content: try DumpHeader(models.map(\.entry))))
      var count = 0
      for (_, table) in models {
        try table.forEachObject(in: base) { values in
          try writeLine(
            DumpedObject(
              model: table.schema.name, columns: table.schema.columns, values: values))
          count += 1
        }
      }
      try writeLine(DumpMark(content: DumpEnd(objects: count)))
    } catch { throw failing(error) }
  }

  /// The models as a new file with the same objects has them, and their tables in this one.
  func dumpedModels() throws -> [(entry: CatalogEntry, table: Table)] {
    let stored = try storedModels()
    return try stored.entries.compactMap { entry in
      guard let schema = stored.schemas[entry.id] else { return nil }
      guard Set(entry.fields.map(\.name)).count == entry.fields.count else {
        throw StoreError.schemaMismatch(
          model: entry.name, field: nil,
          reason: "two of its properties have one name, which a dump cannot tell apart; drop one "
            + "of them with @Removed")
      }
      return (entry.dumped(schema), try stored.table(of: schema).0)
    }
  }
}

extension ReadableStore {
  /// Writes all models and objects of the file as lines of JSON, in one read transaction.
  ///
  /// - Parameter write: Gets each line without its end.
  /// - Throws: As ``ReadTransaction/dump(_:)``, and for a read.
  public func dump(_ write: (String) throws -> Void) throws {
    try read { try $0.dump(write) }
  }
}

extension CatalogEntry {
  /// The entry as a dump has it: the same for all files with the same objects.
  ///
  /// Rows of all layouts become rows of one, which a loaded file has alone.
  fileprivate func dumped(_ schema: Schema) -> CatalogEntry {
    var entry = self
    entry.layouts = [
      Layout(
        id: 1,
        columns: zip(fieldsInKeyOrder, schema.columns).map { field, column in
          Layout.Column(field: field.id, type: field.type, isInKey: column.isOnlyInKey)
        })
    ]
    entry.lastLayout = nil
    entry.isReplicated = nil
    // An index that is being built again is there twice, and a new unique one may turn out not to fit.
    entry.indexes.removeAll { $0.replaces != nil || $0.isBuilding && $0.isUnique }
    for place in entry.indexes.indices {
      entry.indexes[place] = entry.indexes[place].dumped(of: entry)
    }
    return entry
  }
}

extension CatalogEntry.Index {
  /// The index as it is before it is built, with any data.
  ///
  /// Its entries may have the types of the program that opened the file last, such as one to which a property
  /// is not optional yet. A loaded file has them by the types of the properties.
  fileprivate func dumped(of model: CatalogEntry) -> CatalogEntry.Index {
    var index = CatalogEntry.Index(id: id, columns: columns, isUnique: isUnique)
    for (place, column) in columns.enumerated() {
      index.columns[place].dataVersion = nil
      let types = column.fields.compactMap { id in model.fields.first { $0.id == id }?.type }
      if column.operands != nil {
        index.columns[place].operands = types
      } else if let type = types.first {
        index.columns[place].type = type
      }
    }
    return index
  }
}

extension Table {
  /// Passes the values of each row by primary key, in the order of the columns.
  fileprivate func forEachObject(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: ([StoredValue]) throws -> Void
  ) throws {
    _ = try forEachRow(behind: [], in: transaction) { row in
      try body(try layout.columns.map { try $0.value(in: row, layout) })
      return true
    }
  }
}

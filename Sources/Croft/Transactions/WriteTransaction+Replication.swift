import LMDB

// How what was received is applied: rows are written by their fields, as any others are, while references
// are checked by the caller, at the end.

// MARK: - Rows

extension WriteTransaction {
  private func table(_ model: Int) throws -> Table { try catalog.replicatedTable(model) }

  /// The fields of a stored object; nil where there is none.
  package func fields(of object: ObjectKey) throws -> ObjectFields? {
    try catalog.fields(of: object, in: base, context.arena)
  }

  /// Whether an object is stored.
  package func hasRow(of object: ObjectKey) throws -> Bool {
    let key = object.key
    // Safety: the key does not change during the call.
    return try unsafe base.get(key.span.bytes, in: try table(object.model).rows) != nil
  }

  /// Removes an object's row, whatever refers to it.
  package mutating func removeRow(of object: ObjectKey) throws {
    let table = try table(object.model)
    hasChanges = true
    _ = try unsafe object.key.withUnsafeBytes {
      try unsafe table.remove($0, in: &base, context)
    }
  }

  /// Removes the rows of all replicated models.
  package mutating func removeReplicatedRows() throws {
    for table in catalog.all where table.isReplicated {
      var keys: [[UInt8]] = []
      try base.forEachBlock(of: table.rows) { block in
        for place in 0..<block.count { keys.append(block.key(at: place).copied()) }
        return true
      }
      for key in keys { try removeRow(of: ObjectKey(model: table.id, key: key)) }
    }
  }

  /// Writes an object's row in the place of the one that there may be, whatever it refers to.
  ///
  /// - Returns: Nil where it was written; else the object that has the same values in a unique index, and the
  ///   fields of the index.
  /// - Throws: ``InvalidRow`` for values that are not those of the model.
  package mutating func writeRow(
    of object: ObjectKey, _ fields: ObjectFields
  ) throws -> (holder: ObjectKey, fields: Set<UInt16>)? {
    let table = try table(object.model)
    try encode(object, fields, table)
    if try self.fields(of: object) != nil {
      try removeRow(of: object)
      try encode(object, fields, table)
    }
    if let clash = try table.clash(of: encoder.view, in: base, context) {
      return (
        ObjectKey(model: object.model, key: clash.owner), Set(table.fields(of: clash.index))
      )
    }
    // References are collected, and never looked up here.
    context.targets = ForeignKey.PendingTargets()
    defer { context.targets = nil }
    try table.write(&encoder, replacing: nil, in: &base, context)
    hasChanges = true
    return nil
  }

  /// Makes the row of an object that the program can read.
  ///
  /// - Throws: ``InvalidRow``.
  private mutating func encode(
    _ object: ObjectKey, _ fields: ObjectFields, _ table: Table
  ) throws {
    try assemble(object, fields, table)
    guard try table.hasKeyOfValues(encoder.view) else {
      throw table.invalid("its key is not that of its values")
    }
    do {
      var decoder = _RecordDecoder(layout: table.layout)
      decoder.move(to: encoder.view)
      try table.schema.read(&decoder)
    } catch let error as StoreError { throw table.invalid("\(error)") }
  }

  private mutating func assemble(
    _ object: ObjectKey, _ fields: ObjectFields, _ table: Table
  ) throws {
    try unsafe object.key.withUnsafeBytes { key in
      guard unsafe table.isKey(key) else {
        throw table.invalid("its key is none of the model")
      }
      var values = ByteList()
      for column in table.layout.columns {
        let bytes = fields[table.replicatedFields[column.index]]?.bytes ?? []
        unsafe bytes.withUnsafeBytes { unsafe values.append($0) }
      }
      // Safety: the list does not change while the row is assembled.
      try unsafe encoder.assemble(table.layout, key: key) { column in
        let value = fields[table.replicatedFields[column.index]]
        guard value?.bytes != nil else {
          guard column.presenceBit != nil else {
            throw table.invalid("\(table.layout.names[column.index]) has no value")
          }
          return nil
        }
        let bytes = unsafe values[column.index]
        guard unsafe column.isValue(bytes) else {
          throw table.invalid("\(table.layout.names[column.index]) has bytes that are not a value")
        }
        return unsafe bytes
      }
    }
  }
}

extension Table {
  /// The error for what was received and is not an object of the model.
  fileprivate func invalid(_ reason: String) -> InvalidRow {
    InvalidRow(reason: "a row is not a \(schema.name): \(reason)")
  }

  fileprivate func isKey(_ key: UnsafeRawBufferPointer) -> Bool {
    guard unsafe !key.isEmpty, key.count <= KeyCode.longestPrimaryKey else { return false }
    return layout.keyWidth.map { $0 == key.count } ?? true
  }

  /// Whether the row's key is the code of its key columns, where it has those.
  fileprivate func hasKeyOfValues(_ row: RecordView) throws -> Bool {
    let columns = schema.keyPlaces.map { layout.columns[$0] }
    if columns[0].place == .key { return true }
    var code = _ByteBuffer()
    for column in columns { try code.appendCode(of: column, in: row, layout: layout, cut: nil) }
    return unsafe ByteList.compare(code.bytes, row.keyBytes) == 0
  }

  /// Another object that has a row's values in a unique index.
  fileprivate func clash(
    of row: RecordView, in transaction: borrowing LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws -> (owner: [UInt8], index: EntryIndex)? {
    for index in entryIndexes where index.isUnique {
      var entries = RowEntries()
      try entries.make(of: row, in: index)
      if let owner = try owner(of: entries, of: row, in: index, transaction, context.arena) {
        return (owner, index)
      }
    }
    return nil
  }
}

extension ColumnLayout {
  /// Whether bytes can be a value of the column.
  fileprivate func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if storage.width > 0 { return bytes.count == storage.width }
    if storage.collection != nil, unsafe bytes.isEmpty { return true }
    if storage.collection == nil, kind == .string {
      return unsafe String(validating: bytes, as: UTF8.self) != nil
    }
    return unsafe StoredValue(bytes, as: storage) != nil
  }
}

// MARK: - References

extension WriteTransaction {
  /// The names of a model's fields by their numbers.
  package func fieldNames(ofModel model: Int) throws -> [UInt16: String] {
    let layout = try table(model).layout
    return Dictionary(
      zip(try table(model).replicatedFields, layout.names), uniquingKeysWith: { first, _ in first })
  }

  /// A field's bytes as a value; nil for bytes of another type.
  package func value(
    of field: OutboxEntry.Field, number: UInt16, ofModel model: Int
  ) throws -> StoredValue? {
    let table = try table(model)
    guard let place = table.replicatedFields.firstIndex(of: number), let bytes = field.bytes else {
      return nil
    }
    let storage = table.layout.columns[place].storage
    guard storage.width == 0 || storage.width == bytes.count else { return nil }
    // Safety: the value is made while the bytes are borrowed.
    return unsafe bytes.withUnsafeBytes { unsafe StoredValue($0, as: storage) }
  }

  /// The number of a model.
  package func number<M: Model>(of model: M.Type) throws -> Int {
    try catalog.table(of: M.schema).id
  }

  /// The fields that a unique index of a model is over.
  package func uniqueFields(ofModel model: Int) throws -> Set<UInt16> {
    try catalog.uniqueFields(ofModel: model)
  }

  /// What a stored object refers to.
  package func references(from object: ObjectKey) throws -> [ObjectReference] {
    try catalog.references(from: object, in: base, context.arena)
  }

  /// What an object refers to, given its values, and its values in unique indexes, as bytes.
  ///
  /// - Returns: Nil for values that are not those of the model.
  package mutating func claims(
    of object: ObjectKey, _ fields: ObjectFields
  ) throws -> (references: [ObjectReference], uniqueValues: Set<[UInt8]>)? {
    let table = try table(object.model)
    do { try assemble(object, fields, table) } catch is InvalidRow { return nil }
    let references = try table.references(of: object, in: encoder.view)
    var values: Set<[UInt8]> = []
    for index in table.entryIndexes where index.isUnique {
      var entries = RowEntries()
      try entries.make(of: encoder.view, in: index)
      for ordinal in 0..<entries.count where entries.form(ordinal) != .nonUnique {
        // The end of a value that is too long for the index is the key of its object.
        let end = entries.form(ordinal) == .truncated ? object.key.count : 0
        var value: [UInt8] = []
        value.append(bigEndian: UInt32(truncatingIfNeeded: index.id))
        values.insert(unsafe value + entries[ordinal].dropLast(end))
      }
    }
    return (references, values)
  }

  /// What refers to an object, which need not be there.
  package mutating func references(to object: ObjectKey) throws -> [ObjectReference] {
    let table = try table(object.model)
    var references: [ObjectReference] = []
    for referrer in catalog.referrers(of: table) {
      guard referrer.model.isReplicated else {
        throw StoreError.invalidModel(
          model: referrer.model.schema.name,
          reason: "it refers to a replicated model and is not replicated; replicate both")
      }
      try flush(referrer.reference.index)
      let field = referrer.model.replicatedFields[referrer.reference.column]
      try unsafe object.key.withUnsafeBytes { key in
        try unsafe referrer.model.forEachReferrer(to: key, by: referrer.reference, in: base) {
          references.append(
            ObjectReference(
              source: ObjectKey(model: referrer.model.id, key: unsafe [UInt8]($0)), field: field,
              target: object, rule: referrer.reference.onDelete))
          return true
        }
      }
    }
    return references
  }

  /// The value of a field of a stored object without its references to another object.
  ///
  /// - Parameter substitute: The object that is referred to instead; nil for none.
  package func value(
    of reference: ObjectReference, referringTo substitute: ObjectKey?
  ) throws -> OutboxEntry.Field {
    let table = try table(reference.source.model)
    context.arena.clear()
    var value = OutboxEntry.Field(nil)
    try unsafe reference.source.key.withUnsafeBytes { key in
      guard
        let place = table.replicatedFields.firstIndex(of: reference.field),
        let foreign = table.references.first(where: { $0.column == place }),
        let row = try unsafe table.row(key, in: base, context.arena)
      else { return }
      let column = table.layout.columns[place]
      var found: [Int] = []
      try unsafe table.forEachTarget(of: foreign, in: row) { place, target in
        if unsafe reference.target.key.elementsEqual(target) { found.append(place) }
      }
      if let collection = try column.collection(ofReferences: row, table.layout) {
        var bytes = _ByteBuffer()
        // A collection loses the reference also where there is a substitute: its order is its own.
        guard bytes.appendCollection(collection, without: found, column.storage) else {
          throw column.badEnds(in: row, table.layout)
        }
        value = OutboxEntry.Field(bytes.copied)
      } else if let substitute {
        value = OutboxEntry.Field(
          unsafe substitute.key.withUnsafeBytes { unsafe column.storage.value(ofKey: $0) })
      }
    }
    return value
  }
}

extension ColumnLayout {
  fileprivate func collection(
    ofReferences row: RecordView, _ layout: RecordLayout
  ) throws -> CollectionView? {
    storage.collection == nil ? nil : try collection(in: row, layout)
  }
}

extension StorageType {
  /// The value of a reference to a key, as a row has it.
  fileprivate func value(ofKey code: UnsafeRawBufferPointer) -> [UInt8] {
    if kind == .compound || kind == .uuid { return unsafe [UInt8](code) }
    guard kind.width > 0 else { return unsafe KeyCode.unescaped(code) }
    var bytes = [UInt8](repeating: 0, count: kind.width)
    unsafe bytes.withUnsafeMutableBytes { room in
      guard let place = room.baseAddress else { return }
      unsafe KeyCode.storeValue(of: code, kind, at: place, kind)
    }
    return bytes
  }
}

// MARK: - The outbox

extension WriteTransaction {
  /// The object's entry in the outbox; nil where it is as the server has it.
  package func entry(of object: ObjectKey) throws -> OutboxEntry? {
    try catalog.outbox?.entry(Outbox.key(object.model, object.key), in: base)
  }

  /// Puts an entry into the outbox; nil removes the one that there may be.
  package mutating func setEntry(_ entry: OutboxEntry?, of object: ObjectKey) throws {
    hasChanges = true
    try catalog.outbox?.set(entry, at: Outbox.key(object.model, object.key), &base)
  }

  /// Passes entries of the outbox, ascending by model and key, until a closure returns false.
  package func forEachEntry(
    ofModel model: Int?, after key: [UInt8]?,
    _ body: (ObjectKey, OutboxEntry) throws -> Bool
  ) throws {
    try catalog.outbox?.forEachEntry(ofModel: model, after: key, in: base, body)
  }

  /// How many entries the outbox has.
  package func entryCount() throws -> Int { try catalog.outbox?.count(in: base) ?? 0 }

  /// Notes a change of an object's row, as if the program had made it.
  package mutating func note(
    _ old: ObjectFields?, _ new: ObjectFields?, of object: ObjectKey, at stamp: Stamp, sent: UInt64
  ) throws {
    guard let change = OutboxChange(from: old, to: new) else { return }
    try setEntry(
      change.applied(to: try entry(of: object), at: stamp, sent: sent), of: object)
  }

  /// The clock of the store's stamps.
  package func clock() throws -> ReplicaClock { try ReplicaClock(in: catalog.meta, base) }

  /// Writes the clock of the store's stamps.
  package mutating func setClock(_ clock: ReplicaClock) throws {
    hasChanges = true
    try clock.write(to: catalog.meta, &base)
  }
}

extension OutboxChange {
  fileprivate init?(from old: ObjectFields?, to new: ObjectFields?) {
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, _): self = .insertion
    case (let old?, nil): self = .removal(old)
    case (let old?, let new?):
      var fields: [UInt16: (old: OutboxEntry.Field, new: OutboxEntry.Field)] = [:]
      for (field, value) in new {
        guard let before = old[field], before != value else { continue }
        fields[field] = (before, value)
      }
      self = .update(fields)
    }
  }
}

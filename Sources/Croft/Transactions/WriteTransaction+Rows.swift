import LMDB

// Every change of a row goes through here, whichever statement makes it: index entries, unique
// values, references and the capture follow from the old row and the new one.

extension WriteTransaction {
  /// Inserts the encoder's row.
  ///
  /// - Throws: ``StoreError/duplicateKey(model:key:)``, ``StoreError/keyTooLong(model:field:bytes:)``,
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)``; nothing is written then.
  mutating func insertRow(_ table: Table) throws {
    try checkKey(table)
    try table.encodeHidden(&encoder, from: nil)
    table.markStructs(in: &encoder)
    try table.checkLength(of: encoder)
    let row = RowView(encoder)
    if table.isConstrained { try check(row, replacing: nil, table) }
    guard try base.insert(&encoder, into: table.rows) else {
      throw unsafe StoreError.duplicateKey(
        model: table.schema.name, key: table.schema.describe(key: encoder.key.bytes))
    }
    hasChanges = true
    try enter(row, replacing: nil, table)
  }

  /// A bulk insert begins: what an earlier one left when it failed is forgotten.
  @usableFromInline
  mutating func beginRun() { run.clear() }

  /// Takes the encoder's row for a bulk insert.
  ///
  /// - Throws: As ``insertRow(_:)``.
  @usableFromInline
  mutating func takeEncoded(_ table: Table) throws {
    // What can clash with other rows has to be looked at in the order of the objects.
    if table.isConstrained { return try insertRow(table) }
    try checkKey(table)
    try table.encodeHidden(&encoder, from: nil)
    table.markStructs(in: &encoder)
    try table.checkLength(of: encoder)
    run.append(encoder)
    if run.isFull {
      CoverageMark.hit(.rowsWrittenEarly)
      try insertRun(table)
    }
  }

  /// Writes the rows taken so far, in the order of their keys.
  ///
  /// - Throws: ``StoreError/duplicateKey(model:key:)``; the statement has to be undone then.
  @usableFromInline
  mutating func insertRun(_ table: Table) throws {
    guard run.count > 0 else { return }
    run.sort()
    hasChanges = true
    if let clash = try run.insert(into: table.rows, &base) {
      throw unsafe StoreError.duplicateKey(
        model: table.schema.name, key: table.schema.describe(key: run[clash].keyBytes))
    }
    for index in table.indexes {
      let buffer = buffers[index.slot]
      for place in 0..<run.count { try buffer.take(run[place], isDelete: false) }
      if buffer.isFull { try buffer.apply(to: &base) }
    }
    if let capture, capture.captures(table) {
      for place in 0..<run.count { capture.write(run[place], replacing: nil, of: table) }
    }
    run.clear()
  }

  /// Finds the row that a statement is to replace, lent until something is written.
  ///
  /// The writer's cursor stays on it, so that ``replaceRow(_:_:)`` need not search again.
  mutating func findRow(
    _ key: UnsafeRawBufferPointer, _ table: Table
  ) throws -> RowView? {
    arena.clear()
    // Safety: the caller lends the key, and copies what it needs before anything is written.
    guard let row = try unsafe base.find(RawSpan(_unsafeBytes: key), in: table.rows) else {
      return nil
    }
    let view = try unsafe table.view(key: key, row: row.withUnsafeBytes { unsafe $0 }, arena)
    // What is damaged must not be written anew, with a checksum that fits.
    try view.checkSum(table.layout)
    return view
  }

  /// Puts the encoder's row in the place of an old one with the same key.
  ///
  /// - Parameters:
  ///   - old: A copy of the old row.
  ///   - table: The rows' model.
  /// - Throws: As for an insert, except for duplicate keys.
  mutating func replaceRow(_ old: RowView, _ table: Table) throws {
    table.markStructs(in: &encoder)
    try table.checkLength(of: encoder)
    let row = RowView(encoder)
    if table.isConstrained { try check(row, replacing: old, table) }
    try base.replace(&encoder, in: table.rows)
    hasChanges = true
    try enter(row, replacing: old, table)
  }

  /// Removes rows; what refers to them has been seen to.
  ///
  /// - Parameters:
  ///   - keys: Their keys, ascending; rows that do not exist are passed over.
  ///   - table: The rows' model.
  mutating func removeRows(_ keys: borrowing KeyList, of table: Table) throws {
    if readsRemovedRows(of: table) {
      try leaveRows(keys, from: 0, of: table)
    } else if let capture {
      for place in 0..<keys.count { unsafe capture.remove(keys[place], of: table) }
    }
    try removeLeftRows(keys, of: table)
  }

  /// Buffers the removal of rows' index entries, and applies the buffers that are full meanwhile.
  mutating func leaveRows(
    _ keys: borrowing KeyList, from first: Int, of table: Table
  ) throws {
    for place in first..<keys.count {
      for index in table.indexes where buffers[index.slot].isFull {
        try applyBuffer(index.slot)
      }
      arena.clear()
      if let row = try unsafe table.row(keys[place], in: base, arena) {
        try table.leave(row, buffers, capture)
      }
    }
  }

  /// Whether what a row holds is needed when it goes.
  func readsRemovedRows(of table: Table) -> Bool {
    !table.indexes.isEmpty || capture?.capturesRows(of: table) == true
  }

  /// Removes rows whose index entries are taken care of by ``Table/leave(_:_:_:)``.
  mutating func removeLeftRows(_ keys: borrowing KeyList, of table: Table) throws {
    guard keys.count > 0 else { return }
    hasChanges = true
    var batch = table.rows.deletions
    for place in 0..<keys.count {
      try unsafe batch.append(keys[place], isDelete: true, to: &base)
    }
    try batch.finish(&base)
    try settle(table)
  }

  /// Ends a statement that buffered the removal of rows' index entries.
  mutating func settle(_ table: Table) throws {
    for index in table.indexes {
      let buffer = buffers[index.slot]
      // A unique index's tree is always up to date when a statement ends.
      if index.isUnique || buffer.isFull { try buffer.apply(to: &base) }
    }
  }

  /// Checks a row against the others before it is written.
  private func check(_ row: RowView, replacing old: RowView?, _ table: Table) throws {
    for index in table.indexes where index.isUnique {
      // Who keeps a value clashes with nobody, and may not be to blame while the index is built.
      if let old, try table.holdsSame(index, old, row) { continue }
      try table.checkUnique(row, in: index, base, arena)
    }
    try checkReferences(of: row, replacing: old, table)
  }

  /// Enters a written row into the capture and the indexes, in the place of an old one.
  private mutating func enter(
    _ row: RowView, replacing old: RowView?, _ table: Table
  ) throws {
    capture?.write(row, replacing: old, of: table)
    for index in table.indexes where unsafe index.covers(row.keyBytes) {
      if let old, try table.holdsSame(index, old, row) { continue }
      let buffer = buffers[index.slot]
      if index.isUnique {
        try writeUnique(row, replacing: old, index, table)
      } else if let old {
        try buffer.replace(old, by: row)
      } else {
        try buffer.take(row, isDelete: false)
      }
      if buffer.isFull { try buffer.apply(to: &base) }
    }
  }
}

extension Table {
  /// Whether two rows have the same entries in an index, because its columns have the same bytes.
  fileprivate func holdsSame(_ index: TableIndex, _ old: RowView, _ new: RowView) throws -> Bool {
    try index.columns.allSatisfy { try holdsSame($0.place, old, new) }
  }

  /// Buffers the removal of a row's index entries, and enters it into the capture.
  func leave(_ row: RowView, _ buffers: [IndexBuffer], _ capture: ChangeCapture?) throws {
    capture?.remove(row, of: self)
    for index in indexes { try buffers[index.slot].take(row, isDelete: true) }
  }
}

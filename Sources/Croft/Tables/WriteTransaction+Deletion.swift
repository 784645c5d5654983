import LMDB

extension WriteTransaction {
  /// Deletes objects, and does to those that refer to them what their rules say.
  ///
  /// - Parameters:
  ///   - keys: Key codes of existing objects; gets those of their model that go with them.
  ///   - table: Their model.
  /// - Returns: How many objects of this model are gone.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)``; nothing is written
  ///   then.
  mutating func delete(_ keys: ByteSet, of table: Table) throws -> Int {
    let deletion = Deletion(of: keys, table, catalog)
    try deletion.followCascades(&self)
    try deletion.checkDenials(in: base)
    for (model, keys) in try deletion.nullified(in: base) {
      try nullify(keys.sorted(), of: model, deletion)
    }
    for model in deletion.models {
      try removeRows(deletion.keys(of: model).sorted(), of: model)
    }
    return keys.count
  }

  /// Whether objects of a model are referred to by any that stay when all of them go.
  mutating func isReferredTo(_ table: Table) throws -> Bool {
    for referrer in catalog.referrers(of: table) where referrer.model.id != table.id {
      try applyBuffer(referrer.reference.index.slot)
      var isEmpty = true
      try base.forEachBlock(
        of: referrer.reference.index.entries,
        in: referrer.model.entriesOfReferences(by: referrer.reference)
      ) { _ in
        isEmpty = false
        return false
      }
      if !isEmpty { return true }
    }
    return false
  }

  /// Takes references to doomed objects out of rows.
  private mutating func nullify(
    _ keys: borrowing ByteList, of table: Table, _ deletion: Deletion
  ) throws {
    for place in 0..<keys.count {
      arena.clear()
      // Safety: the row is copied before anything is written.
      guard let found = try unsafe table.row(keys[place], in: base, arena) else { continue }
      let old = copying(found)
      try encode(old, without: deletion, table)
      CoverageMark.hit(.referencesNullified)
      try replaceRow(old, table)
    }
  }

  /// Writes a row without its references to doomed objects into the encoder.
  private mutating func encode(
    _ row: RowView, without deletion: Deletion, _ table: Table
  ) throws {
    let layout = table.layout
    encoder.begin(layout, isWide: row.isWide)
    unsafe encoder.key.append(contentsOf: row.keyBytes)
    for column in layout.columns where column.place != .key {
      guard column.isPresent(in: row) else {
        encoder.storeNothing(in: column, layout)
        continue
      }
      let bytes = try unsafe column.bytes(in: row, layout)
      let reference = table.references.first {
        $0.column == column.index && $0.onDelete == .nullify
      }
      guard let reference else {
        unsafe encoder.store(bytes, in: column, layout)
        continue
      }
      var lost: [Int] = []
      try unsafe table.forEachTarget(of: reference, in: row) { place, target in
        if unsafe deletion.contains(target, ofModel: reference.target) { lost.append(place) }
      }
      if lost.isEmpty {
        unsafe encoder.store(bytes, in: column, layout)
      } else if column.storage.collection != nil,
        let collection = try column.collection(in: row, layout)
      {
        var rest = _ByteBuffer()
        guard rest.appendCollection(collection, without: lost, column.storage) else {
          throw column.badEnds(in: row, layout)
        }
        unsafe encoder.store(rest.bytes, in: column, layout)
      } else {
        encoder.storeNothing(in: column, layout)
      }
    }
  }
}

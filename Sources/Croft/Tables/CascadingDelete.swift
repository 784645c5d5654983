import LMDB

/// Finds the objects that a delete removes or changes by delete rules, before it writes anything.
///
/// Confined to its statement.
final class CascadingDelete {
  private let catalog: Catalog
  /// The models of ``doomed``, in the order in which the delete reached them.
  private(set) var models: [Table] = []
  /// The keys of the objects to be deleted, by their model's number.
  private var doomed: [Int: ByteSet] = [:]
  /// How many of a model's doomed objects have had their referrers looked up.
  private var followed: [Int: Int] = [:]

  init(of keys: ByteSet, _ model: Table, _ catalog: Catalog) {
    self.catalog = catalog
    models = [model]
    doomed = [model.id: keys]
  }

  /// The keys of a model's objects to be deleted.
  func keys(of model: Table) -> ByteSet {
    if let keys = doomed[model.id] { return keys }
    let keys = ByteSet()
    doomed[model.id] = keys
    models.append(model)
    return keys
  }

  func contains(_ key: UnsafeRawBufferPointer, ofModel id: Int) -> Bool {
    // Safety: the key is looked up while it is borrowed.
    unsafe doomed[id]?.contains(key) ?? false
  }

  /// Adds the objects that cascades delete, through cycles and self-references as well.
  ///
  /// The indexes of references to ``models`` are up to date in their trees when it returns.
  func followCascades(_ transaction: inout WriteTransaction) throws {
    // A copy, because a model that refers to itself adds to the set that has the key, which then moves.
    var target = _ByteBuffer()
    while let model = models.first(where: { followed[$0.id, default: 0] < keys(of: $0).count }) {
      let keys = keys(of: model)
      let start = followed[model.id, default: 0]
      let end = keys.count
      for referrer in catalog.referrers(of: model) {
        if start == 0 { try transaction.flush(referrer.reference.index) }
        guard referrer.reference.onDelete == .cascade else { continue }
        CoverageMark.hit(.cascadeFollowed)
        let reached = self.keys(of: referrer.model)
        for place in start..<end {
          try transaction.base.checkProgress()
          target.count = 0
          unsafe target.append(contentsOf: keys[place])
          // Also a damaged object that refers to itself, or to one that refers to it, is deleted.
          try unsafe referrer.model.forEachReferringRow(
            to: target.bytes, by: referrer.reference, except: reached, in: transaction.base,
            transaction.context.arena
          ) { row in
            unsafe reached.insert(row.keyBytes)
            return true
          }
        }
      }
      followed[model.id] = end
    }
  }

  /// Checks that no object that stays denies the delete.
  ///
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)``.
  func checkDenials(
    in transaction: borrowing LMDB.WriteTransaction, _ arena: RecordArena
  ) throws {
    try unsafe forEachSurvivor(by: .deny, in: transaction) { referrer, target, first in
      CoverageMark.hit(.deleteDenied)
      let model = referrer.model
      var count = 0
      try unsafe model.forEachReferringRow(
        to: target, by: referrer.reference, except: doomed[model.id], in: transaction, arena
      ) { _ in
        count += 1
        return true
      }
      throw unsafe StoreError.deniedByRelation(
        model: model.schema.name, field: referrer.field, key: model.schema.describe(key: first),
        target: catalog.describe(
          target, referrer.reference, model.layout.columns[referrer.reference.column].storage),
        count: count)
    }
  }

  /// The objects that stay and lose references, with their models.
  func nullified(
    in transaction: borrowing LMDB.WriteTransaction
  ) throws -> [(model: Table, keys: ByteSet)] {
    var nullified: [(model: Table, keys: ByteSet)] = []
    try unsafe forEachSurvivor(by: .nullify, in: transaction) { referrer, _, key in
      if let place = nullified.firstIndex(where: { $0.model.id == referrer.model.id }) {
        unsafe nullified[place].keys.insert(key)
      } else {
        let keys = ByteSet()
        unsafe keys.insert(key)
        nullified.append((referrer.model, keys))
      }
    }
    return nullified
  }

  /// Passes each object that stays and refers, by a rule, to one to be deleted.
  private func forEachSurvivor(
    by rule: DeleteRule, in transaction: borrowing LMDB.WriteTransaction,
    _ body: (ForeignKey.Referrer, _ target: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer)
      throws ->
      Void
  ) throws {
    for model in models {
      let keys = keys(of: model)
      for referrer in catalog.referrers(of: model) where referrer.reference.onDelete == rule {
        for place in 0..<keys.count {
          try transaction.checkProgress()
          try unsafe referrer.model.forEachReferrer(
            to: keys[place], by: referrer.reference, in: transaction
          ) { key in
            if unsafe !contains(key, ofModel: referrer.model.id) {
              try unsafe body(referrer, keys[place], key)
            }
            return true
          }
        }
      }
    }
  }
}

extension WriteTransaction {
  /// Deletes objects, and applies the delete rules of those that refer to them.
  ///
  /// - Parameters:
  ///   - keys: Key codes of existing objects; gets those of their model that go with them.
  ///   - table: Their model.
  /// - Returns: How many objects of this model are gone.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)``; nothing is written
  ///   then.
  mutating func delete(_ keys: ByteSet, of table: Table) throws -> Int {
    let deletion = CascadingDelete(of: keys, table, catalog)
    try deletion.followCascades(&self)
    try deletion.checkDenials(in: base, context.arena)
    for (model, keys) in try deletion.nullified(in: base) {
      try nullify(keys.sorted(), of: model, deletion)
    }
    for model in deletion.models {
      let keys = deletion.keys(of: model)
      try model.remove(keys.sorted(), in: &base, context)
      if keys.count > 0 { hasChanges = true }
    }
    return keys.count
  }

  /// Whether objects of a model are referred to by any that stay when all of them go.
  mutating func isReferredTo(_ table: Table) throws -> Bool {
    for referrer in catalog.referrers(of: table) where referrer.model.id != table.id {
      try flush(referrer.reference.index)
      let range = referrer.model.entriesOfReferences(by: referrer.reference)
      let entries = referrer.reference.index.entries
      if try base.count(of: entries, in: range, upTo: 1) > 0 { return true }
    }
    return false
  }

  /// Takes references to doomed objects out of rows.
  private mutating func nullify(
    _ keys: borrowing ByteList, of table: Table, _ deletion: CascadingDelete
  ) throws {
    for place in 0..<keys.count {
      try base.checkProgress()
      context.arena.clear()
      // Safety: the row is copied before anything is written.
      guard let found = try unsafe table.row(keys[place], in: base, context.arena) else {
        throw table.falseEntry
      }
      let old = copying(found)
      try encode(old, without: deletion, table)
      CoverageMark.hit(.referencesNullified)
      try table.write(&encoder, replacing: old, in: &base, context)
      hasChanges = true
    }
  }

  /// Writes a row without its references to doomed objects into the encoder.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where it has none: its index lied.
  private mutating func encode(
    _ row: RecordView, without deletion: CascadingDelete, _ table: Table
  ) throws {
    let layout = table.layout
    var isReferrer = false
    var rest = _ByteBuffer()
    // Safety: the row's bytes and those of the rest are borrowed until the next column.
    try unsafe encoder.assemble(layout, key: row.keyBytes) { column in
      let bytes = try unsafe column.storedBytes(in: row, layout)
      let reference = table.references.first {
        $0.column == column.index && $0.onDelete == .nullify
      }
      guard unsafe bytes != nil, let reference else { return unsafe bytes }
      var lost: [Int] = []
      try unsafe table.forEachTarget(of: reference, in: row) { place, target in
        if unsafe deletion.contains(target, ofModel: reference.target) { lost.append(place) }
      }
      if lost.isEmpty { return unsafe bytes }
      isReferrer = true
      guard column.storage.collection != nil,
        let collection = try column.collection(in: row, layout)
      else { return nil }
      rest.count = 0
      guard rest.appendCollection(collection, without: lost, column.storage) else {
        throw column.badEnds(in: row, layout)
      }
      return unsafe rest.bytes
    }
    guard isReferrer else { throw table.falseEntry }
  }
}

/// The rule for an object when one that it refers to is deleted.
public enum DeleteRule: String, Hashable, Sendable, Codable {
  /// The reference is removed: set to nil, or removed from its collection.
  case nullify
  /// The object is deleted too.
  case cascade
  /// The object referred to cannot be deleted.
  case deny
}

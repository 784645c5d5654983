import LMDB

/// What a delete takes with it by the rules of relations, settled before anything is removed.
///
/// Confined to its statement.
final class Deletion {
  private let catalog: Catalog
  /// The models of ``doomed``, in the order in which the delete reached them.
  private(set) var models: [Table] = []
  /// The keys of the objects that go, by their model's number.
  private var doomed: [Int: ByteSet] = [:]
  /// How many of a model's doomed objects were asked for those that refer to them.
  private var followed: [Int: Int] = [:]

  init(of keys: ByteSet, _ model: Table, _ catalog: Catalog) {
    self.catalog = catalog
    models = [model]
    doomed = [model.id: keys]
  }

  /// The keys of a model's objects that go.
  func keys(of model: Table) -> ByteSet {
    if let keys = doomed[model.id] { return keys }
    let keys = ByteSet()
    doomed[model.id] = keys
    models.append(model)
    return keys
  }

  /// Whether an object of a model goes.
  func contains(_ key: UnsafeRawBufferPointer, ofModel id: Int) -> Bool {
    // Safety: the key is looked up while it is lent.
    unsafe doomed[id]?.contains(key) ?? false
  }

  /// Adds the objects that cascades reach, through cycles and self-references as well.
  ///
  /// The indexes of references to ``models`` are up to date in their trees when it returns.
  func followCascades(_ transaction: inout WriteTransaction) throws {
    while let model = models.first(where: { followed[$0.id, default: 0] < keys(of: $0).count }) {
      let keys = keys(of: model)
      let start = followed[model.id, default: 0]
      let end = keys.count
      for referrer in catalog.referrers(of: model) {
        if start == 0 { try transaction.applyBuffer(referrer.reference.index.slot) }
        guard referrer.reference.onDelete == .cascade else { continue }
        CoverageMark.hit(.cascadeFollowed)
        let reached = self.keys(of: referrer.model)
        for place in start..<end {
          try unsafe referrer.model.forEachReferrer(
            to: keys[place], by: referrer.reference, in: transaction.base
          ) { key in
            unsafe reached.insert(key)
            return true
          }
        }
      }
      followed[model.id] = end
    }
  }

  /// Checks that nothing that stays denies the delete.
  ///
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)``.
  func checkDenials(in transaction: borrowing LMDB.WriteTransaction) throws {
    try unsafe forEachSurvivor(by: .deny, in: transaction) { referrer, target, first in
      CoverageMark.hit(.deleteDenied)
      let model = referrer.model
      var count = 0
      try unsafe model.forEachReferrer(to: target, by: referrer.reference, in: transaction) { key in
        if unsafe !contains(key, ofModel: model.id) { count += 1 }
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

  /// Lends each object that stays and refers, by a rule, to one that goes.
  private func forEachSurvivor(
    by rule: DeleteRule, in transaction: borrowing LMDB.WriteTransaction,
    _ body: (Referrer, _ target: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws ->
      Void
  ) throws {
    for model in models {
      let keys = keys(of: model)
      for referrer in catalog.referrers(of: model) where referrer.reference.onDelete == rule {
        for place in 0..<keys.count {
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

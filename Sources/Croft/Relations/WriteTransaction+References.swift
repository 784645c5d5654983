import LMDB

// No reference dangles: what a statement writes is looked up when it ends, each key once.

extension WriteTransaction {
  /// Checks what a row refers to: now, or at the end of a statement that writes several rows.
  ///
  /// - Parameters:
  ///   - row: The new row.
  ///   - old: The row in whose place it goes; what that one refers to exists.
  /// - Throws: ``StoreError/danglingReference(model:field:key:target:)``; nothing is written yet.
  func checkReferences(
    of row: RowView, replacing old: RowView?, _ storage: ModelStorage
  ) throws {
    for (place, reference) in storage.references.enumerated() {
      if let old, try storage.holdsSame(reference.column, old, row) { continue }
      try unsafe storage.forEachTarget(of: reference, in: row) { _, target in
        // An index cannot hold a longer one even until the statement ends.
        if let targets, target.count <= KeyCode.longestPrimaryKey {
          unsafe targets.insert(target, at: place, of: storage)
        } else if try unsafe !exists(target, reference),
          unsafe reference.target != storage.id || KeySort.compare(target, row.keyBytes) != 0
        {
          throw unsafe dangling(reference, row.keyBytes, target, storage)
        }
      }
    }
  }

  /// Runs a statement that writes several rows, and checks at its end what they refer to.
  @usableFromInline
  mutating func writeMany<R>(_ body: (inout WriteTransaction) throws -> R) throws -> R {
    try statement { tx in
      let targets = PendingTargets()
      tx.targets = targets
      defer { tx.targets = nil }
      let result = try body(&tx)
      try tx.check(targets)
      return result
    }
  }

  /// Looks up what the rows of a statement refer to, in the order of the keys.
  private mutating func check(_ targets: PendingTargets) throws {
    guard let storage = targets.storage else { return }
    for (place, reference) in storage.references.enumerated() {
      let keys = targets.sets[place].sorted()
      for position in 0..<keys.count {
        let target = unsafe keys[position]
        if try unsafe exists(target, reference) { continue }
        try applyBuffer(reference.index.slot)
        var referrer: [UInt8] = []
        try unsafe storage.forEachReferrer(to: target, by: reference, in: base) { key in
          referrer = unsafe [UInt8](key)
          return false
        }
        throw unsafe referrer.withUnsafeBytes { key in
          unsafe dangling(reference, key, target, storage)
        }
      }
    }
  }

  private func exists(
    _ target: UnsafeRawBufferPointer, _ reference: ReferenceStorage
  ) throws -> Bool {
    guard target.count <= KeyCode.longestPrimaryKey else { return false }
    // Safety: the key does not change during the call.
    return try unsafe base.get(RawSpan(_unsafeBytes: target), in: reference.targetRows) != nil
  }

  private func dangling(
    _ reference: ReferenceStorage, _ key: UnsafeRawBufferPointer,
    _ target: UnsafeRawBufferPointer, _ storage: ModelStorage
  ) -> StoreError {
    let type = storage.layout.columns[reference.column].storage
    let shape = storage.shape
    return .danglingReference(
      model: shape.name, field: storage.layout.names[reference.column],
      key: unsafe shape.describe(key: key),
      target: unsafe catalog.describe(target, reference, type))
  }
}

/// What the rows of one statement refer to: for each column of references the keys, once each.
///
/// Confined to its transaction.
final class PendingTargets {
  private(set) var storage: ModelStorage?
  private(set) var sets: [KeySet] = []

  /// Notes a key that a column refers to.
  func insert(_ target: UnsafeRawBufferPointer, at place: Int, of storage: ModelStorage) {
    if self.storage == nil {
      self.storage = storage
      sets = storage.references.map { reference in
        KeySet(width: storage.layout.columns[reference.column].storage.codeWidth)
      }
    }
    unsafe sets[place].insert(target)
  }
}

extension Catalog {
  /// An object that is referred to, as a person reads it.
  func describe(
    _ key: UnsafeRawBufferPointer, _ reference: ReferenceStorage, _ type: StorageType
  ) -> String {
    guard let target = all.first(where: { $0.id == reference.target }) else {
      return unsafe "key " + KeyText.describe(key, as: type)
    }
    // The model's key may have become another type, and the reference is still of the former one.
    return unsafe "\(target.shape.name) " + KeyText.describe(key, as: type)
  }
}

extension ModelStorage {
  /// Whether two rows hold the same bytes in a column.
  func holdsSame(_ column: Int, _ left: RowView, _ right: RowView) throws -> Bool {
    let column = layout.columns[column]
    if case .fixed(let offset) = column.place, column.presenceBit == nil {
      let width = column.storage.width
      // Safety: a checked row holds its whole fixed-width area.
      return unsafe KeySort.compare(
        UnsafeRawBufferPointer(start: left.row + offset, count: width),
        UnsafeRawBufferPointer(start: right.row + offset, count: width)) == 0
    }
    guard column.isPresent(in: left) == column.isPresent(in: right) else { return false }
    guard column.isPresent(in: left) else { return true }
    return unsafe KeySort.compare(
      try column.bytes(in: left, layout), try column.bytes(in: right, layout)) == 0
  }
}

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
    of row: RowView, replacing old: RowView?, _ table: Table
  ) throws {
    for (place, reference) in table.references.enumerated() {
      if let old, try table.holdsSame(reference.column, old, row) { continue }
      try unsafe table.forEachTarget(of: reference, in: row) { _, target in
        // An index cannot hold a longer one even until the statement ends.
        if let targets, target.count <= KeyCode.longestPrimaryKey {
          unsafe targets.insert(target, at: place, of: table)
        } else if try unsafe !exists(target, reference),
          unsafe reference.target != table.id || KeySort.compare(target, row.keyBytes) != 0
        {
          throw unsafe dangling(reference, row.keyBytes, target, table)
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
    guard let table = targets.table else { return }
    for (place, reference) in table.references.enumerated() {
      let keys = targets.sets[place].sorted()
      for position in 0..<keys.count {
        let target = unsafe keys[position]
        if try unsafe exists(target, reference) { continue }
        try applyBuffer(reference.index.slot)
        var referrer: [UInt8] = []
        try unsafe table.forEachReferrer(to: target, by: reference, in: base) { key in
          referrer = unsafe [UInt8](key)
          return false
        }
        throw unsafe referrer.withUnsafeBytes { key in
          unsafe dangling(reference, key, target, table)
        }
      }
    }
  }

  private func exists(
    _ target: UnsafeRawBufferPointer, _ reference: ForeignKey
  ) throws -> Bool {
    guard target.count <= KeyCode.longestPrimaryKey else { return false }
    // Safety: the key does not change during the call.
    return try unsafe base.get(RawSpan(_unsafeBytes: target), in: reference.targetRows) != nil
  }

  private func dangling(
    _ reference: ForeignKey, _ key: UnsafeRawBufferPointer,
    _ target: UnsafeRawBufferPointer, _ table: Table
  ) -> StoreError {
    let type = table.layout.columns[reference.column].storage
    let schema = table.schema
    return .danglingReference(
      model: schema.name, field: table.layout.names[reference.column],
      key: unsafe schema.describe(key: key),
      target: unsafe catalog.describe(target, reference, type))
  }
}

/// What the rows of one statement refer to: for each column of references the keys, once each.
///
/// Confined to its transaction.
final class PendingTargets {
  private(set) var table: Table?
  private(set) var sets: [ByteSet] = []

  /// Notes a key that a column refers to.
  func insert(_ target: UnsafeRawBufferPointer, at place: Int, of table: Table) {
    if self.table == nil {
      self.table = table
      sets = table.references.map { reference in
        ByteSet()
      }
    }
    unsafe sets[place].insert(target)
  }
}

extension Catalog {
  /// An object that is referred to, as a person reads it.
  func describe(
    _ key: UnsafeRawBufferPointer, _ reference: ForeignKey, _ type: StorageType
  ) -> String {
    guard let target = all.first(where: { $0.id == reference.target }) else {
      return unsafe "key " + KeyCode.describe(key, as: type)
    }
    // The model's key may have become another type, and the reference is still of the former one.
    return unsafe "\(target.schema.name) " + KeyCode.describe(key, as: type)
  }
}

extension Table {
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

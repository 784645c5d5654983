import LMDB

/// Stamps what a transaction changes of replicated models, and puts it into the outbox.
///
/// The changes of an object are applied to its ``OutboxEntry`` one after the other, in the order in which
/// they were made, when the transaction commits or many are kept. All have one stamp.
final class ReplicationCapture: ChangeSink {
  private struct Mark {
    let count: Int
    let applied: Int
    let hasFailed: Bool
  }

  private let outbox: Outbox
  private let meta: Database
  private let milliseconds: @Sendable () -> UInt64
  /// The clock with this transaction's stamp, once there is one.
  private var clock: (clock: ReplicaClock, stamp: Stamp)?
  /// The entries' keys of the changed objects, in the order of the changes.
  private var keys = ByteList(capacity: 256)
  private var changes: [OutboxChange] = []
  /// The most bytes of changes that are kept; less in tests.
  var longestBytes = Threshold.keptChangeBytes.value
  /// The bytes of the changes since the last flush.
  private var byteCount = 0
  /// How many changes, counted from the first, the outbox has already.
  private var applied = 0
  /// The savepoints that have yet to end, the outermost first.
  private var marks: [Mark] = []
  /// The error of a row that could not be read, which the transaction fails with.
  private var failure: (any Error)?

  init(_ outbox: Outbox, _ meta: Database, milliseconds: @escaping @Sendable () -> UInt64) {
    self.outbox = outbox
    self.meta = meta
    self.milliseconds = milliseconds
  }

  func detail(of table: Table) -> ChangeDetail { table.isReplicated ? .rows : .nothing }

  func take(
    _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, of table: Table
  ) {
    // Changes that another sink needs come as well.
    guard table.isReplicated else { return }
    do {
      guard let change = try table.change(from: old, to: new) else { return }
      changes.append(change)
      byteCount += key.count + change.byteCount
    } catch {
      failure = failure ?? error
      return
    }
    keys.bytes.append(bigEndian: UInt32(truncatingIfNeeded: table.id))
    // Safety: the key is copied during the call.
    unsafe keys.append(key)
  }

  /// Gets only the removals of models that are not replicated: of others each row is read.
  func takeRemovalOfAll(of table: Table) {}

  // MARK: Writing

  var isFull: Bool { byteCount > longestBytes }

  func flush(to transaction: inout LMDB.WriteTransaction) throws {
    if let failure { throw failure }
    guard changes.count > applied else { return }
    let (clock, stamp) = try clock ?? startClock(in: transaction)
    let order = keys.order(from: applied)
    var insertion = OutboxEntry(.insertion, at: stamp).bytes + Checksum.bytes([], [])
    var position = 0
    while position < order.count {
      let first = applied + Int(order[position])
      position += 1
      // Safety: the list does not change before the changes are written.
      let key = unsafe keys[first]
      func isNext() -> Bool {
        guard position < order.count else { return false }
        return unsafe ByteList.compare(keys[applied + Int(order[position])], key) == 0
      }
      if case .insertion = changes[first], !isNext(),
        try unsafe outbox.insert(&insertion, at: key, &transaction)
      {
        continue
      }
      let object = unsafe [UInt8](key)
      var entry = try outbox.entry(object, in: transaction)
      entry = changes[first].applied(to: entry, at: stamp, sent: clock.sent)
      while isNext() {
        let change = changes[applied + Int(order[position])]
        entry = change.applied(to: entry, at: stamp, sent: clock.sent)
        position += 1
      }
      try outbox.set(entry, at: object, &transaction)
    }
    byteCount = 0
    applied = changes.count
    discard()
  }

  /// Gets the stamp of the transaction.
  private func startClock(
    in transaction: borrowing LMDB.WriteTransaction
  ) throws -> (ReplicaClock, Stamp) {
    var clock = try ReplicaClock(in: meta, transaction)
    let stamp = clock.tick(milliseconds())
    self.clock = (clock, stamp)
    return (clock, stamp)
  }

  func finish(_ sequence: UInt64, in transaction: inout LMDB.WriteTransaction) throws {
    try flush(to: &transaction)
    try clock?.clock.write(to: meta, &transaction)
  }

  // MARK: Savepoints

  func beginSavepoint() {
    marks.append(Mark(count: changes.count, applied: applied, hasFailed: failure != nil))
  }

  func releaseSavepoint() {
    marks.removeLast()
    if applied == changes.count { discard() }
  }

  /// Ends the innermost savepoint; changes from before it that were written inside it are written again.
  func rollBackToSavepoint() {
    let mark = marks.removeLast()
    removeChanges(from: mark.count)
    applied = mark.applied
    // The row whose change is undone has no part in the commit.
    if !mark.hasFailed { failure = nil }
  }

  /// Forgets the changes that no savepoint needs, because the outbox has all.
  private func discard() {
    removeChanges(from: marks.last?.count ?? 0)
    applied = changes.count
  }

  private func removeChanges(from first: Int) {
    keys.removeItems(from: first)
    changes.removeLast(changes.count - first)
  }
}

// MARK: - Rows

extension Table {
  /// The change of a row with the values that the outbox needs; nil where none differs.
  fileprivate func change(from old: RecordView?, to new: RecordView?) throws -> OutboxChange? {
    guard let new else { return .removal(values(of: old)) }
    guard let old else { return .insertion }
    var fields: [UInt16: (old: OutboxEntry.Field, new: OutboxEntry.Field)] = [:]
    for (column, field) in zip(layout.columns, replicatedFields) where column.place != .key {
      if try column.isSame(in: old, new, layout) { continue }
      fields[field] = try (column.field(in: old, layout), column.field(in: new, layout))
    }
    return fields.isEmpty ? nil : .update(fields)
  }

  /// The values of a row by the numbers of their fields; none of a row that is damaged.
  private func values(of row: RecordView?) -> [UInt16: OutboxEntry.Field] {
    do { return try row.map(fields) ?? [:] } catch {
      // It is removed like any other, and cannot be restored.
      return [:]
    }
  }

  /// The values of a row by the numbers of their fields, but for those that the key alone has.
  func fields(of row: RecordView) throws -> [UInt16: OutboxEntry.Field] {
    try row.checkSum(layout)
    var fields: [UInt16: OutboxEntry.Field] = [:]
    for (column, field) in zip(layout.columns, replicatedFields) where column.place != .key {
      fields[field] = try column.field(in: row, layout)
    }
    return fields
  }
}

extension ColumnLayout {
  /// The column's value as an entry of the outbox has it.
  fileprivate func field(in row: RecordView, _ layout: RecordLayout) throws -> OutboxEntry.Field {
    // Safety: the bytes are copied while the row is borrowed.
    OutboxEntry.Field(try unsafe storedBytes(in: row, layout).map { unsafe [UInt8]($0) })
  }
}

extension OutboxChange {
  /// About how much memory its values take.
  fileprivate var byteCount: Int {
    switch self {
    case .insertion: 0
    case .update(let fields):
      fields.values.reduce(0) { $0 + ($1.old.bytes?.count ?? 0) + ($1.new.bytes?.count ?? 0) }
    case .removal(let values): values.values.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    }
  }
}

import LMDB

/// How much a sink needs of the changes of a model's rows.
enum ChangeDetail: UInt8, Comparable, Sendable {
  case nothing
  /// The keys of the rows.
  case keys
  /// The keys, and the rows after each change.
  case newRows
  /// The keys, and the rows before and after each change.
  case rows

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Receives the changes that a write transaction makes to rows, in the order in which it makes them.
///
/// ``ChangeCapture`` is the sink of observers, ``LogCapture`` that of the log of commits. A sink gets every
/// change of the models that it needs, whatever makes it: a statement about one object or many, a delete
/// rule, a migration, or the removal of all objects. It keeps what it needs until it is full or the
/// transaction commits, because rows may be read from the trees meanwhile.
///
/// Confined to its transaction, which is used by one thread at a time.
protocol ChangeSink: AnyObject {
  /// How much it needs of a table's changes; later in the transaction it may need less.
  func detail(of table: Table) -> ChangeDetail

  /// Takes the change of one row.
  ///
  /// - Parameters:
  ///   - key: The row's key, borrowed for the call.
  ///   - old: The row before, in the table's layout; nil for an insert, and where it was not read: if
  ///     no sink needs it, or if it is damaged.
  func take(
    _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, of table: Table)

  /// Takes the removal of all rows of a table, of which no sink needs the rows before.
  func takeRemovalOfAll(of table: Table)

  /// Whether so much is kept that it should be written before more changes come.
  var isFull: Bool { get }

  /// Writes what is kept; within a savepoint, an undo takes it back with everything else.
  func flush(to transaction: inout LMDB.WriteTransaction) throws

  func beginSavepoint()

  /// Ends the innermost savepoint and keeps its changes.
  func releaseSavepoint()

  /// Ends the innermost savepoint and drops what was taken since its start.
  func rollBackToSavepoint()

  /// Writes what the commit must hold.
  func finish(_ sequence: UInt64, in transaction: inout LMDB.WriteTransaction) throws
}

extension ChangeSink {
  var isFull: Bool { false }
  func flush(to transaction: inout LMDB.WriteTransaction) {}
}

/// Passes the changes of a write transaction's rows to the sinks that need them.
final class ChangeStream {
  /// The observers' sink, if there are observers.
  let observers: ChangeCapture?
  /// The log's sink, if commits are logged.
  private let log: LogCapture?
  private let others: [any ChangeSink]
  private let tables: [Table]
  /// Whether a sink needs anything of each table, by the model's number.
  // Used by one thread, never while it changes, which makes the checks of exclusivity unnecessary.
  @safe @exclusivity(unchecked) private var isNeeded: [Bool]

  /// Makes a stream; nil where there is no sink.
  init?(
    of tables: [Table], observers: ChangeCapture?, log: LogCapture? = nil,
    others: [any ChangeSink] = []
  ) {
    if observers == nil, log == nil, others.isEmpty { return nil }
    (self.observers, self.log, self.others, self.tables) = (observers, log, others, tables)
    isNeeded = Array(repeating: false, count: (tables.map(\.id).max() ?? -1) + 1)
    findNeeds()
  }

  private func findNeeds() {
    for table in tables { isNeeded[table.id] = needs(table) }
  }

  private func needs(_ table: Table) -> Bool {
    log.map { $0.detail(of: table) > .nothing } ?? false
      || observers.map { $0.detail(of: table) > .nothing } ?? false
      || others.contains { $0.detail(of: table) > .nothing }
  }

  /// Whether a sink needs a table's changes.
  @inline(__always)
  func takes(_ table: Table) -> Bool { isNeeded[table.id] }

  /// Whether a statement must read the rows that it removes.
  func takesOldRows(of table: Table) -> Bool {
    observers?.detail(of: table) == .rows || others.contains { $0.detail(of: table) == .rows }
  }

  /// Passes on the writing of a row, and the row that it replaces.
  @inline(__always)
  func write(_ new: RecordView, replacing old: RecordView?, of table: Table) {
    if takes(table) { unsafe take(new.keyBytes, old: old, new: new, of: table) }
  }

  /// Passes on the removal of a row, which may not have been read.
  @inline(__always)
  func remove(_ key: UnsafeRawBufferPointer, _ old: RecordView? = nil, of table: Table) {
    if takes(table) { unsafe take(key, old: old, new: nil, of: table) }
  }

  private func take(
    _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, of table: Table
  ) {
    // Safety: sinks copy what they keep during the calls.
    if let observers { unsafe observers.take(key, old: old, new: new, of: table) }
    for sink in others { unsafe sink.take(key, old: old, new: new, of: table) }
    guard let log else { return }
    unsafe log.take(key, old: old, new: new, of: table)
    // Past its limit the log needs no more, and most often nobody else does.
    if log.detail(of: table) == .nothing { isNeeded[table.id] = needs(table) }
  }

  func removeAll(of table: Table) { forEachSink { $0.takeRemovalOfAll(of: table) } }

  /// Whether a sink should write what it keeps before more changes come.
  @inline(__always)
  var isFull: Bool { !others.isEmpty && others.contains { $0.isFull } }

  func flush(to transaction: inout LMDB.WriteTransaction) throws {
    for sink in others where sink.isFull { try sink.flush(to: &transaction) }
  }

  func beginSavepoint() { forEachSink { $0.beginSavepoint() } }

  func releaseSavepoint() { forEachSink { $0.releaseSavepoint() } }

  func rollBackToSavepoint() {
    forEachSink { $0.rollBackToSavepoint() }
    findNeeds()
  }

  /// Lets the sinks write what the commit must hold.
  func finish(_ sequence: UInt64, in transaction: inout LMDB.WriteTransaction) throws {
    try forEachSink { try $0.finish(sequence, in: &transaction) }
  }

  private func forEachSink(_ body: (any ChangeSink) throws -> Void) rethrows {
    if let observers { try body(observers) }
    if let log { try body(log) }
    for sink in others { try body(sink) }
  }
}

/// A value that commits change: a query's result, an object, an aggregate, or what a closure reads.
///
/// The hub runs it once, applies the changes of later commits to it where that is possible, and else runs it
/// again. Observers of the same query or object share one.
///
/// Confined to the hub's queue, or to the thread that makes it for one run.
protocol LiveComputation: AnyObject {
  /// The commit of the last run; earlier changes are in its value.
  var sequence: UInt64 { get }
  /// What the last run read; a commit that changes nothing of it does not change the value.
  var region: ReadRegion { get }

  /// Computes the value from the store.
  ///
  /// - Parameter transaction: Shows the commit after which changes are applied.
  /// - Throws: What keeps the value from being computed.
  func run(in transaction: inout ReadTransaction, at sequence: UInt64) throws

  /// Applies changes of rows in the region.
  ///
  /// - Parameter rows: The changes of one model; each key once, ascending.
  /// - Throws: ``StoreError`` where the value cannot be computed.
  func apply(_ rows: [RowDelta]) throws -> LiveOutcome

  /// The value now; nil where it equals the one that this function returned last.
  ///
  /// - Throws: ``StoreError`` where there is none, such as a sum that does not fit.
  func newValue() throws -> (any Sendable)?
}

/// What applying changes of rows to a computation did.
enum LiveOutcome: Sendable {
  /// The value is the same.
  case unchanged
  /// There may be another value.
  case changed
  /// The value is void: the computation must run again.
  case needsRun
}

/// What makes a computation for an observer, or finds the one that it shares.
struct LiveSource: Sendable {
  /// The identity by which observers share a computation.
  enum ID: Hashable, Sendable {
    case query(Schema, QueryCore)
    case object(Schema, [UInt8])
  }

  /// Nil where each observer has a computation of its own.
  var id: ID?
  /// What is needed of commits before the first run.
  let region: @Sendable (Catalog) throws -> ObservedRegion
  let make: @Sendable () -> any LiveComputation

  /// The result of a query, as ``ResultRows``.
  static func query(_ core: QueryCore, _ schema: Schema) -> LiveSource {
    LiveSource(id: .query(schema, core)) {
      try core.region(of: schema, $0)
    } make: {
      LiveQuery(core, schema)
    }
  }

  /// The row of a key, as ``LiveObject/Row``.
  static func object(_ key: [UInt8], _ schema: Schema) -> LiveSource {
    LiveSource(id: .object(schema, key)) { catalog in
      ObservedRegion(rows: [try catalog.table(of: schema).id])
    } make: {
      LiveObject(key, schema)
    }
  }

  /// A value whose region is known only after the first run.
  static func computation(_ make: @escaping @Sendable () -> any LiveComputation) -> LiveSource {
    LiveSource(region: { _ in ObservedRegion() }, make: make)
  }
}

/// What a closure reads of the store.
final class LiveReading<Value: Sendable>: LiveComputation {
  private let read: (inout ReadTransaction) throws -> Value
  private let isSame: (Value, Value) -> Bool
  private var value: Value?
  private var isChanged = false
  private(set) var sequence: UInt64 = 0
  private(set) var region = ReadRegion()

  /// Makes a reading that has not been run; a value that is the same is not delivered again.
  init(
    isSame: @escaping (Value, Value) -> Bool,
    _ read: @escaping (inout ReadTransaction) throws -> Value
  ) {
    self.isSame = isSame
    self.read = read
  }

  func run(in transaction: inout ReadTransaction, at sequence: UInt64) throws {
    let new = try transaction.recording(&region) { try read(&$0) }
    self.sequence = sequence
    if let value, isSame(value, new) { return }
    (value, isChanged) = (new, true)
  }

  func apply(_ rows: [RowDelta]) -> LiveOutcome { .needsRun }

  func newValue() -> (any Sendable)? {
    guard isChanged, let value else { return nil }
    isChanged = false
    return Computed(value: value)
  }
}

/// A value that is handed to observers, whatever its type.
struct Computed<Value: Sendable>: Sendable {
  let value: Value
}

/// The row of an observed object.
final class LiveObject: LiveComputation {
  /// The row of a key; none where there is no object.
  struct Row: Sendable {
    let row: StoredRow?
  }

  private let key: [UInt8]
  private let schema: Schema
  private var row: StoredRow?
  private(set) var sequence: UInt64 = 0
  private(set) var region = ReadRegion()

  init(_ key: [UInt8], _ schema: Schema) {
    self.key = key
    self.schema = schema
  }

  func run(in transaction: inout ReadTransaction, at sequence: UInt64) throws {
    let table = try transaction.catalog.table(of: schema)
    row = try table.storedRow(key, in: transaction.base)
    region = ReadRegion()
    region.add(key: key, of: table)
    self.sequence = sequence
  }

  func apply(_ rows: [RowDelta]) -> LiveOutcome {
    guard let last = rows.last else { return .unchanged }
    row = last.new
    return .changed
  }

  func newValue() -> (any Sendable)? { Row(row: row) }
}

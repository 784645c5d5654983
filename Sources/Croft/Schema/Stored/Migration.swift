import CroftFoundation
import LMDB

/// A change of a model's stored objects that the program makes, because the store cannot by itself.
///
/// ```swift
/// let store = try Store.open(
///   at: url, models: Person.self,
///   migrations: [
///     .convert(\Person.age) { old, new in
///       new?.age = Int(try old["age", as: String.self]) ?? 0
///     },
///     Migration("full-name", Person.self) { old, new in
///       let parts = try (old["first", as: String.self], old["last", as: String.self])
///       new?.name = "\(parts.0) \(parts.1)"
///     },
///     .drop("nickname", of: Person.self),
///   ])
/// ```
///
/// The closure is called for each stored object, with the old row and the new object. The new object
/// has all values that can be converted: those of fields with the same name, widened if necessary. A
/// property whose stored values cannot be converted must be named, and starts as its
/// default, nil or zero; without being named it is refused, so that no value is lost by accident.
/// Setting the new object to nil deletes it. The primary key may change if one of its properties is
/// named; no two objects may get the same key, and models that refer to this one must be migrated
/// with it.
///
/// All pending migrations run in the one transaction that opens the store, object by object; if a
/// closure throws, the store does not change. Adding, removing, renaming and widening a property
/// need no migration.
public struct Migration: Sendable {
  typealias Change = @Sendable (OldRow, inout (any Model)?) throws -> Void

  /// The name that the store remembers; nil for a migration that runs whenever types differ.
  let name: String?
  let model: any Model.Type
  let drops: [String]
  /// The names of the properties whose stored values it replaces.
  let replaced: [String]
  let change: Change?

  private init(
    _ name: String?, _ model: any Model.Type, drops: [String] = [], replaced: [String] = [],
    _ change: Change? = nil
  ) {
    self.name = name
    self.model = model
    self.drops = drops
    self.replaced = replaced
    self.change = change
  }

  /// A migration that runs once in each store, which remembers its name.
  ///
  /// - Parameters:
  ///   - name: Its name, which must be unique among the migrations of the model.
  ///   - model: The model.
  ///   - properties: The properties whose stored values the closure replaces: those of another
  ///     type, those without a stored value, and at least one of a primary key that changes. A
  ///     struct includes all properties inside it.
  ///   - change: Changes the new object, using the old row.
  /// - Precondition: The properties are stored ones.
  public init<M: Model>(
    _ name: String, _ model: M.Type, replacing properties: PartialKeyPath<M>...,
    change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) {
    self.init(name, model, replaced: properties.map(Self.name), Self.erase(change))
  }

  /// A migration that makes the program's schema of a model the newest, once, and changes no object.
  ///
  /// A store keeps the indexes and constraints that a newer program declared, whichever program
  /// opens it. A program that goes back to an earlier schema uses this migration to remove them.
  ///
  /// - Parameters:
  ///   - name: Its name, which must be unique among the migrations of the model.
  ///   - model: The model.
  public static func adoptSchema<M: Model>(_ name: String, of model: M.Type) -> Migration {
    Migration(name, model)
  }

  /// A migration that runs whenever the stored values of the named properties cannot be converted.
  ///
  /// That is the case if their stored type, or the primary key, differs from the declared one, and
  /// if objects have no value for them. It does not run for automatic changes.
  ///
  /// - Parameters:
  ///   - property: A property of the model, whose stored values the closure replaces.
  ///   - others: More such properties.
  ///   - change: Changes the new object, using the old row.
  /// - Precondition: The properties are stored ones.
  public static func convert<M: Model>(
    _ property: PartialKeyPath<M>, _ others: PartialKeyPath<M>...,
    change: @escaping @Sendable (_ old: OldRow, _ new: inout M?) throws -> Void
  ) -> Migration {
    Migration(nil, M.self, replaced: ([property] + others).map(name), erase(change))
  }

  /// A migration that removes stored fields which the model no longer declares; it runs once.
  public static func drop<M: Model>(_ fields: String..., of model: M.Type) -> Migration {
    Migration("drop " + fields.joined(separator: ", "), model, drops: fields)
  }

  /// Whether it replaces the stored values of a column.
  func replaces(_ column: String) -> Bool {
    replaced.contains { $0 == column || column.hasPrefix($0 + ".") }
  }

  private static func name<M: Model>(of property: PartialKeyPath<M>) -> String {
    guard let name = M._schema.name(of: property) else {
      preconditionFailure(
        "A migration of \(M._schema.erased.name) replaces \(property), which is not a stored property: "
          + "name one, or the optional struct that it belongs to.")
    }
    return name
  }

  private static func erase<M: Model>(
    _ change: @escaping @Sendable (OldRow, inout M?) throws -> Void
  ) -> Change {
    { old, new in
      var object = new as? M
      try change(old, &object)
      new = object
    }
  }
}

/// How far a migration has come.
public struct MigrationProgress: Sendable, Hashable {
  /// The model whose objects are migrated.
  public let model: String
  /// How many objects are done.
  public let done: Int
  /// How many objects there are.
  public let total: Int

  /// The part that is done, from 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}

// MARK: - Running

/// A run over a model's objects, each of which is converted, changed and written to a new tree.
struct MigrationRun: ~Copyable {
  private let diff: SchemaDiff
  private let model: Table
  private let sources: [UInt16: (source: OldRow.Source, converter: RecordTranscoder)]
  private let arena = RecordArena()
  private let context: WriteTransaction.Context
  private var encoder = _RecordEncoder()
  private var key = _ByteBuffer()
  /// The new keys of objects that have another one, where the changes are captured.
  private var moved = ByteList()
  /// Whether an object was deleted or has another key.
  private(set) var hasMoved = false

  init(_ diff: SchemaDiff, _ model: Table, _ changes: ChangeStream?) {
    context = WriteTransaction.Context(migrating: changes)
    self.diff = diff
    self.model = model
    let values = FieldValues(diff.entry)
    sources = Dictionary(
      diff.original.layouts.map { stored in
        let source = OldRow.Source(stored, of: diff.original, diff.schema)
        let converter = RecordTranscoder(
          from: stored, source.layout, to: diff.layout, model.layout, values,
          fillsZero: true)
        return (stored.id, (source, converter))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Migrates all objects: reads them from one tree and writes them to the model's.
  ///
  /// - Throws: What a closure throws; ``StoreError/duplicateKey(model:fields:key:)`` where two objects
  ///   get the same key.
  mutating func migrateAll(
    from old: Database, _ transaction: inout LMDB.WriteTransaction,
    _ progress: (MigrationProgress) -> Void
  ) throws {
    let total = try transaction.count(of: old)
    var block = CopiedRows()
    var done = 0
    repeat {
      try block.read(from: old, in: transaction)
      for place in 0..<block.count {
        // Safety: the block holds copies, which stay until it reads on.
        try unsafe migrate(key: block.key(place), row: block.row(place), &transaction)
      }
      try context.flushFullSinks(to: &transaction)
      done += block.count
      if block.count > 0 {
        progress(MigrationProgress(model: model.schema.name, done: done, total: total))
      }
    } while block.count > 0
    try captureMoved(in: &transaction)
    try transaction.empty(old)
  }

  private mutating func migrate(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    CoverageMark.hit(.rowsMigrated)
    arena.clear()
    // Safety: the bytes are valid during the call; the count is checked before they are read.
    let id = unsafe row.count < 4 ? 0 : UInt16(row[2]) | UInt16(row[3]) << 8
    guard let (source, converter) = sources[id],
      let old = unsafe RecordView(key: key, stored: row, layout: source.layout)
    else { throw unsafe RecordView.reject(key: key, row: row, layout: model.layout) }
    try old.checkSum(source.layout)
    let converted = try converted(old, source, converter)
    guard let object = try changed(converted, OldRow(old, of: source)) else {
      hasMoved = true
      return unsafe context.changes?.remove(key, converted, of: model) ?? ()
    }
    encoder.encode(object, model.layout)
    try model.complete(&encoder, replacing: converted)
    let keepsKey = unsafe ByteList.compare(encoder.key.bytes, key) == 0
    try model.write(&encoder, replacing: nil, in: &transaction, context)
    if keepsKey {
      context.changes?.write(encoder.view, replacing: converted, of: model)
    } else {
      hasMoved = true
      unsafe context.changes?.remove(key, converted, of: model)
      if context.changes != nil { unsafe moved.append(encoder.key.bytes) }
    }
  }

  /// Captures the objects that have another key, which may be the former one of another object.
  private func captureMoved(in transaction: inout LMDB.WriteTransaction) throws {
    for ordinal in 0..<moved.count {
      context.arena.clear()
      // Safety: the row is captured before anything is written.
      guard let row = try unsafe model.row(moved[ordinal], in: transaction, context.arena) else {
        continue
      }
      context.changes?.write(row, replacing: nil, of: model)
      try context.flushFullSinks(to: &transaction)
    }
  }

  /// The row with all values that can be converted, under the key that the new object starts with.
  private mutating func converted(
    _ old: RecordView, _ source: OldRow.Source, _ converter: RecordTranscoder
  ) throws -> RecordView {
    let row = try converter.transcode(old, into: arena)
    key.count = 0
    if diff.entry.keys == diff.original.keys {
      unsafe key.append(contentsOf: old.keyBytes)
    } else {
      for (field, place) in zip(diff.entry.keys, model.schema.keyPlaces) {
        try appendKey(field, model.layout.columns[place].storage, old, source)
      }
    }
    // Safety: key and row stay as they are until the next object.
    return unsafe RecordView(
      key: UnsafeRawPointer(key.base), keyCount: key.count, row: row.row, rowCount: row.rowCount,
      isWide: row.isWide)
  }

  /// Appends a key column's code: the stored field's if it has the same code, otherwise zero's.
  private mutating func appendKey(
    _ field: Int, _ type: StorageType, _ old: RecordView, _ source: OldRow.Source
  ) throws {
    let column = source.column(of: field)
    if let column, column.storage.hasSameKeyCode(as: type) {
      try key.appendCode(of: column, in: old, layout: source.layout, cut: nil)
    } else {
      StoredValue.zero(of: type).appendKey(kind: type.kind, to: &key, cut: nil)
    }
  }

  /// The object after all closures; nil where one deletes it.
  private func changed(_ row: RecordView, _ old: OldRow) throws -> (any Model)? {
    guard let type = diff.migrations.first?.model else { return nil }
    var decoder = _RecordDecoder(layout: model.layout)
    decoder.move(to: row)
    var object: (any Model)? = try Self.start(type, &decoder)
    for migration in diff.migrations where object != nil { try migration.change?(old, &object) }
    return object
  }

  /// The object with which the closures start.
  private static func start(
    _ type: any Model.Type, _ decoder: inout _RecordDecoder
  ) throws -> any Model {
    do {
      return try type.init(_record: &decoder)
    } catch StoreError.schemaMismatch(let model, let field, let reason) {
      throw StoreError.schemaMismatch(
        model: model, field: field,
        reason: "\(reason). A property that cannot be carried starts as its default, nil, or zero: "
          + "give it a default where its type has no zero")
    }
  }
}

/// Rows that are copied out of a tree block by block, so that rows can be written in between.
private struct CopiedRows: ~Copyable {
  /// Each row's key and then its value.
  private var items = ByteList(capacity: 1 << 16)
  private var last: [UInt8]?

  var count: Int { items.count / 2 }

  /// Reads the next block of rows; it is empty at the tree's end.
  mutating func read(
    from tree: Database, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    items.removeAll()
    let range = KeyRange(lower: last.map { .exclusive($0) } ?? .unbounded)
    try transaction.forEachBlock(of: tree, in: range) { block in
      for place in 0..<block.count {
        // Safety: the bytes are copied while the block is borrowed.
        unsafe items.append(block.entries[place].key)
        unsafe items.append(block.entries[place].value)
      }
      return false
    }
    if count > 0 { last = unsafe [UInt8](key(count - 1)) }
  }

  /// One row's key, borrowed until the next are read.
  func key(_ place: Int) -> UnsafeRawBufferPointer { unsafe items[2 * place] }

  /// One row's value, borrowed until the next are read.
  func row(_ place: Int) -> UnsafeRawBufferPointer { unsafe items[2 * place + 1] }
}

import LMDB

/// The change of a model, and the migrations that must run for it.
struct MigrationPlan {
  private(set) var diff: SchemaDiff
  /// The migrations whose closures must run, in the program's order.
  private let due: [Migration]

  /// Whether objects must be migrated.
  var isPending: Bool { !due.isEmpty }

  init(
    _ entry: CatalogEntry, _ schema: Schema, _ context: SchemaDiff.Context,
    _ migrations: [Migration]
  ) throws {
    let own = migrations.filter { $0.model.schema === schema }
    let new = own.filter { $0.name.map { !entry.migrations.contains($0) } ?? false }
    func makeDiff(by due: [Migration]) throws -> SchemaDiff {
      try SchemaDiff(
        of: entry, to: schema, context, dropping: new.flatMap(\.drops), migratedBy: due,
        isNewest: !new.isEmpty)
    }
    let able = own.filter { migration in
      migration.change != nil && context.rowCount > 0
        && migration.name.map { name in new.contains { $0.name == name } } ?? true
    }
    let named = able.filter { $0.name != nil }
    do {
      diff = try makeDiff(by: named)
      due = named
    } catch let error as StoreError {
      guard named.count < able.count else { throw error }
      // Of the migrations without a name, those run that name a property which cannot be converted.
      let diff = try makeDiff(by: able)
      self.diff = diff
      due = able.filter { $0.name != nil || diff.replaced.contains(where: $0.replaces) }
    }
    diff.entry.migrations += new.compactMap(\.name)
  }

  /// Has the migrated rows written to a new tree.
  mutating func writeRows(to tree: Int) {
    diff.entry.tree = tree
    diff.buildAll()
    diff.forgetOtherLayouts()
  }

  /// Removes the layouts of former rows if the model has no objects.
  mutating func forgetLayoutsWithoutRows() {
    if diff.context.rowCount == 0 { diff.forgetOtherLayouts() }
  }

  /// Has new indexes built in later transactions, where that is safe.
  mutating func deferBuilds(includingUnique: Bool) {
    diff.deferBuilds(includingUnique: includingUnique)
  }

  /// Migrates all objects: reads them from one tree and writes them to the model's.
  ///
  /// - Returns: Whether an object was deleted or has another key.
  /// - Throws: What a closure throws; ``StoreError/duplicateKey(model:fields:key:)`` where two objects
  ///   get the same key.
  func run(
    from old: Database, to model: Table, _ transaction: inout LMDB.WriteTransaction,
    _ changes: ChangeStream?, _ progress: (MigrationProgress) -> Void
  ) throws -> Bool {
    var run = MigrationRun(diff, due, model, changes)
    let total = try transaction.count(of: old)
    var block = CopiedRows()
    var done = 0
    repeat {
      try block.read(from: old, in: transaction)
      for place in 0..<block.count {
        // Safety: the block holds copies, which stay until it reads on.
        try unsafe run.migrate(key: block.key(place), row: block.row(place), &transaction)
      }
      done += block.count
      if block.count > 0 {
        progress(MigrationProgress(model: model.schema.name, done: done, total: total))
      }
    } while block.count > 0
    try run.captureMoved(in: transaction)
    try transaction.empty(old)
    return run.hasMoved
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

import LMDB

/// What becomes of a model, and the migrations that are due for it.
struct MigrationPlan {
  private(set) var evolution: SchemaDiff
  /// The migrations whose closures must run, in the program's order.
  private let due: [Migration]

  /// Whether objects must be migrated.
  var isPending: Bool { !due.isEmpty }

  init(
    _ record: CatalogEntry, _ schema: Schema, _ surroundings: SchemaDiff.Surroundings,
    _ migrations: [Migration]
  ) throws {
    let own = migrations.filter { $0.model.schema === schema }
    let new = own.filter { $0.name.map { !record.migrations.contains($0) } ?? false }
    func evolve(by due: [Migration]) throws -> SchemaDiff {
      try SchemaDiff(
        of: record, to: schema, surroundings, dropping: new.flatMap(\.drops), migratedBy: due,
        isNewest: !new.isEmpty)
    }
    let able = own.filter { migration in
      migration.change != nil && surroundings.rowCount > 0
        && migration.name.map { name in new.contains { $0.name == name } } ?? true
    }
    let named = able.filter { $0.name != nil }
    do {
      evolution = try evolve(by: named)
      due = named
    } catch let error as StoreError {
      guard named.count < able.count else { throw error }
      // Migrations that types ask for: those run that name a property which cannot be carried.
      let evolution = try evolve(by: able)
      self.evolution = evolution
      due = able.filter { $0.name != nil || evolution.replaced.contains(where: $0.replaces) }
    }
    evolution.record.migrations += new.compactMap(\.name)
  }

  /// Has the migrated objects written to a tree of their own.
  mutating func writeRows(to tree: Int) {
    evolution.record.tree = tree
    evolution.buildAll()
    evolution.forgetOtherLayouts()
  }

  /// Forgets the layouts of rows that there are no longer, where there are none.
  mutating func forgetLayoutsWithoutRows() {
    if evolution.surroundings.rowCount == 0 { evolution.forgetOtherLayouts() }
  }

  /// Leaves the entries of the indexes that are built to later transactions.
  mutating func deferBuilds() { evolution.deferBuilds() }

  /// Migrates all objects: reads them from one tree and writes them to the model's.
  ///
  /// - Returns: Whether an object is gone, or has another key.
  /// - Throws: What a closure throws; ``StoreError/duplicateKey(model:key:)`` where two objects
  ///   get the same key.
  func run(
    from old: Database, to model: Table, _ transaction: inout LMDB.WriteTransaction,
    _ progress: (MigrationProgress) -> Void
  ) throws -> Bool {
    var pass = MigrationPass(evolution, due, model)
    let total = try transaction.count(of: old)
    var block = CopiedRows()
    var done = 0
    repeat {
      try block.read(from: old, in: transaction)
      for place in 0..<block.count {
        // Safety: the block holds copies, which stay until it reads on.
        try unsafe pass.migrate(key: block.key(place), row: block.row(place), &transaction)
      }
      done += block.count
      if block.count > 0 {
        progress(MigrationProgress(model: model.schema.name, done: done, total: total))
      }
    } while block.count > 0
    try transaction.empty(old)
    return pass.hasMoved
  }
}

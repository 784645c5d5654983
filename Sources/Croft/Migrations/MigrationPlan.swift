import LMDB

/// What becomes of a model, and the migrations that are due for it.
struct MigrationPlan {
  private(set) var evolution: ModelEvolution
  /// The migrations whose closures must run, in the program's order.
  private let due: [Migration]

  /// Whether objects must be migrated.
  var isPending: Bool { !due.isEmpty }

  init(
    _ record: ModelRecord, _ shape: ModelShape, _ surroundings: ModelEvolution.Surroundings,
    _ migrations: [Migration]
  ) throws {
    let own = migrations.filter { $0.model.shape === shape }
    let new = own.filter { $0.name.map { !record.migrations.contains($0) } ?? false }
    func evolve(isMigrated: Bool) throws -> ModelEvolution {
      try ModelEvolution(
        of: record, to: shape, surroundings, dropping: new.flatMap(\.drops),
        isMigrated: isMigrated)
    }
    let automatic = Result { try evolve(isMigrated: false) }
    var isMismatch = false
    if case .failure = automatic { isMismatch = true }
    due = own.filter { migration in
      guard migration.change != nil, surroundings.rowCount > 0 else { return false }
      return migration.name.map { name in new.contains { $0.name == name } } ?? isMismatch
    }
    evolution = try due.isEmpty ? automatic.get() : evolve(isMigrated: true)
    evolution.record.migrations += new.compactMap(\.name)
  }

  /// Has the migrated objects written to a tree of their own.
  mutating func writeRows(to tree: Int) {
    evolution.record.tree = tree
    evolution.builds = evolution.record.indexes.map(\.id)
  }

  /// Leaves the entries of the indexes that are built to later transactions.
  mutating func deferBuilds() { evolution.deferBuilds() }

  /// Migrates all objects: reads them from one tree and writes them to the model's.
  ///
  /// - Returns: Whether an object is gone, or has another key.
  /// - Throws: What a closure throws; ``StoreError/duplicateKey(model:key:)`` where two objects
  ///   get the same key.
  func run(
    from old: Database, to model: ModelStorage, _ transaction: inout LMDB.WriteTransaction,
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
        progress(MigrationProgress(model: model.shape.name, done: done, total: total))
      }
    } while block.count > 0
    try transaction.empty(old)
    return pass.hasMoved
  }
}

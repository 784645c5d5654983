public import CroftFoundation
import LMDB

extension Store {
  /// Opens a store, and creates it when the file does not exist.
  ///
  /// A file that is not a store is refused and unchanged; no lock table is created for a file that
  /// is not an LMDB file. A new file is readable by its owner only (mode 0600). LMDB stores a lock
  /// table beside it, in a file of the same name that ends in `-lock`.
  ///
  /// - Parameters:
  ///   - url: The file; its folder must exist.
  ///   - models: The models that the program uses; the store may hold others.
  ///   - options: How to open it.
  ///   - migrations: The migrations of properties whose stored type differs from the declared one;
  ///     other changes of a model need none.
  ///   - progress: Called with the progress of migrations, after some hundred objects each.
  /// - Precondition: The URL is a file's, no two models have the same name, and there is none with
  ///   ``Options/usesStoredModels``.
  /// - Throws: ``StoreError/cannotOpen(path:reason:)``, ``StoreError/notACroftFile(path:reason:)``,
  ///   ``StoreError/newerFormat(path:version:)``, ``StoreError/corrupt(model:key:reason:)``,
  ///   ``StoreError/busy(reason:)`` where a model changes while another writer is at work,
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` where a model differs from the stored
  ///   one in a way that needs a migration, and what a migration throws.
  public static func open(
    at url: URL, models: any Model.Type..., options: Options = Options(),
    migrations: [Migration] = [], progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> Store {
    try open(at: url, models: models, options: options, migrations: migrations, progress: progress)
  }

  /// Opens a store whose models are a list, and creates it when the file does not exist.
  ///
  /// For programs that gather their models at run time, or share one list with their tests. Otherwise it
  /// works as the form that names each model.
  public static func open(
    at url: URL, models: [any Model.Type], options: Options = Options(),
    migrations: [Migration] = [], progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> Store {
    precondition(url.isFileURL, "A store is a file: make its URL with URL(filePath:).")
    return try StoreOpening(path: url.path, models, options, migrations).run(progress: progress)
  }

  /// Opens a store in a private temporary folder, which is removed as soon as it is open.
  ///
  /// It works as a store in a file does, but writes do not wait for the disk.
  ///
  /// - Parameter models: The models that the program uses.
  /// - Returns: An empty store, whose data is deleted with its last reference.
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where there is no temporary folder.
  public static func inMemory(models: any Model.Type...) throws -> Store {
    try inMemory(models: models)
  }

  /// Opens a store of a list of models in a private temporary folder, which is removed at once.
  ///
  /// - Throws: As the form that names each model.
  public static func inMemory(models: [any Model.Type]) throws -> Store {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try StoreOpening(path: folder.storePath, models, .inMemory).run()
  }

  /// Opens a private copy of a store's file, such as one that an older program wrote.
  ///
  /// For tests of migrations: the file itself is not changed, nor is anything made beside it.
  ///
  /// - Parameters:
  ///   - url: The file of a store that no program has open, or a link to it.
  ///   - models: The models that the program uses.
  ///   - migrations: The migrations of properties whose stored type differs from the declared one.
  /// - Returns: A store with the file's objects, whose data is deleted with its last reference.
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where the file cannot be copied; else as
  ///   `open(at:models:options:migrations:progress:)`.
  public static func inMemory(
    copyOf url: URL, models: any Model.Type..., migrations: [Migration] = []
  ) throws -> Store {
    try inMemory(copyOf: url, models: models, migrations: migrations)
  }

  /// Opens a private copy of a store's file, with a list of models.
  ///
  /// - Throws: As the form that names each model.
  public static func inMemory(
    copyOf url: URL, models: [any Model.Type], migrations: [Migration] = []
  ) throws -> Store {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.copy(url)
    return try StoreOpening(path: folder.storePath, models, .inMemory, migrations).run()
  }
}

// MARK: - The stages

/// Opens a store: the one path from a file to a ``Store``.
///
/// What changes the file does so in commits of their own. Where a stage fails, or the process is killed, the
/// file has what the stages before it committed, and the next opening continues from there.
struct StoreOpening {
  enum Stage: CaseIterable {
    /// The file is compacted, where the program's rule says so.
    case compaction
    /// The journal of a file that was not closed is replayed.
    case replay
    /// LMDB locks the file, recovers what a killed process left, and validates the newest pages.
    case environment
    /// The catalog is read for the program's models.
    case catalog
    /// All objects are deleted, where the program asks for that and its models do not fit them.
    case erasure
    /// The catalog is updated, objects are migrated, and indexes over few objects are built: one commit.
    case schema
    /// A part of an index over many objects is built: one commit for each part.
    case index
    /// An index that cannot be built is removed from the catalog.
    case abandonment
    /// The store is handed to the program.
    case publication
  }

  private var path: String
  private var options: Store.Options
  private var update: SchemaUpdate
  /// Called as a stage begins; an error that it throws fails the stage.
  ///
  /// The stages that change the file call it within the transaction, before anything is written.
  private let willBegin: (Stage) throws -> Void

  init(
    path: String, _ models: [any Model.Type], _ options: Store.Options,
    _ migrations: [Migration] = [], limits: IndexBuildLimits = IndexBuildLimits(),
    makeSinks: @escaping @Sendable () -> [any ChangeSink] = { [] },
    milliseconds: @escaping @Sendable () -> UInt64 = ReplicaClock.systemMilliseconds,
    willBegin: @escaping (Stage) throws -> Void = { _ in }
  ) {
    precondition(
      models.isEmpty || !options.usesStoredModels,
      "A store that uses the models of the file declares none: pass models: [].")
    self.path = path
    self.options = options
    self.willBegin = willBegin
    update = SchemaUpdate(
      path: path, schemas: models.map { $0.schema }, migrations: migrations,
      usesStoredModels: options.usesStoredModels && !options.isReadOnly, limits: limits,
      makeSinks: makeSinks, milliseconds: milliseconds)
  }

  /// Runs all stages.
  func run(progress: (MigrationProgress) -> Void = { _ in }) throws -> Store {
    do {
      try checkModels()
      return try runStages(progress)
    } catch let error as LMDBError {
      throw StoreError(error, opening: path)
    }
  }

  /// Runs all stages, once more where a writer was killed between the replay and the opening of a reader.
  private func runStages(_ progress: (MigrationProgress) -> Void) throws -> Store {
    do {
      return try runStagesOnce(progress)
    } catch let error as LMDBError where error.code == .needsReplay {
      return try runStagesOnce(progress)
    }
  }

  private func runStagesOnce(_ progress: (MigrationProgress) -> Void) throws -> Store {
    try willBegin(.compaction)
    try options.compaction?.apply(to: path, options)
    try willBegin(.replay)
    guard try Environment.replayJournal(at: path, options: Environment.Options(options)) else {
      return try openReplayedCopy(progress)
    }
    var opening = self
    let (environment, catalog) = try opening.openCatalog(progress)
    try willBegin(.publication)
    return Store(environment, opening.update, catalog, options)
  }

  /// Opens a copy of a file that must be replayed and may only be read.
  ///
  /// It has all that was committed when it was made, and does not follow the file.
  private func openReplayedCopy(_ progress: (MigrationProgress) -> Void) throws -> Store {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.copy(URL(filePath: path))
    var opening = self
    opening.path = folder.storePath
    opening.options.isUnlinkedAfterOpening = true
    return try opening.runStages(progress)
  }

  private func checkModels() throws {
    let names = update.schemas.map(\.name)
    precondition(
      Set(names).count == names.count,
      "Two models of one store have the same name: \(names). Rename one of the structs.")
    for schema in update.schemas {
      guard let mistake = schema.mistake else { continue }
      throw StoreError.invalidModel(model: schema.name, reason: mistake.reason)
    }
  }

  /// Opens the file with room for its trees, and brings the catalog up to date.
  private mutating func openCatalog(
    _ progress: (MigrationProgress) -> Void
  ) throws -> (Environment, Catalog) {
    var engine = Environment.Options(options)
    while true {
      try willBegin(.environment)
      let environment = try Environment.open(
        at: path, options: engine, knownBy: StoreHeader.identifyingRow(of: path))
      // Whatever this program's own durability is: it may be the first one that updates the catalog.
      if environment.hasJournal { update.features = .journal }
      do {
        return (environment, try fittingCatalog(of: environment, progress))
      } catch let error as LMDBError where error.code == .databasesFull {
        // With the trees of its models the file may have more than there is room for at first.
        let trees = try environment.read { $0.databaseCount() } + update.treeCount
        guard trees > engine.maxDatabases,
          engine.maxDatabases < Environment.Options.mostDatabases
        else { throw error }
        engine.maxDatabases = Swift.min(trees, Environment.Options.mostDatabases)
      }
    }
  }

  /// The catalog, of an emptied store where the program's models do not fit and it asks for that.
  private func fittingCatalog(
    of environment: Environment, _ progress: (MigrationProgress) -> Void
  ) throws -> Catalog {
    do {
      return try catalog(of: environment, progress)
    } catch let error as StoreError {
      guard case .schemaMismatch = error, options.erasesOnSchemaMismatch, !options.isReadOnly,
        try environment.read({ try update.isMismatchOfDeclarations($0) })
      else { throw error }
      // In one commit, so that no other program finds the store without its models.
      try environment.write {
        try willBegin(.erasure)
        try StoredCatalog.eraseAll(in: &$0, path: path)
        _ = try update.apply(to: &$0)
      }
      return try catalog(of: environment, progress)
    }
  }

  /// Reads the catalog, and changes it step by step until it fits the program and has all indexes.
  private func catalog(
    of environment: Environment, _ progress: (MigrationProgress) -> Void
  ) throws -> Catalog {
    try willBegin(.catalog)
    var known = try environment.read { try update.read($0) }
    while true {
      // Indexes of models that the program does not declare are left to the program that does.
      if let known,
        options.isReadOnly || known.isComplete && (update.usesStoredModels || !known.isBuilding)
      {
        return known
      }
      guard !options.isReadOnly else {
        throw StoreError.cannotOpen(
          path: path,
          reason: "it lacks a model or must be migrated, and isReadOnly forbids that; open it for "
            + "writing once")
      }
      do {
        let stage = known?.isComplete ?? false ? Stage.index : .schema
        known = try environment.write {
          try willBegin(stage)
          return try update.advance(&$0, progress: progress)
        }
      } catch let clash as IndexBuilder.IndexClash {
        // The new index cannot be built: remove it from the catalog again.
        try environment.write {
          try willBegin(.abandonment)
          try IndexBuilder(update: update).abandon(clash, &$0)
        }
        if let error = clash.error { throw error }
        known = nil
      } catch {
        // All indexes are usable; the next opening of the store can rebuild them as well.
        if let known, known.isComplete, known.isOnlyRebuilding { return known }
        throw error
      }
    }
  }
}

// MARK: - Stores in memory

extension Store.Options {
  /// Those of a store whose file has no name.
  static var inMemory: Self {
    var options = Self()
    options.durability = .unsafe
    options.mapSizeBytes = 16 << 30
    // Nobody else can open what has no name.
    options.logsCommits = false
    options.isUnlinkedAfterOpening = true
    return options
  }
}

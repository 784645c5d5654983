public import CroftFoundation
import LMDB
import Synchronization

/// An object store: one file of typed objects, with transactions and queries over them.
///
/// ```swift
/// let store = try Store.open(at: url, models: TodoItem.self)
/// try store.write { tx in try tx.insert(TodoItem(title: "Read")) }
/// let open = try store.fetch(TodoItem.where { !$0.isDone })
/// ```
///
/// The file is closed when the last ``Store`` of it is gone. Opening one file again in
/// the same process shares it; the models may differ, the options may not.
///
/// Threads: any. Reads never wait; there is one writer at a time, of all processes.
public final class Store: Sendable {
  let environment: Environment
  /// Reads the catalog, and updates it where another program changed it.
  let schemaUpdate: SchemaUpdate
  /// The newest catalog known; protected by its own lock.
  let catalog: Mutex<Catalog>
  /// The commit that was read last, with its catalog: another read of it need not read the header.
  let lastRead = Mutex<(version: Int, catalog: Catalog)?>(nil)
  let asyncWrites = GroupCommit()
  let live = LiveHub()
  let logsCommits: Bool
  /// The open snapshots, and the handler of diagnostics.
  let snapshots: SnapshotWatch

  init(
    _ environment: Environment, _ schemaUpdate: SchemaUpdate, _ catalog: Catalog, _ options: Options
  ) {
    self.environment = environment
    self.schemaUpdate = schemaUpdate.withoutMigrations
    self.catalog = Mutex(catalog)
    logsCommits = options.logsCommits
    snapshots = SnapshotWatch(of: environment, warningAge: options.snapshotWarningAge)
    // Stores of one environment wait for the same writers; the last one that was opened says so.
    environment.setBusyHandler { [weak snapshots] in
      snapshots?.report(.writeDelayed(reason: $0))
    }
  }

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
  /// - Precondition: The URL is a file's, and no two models have the same name.
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

extension Model {
  static var schema: Schema { _schema.erased }
}

// MARK: - Options

extension Store {
  /// How a store is opened.
  public struct Options: Sendable, Hashable {
    /// The bytes of address space to reserve; halved until the system grants them.
    ///
    /// It costs neither memory nor disk; the file grows as it is filled. 64 GiB by default.
    public var mapSizeBytes = 64 << 30
    /// The most read transactions at a time, of all processes; the first process decides.
    public var maxReaders = 512
    /// What a commit waits for.
    public var durability = Durability.full
    /// Whether writing is refused; the store must exist then.
    public var isReadOnly = false
    /// How long a writer waits for another one, of this process or not.
    public var writerTimeout = Duration.seconds(10)
    /// How old a snapshot gets before a warning says so: a minute by default; nil for never.
    public var snapshotWarningAge: Duration? = .seconds(60)
    /// When the file is compacted before it is opened; nil, the default, for never.
    public var compaction: CompactionRule?
    /// Whether commits are recorded in the store's log, for observers of other processes.
    ///
    /// True by default. Observers of other processes, and of other ``Store`` objects of the
    /// file, read in the log which objects changed. Without it they notice only that something
    /// changed, and run their queries again. A commit of few changes writes two pages for it, and none while
    /// nothing else has the file open. See <doc:LiveQueries>.
    public var logsCommits = true
    /// Whether a store that does not fit the program's models is emptied, instead of refused.
    ///
    /// False by default. It is for development, while models change often and their objects can be
    /// made again: if opening would throw ``StoreError/schemaMismatch(model:field:reason:)``, all
    /// objects of all models are deleted first. An error of a migration deletes nothing.
    public var erasesOnSchemaMismatch = false
    /// Whether a store on a network file system is opened, where locks cannot be trusted.
    public var allowsNetworkFileSystem = false
    /// Whether the file is removed on purpose as soon as it is open.
    var isUnlinkedAfterOpening = false

    /// The defaults.
    public init() {}
  }

  /// What a commit waits for before it returns.
  public enum Durability: Sendable, Hashable {
    /// Until all is on the disk: what is committed survives a power cut.
    case full
    /// Until the commit's record is on the disk, in a journal beside the file.
    ///
    /// What is committed survives a power cut, and a commit waits for the disk once instead of twice. The file
    /// gets a journal, of the same name with `-journal` after it, when a program opens it so while no other has it
    /// open; from then on all programs use it. While the store is open, the file is complete only together with
    /// its journal. Programs of an earlier version of Croft then refuse the file. See <doc:Operations>.
    case journal
    /// Until the data is on the disk; a power cut may undo the last commit, and damages nothing.
    case relaxed
    /// For nothing: a power cut may damage the file. For data that can be made again.
    case unsafe
  }
}

extension Environment.Options {
  init(_ options: Store.Options) {
    precondition(
      options.maxReaders > 0 && options.maxReaders <= 1 << 16
        && options.mapSizeBytes > 0 && options.mapSizeBytes <= 1 << 46,
      "maxReaders is between 1 and 65,536, mapSizeBytes between 1 and 64 TiB.")
    self.init()
    mapSizeBytes = options.mapSizeBytes
    maxReaders = options.maxReaders
    isReadOnly = options.isReadOnly
    writerTimeout = options.writerTimeout
    allowsNetworkFileSystem = options.allowsNetworkFileSystem
    isUnlinkedAfterOpening = options.isUnlinkedAfterOpening
    maxDatabases = 1024
    durability =
      switch options.durability {
      case .full: .full
      case .journal: .journal
      case .relaxed: .relaxed
      case .unsafe: .unsafe
      }
  }
}

extension Store.Options {
  /// Those of a store whose file has no name.
  fileprivate static var inMemory: Self {
    var options = Self()
    options.durability = .unsafe
    options.mapSizeBytes = 16 << 30
    // Nobody else can open what has no name.
    options.logsCommits = false
    options.isUnlinkedAfterOpening = true
    return options
  }
}

/// A private folder for a while.
private struct TemporaryFolder {
  let path: String
  /// The store in it.
  var storePath: String { path + "/store.croft" }

  /// Copies the bytes of a file, or of the file that a link leads to, into the folder.
  func copy(_ url: URL) throws {
    do {
      try Environment.copyFile(at: url.path, to: storePath)
    } catch {
      throw StoreError(error, opening: url.path)
    }
  }

  /// Makes a folder that only this user can enter.
  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID())").path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.cannotOpen(path: path, reason: "no temporary folder (\(error))")
    }
    self.path = path
  }

  /// Removes the folder with all that is in it; a file that is open lives on without its name.
  func remove() {
    // A folder that cannot be removed is left to the system's own cleaning: the store works all
    // the same.
    try? FileManager.default.removeItem(atPath: path)
  }
}

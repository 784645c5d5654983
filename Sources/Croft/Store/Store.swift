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

  /// Whether no other program can open the store, as one in memory.
  ///
  /// It is true with ``Options/isReadOnly`` where a journal had to be replayed and the files could not be written to: then
  /// the store is a copy, which has all that was committed when it was opened, and does not follow the file.
  public var isPrivate: Bool { environment.options.isUnlinkedAfterOpening }
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
    ///
    /// A store that was not closed and has a journal is replayed first, which changes no object. Where its
    /// files cannot be written to, a private copy is opened instead, which does not follow the store.
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
    /// Whether the program uses all models of the file, as its catalog describes them, and declares none.
    ///
    /// False by default. Such a store writes objects by the names of their properties, as <doc:QueryTexts> tells, and
    /// ``Store/erase()`` deletes all objects of the file. Each model is read when the store is opened, so one that is
    /// damaged is an error. It has no effect where ``isReadOnly`` is set.
    public var usesStoredModels = false
    /// Whether a store on a network file system is opened, where locks cannot be trusted.
    public var allowsNetworkFileSystem = false
    /// Whether the file is removed on purpose as soon as it is open.
    var isUnlinkedAfterOpening = false

    /// The defaults.
    public init() {}
  }

  /// What a commit waits for before it returns.
  public enum Durability: Sendable, Hashable {
    /// Until its record is on the disk, in a journal beside the file: it survives a power cut.
    ///
    /// The journal has the name of the file with `-journal` after it. While the store is open, the file is complete
    /// only together with its journal. An existing file gets one when a program opens it so while no other has it
    /// open. Elsewhere than on Linux, and on file systems without the locks
    /// that it needs, it is ``fullWithoutJournal``. See <doc:Operations>.
    case full
    /// Until the data and its meta page are on the disk, one after the other: it survives a power cut.
    ///
    /// This is LMDB's own way: a commit waits for the disk twice, and the file is complete by itself. While another
    /// program uses the journal of the file, commits are made by way of it all the same, and the file needs it.
    case fullWithoutJournal
    /// For nothing: a power cut may undo the commits of the last two seconds, and damages nothing.
    ///
    /// There are 256 of them at most. Their records are in a journal, as with ``full``. Where a file has none and
    /// can get none, a commit waits until its data is on the disk, and a power cut may undo the last one.
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
      case .full: .journal
      case .fullWithoutJournal: .full
      case .relaxed: .relaxed
      case .unsafe: .unsafe
      }
  }
}

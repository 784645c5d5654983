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
    /// Whether commits are noted in the store's log, for observers elsewhere.
    ///
    /// True by default. A commit of few changes writes two pages more then, and waits for the disk
    /// no longer. Observers of other processes, and of other ``Store`` objects of the file, learn
    /// from the log which objects changed. Without it they notice that something changed, and run
    /// their queries again. See <doc:LiveQueries>.
    public var logsCommits = true
    /// Whether a store that does not fit the program's models is emptied, instead of refused.
    ///
    /// False by default. For development, while models change every hour and their objects are worth
    /// nothing: where opening would throw ``StoreError/schemaMismatch(model:field:reason:)``, all
    /// objects of all models are deleted first.
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
    /// Until the data is on the disk; a power cut may undo the last commit, and damages nothing.
    case relaxed
    /// For nothing: a power cut may damage the file. For data that can be made again.
    case unsafe
  }
}

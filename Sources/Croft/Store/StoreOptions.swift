import LMDB

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
    /// Whether a store on a network file system is opened, where locks cannot be trusted.
    public var allowsNetworkFileSystem = false
    /// Whether the file is removed on purpose as soon as it is open.
    var losesItsName = false

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

/// When a store's file is compacted before it is opened.
///
/// Opening then looks at how much of the file is free. When that is enough, and nobody else has
/// the store open, the file is compacted first; otherwise it is opened as it is.
public struct CompactionRule: Sendable, Hashable {
  /// The least size of a file that is worth it.
  public var leastFileBytes: Int
  /// The least share of the file that is free, between 0 and 1.
  public var leastFreeShare: Double

  /// A rule by size and share; by default files from 64 MiB on of which half is free.
  ///
  /// - Parameters:
  ///   - leastFileBytes: The least size of the file.
  ///   - leastFreeShare: The least share that is free, between 0 and 1.
  public init(leastFileBytes: Int = 64 << 20, leastFreeShare: Double = 0.5) {
    precondition(
      (0...1).contains(leastFreeShare), "A share lies between 0 and 1: half of a file is 0.5.")
    self.leastFileBytes = leastFileBytes
    self.leastFreeShare = leastFreeShare
  }

  /// Compacts the file at a path when the rule says so and nobody has it open.
  func apply(to path: String, _ options: Store.Options) throws {
    guard !options.isReadOnly else { return }
    do throws(LMDBError) {
      try Environment.compact(at: path, options: .init(options)) { file in
        guard holds(for: file) else { return false }
        CoverageMark.hit(.fileCompacted)
        return true
      }
    } catch {
      // Whoever else has the file open keeps it as it is. There may be none yet; what else is wrong
      // with it the opening itself will tell.
      guard error.code == .busy || error.operation == .open else { throw error }
    }
  }

  private func holds(for file: Environment.Fullness) -> Bool {
    file.fileBytes >= leastFileBytes
      && Double(file.freeBytes) >= leastFreeShare * Double(file.fileBytes)
  }
}

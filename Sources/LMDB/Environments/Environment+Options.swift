extension Environment {
  /// How an environment is opened.
  public struct Options: Sendable, Hashable {
    /// The bytes of address space to reserve, halved until the system grants them; 64 GiB by
    /// default.
    ///
    /// Address space costs neither memory nor disk. The file grows as it is filled, and the
    /// reservation ahead of it; a large one means that this hardly ever happens.
    public var mapSizeBytes = 64 << 30
    /// The most read transactions at a time, of all processes; the first that opens the file
    /// decides.
    public var maxReaders = 512
    /// The most named databases that are open at a time, unless the file has more.
    ///
    /// For a file that has, there is room for all of them and a quarter more, up to 16,384. Each
    /// nested transaction costs a nanosecond for each.
    public var maxDatabases = 256
    /// What a commit waits for.
    public var durability = Durability.full
    /// Whether writing is refused; the file must exist then.
    public var isReadOnly = false
    /// The permissions of files that are created, less the process's mask.
    public var fileMode: UInt16 = 0o600
    /// How long a writer waits for another one, of this process or not.
    public var writerTimeout = Duration.seconds(10)
    /// Whether a file on a network file system is opened; its locks and maps are not to be trusted.
    public var allowsNetworkFileSystem = false
    /// Whether the file is removed on purpose as soon as it is open, so that nobody else has it.
    package var losesItsName = false

    /// The defaults.
    public init() {}

    /// The most named databases for which there is room in any case.
    package static let mostDatabases = 16_384

    /// For how many named databases there is room, where the file has some already.
    func capacity(forExisting count: Int) -> Int {
      max(maxDatabases, count < maxDatabases ? 0 : min(count + count / 4, Self.mostDatabases))
    }

    /// Whether an environment that is open with these options can be shared by who asks for others.
    func allows(sharingBy other: Self) -> Bool {
      var other = other
      other.maxDatabases = maxDatabases
      return self == other
    }
  }

  /// What a commit waits for before it returns.
  public enum Durability: Sendable, Hashable {
    /// Until all is on the disk: what is committed survives a power cut.
    case full
    /// Until the data is on the disk, but not the page that makes it the newest.
    ///
    /// A power cut may undo the last commit, and never damages the file. The C constant is
    /// `MDB_NOMETASYNC`.
    case relaxed
    /// For nothing: a power cut may damage the file, so this is for data that can be made again.
    ///
    /// The C
    /// constant is `MDB_NOSYNC`.
    case unsafe
  }
}

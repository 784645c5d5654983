extension Environment {
  /// How an environment is opened.
  public struct Options: Sendable, Hashable {
    /// The bytes of address space to reserve, halved until the system grants them; 64 GiB by
    /// default.
    ///
    /// Address space costs neither memory nor disk. The file grows as rows are written, and the
    /// reservation grows ahead of it, which a large one makes rare.
    public var mapSizeBytes = 64 << 30
    /// The most read transactions at a time, of all processes.
    ///
    /// The process that opens the file first decides.
    public var maxReaders = 512
    /// The most named databases that are open at a time, unless the file has more.
    ///
    /// A file that has more gets room for all of them and a quarter more, up to 16,384. The beginning
    /// of a write, nested or not, takes time in proportion to the number.
    public var maxDatabases = 256
    /// What a commit waits for before it returns.
    public var durability = Durability.full
    /// Whether writing is refused; the file must then exist.
    public var isReadOnly = false
    /// The permissions of files that are created, less the process's mask.
    public var fileMode: UInt16 = 0o600
    /// How long a writer waits for another one, of this process or not.
    public var writerTimeout = Duration.seconds(10)
    /// Whether a file on a network file system may be opened, where locks and maps are not reliable.
    public var allowsNetworkFileSystem = false
    /// Whether the caller unlinks the file as soon as it is open, so that no other process opens it.
    package var isUnlinkedAfterOpening = false

    /// The defaults.
    public init() {}

    /// The most named databases that the existing ones of a file can raise the limit to.
    package static let mostDatabases = 16_384

    /// The limit of named databases for a file that has some already.
    func capacity(forExisting count: Int) -> Int {
      max(maxDatabases, count < maxDatabases ? 0 : min(count + count / 4, Self.mostDatabases))
    }

    /// Whether an environment that is open with these options can be shared with other options.
    func allows(sharingBy other: Self) -> Bool {
      var other = other
      other.maxDatabases = maxDatabases
      return self == other
    }
  }

  /// What a commit waits for before it returns.
  public enum Durability: Sendable, Hashable {
    /// The commit waits until everything is on the disk: it survives a power cut.
    case full
    /// The commit waits until the data is on the disk, but not for the meta page.
    ///
    /// A power cut may undo the last commit, and never damages the file. The C constant is
    /// `MDB_NOMETASYNC`.
    case relaxed
    /// The commit waits for nothing: a power cut may damage the file.
    ///
    /// Use it for data that can be made again. The C constant is `MDB_NOSYNC`.
    case unsafe
  }
}

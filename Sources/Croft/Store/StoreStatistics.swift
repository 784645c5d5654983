/// How large a store is, what takes the room, and who keeps old pages from being used again.
public struct StoreStatistics: Sendable, Hashable {
  /// How large a tree is: the rows of a model, the entries of an index, or the log's commits.
  public struct Tree: Sendable, Hashable {
    /// The number of rows or entries.
    public let entries: Int
    /// The number of pages that only lead to others.
    public let branchPages: Int
    /// The number of pages that hold rows or entries.
    public let leafPages: Int
    /// The number of pages that hold rows too long for a leaf.
    public let overflowPages: Int
    /// The bytes of all these pages.
    public let bytes: Int
  }

  /// An index, and how large it is.
  public struct Index: Sendable, Hashable {
    /// The properties that the index is over, in its order.
    public let properties: [String]
    /// How large it is.
    public let tree: Tree
    /// Whether its building was interrupted; the next opening of the store for writing goes on.
    public let isBuilding: Bool
  }

  /// A model, and how large it is.
  public struct Model: Sendable, Hashable {
    /// The model's name.
    public let name: String
    /// The objects.
    public let rows: Tree
    /// The indexes.
    public let indexes: [Index]

    /// The bytes of the objects and of the indexes.
    public var bytes: Int { indexes.reduce(rows.bytes) { $0 + $1.tree.bytes } }
  }

  /// A read transaction or a snapshot that is open, of whatever process.
  public struct Reader: Sendable, Hashable {
    /// The number of the process that reads.
    public let process: Int
    /// The name of the snapshot, if it is one of this store.
    public let name: String?
    /// How long it has been open, if it is a snapshot of this store; otherwise nobody knows.
    public let age: Duration?
    /// How many commits were made since the one that it sees.
    public let commitsBehind: Int
    /// The bytes that it keeps from being used again.
    public let pinnedBytes: Int
  }

  /// The models that the store was opened with, by name.
  public let models: [Model]
  /// The log of commits; nil where the file has none, because no program has written one.
  public let log: Tree?
  /// What else is in the file: the catalog, and models that the store was opened without.
  public let otherBytes: Int
  /// The size of the file.
  public let fileBytes: Int
  /// The bytes of the file that later writes use first; those that readers pin are among them.
  public let freeBytes: Int
  /// The address space that is reserved for the file.
  public let mapBytes: Int
  /// The size of a page.
  public let pageBytes: Int
  /// The read transactions and snapshots that are open, of all processes, the oldest version first.
  public let readers: [Reader]

  /// The reader of the oldest version, which decides what can be used again.
  public var oldestReader: Reader? { readers.first }
  /// The bytes that readers keep from being used again.
  public var pinnedBytes: Int { oldestReader?.pinnedBytes ?? 0 }
  /// The number of free pages.
  public var freePages: Int { freeBytes / pageBytes }
}

public import CroftFoundation

/// What a replica asks the server to write, all of it or nothing.
public struct SyncPush: Hashable, Sendable {
  /// A row to write in the place of one version of it.
  public struct Row: Hashable, Sendable {
    /// The object's name; a push has one row of it.
    public var object: SyncObject
    /// The version of the server's row that the replica knows; 0 where it knows of none.
    public var base: UInt64
    /// Whether the object is deleted.
    public var isDeleted: Bool
    /// The row's stamps.
    public var stamps: [UInt8]
    /// The values of the fields; nil where the object is deleted.
    public var fields: [UInt8]?

    /// Makes a row.
    public init(
      object: SyncObject, base: UInt64, isDeleted: Bool, stamps: [UInt8], fields: [UInt8]?
    ) {
      (self.object, self.base, self.isDeleted) = (object, base, isDeleted)
      (self.stamps, self.fields) = (stamps, fields)
    }
  }

  /// Rows of a push, and objects that it refers to.
  public struct Part: Hashable, Sendable {
    /// The rows, ascending by object.
    public var rows: [Row]
    /// Objects that must be there when the rows are written; those of the push itself may be among them.
    public var references: [SyncObject]

    /// Makes a part.
    public init(rows: [Row], references: [SyncObject]) {
      (self.rows, self.references) = (rows, references)
    }
  }

  /// The identity of the push, which the server keeps with the version that it makes.
  public var id: UUID
  /// The identity of the replica in this session: ``SyncHello/next``.
  public var replica: UUID
  /// The version of the space up to which the replica knows all rows.
  public var cursor: UInt64
  /// Whether the push may only be written where nobody has pushed since.
  public var isStrict: Bool
  /// How many parts of the push were uploaded, which are written together with ``last``.
  public var uploadedParts: Int
  /// The last part of the push, most often the only one.
  public var last: Part

  /// Makes a push.
  public init(
    id: UUID, replica: UUID, cursor: UInt64, isStrict: Bool, uploadedParts: Int = 0, last: Part
  ) {
    (self.id, self.replica, self.cursor) = (id, replica, cursor)
    (self.isStrict, self.uploadedParts, self.last) = (isStrict, uploadedParts, last)
  }
}

/// What became of a push, and what others have pushed.
public struct SyncPushAnswer: Hashable, Sendable {
  /// Whether a push was written, or why it was not.
  public enum Status: Hashable, Sendable {
    /// All rows are written.
    case accepted
    /// The push was strict, and another one came first.
    case overtaken
    /// An object is not in the version that the replica knows.
    case conflict
    /// An object that the push refers to is not there.
    case missingReference
    /// Another replica may push first, for a moment.
    case held
    /// The server does not know the replica by this identity: a copy of its store has come since.
    ///
    /// A new session gives it a number of its own.
    case unknownReplica
  }

  /// Whether the push was written.
  public var status: Status
  /// The version of the space: of a push that was accepted, the one that it made.
  public var version: UInt64
  /// The server's time in milliseconds since 1970.
  public var time: UInt64
  /// The rows after the push's cursor, but for those that it wrote itself.
  public var pull: SyncPullAnswer

  /// Makes an answer.
  public init(status: Status, version: UInt64, time: UInt64, pull: SyncPullAnswer) {
    (self.status, self.version, self.time, self.pull) = (status, version, time, pull)
  }
}

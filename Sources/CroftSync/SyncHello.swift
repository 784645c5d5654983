public import CroftFoundation

/// What a replica says at the beginning of a session.
///
/// A replica gets a new identity with each session. So of two copies of one store the second one that comes
/// has an identity that the server does not know, and gets a number of its own.
public struct SyncHello: Hashable, Sendable {
  /// The identity of the replica in its last session.
  public var replica: UUID
  /// Its identity from now on.
  ///
  /// A hello that is repeated, because its answer was lost, has the same one.
  public var next: UUID
  /// Versions of the space that the replica has seen; it asks which pushes made them.
  public var versions: [UInt64]
  /// The last push of the replica, where it was not answered; it asks whether the server has it.
  public var unanswered: UUID?

  /// Makes a hello.
  public init(replica: UUID, next: UUID, versions: [UInt64], unanswered: UUID? = nil) {
    (self.replica, self.next, self.versions) = (replica, next, versions)
    self.unanswered = unanswered
  }
}

/// What a server answers to a hello.
public struct SyncServerState: Hashable, Sendable {
  /// The version of what the server keeps: 2.
  public var format: Int
  /// The version of the space: that of its last push, 0 for none.
  public var version: UInt64
  /// The version up to which deletions may be forgotten, and pushes before it.
  public var floor: UInt64
  /// The server's time in milliseconds since 1970.
  public var time: UInt64
  /// The replica's number in the space, from 1 on; 0 where it may only read.
  ///
  /// No other replica has or had it. It is that of the replica that was known by either identity; a
  /// new one where none was.
  public var number: UInt16
  /// Whether the replica may push.
  public var isWritable: Bool
  /// Which pushes made the versions that the hello asks for, as far as it is known.
  ///
  /// ``SyncHello/unanswered`` is among them where the server has written it, with the version that it made.
  public var pushes: [UInt64: UUID]

  /// Makes a state.
  public init(
    format: Int = 2, version: UInt64, floor: UInt64, time: UInt64, number: UInt16,
    isWritable: Bool = true, pushes: [UInt64: UUID]
  ) {
    (self.format, self.version, self.floor) = (format, version, floor)
    (self.time, self.number, self.isWritable) = (time, number, isWritable)
    self.pushes = pushes
  }
}

public import CroftFoundation

/// The rows after a position, all of them or as many as were asked for or fit into an answer.
public struct SyncPullAnswer: Hashable, Sendable {
  /// The rows, ascending by version and object.
  public var rows: [SyncRow]
  /// Whether more rows may follow the last one; there are rows then.
  public var isPart: Bool
  /// The version of the space.
  public var version: UInt64
  /// The version up to which deletions may be forgotten, and pushes before it.
  public var floor: UInt64
  /// The server's time in milliseconds since 1970.
  public var time: UInt64
  /// The identity of the push that made ``version``; nil for version 0.
  public var push: UUID?
  /// The identity of the push that made the version of the replica's cursor; nil where it is not known.
  public var pushAtCursor: UUID?

  /// Makes an answer.
  public init(
    rows: [SyncRow], isPart: Bool, version: UInt64, floor: UInt64, time: UInt64, push: UUID?,
    pushAtCursor: UUID?
  ) {
    (self.rows, self.isPart, self.version, self.floor) = (rows, isPart, version, floor)
    (self.time, self.push, self.pushAtCursor) = (time, push, pushAtCursor)
  }

  /// An answer ends with the row with which its rows have so many bytes, or more.
  ///
  /// It is 8 MiB, counted as ``SyncRow/byteCount``.
  public static let mostBytes = 8 << 20
}

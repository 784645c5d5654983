import Croft

/// What a replica has not seen of the server yet, or the first part of it.
struct PullAnswer: Equatable, Sendable {
  /// The place of a row among all, in the order in which they are sent.
  struct Position: Hashable, Comparable, Sendable {
    var version: UInt64
    var object: ObjectKey?

    init(_ version: UInt64, _ object: ObjectKey? = nil) {
      (self.version, self.object) = (version, object)
    }

    static func < (left: Self, right: Self) -> Bool {
      if left.version != right.version { return left.version < right.version }
      // Without an object it is after all rows of the version.
      guard let object = left.object else { return false }
      return right.object.map { object < $0 } ?? true
    }
  }

  /// What the replica had asked for: the rows after this.
  var after: Position
  /// The version of the server.
  var version: UInt64
  /// The version up to which tombstones may be missing.
  var floor: UInt64
  /// Whether these are all objects that there are, because tombstones are missing.
  var isFull: Bool
  var rows: [(object: ObjectKey, row: ServerRow)]
  /// Whether more follow.
  var isPart: Bool

  static func == (left: Self, right: Self) -> Bool {
    left.after == right.after && left.version == right.version && left.floor == right.floor
      && left.isFull == right.isFull && left.isPart == right.isPart
      && left.rows.elementsEqual(right.rows) { $0 == $1 }
  }
}

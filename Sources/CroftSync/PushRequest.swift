import Croft

/// What a replica asks the server to write, all of it or nothing.
struct PushRequest: Equatable, Sendable {
  /// One object, and the version of it that the replica knows; 0 for none.
  struct Row: Equatable, Sendable {
    var object: ObjectKey
    var base: UInt64
    var row: ServerRow
  }

  var replica: UInt16
  /// The version of the server up to which the replica knows everything.
  var cursor: UInt64
  /// Whether it may only be written where nobody has pushed since.
  var isStrict: Bool
  var rows: [Row]
  /// The objects that the rows newly refer to, beside themselves.
  var references: Set<ObjectKey>
}

/// What the server makes of a push.
enum PushAnswer: Equatable, Sendable {
  /// It is written, under this version.
  case accepted(version: UInt64)
  /// It was strict, and others have pushed since.
  case behind
  /// An object is not in the version that the replica knows.
  case conflict
  /// An object that it refers to is not there.
  case reference
  /// Another replica may push first, for a moment.
  case held
}

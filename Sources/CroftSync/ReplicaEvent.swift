import Croft

/// What became of an unsent change that another replica's change excludes.
struct ReplicaEvent: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// Another replica wrote the field later.
    case overwritten(field: UInt16)
    /// The object was deleted, or replaced by another one, so that an edit of it means nothing.
    case objectGone
    /// A deletion was withdrawn: an object that another replica wrote denies it.
    case denied
    /// A new object has a unique value of another one, which took its place.
    case adopted(by: ObjectKey)
    /// A unique value or a reference is the server's again.
    case reverted
    /// A new object was dropped with the one that it belongs to.
    case dropped
    /// An object that another replica deleted is there again, because an unsent change needs it.
    case restored
    /// A deletion took an object along that another replica wrote.
    case cascaded
    /// The server has lost objects, or deletions of some, which this replica knows and gives back.
    case gaveBack(Int)
  }

  var kind: Kind
  /// The object; nil for an event of many.
  var object: ObjectKey?
}

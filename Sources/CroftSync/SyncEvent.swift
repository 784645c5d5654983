public import Croft
public import CroftFoundation

/// What was decided where changes of two stores excluded each other.
public struct SyncEvent: Sendable {
  /// What was decided.
  public enum Kind: String, Codable, Sendable {
    /// A field that was changed here was changed elsewhere later: that value is kept.
    case overwritten
    /// An object that was changed here was deleted elsewhere: it is deleted.
    case objectGone
    /// An object that was deleted here is there again: one that was written elsewhere refers to it.
    case denied
    /// A new object is dropped: one from elsewhere has its unique value, and its references.
    case adopted
    /// A change of a unique value or of a reference was taken back.
    case reverted
    /// A new object is dropped, because the one that it belongs to was deleted elsewhere.
    case dropped
    /// An object that was deleted elsewhere is there again, because an object here needs it.
    case restored
    /// An object from elsewhere was deleted with the one that it belongs to, which was deleted here.
    case cascaded
    /// The server had lost objects that this store gave back.
    case gaveBack
    /// An object is out of sight: the server's row of it cannot be an object of this program.
    ///
    /// So is one that refers to it. It comes back when a program can read it, or the row is another one. An event
    /// without a model is of objects whose models this program does not have.
    case setAside
  }

  /// What was decided.
  public let kind: Kind
  /// The name of the object's model; nil for an event of many objects.
  public let model: String?
  /// The name of the field, of one that was overwritten.
  public let field: String?
  /// The value that was written here, of a field that was overwritten.
  public let mine: StoredValue?
  /// The value that is kept, of a field that was overwritten.
  public let theirs: StoredValue?
  /// When that value was written.
  public let time: Date?
  /// Of how many objects it is.
  public let count: Int
  let key: [UInt8]?

  /// Whether it is about an object.
  public func concerns<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) -> Bool {
    M.modelName == self.model && key.code == self.key
  }
}

/// An object that stands elsewhere in a result than before.
public struct Move: Hashable, Sendable {
  /// Its index before.
  public let from: Int
  /// Its index after.
  public let to: Int
  /// Whether some of its values changed too; the move is then all that is said of it.
  public let isModified: Bool

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - from: The index before.
  ///   - to: The index after.
  ///   - isModified: Whether values changed too.
  public init(from: Int, to: Int, isModified: Bool) {
    self.from = from
    self.to = to
    self.isModified = isModified
  }
}

extension Move: CustomStringConvertible {
  /// Both indices, with a star where values changed too.
  public var description: String { "\(from)->\(to)\(isModified ? "*" : "")" }
}

/// The move of an object to another index of a result.
public struct Move: Hashable, Sendable {
  /// The index before.
  public let from: Int
  /// The index after.
  public let to: Int
  /// Whether some of its values changed too; the object is then not among the modifications.
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

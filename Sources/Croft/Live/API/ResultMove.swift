/// The move of an object to another index, or to another position of a result in sections.
public struct ResultMove<Position: Hashable & Sendable>: Hashable, Sendable {
  /// The index or position before.
  public let from: Position
  /// The index or position after.
  public let to: Position
  /// Whether some of its values changed too; the object is then not among the modifications.
  public let isModified: Bool

  /// Makes a move.
  public init(from: Position, to: Position, isModified: Bool) {
    self.from = from
    self.to = to
    self.isModified = isModified
  }
}

extension ResultMove: CustomStringConvertible {
  /// Both indices or positions, with a star where values changed too.
  public var description: String { "\(from)->\(to)\(isModified ? "*" : "")" }
}

/// An object that stands elsewhere in a result with sections than before.
public struct SectionMove: Hashable, Sendable {
  /// Its position before.
  public let from: SectionPosition
  /// Its position after.
  public let to: SectionPosition
  /// Whether some of its values changed too; the move is then all that is said of it.
  public let isModified: Bool

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - from: The position before.
  ///   - to: The position after.
  ///   - isModified: Whether values changed too.
  public init(from: SectionPosition, to: SectionPosition, isModified: Bool) {
    self.from = from
    self.to = to
    self.isModified = isModified
  }
}

extension SectionMove: CustomStringConvertible {
  /// Both positions, with a star where values changed too.
  public var description: String { "\(from)->\(to)\(isModified ? "*" : "")" }
}

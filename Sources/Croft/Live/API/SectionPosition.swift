/// Where an object stands in a result with sections.
public struct SectionPosition: Hashable, Comparable, Sendable {
  /// The section's index.
  public let section: Int
  /// The object's index in the section.
  public let index: Int

  /// Makes a position.
  ///
  /// - Parameters:
  ///   - section: The section's index.
  ///   - index: The object's index in the section.
  public init(section: Int, index: Int) {
    self.section = section
    self.index = index
  }

  /// Whether one position comes before another.
  public static func < (left: SectionPosition, right: SectionPosition) -> Bool {
    (left.section, left.index) < (right.section, right.index)
  }
}

extension SectionPosition: CustomStringConvertible {
  /// The section's index and the object's in it.
  public var description: String { "\(section).\(index)" }
}

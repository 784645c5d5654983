/// A new group as it was entered, before any rule has seen it.
public struct GroupDraft: Hashable, Sendable {
  /// The name, untrimmed.
  public var name: String
  /// The chosen colour; nil for some dark one.
  public var color: RGBA?
  /// The picture; nil while there is none.
  public var image: GroupImage?
  /// The titles of its first items, untrimmed.
  public var titles: [String]

  /// Makes a draft of what was entered.
  public init(
    name: String = "", color: RGBA? = nil, image: GroupImage? = nil, titles: [String] = []
  ) {
    self.name = name
    self.color = color
    self.image = image
    self.titles = titles
  }
}

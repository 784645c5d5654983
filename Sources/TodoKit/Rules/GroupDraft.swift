public import Presentation

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

  /// Makes a draft of raw input.
  public init(
    name: String = "", color: RGBA? = nil, image: GroupImage? = nil, titles: [String] = []
  ) {
    self.name = name
    self.color = color
    self.image = image
    self.titles = titles
  }
}

extension FieldPath {
  /// The path of a group's name.
  public static let name: FieldPath = "name"
  /// The path of a group's picture.
  public static let image: FieldPath = "image"
  /// The path of the list of a group's items.
  public static let items: FieldPath = "items"
}

extension Validator where Input == String, Output == String {
  /// Trims a group's name; one without a visible character, or a reserved one, is refused.
  ///
  /// ``TodoAction`` applies the rule. A name of another group is accepted here, and numbered when
  /// it is stored.
  public static var groupName: Validator {
    title.then(
      Validator(.reservedName, params: { ["name": .text($0)] }) { name in
        GroupName.isReserved(name) ? nil : name
      })
  }
}

extension Validator where Input == GroupDraft, Output == (group: TodoGroup, titles: [String]) {
  /// A new group has a picture, a name and an item, and no title is blank.
  ///
  /// The issues are in this order, which is that of the form.
  public static var group: Validator {
    group(
      image: .check(.required) { $0 != nil },
      titles: .check(.tooShort, params: ["limit": .integer(1)]) { !$0.isEmpty })
  }

  /// A new group has a name; a picture and items may be added later.
  public static var namedGroup: Validator {
    group(image: .check(.required) { _ in true }, titles: .check(.tooShort) { _ in true })
  }

  private static func group(
    image: Validator<GroupImage?, GroupImage?>, titles: Validator<[String], [String]>
  ) -> Validator {
    Validator<GroupDraft, (RGBA?, GroupImage?, String, [String])>.all(
      Validator<RGBA?, RGBA?>.check(.required) { _ in true }.pullback(\.color, at: "color"),
      image.pullback(\.image, at: .image),
      Validator<String, String>.groupName.pullback(\.name, at: .name),
      titles.then(Validator<String, String>.title.at(.title).each()).pullback(\.titles, at: .items)
    ).map { color, image, name, titles in
      (group: TodoGroup(name: name, color: color ?? .randomDark(), image: image), titles: titles)
    }
  }
}

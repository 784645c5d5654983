/// A change of some properties of a group; properties that are nil are not changed.
public struct GroupPatch: Hashable, Codable, Sendable {
  /// The name, as it was typed; the rules for names are applied where it is stored.
  public var name: String?
  /// The colour.
  public var color: RGBA?
  /// The picture, or none.
  public var image: GroupImage??
  /// The order key itself; front ends send commands that move items instead.
  public var order: Int64?

  /// Makes a patch that changes the given properties.
  public init(
    name: String? = nil, color: RGBA? = nil, image: GroupImage?? = nil, order: Int64? = nil
  ) {
    self.name = name
    self.color = color
    self.image = image
    self.order = order
  }

  /// The patch that makes one state of a group out of another.
  package init(from old: TodoGroup, to new: TodoGroup) {
    // Strings can be equal in Swift and differ in their bytes, which are stored.
    name = old.name.utf8.elementsEqual(new.name.utf8) ? nil : new.name
    color = old.color == new.color ? nil : new.color
    image = old.image == new.image ? nil : .some(new.image)
    order = old.order == new.order ? nil : new.order
  }

  /// The group's values of the properties that the patch has.
  func values(in group: TodoGroup) -> GroupPatch {
    GroupPatch(
      name: name.map { _ in group.name }, color: color.map { _ in group.color },
      image: image.map { _ in group.image }, order: order.map { _ in group.order })
  }

  /// Whether a group has the values in the patch.
  package func holds(in group: TodoGroup) -> Bool {
    var patched = group
    applyExceptName(to: &patched)
    if let name { patched.name = name }
    return GroupPatch(from: group, to: patched) == GroupPatch()
  }

  /// Changes a group, except for its name.
  package func applyExceptName(to group: inout TodoGroup) {
    if let color { group.color = color }
    if let image { group.image = image }
    if let order { group.order = order }
  }
}

import Croft

/// A group with a unique name, to which items refer by each delete rule.
@Model struct Group: Hashable {
  @PrimaryKey var id: Int
  @Indexed(.unique) var name: String?
  var color: Int
  var parent: Ref<Group>?
}

/// An item that is deleted with its group.
@Model struct Part: Hashable {
  @PrimaryKey var id: Int
  var title: Int
  var number: Int
  @Relation(onDelete: .cascade) var group: Ref<Group>
}

/// An item that outlives its group.
@Model struct Guest: Hashable {
  @PrimaryKey var id: Int
  var title: Int
  var number: Int
  var group: Ref<Group>?
}

/// An item whose group cannot be deleted.
@Model struct Anchor: Hashable {
  @PrimaryKey var id: Int
  var title: Int
  var number: Int
  @Relation(onDelete: .deny) var group: Ref<Group>
}

/// All objects of a store.
struct World: Equatable {
  var groups: [Group] = []
  var parts: [Part] = []
  var guests: [Guest] = []
  var anchors: [Anchor] = []

  static let models: [any Model.Type] = [Group.self, Part.self, Guest.self, Anchor.self]

  /// What is wrong with the objects, found without a store.
  var problems: [String] {
    var problems: [String] = []
    var names: [String: Int] = [:]
    for group in groups {
      guard let name = group.name else { continue }
      if let other = names[name] { problems.append("\(other) and \(group.id) are both \(name)") }
      names[name] = group.id
    }
    let ids = Set(groups.map(\.id))
    let references =
      groups.map { ("group \($0.id)", $0.parent?.key) }
      + parts.map { ("part \($0.id)", $0.group.key) }
      + guests.map { ("guest \($0.id)", $0.group?.key) }
      + anchors.map { ("anchor \($0.id)", $0.group.key) }
    for (object, target) in references {
      if let target, !ids.contains(target) { problems.append("\(object) refers to \(target)") }
    }
    return problems
  }
}

extension Store {
  func world() throws -> World {
    try read { tx in
      World(
        groups: try tx.fetch(Group.all), parts: try tx.fetch(Part.all),
        guests: try tx.fetch(Guest.all), anchors: try tx.fetch(Anchor.all))
    }
  }
}

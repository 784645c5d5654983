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
  var problems: [String] { faults.map(\.text) }

  /// Objects that are not valid, and what is wrong with them.
  var faults: [(model: String, id: Int, text: String)] {
    var problems: [(model: String, id: Int, text: String)] = []
    var names: [String: Int] = [:]
    for group in groups {
      guard let name = group.name else { continue }
      if let other = names[name] {
        problems.append(("Group", group.id, "\(other) and \(group.id) are both \(name)"))
      }
      names[name] = group.id
    }
    let ids = Set(groups.map(\.id))
    let references =
      groups.map { ("Group", $0.id, $0.parent?.key) }
      + parts.map { ("Part", $0.id, $0.group.key) }
      + guests.map { ("Guest", $0.id, $0.group?.key) }
      + anchors.map { ("Anchor", $0.id, $0.group.key) }
    for (model, id, target) in references {
      if let target, !ids.contains(target) {
        problems.append((model, id, "\(model) \(id) refers to \(target)"))
      }
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

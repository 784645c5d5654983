import Croft

/// A model that refers to itself by every rule, and to clubs.
struct Person: Hashable {
  var id: Int
  var boss: Ref<Person>?
  var friend: Ref<Person>?
  var guarantor: Ref<Person>?
  var fans: [Ref<Person>] = []
  var clubs: Set<Ref<Club>> = []
  var home: Ref<Club>?
}

/// A model with a text as its key, which refers to people.
struct Club: Hashable {
  var name: String
  var chair: Ref<Person>?
  var founder: Ref<Person>
  var members: [Ref<Person>] = []
}

extension Person: Model {
  static let _schema = _ModelSchema<Person>(
    "Person",
    [
      _keyColumn(\.id, "id"), _column(\.boss, "boss").onDelete(.cascade),
      _column(\.friend, "friend"), _column(\.guarantor, "guarantor").onDelete(.deny),
      _column(\.fans, "fans"), _column(\.clubs, "clubs"),
      _column(\.home, "home").onDelete(.cascade),
    ])

  var _primaryKey: Int { id }

  init(_row row: inout _RowDecoder) throws {
    id = try Self._decodeKey(&row) { $0.id }
    boss = try Self._decode(&row) { $0.boss }
    friend = try Self._decode(&row) { $0.friend }
    guarantor = try Self._decode(&row) { $0.guarantor }
    fans = try Self._decode(&row) { $0.fans }
    clubs = try Self._decode(&row) { $0.clubs }
    home = try Self._decode(&row) { $0.home }
  }

  func _encode(into row: inout _RowEncoder) {
    row.encodeKey(id)
    row.encode(boss)
    row.encode(friend)
    row.encode(guarantor)
    row.encode(fans)
    row.encode(clubs)
    row.encode(home)
  }
}

extension Club: Model {
  static let _schema = _ModelSchema<Club>(
    "Club",
    [
      _keyColumn(\.name, "name"), _column(\.chair, "chair").onDelete(.deny),
      _column(\.founder, "founder").onDelete(.cascade), _column(\.members, "members"),
    ])

  var _primaryKey: String { name }

  init(_row row: inout _RowDecoder) throws {
    name = try Self._decodeKey(&row) { $0.name }
    chair = try Self._decode(&row) { $0.chair }
    founder = try Self._decode(&row) { $0.founder }
    members = try Self._decode(&row) { $0.members }
  }

  func _encode(into row: inout _RowEncoder) {
    row.encodeKey(name)
    row.encode(chair)
    row.encode(founder)
    row.encode(members)
  }
}

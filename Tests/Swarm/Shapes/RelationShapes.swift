import Croft
import Foundation

// References under each rule, to each kind of key, and in each kind of collection.

@Model struct Team {
  @PrimaryKey var name: String = ""
  @Indexed var founded: Int16?
  var rival: Ref<Team>?
}
extension Team: SwarmModel {
  static var fields: [any ModelField<Team>] {
    [Property("name", \.name), Property("founded", \.founded), Property("rival", \.rival)]
  }
}

@Model struct Player {
  @PrimaryKey var id: UInt32 = 0
  @Relation(onDelete: .deny) var team: Ref<Team>?
  @Relation(onDelete: .cascade) var loan: Ref<Team>?
  @Indexed(.unique) var shirt: Int16?
  var age: UInt8 = 0
}
extension Player: SwarmModel {
  static var fields: [any ModelField<Player>] {
    [
      Property("id", \.id), Property("team", \.team), Property("loan", \.loan),
      Property("shirt", \.shirt), Property("age", \.age),
    ]
  }
}

@Model struct Squad {
  @PrimaryKey var id: Int = 0
  var players: [Ref<Player>] = []
  @Relation(onDelete: .cascade) var core: Set<Ref<Player>> = []
  var posts: [String: Ref<Player>] = [:]
  @Indexed var title: String?
}
extension Squad: SwarmModel {
  static var fields: [any ModelField<Squad>] {
    [
      Property("id", \.id), Property("players", \.players), Property("core", \.core),
      Property("posts", \.posts), Property("title", \.title),
    ]
  }
}

@Model struct Node {
  @PrimaryKey var id: Int = 0
  @Relation(onDelete: .cascade) var parent: Ref<Node>?
  @Relation(onDelete: .deny) var lock: Ref<Node>?
  var links: Set<Ref<Node>> = []
  @Indexed(.unique) var label: String?
  var weight: Int32 = 0
}
extension Node: SwarmModel {
  static var fields: [any ModelField<Node>] {
    [
      Property("id", \.id), Property("parent", \.parent), Property("lock", \.lock),
      Property("links", \.links), Property("label", \.label), Property("weight", \.weight),
    ]
  }
}

@Model struct Owner {
  @PrimaryKey var id: UUID = UUID()
  @Indexed(.unique) var name: String = ""
  var born: Date?
}
extension Owner: SwarmModel {
  static var fields: [any ModelField<Owner>] {
    [Property("id", \.id), Property("name", \.name), Property("born", \.born)]
  }
}

@Model struct House {
  @PrimaryKey var number: Int16 = 0
  @Relation(onDelete: .cascade) var owner: Ref<Owner> = Ref(UUID())
  var keepers: [Ref<Owner>] = []
  @Indexed var street: String = ""
  #Unique<House>([\.street, \.owner])
}
extension House: SwarmModel {
  static var fields: [any ModelField<House>] {
    [
      Property("number", \.number), Property("owner", \.owner), Property("keepers", \.keepers),
      Property("street", \.street),
    ]
  }
}

@Model struct Visit {
  @PrimaryKey var house: Ref<House> = Ref(0)
  @PrimaryKey var guest: String = ""
  @Indexed var stars: Int8?
  var host: Ref<Owner>?
}
extension Visit: SwarmModel {
  static var fields: [any ModelField<Visit>] {
    [
      Property("house", \.house), Property("guest", \.guest), Property("stars", \.stars),
      Property("host", \.host),
    ]
  }
}
extension Visit.PrimaryKey: SwarmKey {
  static var swarmKinds: [Kind] { [Ref<House>.swarmKind, String.swarmKind] }
  init(swarmParts parts: [Value]) {
    self.init(house: Ref<House>(swarm: parts[0]), guest: String(swarm: parts[1]))
  }
  var swarmParts: [Value] { [house.swarm, guest.swarm] }
}

@Model struct Part {
  @PrimaryKey var id: Data = Data()
  var whole: Ref<Part>?
  @Relation(onDelete: .cascade) var twins: [Ref<Part>] = []
  @Indexed var name: String = ""
}
extension Part: SwarmModel {
  static var fields: [any ModelField<Part>] {
    [
      Property("id", \.id), Property("whole", \.whole), Property("twins", \.twins),
      Property("name", \.name),
    ]
  }
}

extension Family {
  static let relations: [Family] = [
    Family(
      "teams",
      [
        ShapeOf(Team.self, key: ["name"]),
        ShapeOf(
          Player.self, unique: [["shirt"]], rules: ["team": .deny, "loan": .cascade]),
        ShapeOf(Squad.self, rules: ["core": .cascade]),
      ]),
    Family(
      "nodes",
      [ShapeOf(Node.self, unique: [["label"]], rules: ["parent": .cascade, "lock": .deny])]),
    Family(
      "houses",
      [
        ShapeOf(Owner.self, unique: [["name"]]),
        ShapeOf(
          House.self, key: ["number"], unique: [["street", "owner"]],
          rules: ["owner": .cascade]),
        ShapeOf(Visit.self, key: ["house", "guest"]),
      ]),
    Family("parts", [ShapeOf(Part.self, rules: ["twins": .cascade])]),
  ]
}

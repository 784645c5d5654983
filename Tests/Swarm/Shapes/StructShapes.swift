import Croft

// Structs inside models, always there or not, and values that are stored as JSON.

@Embedded struct Address: Hashable {
  var street: String
  var city = ""
  var floor: Int16?
}
extension Address: SwarmStruct {
  static var kinds: [Kind] { [String.swarmKind, String.swarmKind, Int16?.swarmKind] }
  init(parts: [Value]) {
    self.init(
      street: String(swarm: parts[0]), city: String(swarm: parts[1]), floor: Int16?(swarm: parts[2])
    )
  }
  var parts: [Value] { [street.swarm, city.swarm, floor.swarm] }
}

@Model struct Contact {
  @PrimaryKey var id: Int = 0
  var home: Address = Address(street: "")
  var work: Address?
  @Coded var theme: [Int] = []
  @Coded var former: [Int]?
  @Indexed var name: String = ""
  var boss: Ref<Contact>?
  #Index<Contact>([\.home.city, \.name.descending], [\.work.floor, \.home.street.caseFolded])
}
extension Contact: SwarmModel {
  static var fields: [any ModelField<Contact>] {
    [
      Property("id", \.id), Whole("home", \.home), MaybeWhole("work", \.work),
      CodedProperty("theme", \.theme), CodedProperty("former", \.former), Property("name", \.name),
      Property("boss", \.boss), Inner("home", \.home, "street", 0, \.street),
      Inner("home", \.home, "city", 1, \.city), Inner("home", \.home, "floor", 2, \.floor),
      MaybeInner("work", \.work, "street", 0, \.street),
      MaybeInner("work", \.work, "city", 1, \.city),
      MaybeInner("work", \.work, "floor", 2, \.floor),
    ]
  }
}

@Model struct Venue {
  @PrimaryKey var id: String = ""
  var place: Address?
  var size: Int32 = 0
  #Unique<Venue>([\.place.street, \.place.floor])
}
extension Venue: SwarmModel {
  static var fields: [any ModelField<Venue>] {
    [
      Property("id", \.id), MaybeWhole("place", \.place), Property("size", \.size),
      MaybeInner("place", \.place, "street", 0, \.street),
      MaybeInner("place", \.place, "city", 1, \.city),
      MaybeInner("place", \.place, "floor", 2, \.floor),
    ]
  }
}

extension Family {
  static let structs: [Family] = [
    Family("contacts", [ShapeOf(Contact.self)]),
    Family("venues", [ShapeOf(Venue.self, unique: [["place.street", "place.floor"]])]),
    Family(
      "tagged", [ShapeOf(Tagged.self, unique: [["names"], ["codes"], ["rank", "names"]])]),
  ]
}

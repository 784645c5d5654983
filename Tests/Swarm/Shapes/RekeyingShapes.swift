import Croft
import Foundation

// Primary keys that change their type or their values, with references to them from their own model
// and from another one.

enum Numbered {
  @Model struct Club {
    @PrimaryKey var id: Int = 0
    var size = 0
    var parent: Ref<Club>?
  }
  @Model struct Fan {
    @PrimaryKey var id: Int16 = 0
    @Relation(onDelete: .cascade) var club: Ref<Club>?
    var age: UInt8 = 0
    var others: [Ref<Club>] = []
  }
}
extension Numbered.Club: SwarmModel {
  static var fields: [any ModelField<Numbered.Club>] {
    [
      Property("id", \.id), Property("size", \.size), Property("parent", \.parent),
    ]
  }
}
extension Numbered.Fan: SwarmModel {
  static var fields: [any ModelField<Numbered.Fan>] {
    [
      Property("id", \.id), Property("club", \.club), Property("age", \.age),
      Property("others", \.others),
    ]
  }
}

/// Clubs are known by texts.
enum Spoken {
  @Model struct Club {
    @PrimaryKey var id: String = ""
    @Indexed var size = 0
    var parent: Ref<Club>?
  }
  @Model struct Fan {
    @PrimaryKey var id: Int16 = 0
    @Relation(onDelete: .cascade) var club: Ref<Club>?
    @Indexed var age: UInt8 = 0
    var others: [Ref<Club>] = []
  }
}
extension Spoken.Club: SwarmModel {
  static var fields: [any ModelField<Spoken.Club>] {
    [
      Property("id", \.id), Property("size", \.size), Property("parent", \.parent),
    ]
  }
}
extension Spoken.Fan: SwarmModel {
  static var fields: [any ModelField<Spoken.Fan>] {
    [
      Property("id", \.id), Property("club", \.club), Property("age", \.age),
      Property("others", \.others),
    ]
  }
}

/// Each number is another one, and references follow.
enum Renumbered {
  @Model struct Club {
    @PrimaryKey var id: Int = 0
    @Indexed(.descending) var size = 0
    var parent: Ref<Club>?
  }
  @Model struct Fan {
    @PrimaryKey var id: Int16 = 0
    @Relation(onDelete: .cascade) var club: Ref<Club>?
    @Indexed(.descending) var age: UInt8 = 0
    var others: [Ref<Club>] = []
  }
}
extension Renumbered.Club: SwarmModel {
  static var fields: [any ModelField<Renumbered.Club>] {
    [
      Property("id", \.id), Property("size", \.size), Property("parent", \.parent),
    ]
  }
}
extension Renumbered.Fan: SwarmModel {
  static var fields: [any ModelField<Renumbered.Fan>] {
    [
      Property("id", \.id), Property("club", \.club), Property("age", \.age),
      Property("others", \.others),
    ]
  }
}

/// Each number is the next one, and references are forgotten.
enum Shifted {
  @Model struct Club {
    @PrimaryKey var id: Int = 0
    var size = 0
    var parent: Ref<Club>?
    var isShifted = true
  }
  @Model struct Fan {
    @PrimaryKey var id: Int16 = 0
    @Relation(onDelete: .cascade) var club: Ref<Club>?
    var age: UInt8 = 0
    var others: [Ref<Club>] = []
  }
}
extension Shifted.Club: SwarmModel {
  static var fields: [any ModelField<Shifted.Club>] {
    [
      Property("id", \.id), Property("size", \.size), Property("parent", \.parent),
      Property("isShifted", \.isShifted),
    ]
  }
}
extension Shifted.Fan: SwarmModel {
  static var fields: [any ModelField<Shifted.Fan>] {
    [
      Property("id", \.id), Property("club", \.club), Property("age", \.age),
      Property("others", \.others),
    ]
  }
}

extension Family {
  /// The number of a text: the one that it was made of, or one that other texts may have as well.
  private static func number(_ text: String) -> Int {
    let text = text.precomposedStringWithCanonicalMapping
    if text.hasPrefix("c"), let number = Int(text.dropFirst()) { return number }
    return text.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0x3F }
  }

  /// Changes all keys, and what refers to them.
  private static func changes(
    _ change: @escaping @Sendable (Value) -> Value?
  ) -> [Models.Change] {
    @Sendable func list(_ value: Value) -> Value? {
      guard case .list(let list) = value, !list.isEmpty else { return nil }
      let new = list.compactMap(change)
      return new.isEmpty ? nil : .list(new)
    }
    return [
      .replace("Club", "id", change), .replace("Club", "parent", change),
      .replace("Fan", "club", change), .replace("Fan", "others", list),
    ]
  }
  private static let toText = changes { value in
    if case .int(let number) = value { .text("c\(number)") } else { nil }
  }
  private static let toNumber = changes { value in
    if case .text(let text) = value { .int(Int64(number(text))) } else { nil }
  }
  private static func moved(_ value: Value?, by step: Int64) -> Value {
    switch value {
    case .int(let number): .int(number &+ step)
    case .list(let list): .list(list.map { moved($0, by: step) })
    default: .null
    }
  }
  private static func moving(_ model: String, _ name: String, _ step: Int64, _ fields: String...)
    -> Models.Change
  {
    .once(model, name) { row in
      var row = row
      for field in fields { row[field] = moved(row[field], by: step) }
      return row
    }
  }

  private static let speaking: [Migration] = [
    .convert(\Spoken.Club.id, \Spoken.Club.parent) { old, new in
      new?.id = "c\(try old["id", as: Int.self])"
      new?.parent = try old["parent", as: Int?.self].map { Ref("c\($0)") }
    },
    .convert(\Spoken.Fan.club, \Spoken.Fan.others) { old, new in
      new?.club = try old["club", as: Int?.self].map { Ref("c\($0)") }
      new?.others = try old["others", as: [Int].self].map { Ref("c\($0)") }
    },
  ]
  private static let numbering: [Migration] = [
    .convert(\Numbered.Club.id, \Numbered.Club.parent) { old, new in
      new?.id = number(try old["id", as: String.self])
      new?.parent = try old["parent", as: String?.self].map { Ref(number($0)) }
    },
    .convert(\Numbered.Fan.club, \Numbered.Fan.others) { old, new in
      new?.club = try old["club", as: String?.self].map { Ref(number($0)) }
      new?.others = try old["others", as: [String].self].map { Ref(number($0)) }
    },
  ]
  private static let renumbering: [Migration] = [
    .convert(\Renumbered.Club.id, \Renumbered.Club.parent) { old, new in
      new?.id = number(try old["id", as: String.self])
      new?.parent = try old["parent", as: String?.self].map { Ref(number($0)) }
    },
    .convert(\Renumbered.Fan.club, \Renumbered.Fan.others) { old, new in
      new?.club = try old["club", as: String?.self].map { Ref(number($0)) }
      new?.others = try old["others", as: [String].self].map { Ref(number($0)) }
    },
    Migration("renumber", Renumbered.Club.self) { _, new in
      new?.id &+= 1_000
      let parent = new?.parent
      new?.parent = parent.map { Ref($0.key &+ 1_000) }
    },
    Migration("follow", Renumbered.Fan.self) { _, new in
      guard let fan = new else { return }
      new?.club = fan.club.map { Ref($0.key &+ 1_000) }
      new?.others = fan.others.map { Ref($0.key &+ 1_000) }
    },
  ]
  private static let shifting: [Migration] = [
    .convert(\Shifted.Club.id, \Shifted.Club.parent) { old, new in
      new?.id = number(try old["id", as: String.self])
      new?.parent = try old["parent", as: String?.self].map { Ref(number($0)) }
    },
    .convert(\Shifted.Fan.club, \Shifted.Fan.others) { old, new in
      new?.club = try old["club", as: String?.self].map { Ref(number($0)) }
      new?.others = try old["others", as: [String].self].map { Ref(number($0)) }
    },
    Migration("shift", Shifted.Club.self) { _, new in new?.id &+= 1 },
  ]

  private static func clubs(
    _ club: any Shape, _ fan: any Shape, _ migrations: [Migration], _ changes: [Models.Change]
  ) -> Models { Models([club, fan], migrations: migrations, changes: changes) }

  static let rekeying: [Family] = [
    Family(
      "clubs",
      versions: [
        clubs(
          ShapeOf(Numbered.Club.self), ShapeOf(Numbered.Fan.self, rules: ["club": .cascade]),
          numbering, toNumber),
        clubs(
          ShapeOf(Spoken.Club.self), ShapeOf(Spoken.Fan.self, rules: ["club": .cascade]),
          speaking, toText),
        clubs(
          ShapeOf(Renumbered.Club.self), ShapeOf(Renumbered.Fan.self, rules: ["club": .cascade]),
          renumbering,
          toNumber + [
            moving("Club", "renumber", 1_000, "id", "parent"),
            moving("Fan", "follow", 1_000, "club", "others"),
          ]),
        clubs(
          ShapeOf(Shifted.Club.self), ShapeOf(Shifted.Fan.self, rules: ["club": .cascade]),
          shifting,
          toNumber + [
            .add("Club", "isShifted", .bool(true)), moving("Club", "shift", 1, "id"),
          ]),
      ])
  ]
}

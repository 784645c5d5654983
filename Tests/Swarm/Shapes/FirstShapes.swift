import Croft
import Foundation

// Each of these shapes is one struct, with all that a store can make of it.

enum Level: Int, StoredEnum, CaseIterable, SwarmScalar {
  case low, medium, high
}

enum Genre: String, StoredEnum, CaseIterable, SwarmScalar {
  case rock, jazz, blues
}

@Model struct Plain {
  @PrimaryKey var id: Int = 0
  var count = 0
  var name = ""
}
extension Plain: SwarmModel {
  static var fields: [any ModelField<Plain>] {
    [Property("id", \.id), Property("count", \.count), Property("name", \.name)]
  }
}

@Model struct Account {
  @PrimaryKey var id: Int = 0
  @Indexed(.unique) var email: String = ""
  @Indexed var age: Int?
  var balance = 0.0
}
extension Account: SwarmModel {
  static var fields: [any ModelField<Account>] {
    [
      Property("id", \.id), Property("email", \.email), Property("age", \.age),
      Property("balance", \.balance),
    ]
  }
}

@Model struct Basket {
  @PrimaryKey var id: String = ""
  @Indexed var tags: [String] = []
  @Indexed var marks: Set<Int> = []
  var prices: [Double] = []
  var stock: [String: Int32] = [:]
  var dates: [Date?] = []
  var sizes: [UInt8]?
  #FullText<Basket>([\.id, \.tags])
}
extension Basket: SwarmModel {
  static var searched: [String] { ["id", "tags"] }
  static var fields: [any ModelField<Basket>] {
    [
      Property("id", \.id), Property("tags", \.tags), Property("marks", \.marks),
      Property("prices", \.prices), Property("stock", \.stock), Property("dates", \.dates),
      Property("sizes", \.sizes),
    ]
  }
}

@Model struct Folder {
  @PrimaryKey var id: UUID = UUID()
  var name: String?
  var parent: Ref<Folder>?
  var rank: Int16 = 0
}
extension Folder: SwarmModel {
  static var fields: [any ModelField<Folder>] {
    [
      Property("id", \.id), Property("name", \.name), Property("parent", \.parent),
      Property("rank", \.rank),
    ]
  }
}

@Model struct Entry {
  @PrimaryKey var id: Int32 = 0
  @Relation(onDelete: .cascade) var folder: Ref<Folder>?
  var others: [Ref<Entry>] = []
  var watchers: Set<Ref<Folder>> = []
  @Indexed var title: String = ""
  var level: Level = .low
  #Index<Entry>([\.level, \.title.descending])
  #FullText<Entry>([\.title])
}
extension Entry: SwarmModel {
  static var searched: [String] { ["title"] }
  static var fields: [any ModelField<Entry>] {
    [
      Property("id", \.id), Property("folder", \.folder), Property("others", \.others),
      Property("watchers", \.watchers), Property("title", \.title), Property("level", \.level),
    ]
  }
}

extension Family {
  private static let first: [Family] = [
    Family("plain", [ShapeOf(Plain.self)]),
    Family("account", [ShapeOf(Account.self, unique: [["email"]])]),
    Family("basket", [ShapeOf(Basket.self)]),
    Family("folders", [ShapeOf(Folder.self), ShapeOf(Entry.self, rules: ["folder": .cascade])]),
  ]

  /// All families.
  static let all =
    first + keys + types + relations + evolving + migrating + renaming + requiring
    + rekeying + structs + expressions
}

import Croft

// Properties that swap their names, and names that move on. The swarm's name of a property stays
// with its values; only the struct's changes.

enum Straight {
  @Model struct Duo {
    @PrimaryKey var id: Int = 0
    @Indexed(.unique) var left: String?
    var right: String?
    @Indexed var low = 1
    var high = 2
    var plain: Int16 = 3
    var other: Int16 = 4
    #FullText<Duo>([\.left, \.right])
  }
}
extension Straight.Duo: SwarmModel {
  static var searched: [String] { ["left", "right"] }
  static var fields: [any ModelField<Straight.Duo>] {
    [
      Property("id", \.id), Property("left", \.left), Property("right", \.right),
      Property("low", \.low), Property("high", \.high), Property("plain", \.plain),
      Property("other", \.other),
    ]
  }
}

/// Three pairs swap their names: one with a unique index, one with an index, one without.
enum Crossed {
  @Model struct Duo {
    @PrimaryKey var id: Int = 0
    @Renamed(from: "right") @Indexed var left: String?
    @Renamed(from: "left") @Indexed(.unique) var right: String?
    @Renamed(from: "high") @Indexed var low = 5
    @Renamed(from: "low") var high = 6
    @Renamed(from: "other") var plain: Int16 = 7
    @Renamed(from: "plain") var other: Int16 = 8
    #Index<Duo>([\.high, \.low.descending])
    #FullText<Duo>([\.left])
  }
}
extension Crossed.Duo: SwarmModel {
  static var searched: [String] { ["right"] }
  static var fields: [any ModelField<Crossed.Duo>] {
    [
      Property("id", \.id), Property("left", \.right), Property("right", \.left),
      Property("low", \.high), Property("high", \.low), Property("plain", \.other),
      Property("other", \.plain),
    ]
  }
}

/// Each name moves on by one place, and the last one is new; the numbers go round.
enum Chained {
  @Model struct Duo {
    @PrimaryKey var id: Int = 0
    @Renamed(from: "left") @Indexed(.unique) var right: String?
    @Renamed(from: "right") var far: String?
    @Renamed(from: "high") var low = 5
    @Renamed(from: "low") @Indexed(.descending) var high = 6
    @Renamed(from: "plain") var other: Int16 = 9
    @Renamed(from: "other") @Indexed var next: Int16 = 9
  }
}
extension Chained.Duo: SwarmModel {
  static var fields: [any ModelField<Chained.Duo>] {
    [
      Property("id", \.id), Property("left", \.far), Property("right", \.right),
      Property("low", \.high), Property("high", \.low), Property("plain", \.next),
      Property("other", \.other),
    ]
  }
}

extension Family {
  static let renaming: [Family] = [
    Family(
      "duos",
      versions: [
        Models([ShapeOf(Straight.Duo.self, unique: [["left"]])]),
        Models([ShapeOf(Crossed.Duo.self, unique: [["left"]])]),
        Models([ShapeOf(Chained.Duo.self, unique: [["right"]])]),
      ], isInOrder: true)
  ]
}

import Croft

// Models that change what is unique, how wide numbers are, what types are, and what things are
// called. The swarm's name of a property stays; only the struct's changes.

enum Repeated {
  @Model struct Badge {
    @PrimaryKey var id: Int = 0
    var code = ""
    @Indexed var rank: Int16 = 0
  }
}
extension Repeated.Badge: SwarmModel {
  static var fields: [any ModelField<Repeated.Badge>] {
    [Property("id", \.id), Property("code", \.code), Property("rank", \.rank)]
  }
}

enum Distinct {
  @Model struct Badge {
    @PrimaryKey var id: Int = 0
    @Indexed(.unique) var code = ""
    var rank: Int16 = 0
  }
}
extension Distinct.Badge: SwarmModel {
  static var fields: [any ModelField<Distinct.Badge>] {
    [Property("id", \.id), Property("code", \.code), Property("rank", \.rank)]
  }
}

/// Pairs are unique, and the code alone is not.
enum Paired {
  @Model struct Badge {
    @PrimaryKey var id: Int = 0
    @Indexed var code = ""
    var rank: Int16 = 0
    var isValid = true
    #Unique<Badge>([\.code, \.rank])
  }
}
extension Paired.Badge: SwarmModel {
  static var fields: [any ModelField<Paired.Badge>] {
    [
      Property("id", \.id), Property("code", \.code), Property("rank", \.rank),
      Property("isValid", \.isValid),
    ]
  }
}

enum Narrow {
  @Model struct Gauge {
    @PrimaryKey var id: Int32 = 0
    @Indexed var level: Int8 = 0
    var count: UInt8 = 0
    var ratio: Float = 0
    @Indexed var step: UInt16?
  }
}
extension Narrow.Gauge: SwarmModel {
  static var fields: [any ModelField<Narrow.Gauge>] {
    [
      Property("id", \.id), Property("level", \.level), Property("count", \.count),
      Property("ratio", \.ratio), Property("step", \.step),
    ]
  }
}

enum Medium {
  @Model struct Gauge {
    @PrimaryKey var id: Int32 = 0
    @Indexed var level: Int32 = 0
    @Indexed var count: Int16 = 0
    var ratio: Float = 0
    @Indexed var step: UInt32?
  }
}
extension Medium.Gauge: SwarmModel {
  static var fields: [any ModelField<Medium.Gauge>] {
    [
      Property("id", \.id), Property("level", \.level), Property("count", \.count),
      Property("ratio", \.ratio), Property("step", \.step),
    ]
  }
}

enum Broad {
  @Model struct Gauge {
    @PrimaryKey var id: Int64 = 0
    @Indexed var level: Int64 = 0
    @Indexed var count: Int = 0
    @Indexed var ratio: Double = 0
    var step: UInt64?
    #Index<Gauge>([\.level.descending, \.step])
  }
}
extension Broad.Gauge: SwarmModel {
  static var fields: [any ModelField<Broad.Gauge>] {
    [
      Property("id", \.id), Property("level", \.level), Property("count", \.count),
      Property("ratio", \.ratio), Property("step", \.step),
    ]
  }
}

enum Counted {
  @Model struct Ticket {
    @PrimaryKey var id: Int = 0
    @Indexed var price = 0
    @Indexed var title = ""
    var tags: [String] = []
    #FullText<Ticket>([\.title, \.tags])
  }
}
extension Counted.Ticket: SwarmModel {
  static var searched: [String] { ["title", "tags"] }
  static var fields: [any ModelField<Counted.Ticket>] {
    [
      Property("id", \.id), Property("price", \.price), Property("title", \.title),
      Property("tags", \.tags),
    ]
  }
}

/// The price is a text.
enum Spelled {
  @Model struct Ticket {
    @PrimaryKey var id: Int = 0
    @Indexed var price = ""
    @Indexed(.caseFolded) var title = ""
    @Indexed var tags: [String] = []
    #FullText<Ticket>([\.price, \.title])
  }
}
extension Spelled.Ticket: SwarmModel {
  static var searched: [String] { ["price", "title"] }
  static var fields: [any ModelField<Spelled.Ticket>] {
    [
      Property("id", \.id), Property("price", \.price), Property("title", \.title),
      Property("tags", \.tags),
    ]
  }
}

/// Titles are written again once, and tickets without one are removed.
enum Rewritten {
  @Model struct Ticket {
    @PrimaryKey var id: Int = 0
    var price = ""
    @Indexed var title = ""
    @Indexed var tags: [String] = []
    var isNew = false
    #FullText<Ticket>([\.title, \.tags])
  }
}
extension Rewritten.Ticket: SwarmModel {
  static var searched: [String] { ["title", "tags"] }
  static var fields: [any ModelField<Rewritten.Ticket>] {
    [
      Property("id", \.id), Property("price", \.price), Property("title", \.title),
      Property("tags", \.tags), Property("isNew", \.isNew),
    ]
  }
}

enum Former {
  @Model struct Album {
    @PrimaryKey var id: String = ""
    @Indexed var title = ""
    var year: Int32?
    var next: Ref<Album>?
  }
}
extension Former.Album: SwarmModel {
  static var fields: [any ModelField<Former.Album>] {
    [
      Property("id", \.id), Property("title", \.title), Property("year", \.year),
      Property("next", \.next),
    ]
  }
}

enum Latter {
  @Model struct Album {
    @PrimaryKey @Renamed(from: "id") var code: String = ""
    @Renamed(from: "title") @Indexed var name = ""
    @Renamed(from: "year") @Indexed var released: Int32?
    @Renamed(from: "next") var sequel: Ref<Album>?
    #FullText<Album>([\.code, \.name])
  }
}
extension Latter.Album: SwarmModel {
  static var searched: [String] { ["id", "title"] }
  static var fields: [any ModelField<Latter.Album>] {
    [
      Property("id", \.code), Property("title", \.name), Property("year", \.released),
      Property("next", \.sequel),
    ]
  }
}

enum Last {
  @Renamed(from: "Album")
  @Model struct Disc {
    @PrimaryKey @Renamed(from: "id", "code") var key: String = ""
    @Renamed(from: "title", "name") var label = ""
    @Renamed(from: "year", "released") @Indexed(.descending) var pressed: Int64?
    @Renamed(from: "next", "sequel") var part: Ref<Disc>?
  }
}
extension Last.Disc: SwarmModel {
  static var name: String { "Album" }
  static var fields: [any ModelField<Last.Disc>] {
    [
      Property("id", \.key), Property("title", \.label), Property("year", \.pressed),
      Property("next", \.part),
    ]
  }
}

extension Family {
  private static let valid = Models.Change.add("Badge", "isValid", .bool(true))
  private static let new = Models.Change.add("Ticket", "isNew", .bool(false))

  private static func widths(_ level: Int, _ ratio: Int, _ id: Int) -> [Models.Change] {
    [
      .widen("Gauge", "id", id) { $0 },
      .widen("Gauge", "level", level) { $0 },
      .widen("Gauge", "step", level) { $0 },
      .widen("Gauge", "ratio", ratio) { $0 },
      .widen("Gauge", "count", level) { value in
        guard level > 0, case .uint(let number) = value else { return value }
        return .int(Int64(number))
      },
    ]
  }

  private static let spell = Models.Change.replace("Ticket", "price") { value in
    if case .int(let number) = value { .text("\(number)") } else { nil }
  }
  private static let count = Models.Change.replace("Ticket", "price") { value in
    if case .text(let text) = value { .int(Int64(text) ?? -1) } else { nil }
  }

  private static let spelling = Migration.convert(\Spelled.Ticket.price) {
    old, new in new?.price = "\(try old["price", as: Int.self])"
  }
  private static let newSpelling = Migration.convert(\Rewritten.Ticket.price) {
    old, new in new?.price = "\(try old["price", as: Int.self])"
  }
  private static let counting = Migration.convert(\Counted.Ticket.price) {
    old, new in new?.price = Int(try old["price", as: String.self]) ?? -1
  }
  private static let retitling = Migration("titles", Rewritten.Ticket.self) { old, new in
    if try old["title", as: String.self].isEmpty { new = nil }
    new?.title += "!"
  }

  static let migrating: [Family] = [
    Family(
      "badges",
      versions: [
        Models([ShapeOf(Repeated.Badge.self)]),
        Models([ShapeOf(Distinct.Badge.self, unique: [["code"]])]),
        Models([ShapeOf(Paired.Badge.self, unique: [["code", "rank"]])], changes: [valid]),
      ]),
    Family(
      "gauges",
      versions: [
        Models([ShapeOf(Narrow.Gauge.self)], changes: widths(0, 0, 0)),
        Models([ShapeOf(Medium.Gauge.self)], changes: widths(1, 0, 0)),
        Models([ShapeOf(Broad.Gauge.self)], changes: widths(2, 1, 1)),
      ]),
    Family(
      "tickets",
      versions: [
        Models([ShapeOf(Counted.Ticket.self)], migrations: [counting], changes: [count]),
        Models([ShapeOf(Spelled.Ticket.self)], migrations: [spelling], changes: [spell]),
        Models(
          [ShapeOf(Rewritten.Ticket.self)], migrations: [newSpelling, retitling],
          changes: [
            new, spell,
            .once("Ticket", "titles") { row in
              guard case .text(let title) = row["title"], !title.isEmpty else { return nil }
              return row.merging(["title": .text(title + "!")]) { $1 }
            },
          ]),
      ]),
    Family(
      "albums",
      versions: [
        Models([ShapeOf(Former.Album.self)], changes: [.widen("Album", "year", 0) { $0 }]),
        Models([ShapeOf(Latter.Album.self)], changes: [.widen("Album", "year", 0) { $0 }]),
        Models([ShapeOf(Last.Disc.self)], changes: [.widen("Album", "year", 1) { $0 }]),
      ]),
  ]
}

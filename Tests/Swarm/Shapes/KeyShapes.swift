import Croft
import Foundation

// One shape for each type of primary key.

@Model struct ByteKeyed {
  @PrimaryKey var id: Int8 = 0
  @Indexed var note: String?
  var size: Int64 = 0
}
extension ByteKeyed: SwarmModel {
  static var fields: [any ModelField<ByteKeyed>] {
    [Property("id", \.id), Property("note", \.note), Property("size", \.size)]
  }
}

@Model struct ShortKeyed {
  @PrimaryKey var id: UInt16 = 0
  @Indexed(.descending) var rank: Int32 = 0
  var isOpen = false
}
extension ShortKeyed: SwarmModel {
  static var fields: [any ModelField<ShortKeyed>] {
    [Property("id", \.id), Property("rank", \.rank), Property("isOpen", \.isOpen)]
  }
}

@Model struct LongKeyed {
  @PrimaryKey var id: UInt64 = 0
  @Indexed var name: String = ""
  @Indexed(.unique) var code: UInt32?
}
extension LongKeyed: SwarmModel {
  static var fields: [any ModelField<LongKeyed>] {
    [Property("id", \.id), Property("name", \.name), Property("code", \.code)]
  }
}

@Model struct WordKeyed {
  @PrimaryKey var id: Int64 = 0
  @Indexed var isDone: Bool = false
  @Indexed var due: Date?
  #Index<WordKeyed>([\.isDone, \.due.descending])
}
extension WordKeyed: SwarmModel {
  static var fields: [any ModelField<WordKeyed>] {
    [Property("id", \.id), Property("isDone", \.isDone), Property("due", \.due)]
  }
}

@Model struct NarrowKeyed {
  @PrimaryKey var id: UInt8 = 0
  var ratio: Float = 0
  @Indexed var level: Level?
}
extension NarrowKeyed: SwarmModel {
  static var fields: [any ModelField<NarrowKeyed>] {
    [Property("id", \.id), Property("ratio", \.ratio), Property("level", \.level)]
  }
}

@Model struct SmallKeyed {
  @PrimaryKey var id: Int16 = 0
  @Indexed var genre: Genre = Genre.rock
  var note = ""
  #Index<SmallKeyed>([\.genre, \.note])
}
extension SmallKeyed: SwarmModel {
  static var fields: [any ModelField<SmallKeyed>] {
    [Property("id", \.id), Property("genre", \.genre), Property("note", \.note)]
  }
}

@Model struct DateKeyed {
  @PrimaryKey var day: Date = Date(timeIntervalSinceReferenceDate: 0)
  @Indexed var text: String = ""
  var total: UInt = 0
}
extension DateKeyed: SwarmModel {
  static var fields: [any ModelField<DateKeyed>] {
    [Property("day", \.day), Property("text", \.text), Property("total", \.total)]
  }
}

@Model struct DataKeyed {
  @PrimaryKey var bytes: Data = Data()
  @Indexed var other: Data?
  var more = Data()
}
extension DataKeyed: SwarmModel {
  static var fields: [any ModelField<DataKeyed>] {
    [Property("bytes", \.bytes), Property("other", \.other), Property("more", \.more)]
  }
}

@Model struct LevelKeyed {
  @PrimaryKey var level: Level = Level.low
  var name = ""
}
extension LevelKeyed: SwarmModel {
  static var fields: [any ModelField<LevelKeyed>] {
    [Property("level", \.level), Property("name", \.name)]
  }
}

@Model struct GenreKeyed {
  @PrimaryKey var genre: Genre = Genre.rock
  @Indexed var count: Int?
}
extension GenreKeyed: SwarmModel {
  static var fields: [any ModelField<GenreKeyed>] {
    [Property("genre", \.genre), Property("count", \.count)]
  }
}

@Model struct UUIDKeyed {
  @PrimaryKey var id: UUID = UUID()
  @Indexed var token: UUID = UUID()
  @Indexed var former: UUID?
  var number: UInt8 = 0
}
extension UUIDKeyed: SwarmModel {
  static var fields: [any ModelField<UUIDKeyed>] {
    [
      Property("id", \.id), Property("token", \.token), Property("former", \.former),
      Property("number", \.number),
    ]
  }
}

@Model struct Track {
  @PrimaryKey var album: Int = 0
  @PrimaryKey var title: String = ""
  @Indexed var plays: Int32 = 0
  var note: String?
}
extension Track: SwarmModel {
  static var fields: [any ModelField<Track>] {
    [
      Property("album", \.album), Property("title", \.title), Property("plays", \.plays),
      Property("note", \.note),
    ]
  }
}
extension Track.PrimaryKey: SwarmKey {
  static var swarmKinds: [Kind] { [Int.swarmKind, String.swarmKind] }
  init(swarmParts parts: [Value]) {
    self.init(album: Int(swarm: parts[0]), title: String(swarm: parts[1]))
  }
  var swarmParts: [Value] { [album.swarm, title.swarm] }
}

@Model struct Listen {
  @PrimaryKey var id: Int = 0
  var track: Ref<Track>?
  var queue: [Ref<Track>] = []
  @Indexed var at: Date = Date(timeIntervalSinceReferenceDate: 0)
}
extension Listen: SwarmModel {
  static var fields: [any ModelField<Listen>] {
    [
      Property("id", \.id), Property("track", \.track), Property("queue", \.queue),
      Property("at", \.at),
    ]
  }
}

@Model struct Cell3 {
  @PrimaryKey var sheet: UUID = UUID()
  @PrimaryKey var column: Int8 = 0
  @PrimaryKey var row: UInt16 = 0
  @Indexed var value: Double?
  @Indexed(.caseFolded) var text: String = ""
  #Unique<Cell3>([\.sheet, \.text, \.value])
}
extension Cell3: SwarmModel {
  static var fields: [any ModelField<Cell3>] {
    [
      Property("sheet", \.sheet), Property("column", \.column), Property("row", \.row),
      Property("value", \.value), Property("text", \.text),
    ]
  }
}
extension Cell3.PrimaryKey: SwarmKey {
  static var swarmKinds: [Kind] { [UUID.swarmKind, Int8.swarmKind, UInt16.swarmKind] }
  init(swarmParts parts: [Value]) {
    self.init(
      sheet: UUID(swarm: parts[0]), column: Int8(swarm: parts[1]), row: UInt16(swarm: parts[2]))
  }
  var swarmParts: [Value] { [sheet.swarm, column.swarm, row.swarm] }
}

extension Family {
  static let keys: [Family] = [
    Family("byteKeys", [ShapeOf(ByteKeyed.self), ShapeOf(NarrowKeyed.self)]),
    Family("shortKeys", [ShapeOf(ShortKeyed.self), ShapeOf(SmallKeyed.self)]),
    Family("longKeys", [ShapeOf(LongKeyed.self, unique: [["code"]])]),
    Family("wordKeys", [ShapeOf(WordKeyed.self)]),
    Family("dateKeys", [ShapeOf(DateKeyed.self, key: ["day"])]),
    Family("dataKeys", [ShapeOf(DataKeyed.self, key: ["bytes"])]),
    Family(
      "enumKeys",
      [ShapeOf(LevelKeyed.self, key: ["level"]), ShapeOf(GenreKeyed.self, key: ["genre"])]),
    Family("uuidKeys", [ShapeOf(UUIDKeyed.self)]),
    Family("tracks", [ShapeOf(Track.self, key: ["album", "title"]), ShapeOf(Listen.self)]),
    Family(
      "cells",
      [
        ShapeOf(
          Cell3.self, key: ["sheet", "column", "row"], unique: [["sheet", "text", "value"]])
      ]),
  ]
}

import Croft
import Foundation

// Every type of property, with an index and without, present and absent.

@Model struct Integers {
  @PrimaryKey var id: Int = 0
  @Indexed var a: Int8 = 0
  @Indexed var b: Int16 = 0
  @Indexed var c: Int32 = 0
  @Indexed var d: Int64 = 0
  @Indexed var e: UInt8 = 0
  @Indexed var f: UInt16 = 0
  @Indexed var g: UInt32 = 0
  @Indexed var h: UInt64 = 0
}
extension Integers: SwarmModel {
  static var fields: [any ModelField<Integers>] {
    [
      Property("id", \.id), Property("a", \.a), Property("b", \.b), Property("c", \.c),
      Property("d", \.d), Property("e", \.e), Property("f", \.f), Property("g", \.g),
      Property("h", \.h),
    ]
  }
}

@Model struct MaybeIntegers {
  @PrimaryKey var id: Int = 0
  @Indexed var a: Int8?
  var b: Int16?
  @Indexed(.descending) var c: Int32?
  @Indexed(.unique) var d: Int64?
  var e: UInt8?
  @Indexed var f: UInt16?
  var g: UInt32?
  @Indexed var h: UInt64?
  #Index<MaybeIntegers>([\.a, \.h.descending, \.b])
}
extension MaybeIntegers: SwarmModel {
  static var fields: [any ModelField<MaybeIntegers>] {
    [
      Property("id", \.id), Property("a", \.a), Property("b", \.b), Property("c", \.c),
      Property("d", \.d), Property("e", \.e), Property("f", \.f), Property("g", \.g),
      Property("h", \.h),
    ]
  }
}

@Model struct Reals {
  @PrimaryKey var id: Int32 = 0
  @Indexed var single: Float = 0
  @Indexed var double: Double = 0
  @Indexed(.descending) var half: Float?
  @Indexed(.unique) var exact: Double?
  var date = Date(timeIntervalSinceReferenceDate: 0)
  #Index<Reals>([\.double.descending, \.single])
}
extension Reals: SwarmModel {
  static var fields: [any ModelField<Reals>] {
    [
      Property("id", \.id), Property("single", \.single), Property("double", \.double),
      Property("half", \.half), Property("exact", \.exact), Property("date", \.date),
    ]
  }
}

@Model struct Others {
  @PrimaryKey var id: String = ""
  @Indexed var flag: Bool = false
  @Indexed var day: Date = Date(timeIntervalSinceReferenceDate: 0)
  @Indexed var token: UUID = UUID()
  @Indexed var bytes: Data = Data()
  @Indexed var price: Decimal = 0
  var site: URL = URL(filePath: "/")
}
extension Others: SwarmModel {
  static var fields: [any ModelField<Others>] {
    [
      Property("id", \.id), Property("flag", \.flag), Property("day", \.day),
      Property("token", \.token), Property("bytes", \.bytes), Property("price", \.price),
      Property("site", \.site),
    ]
  }
}

@Model struct MaybeOthers {
  @PrimaryKey var id: UInt32 = 0
  @Indexed var flag: Bool?
  @Indexed(.unique) var day: Date?
  var token: UUID?
  @Indexed(.unique) var bytes: Data?
  @Indexed(.descending) var price: Decimal?
  @Indexed var site: URL?
  @Indexed var genre: Genre?
  #Index<MaybeOthers>([\.flag, \.price])
}
extension MaybeOthers: SwarmModel {
  static var fields: [any ModelField<MaybeOthers>] {
    [
      Property("id", \.id), Property("flag", \.flag), Property("day", \.day),
      Property("token", \.token), Property("bytes", \.bytes), Property("price", \.price),
      Property("site", \.site), Property("genre", \.genre),
    ]
  }
}

@Model struct Texts {
  @PrimaryKey var id: Int = 0
  @Indexed var plain: String = ""
  @Indexed(.caseFolded) var folded: String = ""
  @Indexed(.descending) var last: String?
  @Indexed(.unique, .caseFolded) var login: String?
  var free = ""
  #Index<Texts>([\.folded.caseFolded, \.plain.descending])
}
extension Texts: SwarmModel {
  static var fields: [any ModelField<Texts>] {
    [
      Property("id", \.id), Property("plain", \.plain), Property("folded", \.folded),
      Property("last", \.last), Property("login", \.login), Property("free", \.free),
    ]
  }
}

@Model struct Lists {
  @PrimaryKey var id: Int = 0
  @Indexed var flags: [Bool] = []
  @Indexed var small: [Int8] = []
  @Indexed var dates: [Date?] = []
  @Indexed var texts: [String?]?
  @Indexed var reals: [Double] = []
  @Indexed var bytes: Set<Data> = []
  @Indexed var tokens: Set<UUID> = []
  var genres: Set<Genre> = []
  var shares: [String: Double] = [:]
  var counts: [String: Int?] = [:]
  #Index<Lists>([\.small.descending, \.id])
}
extension Lists: SwarmModel {
  static var fields: [any ModelField<Lists>] {
    [
      Property("id", \.id), Property("flags", \.flags), Property("small", \.small),
      Property("dates", \.dates), Property("texts", \.texts), Property("reals", \.reals),
      Property("bytes", \.bytes), Property("tokens", \.tokens), Property("genres", \.genres),
      Property("shares", \.shares), Property("counts", \.counts),
    ]
  }
}

@Model struct Tagged {
  @PrimaryKey var id: String = ""
  @Indexed(.unique) var names: [String] = []
  @Indexed(.unique) var codes: Set<Int16> = []
  var rank = 0
  #Unique<Tagged>([\.rank, \.names])
}
extension Tagged: SwarmModel {
  static var fields: [any ModelField<Tagged>] {
    [
      Property("id", \.id), Property("names", \.names), Property("codes", \.codes),
      Property("rank", \.rank),
    ]
  }
}

@Model struct Seat {
  @PrimaryKey var id: Int = 0
  var row: String = ""
  var number: Int16?
  @Indexed var isFree = true
  #Unique<Seat>([\.row, \.number])
  #Index<Seat>([\.isFree, \.number, \.row.descending])
}
extension Seat: SwarmModel {
  static var fields: [any ModelField<Seat>] {
    [
      Property("id", \.id), Property("row", \.row), Property("number", \.number),
      Property("isFree", \.isFree),
    ]
  }
}

@Model struct Wide {
  @PrimaryKey var id: Int = 0
  var a = ""
  @Indexed var b = Data()
  var c: String?
  var d: Data?
  @Indexed var e: String = ""
  var f: [String] = []
  var g: [Int] = []
  var h = 0
}
extension Wide: SwarmModel {
  static var fields: [any ModelField<Wide>] {
    [
      Property("id", \.id), Property("a", \.a), Property("b", \.b), Property("c", \.c),
      Property("d", \.d), Property("e", \.e), Property("f", \.f), Property("g", \.g),
      Property("h", \.h),
    ]
  }
}

extension Family {
  static let types: [Family] = [
    Family("integers", [ShapeOf(Integers.self)]),
    Family("maybeIntegers", [ShapeOf(MaybeIntegers.self, unique: [["d"]])]),
    Family("reals", [ShapeOf(Reals.self, unique: [["exact"]])]),
    Family("others", [ShapeOf(Others.self)]),
    Family("maybeOthers", [ShapeOf(MaybeOthers.self, unique: [["day"], ["bytes"]])]),
    Family("texts", [ShapeOf(Texts.self, unique: [["login*"]])]),
    Family("lists", [ShapeOf(Lists.self)]),
    Family("seats", [ShapeOf(Seat.self, unique: [["row", "number"]])]),
    Family("wide", [ShapeOf(Wide.self)]),
  ]
}

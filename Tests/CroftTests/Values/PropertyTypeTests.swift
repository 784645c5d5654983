import Foundation
import Testing

@testable import Croft

enum Shade: String, StoredEnum, CaseIterable {
  case light
  case dark = "진한 색"
  case empty = ""
}

enum Level: UInt8, StoredEnum, CaseIterable { case low = 0, high = 255 }

/// A property of every type that a row can hold.
@Model struct Everything: Hashable {
  @PrimaryKey var id: Int
  var bool = false
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var int: Int = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var uint: UInt = 0
  var float: Float = 0
  var double: Double = 0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var string = ""
  var data = Data()
  var genre = Genre.none
  var shade = Shade.light
}

/// An optional of every type: more than sixteen, so that presence bits span bytes.
@Model struct Anything: Hashable {
  @PrimaryKey var id: Int
  var bool: Bool?
  var int8: Int8?
  var string: String?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var int: Int?
  var uint8: UInt8?
  var uint16: UInt16?
  var data: Data?
  var uint32: UInt32?
  var uint64: UInt64?
  var uint: UInt?
  var float: Float?
  var double: Double?
  var date: Date?
  var uuid: UUID?
  var genre: Genre?
  var shade: Shade?
  var last: String?
}

@Suite(.keepsFailedStores) struct PropertyTypeTests {
  /// Writes objects, opens the store again and reads them.
  private func reread<M: Model>(_ objects: [M]) throws -> [M] {
    var read: [M] = []
    try withTemporaryStore(of: M.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: objects) }
      read = try temporary.open().fetch(M.all)
    }
    return read
  }

  @Test func everyIntegerKeepsItsExtremes() throws {
    var least = Everything(id: 0)
    (least.int8, least.int16, least.int32, least.int64) = (.min, .min, .min, .min)
    (least.int, least.uint8, least.uint16) = (.min, .min, .min)
    var most = Everything(id: 1, bool: true)
    (most.int8, most.int16, most.int32, most.int64) = (.max, .max, .max, .max)
    (most.int, most.uint8, most.uint16) = (.max, .max, .max)
    (most.uint32, most.uint64, most.uint) = (.max, .max, .max)
    var minusOne = Everything(id: 2)
    (minusOne.int8, minusOne.int16, minusOne.int32, minusOne.int64) = (-1, -1, -1, -1)
    minusOne.int = -1
    #expect(try reread([least, most, minusOne]) == [least, most, minusOne])
  }

  @Test(
    arguments: [
      0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, .ulpOfOne,
    ] as [Double])
  func everyFloatKeepsItsBits(value: Double) throws {
    let object = Everything(
      id: 0, float: Float(value), double: value,
      date: Date(timeIntervalSinceReferenceDate: value))
    let read = try #require(try reread([object]).first)
    #expect(read.double.bitPattern == value.bitPattern)
    #expect(read.float.bitPattern == Float(value).bitPattern)
    #expect(read.date.timeIntervalSinceReferenceDate.bitPattern == value.bitPattern)
  }

  @Test(arguments: [
    "", "a", "\0", "a\0b\0\0", "할일", "\u{1112}\u{1161}\u{11AF}", "é", "e\u{301}", "\u{FFFF}",
    "👨‍👩‍👧‍👦", "q\u{323}\u{307}", "q\u{307}\u{323}", String(repeating: "x", count: 255),
    String(repeating: "긴", count: 400),
  ])
  func everyTextKeepsTheBytesOfItsUser(text: String) throws {
    let object = Everything(id: 0, string: text, data: Data(text.utf8))
    let read = try #require(try reread([object]).first)
    #expect(Array(read.string.utf8) == Array(text.utf8))
    #expect(read.data == Data(text.utf8))
  }

  @Test(arguments: [65_534, 65_535, 65_536, 100_000, 3_000_000])
  func aLongValueMakesItsRowWide(count: Int) throws {
    var object = Everything(id: 0, string: String(repeating: "한", count: count / 3))
    object.string += String(repeating: "x", count: count - object.string.utf8.count)
    object.data = Data((0..<300).map { UInt8($0 % 256) })
    let short = Everything(id: 1, string: "short")
    #expect(try reread([object, short]) == [object, short])
    let swapped = Everything(id: 2, string: "s", data: Data(object.string.utf8))
    #expect(try reread([swapped]) == [swapped])
  }

  @Test func aRowCanTurnWideAndNarrowAgain() throws {
    try withStore(of: Everything.self) { store in
      let long = String(repeating: "x", count: 100_000)
      try store.write { try $0.insert(Everything(id: 0, string: "a", data: Data([1]))) }
      try store.write { _ = try $0.update(Everything.self, 0) { $0.string = long } }
      let wide = Everything(id: 0, string: long, data: Data([1]))
      #expect(try store.get(Everything.self, 0) == wide)
      #expect(try store.count(Everything.where { $0.string == long && $0.data == Data([1]) }) == 1)
      let narrow = Everything(id: 0, string: "b", data: Data([1]))
      #expect(try store.write { try $0.upsert(narrow) } == .updated(changed: ["string"]))
      #expect(try store.get(Everything.self, 0) == narrow)
    }
  }

  @Test func identifiersDatesAndEnumsComeBack() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let objects = [
      Everything(id: 0, date: .distantPast, uuid: uuid, genre: .rock, shade: .dark),
      Everything(id: 1, date: .distantFuture, uuid: UUID(), genre: .jazz, shade: .empty),
      Everything(id: 2, date: Date(timeIntervalSinceReferenceDate: 1.0 / 3)),
    ]
    #expect(try reread(objects) == objects)
  }

  @Test func optionalsComeBackAloneTogetherAndNotAtAll() throws {
    let full = Anything(
      id: 0, bool: false, int8: 0, string: "", int16: 0, int32: 0, int64: 0, int: 0, uint8: 0,
      uint16: 0, data: Data(), uint32: 0, uint64: 0, uint: 0, float: 0, double: 0,
      date: Date(timeIntervalSinceReferenceDate: 0), uuid: UUID(), genre: Genre.none, shade: .empty,
      last: "end")
    var objects = [full, Anything(id: 1)]
    // One at a time, and all but one: each presence bit is that of its own property.
    let changes: [(inout Anything, Anything) -> Void] = [
      { $0.bool = $1.bool }, { $0.int8 = $1.int8 }, { $0.string = $1.string },
      { $0.int16 = $1.int16 }, { $0.int32 = $1.int32 }, { $0.int64 = $1.int64 },
      { $0.int = $1.int }, { $0.uint8 = $1.uint8 }, { $0.uint16 = $1.uint16 },
      { $0.data = $1.data }, { $0.uint32 = $1.uint32 }, { $0.uint64 = $1.uint64 },
      { $0.uint = $1.uint }, { $0.float = $1.float }, { $0.double = $1.double },
      { $0.date = $1.date }, { $0.uuid = $1.uuid }, { $0.genre = $1.genre },
      { $0.shade = $1.shade }, { $0.last = $1.last },
    ]
    for (place, change) in changes.enumerated() {
      var alone = Anything(id: 2 + 2 * place)
      change(&alone, full)
      var allBut = full
      allBut.id = 3 + 2 * place
      change(&allBut, Anything(id: 0))
      objects += [alone, allBut]
    }
    #expect(try reread(objects) == objects)
  }

  @Test func whatIsNilIsFoundByIsNilAlone() throws {
    try withStore(of: Anything.self) { store in
      try store.write { tx in
        try tx.insert(Anything(id: 1))
        try tx.insert(Anything(id: 2, int8: 0, string: "", data: Data(), double: 0))
      }
      #expect(try store.fetch(Anything.where { $0.int8.isNil }).map(\.id) == [1])
      #expect(try store.fetch(Anything.where { $0.string.isNil }).map(\.id) == [1])
      #expect(try store.fetch(Anything.where { $0.int8 == 0 }).map(\.id) == [2])
      #expect(try store.fetch(Anything.where { $0.string == "" }).map(\.id) == [2])
      #expect(try store.fetch(Anything.where { $0.double == nil }).map(\.id) == [1])
      #expect(try store.fetch(Anything.where { $0.data != nil }).map(\.id) == [2])
      #expect(try store.fetch(Anything.where { $0.double <= 0 }).map(\.id) == [2])
      #expect(try store.fetch(Anything.where { !($0.double <= 0) }).map(\.id) == [1])
    }
  }
}

import Foundation
import Testing
import TestSupport

@testable import Croft

/// A collection of every kind of element.
@Model struct Shelf: Hashable {
  @PrimaryKey var id: Int
  var numbers: [Int] = []
  var small: [Int8] = []
  var flags: [Bool] = []
  var reals: [Double] = []
  var singles: [Float] = []
  var texts: [String] = []
  var bytes: [UInt8] = []
  var blobs: [Data] = []
  var ids: [UUID] = []
  var days: [Date] = []
  var prices: [Decimal] = []
  var places: [URL] = []
  var genres: [Genre] = []
  var gaps: [Int?] = []
  var holes: [String?] = []
  var chosen: Set<Int> = []
  var tags: Set<String> = []
  var marks: [String: Int] = [:]
  var names: [String: String] = [:]
  var perhaps: [String: Double?] = [:]
  var maybe: [String]?
  var maybeSet: Set<UInt16>?
  var last = "end"
}

@Suite(.keepsFailedStores) struct CollectionTypeTests {
  private func reread(_ objects: [Shelf]) throws -> [Shelf] {
    var read: [Shelf] = []
    try withTemporaryStore(of: Shelf.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: objects) }
      read = try temporary.open().fetch(Shelf.all)
    }
    return read
  }

  static func random(_ id: Int, _ random: inout SeededGenerator) -> Shelf {
    func list<Value>(_ make: (inout SeededGenerator) -> Value) -> [Value] {
      (0..<random.below(random.oneIn(8) ? 40 : 5)).map { _ in make(&random) }
    }
    var shelf = Shelf(id: id)
    shelf.numbers = list { Int($0.signed()) }
    shelf.small = list { Int8(truncatingIfNeeded: $0.signed()) }
    shelf.flags = list { $0.oneIn(2) }
    shelf.texts = list { $0.anyText() }
    shelf.bytes = list { UInt8(truncatingIfNeeded: $0.next()) }
    shelf.blobs = list { Data($0.data()) }
    shelf.ids = list { $0.uuid() }
    shelf.prices = list { $0.decimal() }
    shelf.genres = list { $0.pick(Genre.allCases) }
    shelf.gaps = list { random in random.maybe { Int($0.signed()) } }
    shelf.holes = list { random in random.maybe { $0.text() } }
    shelf.chosen = Set(list { Int($0.signed()) })
    shelf.tags = Set(list { $0.text() })
    for _ in 0..<random.below(6) {
      shelf.marks[random.text()] = Int(random.signed())
      shelf.names[random.text()] = random.anyText()
      shelf.perhaps[random.text()] = .some(random.maybe { Double($0.below(100)) })
    }
    shelf.maybe = random.maybe { random in (0..<random.below(4)).map { _ in random.text() } }
    shelf.maybeSet = random.maybe { [UInt16(truncatingIfNeeded: $0.next())] }
    return shelf
  }

  @Test func everyRandomCollectionComesBackAsItWas() throws {
    var random = SeededGenerator.forTest("collections")
    let shelves = (0..<60).map { Self.random($0, &random) }
    #expect(try reread(shelves) == shelves, "CROFT_SEED=\(random.seed)")
  }

  @Test func emptyCollectionsTakeNoBytesAndAreNotNil() throws {
    var some = Shelf(id: 0, maybe: [], maybeSet: [])
    #expect(try reread([some]) == [some])
    some.maybe = nil
    #expect(try reread([some]).first?.maybe == nil)
  }

  @Test func elementsKeepTheirBits() throws {
    let reals = [0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude]
    var shelf = Shelf(id: 0, reals: reals)
    shelf.singles = reals.map { Float($0) }
    shelf.days = [.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -0.5)]
    shelf.texts = ["", "할일", "\u{1112}\u{1161}\u{11AF}", String(repeating: "긴", count: 5_000)]
    shelf.places = [URL(fileURLWithPath: "/tmp/a b"), try #require(URL(string: "http://a/?q=1"))]
    let read = try #require(try reread([shelf]).first)
    #expect(read.reals.map(\.bitPattern) == reals.map(\.bitPattern))
    #expect(read.singles.map(\.bitPattern) == shelf.singles.map(\.bitPattern))
    #expect(read.texts.map { Array($0.utf8) } == shelf.texts.map { Array($0.utf8) })
    #expect(read.days == shelf.days)
    #expect(read.places == shelf.places)
  }

  @Test func largeCollectionsMakeTheRowWide() throws {
    let shelf = Shelf(
      id: 0, numbers: Array(0..<20_000), texts: (0..<3_000).map { "\($0)" },
      chosen: Set(0..<9_000))
    #expect(try reread([shelf]) == [shelf])
  }

  @Test func equalSetsAndDictionariesHaveEqualBytes() throws {
    func bytes(_ shelf: Shelf) throws -> [UInt8] {
      var encoder = _RecordEncoder()
      encoder.begin(RecordLayout(schema: Shelf._schema.erased, id: 1))
      shelf._encode(into: &encoder)
      return unsafe [UInt8](encoder.row.bytes)
    }
    var random = SeededGenerator.forTest("equal sets")
    for _ in 0..<50 {
      let shelf = Self.random(0, &random)
      var other = shelf
      other.chosen = Set(shelf.chosen.shuffled(using: &random))
      other.tags = Set(shelf.tags.shuffled(using: &random))
      other.marks = [:]
      for (key, value) in shelf.marks.shuffled(using: &random) { other.marks[key] = value }
      #expect(try bytes(shelf) == bytes(other), "CROFT_SEED=\(random.seed)")
    }
  }

  @Test func aViewReadsEachElementInPlace() throws {
    var random = SeededGenerator.forTest("views")
    for _ in 0..<50 {
      let shelf = Self.random(0, &random)
      for (name, expected) in [
        ("numbers", shelf.numbers.stored), ("texts", shelf.texts.stored),
        ("gaps", shelf.gaps.stored), ("holes", shelf.holes.stored), ("tags", shelf.tags.stored),
        ("marks", shelf.marks.stored), ("names", shelf.names.stored),
        ("perhaps", shelf.perhaps.stored), ("prices", shelf.prices.stored),
        ("flags", shelf.flags.stored), ("bytes", shelf.bytes.stored),
      ] {
        var encoder = _RecordEncoder()
        let layout = RecordLayout(schema: Shelf._schema.erased, id: 1)
        encoder.begin(layout)
        shelf._encode(into: &encoder)
        guard !encoder.isTooLongForNarrowEnds else { continue }
        let place = try #require(Shelf._schema.erased.place(named: name))
        let value = try layout.columns[place].value(in: encoder.view, layout)
        #expect(value == expected, "\(name), CROFT_SEED=\(random.seed)")
      }
    }
  }

  @Test func bytesCutOrChangedAreNoCollectionOrAnotherButNeverReadOutside() throws {
    var random = SeededGenerator.forTest("damaged collections")
    let storages = StorageType.Kind.allCases.flatMap { kind in
      StorageType.Collection.allCases.map { collection in
        StorageType(kind, collection: collection, isElementOptional: random.oneIn(2))
      }
    }
    for storage in storages {
      for _ in 0..<40 {
        var bytes = (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if bytes.count >= 4 {
          bytes.replaceSubrange(0..<4, with: [UInt8(random.below(6)), 0, 0, 0])
        }
        unsafe bytes.withUnsafeBytes { bytes in
          guard let view = unsafe CollectionView(bytes, storage) else { return }
          #expect(view.count <= bytes.count)
          _ = view.values
        }
      }
    }
  }

  @Test func packedCollectionsHaveTheBytesOfTheRecordFormatsArticle() {
    func bytes(_ value: some Storable, _ storage: StorageType) -> [UInt8] {
      var encoder = _RecordEncoder()
      let key = ColumnDefinition(name: "id", storage: StorageType(.uint8), isKey: true)
      let column = ColumnDefinition(name: "c", storage: storage)
      encoder.begin(RecordLayout(schema: Schema(name: "M", columns: [key, column]), id: 1))
      let start = encoder.row.count
      encoder.encode(0 as UInt8)
      encoder.encode(value)
      return unsafe Array([UInt8](encoder.row.bytes)[start...])
    }
    #expect(
      bytes(["a", "할"], [String].storage) == [
        2, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0x61, 0xED, 0x95, 0xA0,
      ])
    #expect(bytes([1, nil] as [Int16?], [Int16?].storage) == [2, 0, 0, 0, 1, 1, 0, 0, 0])
    #expect(bytes([] as [Int], [Int].storage).isEmpty)
    #expect(bytes([7, 9] as [UInt8], [UInt8].storage) == [7, 9])
  }
}

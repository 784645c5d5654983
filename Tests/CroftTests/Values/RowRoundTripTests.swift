import Foundation
import Testing
import TestSupport

@testable import Croft

/// A model with a property of every sort.
enum Whole {
  @Model struct Parcel: Hashable {
    @PrimaryKey var id: Int
    var home: Address
    var work: Address?
    @Coded var theme: Theme
    @Coded var schema: Shape?
    var tags: [String?]
    @Indexed var codes: Set<Int16>
    var prices: [String: Decimal]
    var next: Ref<Track>?
    var queue: [Ref<Track>]
    var liked: Set<Ref<Album>>
    var link: URL?
    @Indexed var bytes: Data
    var token: UUID
    @Indexed var genre: Genre?
    var weight: Float
  }
}

/// The same properties in another order, with other indexes.
enum Shuffled {
  @Model struct Parcel: Hashable {
    var weight: Float
    var liked: Set<Ref<Album>>
    var work: Address?
    @Indexed var tags: [String?]
    @Coded var schema: Shape?
    @PrimaryKey var id: Int
    @Indexed var token: UUID
    var genre: Genre?
    var queue: [Ref<Track>]
    var prices: [String: Decimal]
    var bytes: Data
    var home: Address
    @Coded var theme: Theme
    var next: Ref<Track>?
    var link: URL?
    var codes: Set<Int16>
    #Index<Shuffled.Parcel>([\.home.city, \.work.zip], [\.next, \.genre.descending])
  }
}

/// Only some of them; the others are hidden, and must stay as they are.
enum Partial {
  @Model struct Parcel: Hashable {
    var queue: [Ref<Track>]
    @PrimaryKey var id: Int
    @Coded var theme: Theme
    var bytes: Data
  }
}

/// A version of the model, as far as it knows the whole one.
protocol ParcelVersion: Model, Equatable {
  init(_ parcel: Whole.Parcel)
  /// The whole parcel that a parcel becomes when it is saved by this version.
  func saved(over parcel: Whole.Parcel) -> Whole.Parcel
}

extension Whole.Parcel: ParcelVersion {
  init(_ parcel: Whole.Parcel) { self = parcel }
  func saved(over parcel: Whole.Parcel) -> Whole.Parcel { self }
}

extension Shuffled.Parcel: ParcelVersion {
  init(_ parcel: Whole.Parcel) {
    self.init(
      weight: parcel.weight, liked: parcel.liked, work: parcel.work, tags: parcel.tags,
      schema: parcel.schema, id: parcel.id, token: parcel.token, genre: parcel.genre,
      queue: parcel.queue, prices: parcel.prices, bytes: parcel.bytes, home: parcel.home,
      theme: parcel.theme, next: parcel.next, link: parcel.link, codes: parcel.codes)
  }

  func saved(over parcel: Whole.Parcel) -> Whole.Parcel {
    Whole.Parcel(
      id: id, home: home, work: work, theme: theme, schema: schema, tags: tags, codes: codes,
      prices: prices, next: next, queue: queue, liked: liked, link: link, bytes: bytes,
      token: token, genre: genre, weight: weight)
  }
}

extension Partial.Parcel: ParcelVersion {
  init(_ parcel: Whole.Parcel) {
    self.init(queue: parcel.queue, id: parcel.id, theme: parcel.theme, bytes: parcel.bytes)
  }

  func saved(over parcel: Whole.Parcel) -> Whole.Parcel {
    var saved = parcel
    saved.queue = queue
    saved.theme = theme
    saved.bytes = bytes
    return saved
  }
}

/// Rows of every sort of property, under layouts that take turns, against plain values.
@Suite(.keepsFailedStores) struct RowRoundTripTests {
  private static let tracks = (0..<5).map {
    Track(album: "album \($0 % 2)", title: "", disc: Int8($0) - 2, number: 7)
  }
  private static let albums = ["", "할", "e\u{301}"].map { Album(name: $0) }

  @Test func rowsOfAnyLayoutAreReadAsTheyWereWritten() throws {
    var random = SeededGenerator.forTest("rows of any layout")
    try withTemporaryStore(of: Whole.Parcel.self, Track.self, Album.self) { temporary in
      var twin: [Int: Whole.Parcel] = [:]
      try temporary.open().write { tx throws in
        try tx.insert(contentsOf: Self.tracks)
        try tx.insert(contentsOf: Self.albums)
      }
      for _ in 0..<Torture.steps(short: 24, long: 2_000) {
        switch random.below(4) {
        // A program that lacks required properties without a default cannot insert.
        case 0: try run(Partial.Parcel.self, temporary, &twin, &random, inserts: false)
        case 1: try run(Whole.Parcel.self, temporary, &twin, &random)
        default: try run(Shuffled.Parcel.self, temporary, &twin, &random)
        }
      }
      let found = try temporary.open().fetch(Whole.Parcel.all)
      #expect(found == twin.values.sorted { $0.id < $1.id }, "seed \(random.seed)")
    }
  }

  private func run<Version: ParcelVersion>(
    _ version: Version.Type, _ temporary: TemporaryStore, _ twin: inout [Int: Whole.Parcel],
    _ random: inout SeededGenerator, inserts: Bool = true
  ) throws where Version.PrimaryKey == Int {
    let store = try Store.open(
      at: temporary.url, models: version, Track.self, Album.self, options: .forTests)
    try store.write { tx throws in
      for _ in 0..<12 {
        let parcel = parcel(random.below(40), &random)
        let isThere = twin[parcel.id] != nil
        if random.oneIn(4) {
          #expect(try tx.delete(version, parcel.id) == isThere)
          twin[parcel.id] = nil
        } else if inserts || isThere {
          let new = Version(parcel)
          if random.oneIn(2) {
            try tx.upsert(new)
          } else if try tx.update(version, parcel.id, { $0 = new }) == nil {
            try tx.insert(new)
          }
          twin[parcel.id] = new.saved(over: twin[parcel.id] ?? parcel)
        }
      }
    }
    let found = try store.fetch(Version.all)
    let expected = twin.values.sorted { $0.id < $1.id }.map { Version($0) }
    #expect(found == expected, "seed \(random.seed)")
    #expect(try store.verify().problems == [], "seed \(random.seed)")
  }

  private func parcel(_ id: Int, _ random: inout SeededGenerator) -> Whole.Parcel {
    Whole.Parcel(
      id: id, home: address(&random), work: random.maybe { address(&$0) },
      theme: Theme(colour: random.text(), sizes: random.oneIn(2) ? [:] : ["x": 0.5]),
      schema: random.maybe { $0.oneIn(2) ? .square : .circle(radius: Double($0.below(9))) },
      tags: several(&random) { $0.maybe { $0.anyText() } },
      codes: Set(several(&random) { Int16(truncatingIfNeeded: $0.signed()) }),
      prices: Dictionary(
        several(&random) { ($0.text(), Decimal($0.below(1_000)) / 8) },
        uniquingKeysWith: { first, _ in first }),
      next: random.maybe { Ref($0.pick(Self.tracks)) },
      queue: several(&random) { Ref($0.pick(Self.tracks)) },
      liked: Set(several(&random) { Ref($0.pick(Self.albums)) }),
      link: random.maybe { URL(string: "https://example.org/\($0.below(100))") } ?? nil,
      bytes: Data(random.data(longest: random.oneIn(10) ? 3_000 : 5)), token: random.uuid(),
      genre: random.maybe { $0.pick(Genre.allCases) }, weight: Float(random.below(1_000)) / 16)
  }

  private func address(_ random: inout SeededGenerator) -> Address {
    Address(
      street: random.anyText(), city: random.text(), zip: random.maybe { $0.text() },
      point: point(&random), entrance: random.maybe { point(&$0) },
      notes: random.oneIn(3) ? ["n": [1, random.below(9)]] : [:])
  }

  private func point(_ random: inout SeededGenerator) -> Point {
    Point(latitude: Double(random.below(720)) / 4, longitude: random.oneIn(4) ? -0.0 : 12.5)
  }

  /// Some values, mostly few; past what 16-bit ends can tell now and then.
  private func several<Value>(
    _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> Value
  ) -> [Value] {
    (0..<random.below(random.oneIn(12) ? 40 : 4)).map { _ in make(&random) }
  }
}

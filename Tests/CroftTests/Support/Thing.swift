import Croft
import Foundation
import TestSupport

// The same columns three times: with indexes, without, and under a text as the key. What a query
// gives must not depend on the plan, so both give what plain Swift gives.

enum Indexed {
  @Model struct Thing: Hashable {
    @PrimaryKey var id: Int16
    @Indexed var flag: Bool
    @Indexed var small: Int8?
    @Indexed var large: Int64
    @Indexed var size: UInt64
    @Indexed var ratio: Double
    @Indexed var score: Float?
    @Indexed var title: String
    @Indexed var note: String?
    @Indexed var day: Date?
    @Indexed var token: UUID
    @Indexed var bytes: Data
    @Indexed var genre: Genre?
  }
}

enum Plain {
  @Model struct Thing: Hashable {
    @PrimaryKey var id: Int16
    var flag: Bool
    var small: Int8?
    var large: Int64
    var size: UInt64
    var ratio: Double
    var score: Float?
    var title: String
    var note: String?
    var day: Date?
    var token: UUID
    var bytes: Data
    var genre: Genre?
  }
}

enum Named {
  @Model struct Thing: Hashable {
    @PrimaryKey var id: String
    @Indexed var flag: Bool
    @Indexed var small: Int8?
    @Indexed var large: Int64
    @Indexed var size: UInt64
    @Indexed var ratio: Double
    @Indexed var score: Float?
    @Indexed var title: String
    @Indexed var note: String?
    @Indexed var day: Date?
    @Indexed var token: UUID
    @Indexed var bytes: Data
    @Indexed var genre: Genre?
  }
}

/// What the three have in common.
protocol ThingLike: Model, Hashable {
  var id: PrimaryKey { get set }
  var flag: Bool { get set }
  var small: Int8? { get set }
  var large: Int64 { get set }
  var size: UInt64 { get set }
  var ratio: Double { get set }
  var score: Float? { get set }
  var title: String { get set }
  var note: String? { get set }
  var day: Date? { get set }
  var token: UUID { get set }
  var bytes: Data { get set }
  var genre: Genre? { get set }
  init(
    id: PrimaryKey, flag: Bool, small: Int8?, large: Int64, size: UInt64, ratio: Double,
    score: Float?, title: String, note: String?, day: Date?, token: UUID, bytes: Data,
    genre: Genre?)
}

extension Compound.Thing: ThingLike {}
extension Indexed.Thing: ThingLike {}
extension Plain.Thing: ThingLike {}
extension Named.Thing: ThingLike {}

extension ThingLike {
  /// The properties as conditions hold them, in declaration order.
  var values: [StoredValue] {
    [
      id.stored, flag.stored, small.stored, large.stored, size.stored, ratio.stored, score.stored,
      title.stored, note.stored, day.stored, token.stored, bytes.stored, genre.stored,
    ]
  }

  /// A thing with this key and random properties.
  static func random(_ id: PrimaryKey, _ random: inout SeededGenerator) -> Self {
    Self(
      id: id, flag: random.oneIn(2), small: random.maybe { Int8(truncatingIfNeeded: $0.signed()) },
      large: random.signed(), size: random.unsigned(), ratio: random.real(),
      score: random.maybe { Float($0.real()) }, title: random.anyText(),
      note: random.maybe { $0.anyText() },
      day: random.maybe { Date(timeIntervalSinceReferenceDate: $0.real()) }, token: random.uuid(),
      bytes: Data(random.data(longest: random.oneIn(10) ? 600 : 3)),
      genre: random.maybe { $0.pick(Genre.allCases) })
  }

  /// Whether all properties have the same bits: NaN is then itself, and spellings differ.
  func isSame(as other: Self) -> Bool { fingerprint == other.fingerprint }

  private var fingerprint: [[UInt8]] {
    values.map { value in
      switch value {
      case .double(let number), .date(let number): "\(number.bitPattern)".utf8.map { $0 }
      case .string(let text): Array(text.utf8)
      default: Array("\(value)".utf8)
      }
    }
  }

  /// Changes some properties at random; the key stays.
  mutating func change(_ random: inout SeededGenerator) {
    let other = Self.random(id, &random)
    if random.oneIn(2) { flag = other.flag }
    if random.oneIn(2) { small = other.small }
    if random.oneIn(2) { large = other.large }
    if random.oneIn(3) { ratio = other.ratio }
    if random.oneIn(3) { title = other.title }
    if random.oneIn(3) { note = other.note }
    if random.oneIn(3) { day = other.day }
    if random.oneIn(3) { bytes = other.bytes }
    if random.oneIn(3) { genre = other.genre }
  }
}

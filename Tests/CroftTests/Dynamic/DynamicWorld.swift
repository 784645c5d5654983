import Croft
import Foundation
import TestSupport

@Embedded struct TomeBinding: Hashable, Sendable {
  var color: String
  var pages: Int
}

enum Shelving: Int, StoredEnum { case low, middle, high }

@Model struct Scribe: Hashable {
  @PrimaryKey var id: Int
  @Indexed var name: String
  var born: Date?
}

@Model struct Tome: Hashable {
  @PrimaryKey var id: Int
  @Indexed var title: String
  @Indexed var year: Int32
  var copies: UInt8 = 1
  var price: Double?
  var cost: Decimal = 0
  var isLent = false
  var lentAt: Date?
  var code: UUID
  var shelf = Shelving.low
  var tags: [String] = []
  var scores: Set<Int> = []
  var binding: TomeBinding
  var cover: TomeBinding?
  var bytes = Data()
  var writer: Ref<Scribe>?
  var readers: [Ref<Scribe>] = []
  @Coded var notes: [String: [Int]] = [:]
}

/// A store of volumes and writers, made from a seed.
struct DynamicWorld {
  static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  let folder = TemporaryFolder()
  let writers: [Scribe]
  let volumes: [Tome]
  let url: URL

  init(count: Int = 200, _ random: inout SeededGenerator) throws {
    url = folder.url.appending(path: "books.croft")
    let names = ["우유 배달", "Émile", "ada", "Bo", "집"]
    writers = (1...5).map { id in
      Scribe(
        id: id, name: names[id - 1],
        born: id == 3 ? nil : Date(timeIntervalSinceReferenceDate: Double(id) * -1e8))
    }
    volumes = (1...max(1, count)).map { Self.volume($0, &random) }
    let store = try open()
    try store.write { tx in
      try tx.insert(contentsOf: writers)
      try tx.insert(contentsOf: volumes)
    }
  }

  private static func volume(_ id: Int, _ random: inout SeededGenerator) -> Tome {
    let words = ["Milk", "milk", "바나나우유", "Zoë", "", "a*b", "sea", "Sea level"]
    let day = Date(timeIntervalSinceReferenceDate: 8e8 + Double(random.below(400)) * 86_400)
    let code = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(id % 256)))
    let color = random.pick(["red", "blue"])
    var tome = Tome(
      id: id, title: random.pick(words), year: Int32(1990 + random.below(40)), code: code,
      binding: TomeBinding(color: color, pages: random.below(300)))
    tome.copies = UInt8(random.below(5))
    if !random.oneIn(3) { tome.price = Double(random.below(40)) / 4 }
    tome.cost = Decimal(random.below(500)) / 100
    tome.isLent = random.oneIn(2)
    if !random.oneIn(3) { tome.lentAt = day }
    tome.shelf = random.pick([Shelving.low, .middle, .high])
    for _ in 0..<random.below(4) { tome.tags.append(random.pick(["a", "b", "집안일", "ab"])) }
    for _ in 0..<random.below(4) { tome.scores.insert(random.below(9)) }
    if random.oneIn(2) { tome.cover = TomeBinding(color: "white", pages: random.below(9)) }
    tome.bytes = Data((0..<random.below(3)).map { UInt8($0) })
    let writer = random.below(6)
    if writer > 0 { tome.writer = Ref(writer) }
    for _ in 0..<random.below(3) { tome.readers.append(Ref(1 + random.below(5))) }
    tome.notes = ["n": [id]]
    return tome
  }

  /// The store as the program that declares its models opens it.
  func open() throws -> Store { try Store.open(at: url, models: Scribe.self, Tome.self) }

  /// The store as a program opens it that declares no model.
  func openUndeclared() throws -> Store { try Store.open(at: url, models: []) }

  func query(_ text: String, _ parameters: any Storable...) throws -> DynamicQuery {
    let named = Dictionary(
      uniqueKeysWithValues: parameters.enumerated().map { ("\($0.offset + 1)", $0.element) })
    return try DynamicQuery(text, named: named, calendar: Self.utc)
  }

  /// The ids of the objects that a text selects.
  func ids(_ text: String, in store: Store) throws -> [Int] {
    try store.fetch(query(text)).map { try $0["id", as: Int.self] }
  }
}

import Foundation
import LMDB
import TestSupport

@testable import Croft

enum Grade: Int8, StoredEnum, CaseIterable { case low = -1, mid, high }
enum Fabric: String, StoredEnum, CaseIterable { case wool, silk = "S" }

@Embedded struct Trim: Hashable, Sendable {
  var color: String
  var size: Int?
}

@Model struct Tailor: Hashable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Indexed(.unique) var name: String
  var chief: Ref<Tailor>?
}

@Model struct Coat: Hashable {
  @PrimaryKey var id: Int32
  @Indexed var title: String
  @Indexed var rank: Int16 = 7
  @Indexed var grade: Grade = .mid
  var fabric: Fabric?
  @Indexed var grades: [Grade] = []
  var score: Double?
  var weight: Float = 1.5
  var cost: Decimal = 0
  var isSold = false
  var at: Date?
  var code: UUID?
  @Indexed var tags: [String] = []
  var numbers: Set<Int> = []
  var names: Set<String> = []
  var table: [String: UInt16] = [:]
  var maybes: [Int?]?
  var bytes = Data()
  var link: URL?
  var length: Duration = .zero
  var trim: Trim
  var spare: Trim?
  @Relation(onDelete: .cascade) var owner: Ref<Tailor>?
  var others: [Ref<Tailor>] = []
  @Coded var notes: [String: Int] = [:]
  #FullText<Coat>([\.title, \.tags])
}

@Model struct Stitch: Hashable {
  @PrimaryKey var row: Int
  @PrimaryKey var name: String
  @Indexed(.unique) var number: UInt8
}

enum OptionalSpare {
  @Model struct Vest {
    @PrimaryKey var id: Int
    var spare: Trim?
  }
}

/// A newer program, in which the struct is always there.
enum RequiredSpare {
  @Model struct Vest {
    @PrimaryKey var id: Int
    var spare: Trim
  }
}

@Embedded struct Cuff: Hashable, Sendable {
  var buttons: Int
}

@Embedded struct Sleeve: Hashable, Sendable {
  var length: Int
  var cuff: Cuff?
}

@Model struct Shirt: Hashable {
  @PrimaryKey var id: Int
  var made: Date = .now
  var code: UUID = UUID()
  var washed: Date?
  var sleeve: Sleeve?
  var size = 40
}

enum TaggedShirt {
  @Model struct Shirt {
    @PrimaryKey var id: Int
    var tag: String = "new"
  }
}

/// A newer program, in which a shirt need not have a tag.
enum UntaggedShirt {
  @Model struct Shirt {
    @PrimaryKey var id: Int
    var tag: String?
  }
}

extension Store.Options {
  /// Those of a store that uses the models of the file.
  static var storedModels: Self { .forTests { $0.usesStoredModels = true } }
}

/// Two files with the same models: typed programs write into one, and texts and names into the other.
struct DynamicWriteWorld {
  let folder = TemporaryFolder()
  let typed: Store
  let dynamic: Store

  init() throws {
    typed = try Self.open(folder.url.appending(path: "typed.croft"))
    let url = folder.url.appending(path: "dynamic.croft")
    _ = try Self.open(url)
    dynamic = try Store.open(at: url, models: [], options: .storedModels)
  }

  static func open(_ url: URL) throws -> Store {
    try Store.open(
      at: url, models: Tailor.self, Coat.self, Stitch.self, options: .forTests)
  }

  /// The second file as the program that declares its models opens it.
  func declared() throws -> Store { try Self.open(folder.url.appending(path: "dynamic.croft")) }

  /// The keys and values of all trees of objects and indexes of a store.
  static func trees(of store: Store) throws -> [String: [[UInt8]]] {
    try store.environment.read { tx in
      var trees: [String: [[UInt8]]] = [:]
      for name in (1...20).flatMap({ ["e\($0)", "x\($0)"] }) {
        guard let tree = try tx.database(named: name) else { continue }
        var rows: [[UInt8]] = []
        try tx.forEachBlock(of: tree, in: .all) { block in
          for place in 0..<block.count {
            rows.append(block.key(at: place).copied())
            rows.append(block.value(at: place).copied())
          }
          return true
        }
        trees[name] = rows
      }
      return trees
    }
  }
}

// MARK: - Random objects, and their values by name

extension Tailor {
  var values: [String: StoredValue] {
    ["id": id.stored, "name": name.stored, "chief": chief.stored]
  }
}

extension Stitch {
  var values: [String: StoredValue] {
    ["row": row.stored, "name": name.stored, "number": number.stored]
  }
}

extension Coat {
  static func random(
    id: Int32, owners: [UUID], _ random: inout SeededGenerator
  ) -> Coat {
    let words = ["Milk", "é", "e\u{301}", "", "집", "a b", String(repeating: "long ", count: 300)]
    var coat = Coat(
      id: id, title: random.pick(words), trim: Trim(color: random.pick(words), size: nil))
    coat.rank = Int16(random.below(9)) - 4
    coat.grade = random.pick(Grade.allCases)
    coat.fabric = random.oneIn(3) ? nil : random.pick(Fabric.allCases)
    for _ in 0..<random.below(3) { coat.grades.append(random.pick(Grade.allCases)) }
    coat.score = random.oneIn(3) ? nil : Double(random.below(100)) / 8
    coat.weight = Float(random.below(100)) / 3
    coat.cost = Decimal(random.below(10_000)) / 100
    coat.isSold = random.oneIn(2)
    coat.at = random.oneIn(3) ? nil : Date(timeIntervalSinceReferenceDate: Double(random.below(9)))
    coat.code = random.oneIn(2) ? nil : UUID()
    for _ in 0..<random.below(4) { coat.tags.append(random.pick(words)) }
    for _ in 0..<random.below(4) { coat.numbers.insert(random.below(9) - 4) }
    for _ in 0..<random.below(4) { coat.names.insert(random.pick(words)) }
    for _ in 0..<random.below(3) { coat.table[random.pick(words)] = UInt16(random.below(9)) }
    if random.oneIn(2) { coat.maybes = [nil, 3, nil].dropLast(random.below(4)) }
    coat.bytes = Data((0..<random.below(3)).map { UInt8($0) })
    coat.link = random.oneIn(2) ? nil : URL(string: "https://example.org/\(random.below(9))")
    coat.length = .seconds(random.below(9))
    coat.trim.size = random.oneIn(2) ? nil : random.below(9)
    if random.oneIn(2) { coat.spare = Trim(color: random.pick(words), size: random.below(9)) }
    if !random.oneIn(3) { coat.owner = owners.isEmpty ? nil : Ref(random.pick(owners)) }
    for _ in 0..<random.below(3) where !owners.isEmpty {
      coat.others.append(Ref(random.pick(owners)))
    }
    return coat
  }

  /// Groups of properties that are set together: their values by name, and the typed assignment.
  var assignments: [(values: [String: StoredValue], apply: (inout Coat) -> Void)] {
    var all: [(values: [String: StoredValue], apply: (inout Coat) -> Void)] = []
    func add<V: Storable>(_ name: String, _ path: WritableKeyPath<Coat, V>) {
      let value = self[keyPath: path]
      all.append(([name: value.stored], { $0[keyPath: path] = value }))
    }
    add("title", \.title)
    add("rank", \.rank)
    add("grade", \.grade)
    add("fabric", \.fabric)
    add("grades", \.grades)
    add("score", \.score)
    add("weight", \.weight)
    add("cost", \.cost)
    add("isSold", \.isSold)
    add("at", \.at)
    add("code", \.code)
    add("tags", \.tags)
    add("numbers", \.numbers)
    add("names", \.names)
    add("table", \.table)
    add("maybes", \.maybes)
    add("bytes", \.bytes)
    add("link", \.link)
    add("length", \.length)
    add("trim.color", \.trim.color)
    add("trim.size", \.trim.size)
    add("owner", \.owner)
    add("others", \.others)
    let spare = spare
    let values: [String: StoredValue] =
      spare.map { ["spare.color": $0.color.stored, "spare.size": $0.size.stored] }
      ?? ["spare": .none]
    all.append((values, { $0.spare = spare }))
    return all
  }

  var values: [String: StoredValue] {
    assignments.reduce(into: ["id": id.stored]) { all, group in
      all.merge(group.values) { _, new in new }
    }
  }
}

import Foundation
import LMDB
import TestSupport
import Testing

@testable import Croft

/// Dumps and loads: a loaded file has what the dumped one had.
@Suite struct DumpTests {
  private let folder = TemporaryFolder()

  private func url(_ name: String) -> URL { folder.url.appending(path: name) }

  private static func lines(of store: some ReadableStore) throws -> [String] {
    var lines: [String] = []
    try store.dump { lines.append($0) }
    return lines
  }

  private func load(_ lines: [String], as name: String = "loaded.croft") throws -> Int {
    var rest = lines[...]
    return try Store.load(at: url(name)) { rest.popFirst() }
  }

  /// A file of tailors, coats and stitches, in which each property has a value and lacks one.
  private func makeWorld() throws -> Store {
    let store = try DynamicWriteWorld.open(url("world.croft"))
    let chief = Tailor(name: "Kim 김", chief: nil)
    let other = Tailor(name: "Lee\n\"\\\u{0}", chief: Ref(chief.id))
    let full = Coat(
      id: -7, title: "겨울 코트", rank: .min, grade: .low, fabric: .silk, grades: [.high, .low],
      score: -0.0, weight: 0.1, cost: Decimal(string: "-12345678901234567890.0123456789") ?? 0,
      isSold: true, at: Date(timeIntervalSinceReferenceDate: 0.1), code: UUID(),
      tags: ["b", "", "a"], numbers: [.max, .min, 0], names: ["é", "z"],
      table: ["b": .max, "a": 0], maybes: [nil, 1], bytes: Data([0, 255, 7]),
      link: URL(string: "https://example.com/a?b=c"), length: .seconds(1.5),
      trim: Trim(color: "red", size: nil), spare: Trim(color: "", size: 3), owner: Ref(chief.id),
      others: [Ref(other.id), Ref(chief.id)], notes: ["a": 1])
    let plain = Coat(id: 8, title: "", score: .nan, trim: Trim(color: "x", size: 1))
    try store.write { tx in
      try tx.insert(contentsOf: [chief, other])
      try tx.insert(contentsOf: [full, plain])
      try tx.insert(contentsOf: [
        Stitch(row: 1, name: "a\u{0}b", number: 0), Stitch(row: -1, name: "", number: 255),
      ])
    }
    return store
  }

  @Test func aLoadedFileIsTheDumpedOne() throws {
    let source = try makeWorld()
    let lines = try Self.lines(of: source)
    #expect(try load(lines) == 6)
    let loaded = try DynamicWriteWorld.open(url("loaded.croft"))
    #expect(try loaded.verify().isSound)
    #expect(try loaded.fetch(Tailor.all) == source.fetch(Tailor.all))
    // NaN is not itself: the lines tell all values apart.
    #expect(try loaded.fetch(Coat.all).count == 2)
    #expect(try loaded.fetch(Stitch.all) == source.fetch(Stitch.all))
    #expect(try Self.lines(of: loaded) == lines)
    #expect(try loaded.models.map(\.indexes) == source.models.map(\.indexes))
    #expect(try folder.files.filter { $0.hasPrefix("croft-") } == [])
    #expect(try Self.differences(source, loaded) == [])
    try loaded.write { try $0.update(Coat.where { $0.id == 8 }) { $0.score = 0 } }
    #expect(try Self.differences(source, loaded).map(\.changedNames) == [["score"]])
  }

  /// What a comparison of two files finds, of all their models.
  private static func differences(_ old: Store, _ new: Store) throws -> [ObjectDifference] {
    var differences: [ObjectDifference] = []
    var count = 0
    try old.read { old in
      try new.read { new in
        for model in try new.models() {
          count += try new.forEachDifference(of: model.name, from: old) { differences.append($0) }
        }
      }
    }
    #expect(try count + differences.count == old.models.reduce(0) { $0 + $1.objectCount })
    return differences
  }

  /// Indexes of all kinds, unique values and delete rules work as if the objects had been inserted.
  @Test func theIndexesOfALoadedFileAreInForce() throws {
    let source = try makeWorld()
    let chief = try #require(try source.fetch(Tailor.where { $0.name == "Kim 김" }).first)
    _ = try load(try Self.lines(of: source))
    let loaded = try DynamicWriteWorld.open(url("loaded.croft"))
    #expect(try loaded.fetch(Coat.where { $0.matches("코트") }).map(\.id) == [-7])
    #expect(try loaded.fetch(Coat.where { $0.tags.contains("a") }).map(\.id) == [-7])
    #expect(throws: StoreError.self) {
      try loaded.write { try $0.insert(Tailor(name: "Kim 김", chief: nil)) }
    }
    try loaded.write { tx in _ = try tx.delete(Tailor.self, chief.id) }
    #expect(try loaded.fetch(Coat.all).map(\.id) == [8])
    #expect(try loaded.verify().isSound)
  }

  /// Rows of an earlier program, in another layout, and properties that this one does not declare.
  @Test func rowsOfAllLayoutsAreDumped() throws {
    do {
      let old = try Store.open(
        at: url("beads.croft"), models: PlainBeads.Bead.self, options: .forTests)
      try old.write { tx in
        try tx.insert(contentsOf: [
          PlainBeads.Bead(id: 1, tint: "azure"), PlainBeads.Bead(id: 2, tint: "red"),
        ])
      }
    }
    let source = try Store.open(
      at: url("beads.croft"), models: NewerBeads.Bead.self, options: .forTests)
    try source.write { try $0.insert(NewerBeads.Bead(id: 3, tint: .green)) }
    let lines = try Self.lines(of: source)
    _ = try load(lines)
    let loaded = try Store.open(
      at: url("loaded.croft"), models: NewerBeads.Bead.self, options: .forTests)
    #expect(try loaded.fetch(NewerBeads.Bead.all).map(\.tint) == [.blue, .red, .green])
    #expect(try Self.lines(of: loaded) == lines)
  }

  /// The program that opened the file last had the index built for a property that is not optional to it.
  @Test func anIndexIsDumpedByTheTypesOfItsProperties() throws {
    func open<M: Model>(_ model: M.Type) throws -> Store {
      try Store.open(at: url("shelves.croft"), models: M.self, options: .forTests)
    }
    try open(FullShelves.Shelf.self).write {
      try $0.insert(FullShelves.Shelf(id: 1, level: 5))
    }
    try open(LooseShelves.Shelf.self).write { tx in
      try tx.insert(contentsOf: [
        LooseShelves.Shelf(id: 2, level: nil), LooseShelves.Shelf(id: 3, level: -1),
      ])
    }
    let lines = try Self.lines(of: open(FullShelves.Shelf.self))
    #expect(try load(lines) == 3)
    var options = Store.Options.forTests
    options.usesStoredModels = true
    let loaded = try Store.open(at: url("loaded.croft"), models: [], options: options)
    #expect(try Self.lines(of: loaded) == lines)
    #expect(try loaded.verify().isSound)
    #expect(try Self.lines(of: open(LooseShelves.Shelf.self)) == lines)
  }

  /// The index of folded texts is built with the data of this process, and a clash is that of two objects.
  @Test func aFoldedUniqueIndexIsLoaded() throws {
    let source = try Store.open(at: url("tags.croft"), models: DumpedTag.self, options: .forTests)
    try source.write { tx in
      try tx.insert(contentsOf: [
        DumpedTag(id: 1, name: "Kim", rank: 2), DumpedTag(id: 2, name: "Lee", rank: 1),
      ])
    }
    let lines = try Self.lines(of: source)
    _ = try load(lines)
    let loaded = try Store.open(
      at: url("loaded.croft"), models: DumpedTag.self, options: .forTests)
    #expect(try loaded.verify().isSound)
    #expect(try loaded.models == source.models)
    #expect(try loaded.fetch(DumpedTag.order(by: \.rank)).map(\.name) == ["Lee", "Kim"])
    #expect(try Self.lines(of: loaded) == lines)
    do {
      _ = try load(lines.map { $0.replacing("\"Lee\"", with: "\"kim\"") }, as: "other.croft")
      Issue.record("it was loaded")
    } catch StoreError.uniqueViolation {}
  }

  /// The loaded file is another store, which sends all objects once it is shared.
  @Test func aLoadedFileIsNotReplicated() throws {
    let source = try makeWorld()
    let lines = try Self.lines(of: source)
    let models: [any Model.Type] = [Tailor.self, Coat.self, Stitch.self]
    try source.replicate(models, as: 3)
    try source.write { try $0.insert(Stitch(row: 9, name: "", number: 9)) }
    #expect(try Self.lines(of: source).count == lines.count + 1)
    #expect(try Self.lines(of: source)[0] == lines[0])
    _ = try load(try Self.lines(of: source))
    let loaded = try DynamicWriteWorld.open(url("loaded.croft"))
    #expect(try loaded.read { try $0.unsentCount() } == nil)
    try loaded.replicate(models, as: 4)
    #expect(try loaded.unsentCount() == 7)
    #expect(try loaded.verify().isSound)
  }

  /// An index that some objects are not in yet is whole in the loaded file.
  @Test func anIndexThatIsBeingBuiltIsLoaded() throws {
    let url = url("marks.croft")
    let source = try Store.open(at: url, models: Unindexed.Mark.self, options: .forTests)
    try source.write { tx in
      try tx.insert(
        contentsOf: (0..<240).map { Unindexed.Mark(id: $0, rank: $0 % 9, name: "mark") })
    }
    let build = try StepwiseBuild(at: url, ByRank.Mark.self)
    try build.step()
    #expect(try build.step() != nil)
    _ = try load(try Self.lines(of: source))
    // A program that declares the index would build it where it is missing.
    let plain = try Store.open(at: self.url("loaded.croft"), models: [], options: .forTests)
    #expect(try plain.verify().indexEntries == 240)
    #expect(try plain.models.flatMap(\.indexes).map(\.isBuilding) == [false])
    let loaded = try Store.open(
      at: self.url("loaded.croft"), models: ByRank.Mark.self, options: .forTests)
    let ranks = try loaded.fetch(ByRank.Mark.where { $0.rank == 7 }).map(\.id)
    #expect(try ranks == source.fetch(Unindexed.Mark.where { $0.rank == 7 }).map(\.id))
  }

  @Test func anEmptyStoreIsDumpedToo() throws {
    let source = try Store.open(at: url("empty.croft"), models: [], options: .forTests)
    let lines = try Self.lines(of: source)
    #expect(lines.count == 2)
    #expect(try load(lines) == 0)
    #expect(
      try Self.lines(of: Store.open(at: url("loaded.croft"), models: [], options: .forTests))
        == lines)
  }

  @Test func aSnapshotIsDumpedAsItWas() throws {
    let store = try makeWorld()
    let snapshot = try store.snapshot()
    let lines = try Self.lines(of: snapshot)
    try store.write { _ = try $0.delete(Coat.all) }
    #expect(try Self.lines(of: snapshot) == lines)
    #expect(try Self.lines(of: store).count == lines.count - 2)
  }

  /// Objects in another order, and of the models in turn, at sizes around those of a write.
  @Test(arguments: [1, 2, 600]) func linesMayBeInAnyOrder(_ count: Int) throws {
    let source = try DynamicWriteWorld.open(url("world.croft"))
    try source.write { tx in
      for number in 0..<count {
        let name = String(repeating: "x", count: 200)
        try tx.insert(Coat(id: Int32(number), title: name, trim: Trim(color: "red", size: nil)))
        try tx.insert(Tailor(name: "\(number)", chief: nil))
      }
    }
    let lines = try Self.lines(of: source)
    var random = SeededGenerator.forTest("linesMayBeInAnyOrder")
    let shuffled = lines.dropFirst().dropLast().shuffled(using: &random)
    #expect(try load([lines[0]] + shuffled + [lines[lines.count - 1]]) == 2 * count)
    let loaded = try DynamicWriteWorld.open(url("loaded.croft"))
    #expect(try Self.lines(of: loaded) == lines)
    #expect(try loaded.verify().isSound)
  }

  // MARK: - What cannot be loaded

  /// The error of a dump of two tailors, of which something was changed; nothing is left of it.
  private func failure(
    at place: Int?, _ change: ([String]) -> [String], _ location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let store = try Store.open(
      at: url("tailors.croft"), models: Tailor.self, options: .forTests)
    if try store.count(Tailor.all) == 0 {
      try store.write { tx in
        let chief = Tailor(id: UUID(words: (1, 1)), name: "Kim", chief: nil)
        try tx.insert(chief)
        try tx.insert(Tailor(id: UUID(words: (1, 2)), name: "Lee", chief: Ref(chief.id)))
      }
    }
    let before = try folder.files
    var message = ""
    do {
      _ = try load(change(try Self.lines(of: store)))
      Issue.record("it was loaded", sourceLocation: location)
    } catch let error as DumpError {
      #expect(error.line == place, sourceLocation: location)
      message = "\(error)"
    } catch {
      #expect(place == nil, sourceLocation: location)
      message = "\(error)"
    }
    #expect(try folder.files == before, sourceLocation: location)
    return message
  }

  @Test func aDumpThatIsNotWholeIsRefused() throws {
    #expect(try failure(at: 1) { _ in [] }.contains("empty"))
    #expect(try failure(at: 4) { $0.dropLast() }.contains("ends before its last line"))
    #expect(try failure(at: 3) { [$0[0], $0[1], $0[3]] }.contains("2 objects"))
    #expect(try failure(at: 5) { $0 + [$0[1]] }.contains("after the end"))
    #expect(try failure(at: 1) { $0.dropFirst() + [] }.contains("$croft"))
    #expect(
      try failure(at: 1) { ["{\"$croft\":{\"format\":2,\"models\":[]}}"] + $0 }
        .contains("format 2"))
    #expect(
      try failure(at: 1) { [$0[0].replacing("\"Tailor\"", with: "\"Taylor\"")] + $0.dropFirst() }
        .contains("was changed"))
  }

  @Test func aLineThatIsNoObjectIsNamed() throws {
    func changed(_ text: String, to other: String) throws -> String {
      try failure(at: 3) { lines in
        var lines = lines
        #expect(lines[2].contains(text))
        lines[2] = lines[2].replacing(text, with: other)
        return lines
      }
    }
    #expect(try changed("{", to: "[").hasPrefix("line 3 of the dump: "))
    #expect(try changed("Tailor", to: "Taylor").contains("no such model"))
    let missing = try changed("\"name\"", to: "\"nam\"")
    #expect(missing.contains("name: It is missing"))
    #expect(
      try changed("\"name\"", to: "\"nick\":1,\"name\"")
        .contains("nick: The model has no such property"))
    #expect(try changed("\"Lee\"", to: "null").contains("never null"))
    #expect(try changed("\"Lee\"", to: "7").contains("Tailor.name"))
    #expect(try changed("0000-000000000002", to: "x").contains("is not a UUID"))
  }

  @Test func valuesThatCannotBeTogetherAreRefused() throws {
    let equal = try failure(at: nil) { lines in
      lines.map { $0.replacing("\"Lee\"", with: "\"Kim\"") }
    }
    #expect(equal.contains("its name, which must be unique"))
    let dangling = try failure(at: nil) { lines in
      lines.map { line in
        let chief = "\"chief\":\"00000000-0000-0001-0000-00000000000"
        return line.replacing(chief + "1", with: chief + "9")
      }
    }
    #expect(dangling.contains("000000000009"))
    // The second object has the key of the first one.
    let repeated = try failure(at: 4) { [$0[0], $0[1], $0[1], $0[3]] }
    #expect(repeated.contains("two objects Tailor with the key"))
  }

  @Test func aFileThatIsThereIsNotReplaced() throws {
    let lines = try Self.lines(of: try makeWorld())
    #expect(throws: StoreError.self) { try load(lines, as: "world.croft") }
    #expect(try makeWorldCount() == 2)
  }

  private func makeWorldCount() throws -> Int {
    try DynamicWriteWorld.open(url("world.croft")).count(Coat.all)
  }

  /// A load that is stopped leaves nothing, and the file can be loaded again.
  @Test func aLoadThatIsStoppedLeavesNothing() throws {
    struct Stopped: Error {}
    let lines = try Self.lines(of: try makeWorld())
    let before = try folder.files
    for place in lines.indices {
      var rest = lines[...]
      #expect(throws: Stopped.self) {
        try Store.load(at: url("loaded.croft")) {
          if lines.count - rest.count == place { throw Stopped() }
          return rest.popFirst()
        }
      }
      #expect(try folder.files == before)
    }
    var counts: [Int] = []
    var rest = lines[...]
    try Store.load(at: url("loaded.croft"), progress: { counts.append($0) }) { rest.popFirst() }
    #expect(counts == [6, 6, 6])
  }
}

@Model struct DumpedTag: Hashable {
  @PrimaryKey var id: Int
  var name: String
  var rank: Int
  #Unique<DumpedTag>([\.name.caseFolded])
  #Index<DumpedTag>([\.rank.descending, \.name])
}

/// Values in JSON: each is read as what was written.
@Suite struct DumpedValueTests {
  private static func read(_ value: StoredValue, _ storage: StorageType) throws -> StoredValue {
    let json = try JSONEncoder().encode(DumpedValue(value, storage))
    return try JSONDecoder().decode(DumpedValue.self, from: json, configuration: storage).value
  }

  @Test(arguments: StorageType.Kind.allCases) func valuesOfAKind(_ kind: StorageType.Kind) throws {
    var random = SeededGenerator.forTest("valuesOfAKind")
    for isOptional in [false, true] {
      var storage = StorageType(example: kind)
      if isOptional { storage = storage.optional }
      for _ in 0..<300 {
        let value = random.value(of: storage)
        let read = try Self.read(value, storage)
        #expect(read == value, "\(value) \(random)")
        if case .string(let text) = value, case .string(let other) = read {
          #expect(Array(text.utf8) == Array(other.utf8))
        }
        if case .double(let number) = value, case .double(let other) = read, number == 0 {
          #expect(number.sign == other.sign)
        }
      }
    }
  }
}

/// The level of a shelf is always there, and an index has it.
enum FullShelves {
  @Model struct Shelf {
    @PrimaryKey var id: Int = 0
    @Indexed var level: Int16 = 4
  }
}

/// A later program, in which the level may be absent.
enum LooseShelves {
  @Model struct Shelf {
    @PrimaryKey var id: Int = 0
    @Indexed var level: Int16?
  }
}

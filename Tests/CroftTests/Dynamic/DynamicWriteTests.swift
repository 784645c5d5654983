import Foundation
import TestSupport
import Testing

@testable import Croft

/// Writes by names beside typed writes: the same rows, indexes and errors.
@Suite struct DynamicWriteTests {
  /// What a write gives, or the error that it throws.
  private func outcome<R>(
    _ store: Store, _ body: (inout WriteTransaction) throws -> R
  ) -> String {
    do { return "\(try store.write { tx in try body(&tx) })" } catch { return "\(error)" }
  }

  @Test func namesWriteWhatTypedProgramsWrite() throws {
    var random = SeededGenerator.forTest("namesWriteWhatTypedProgramsWrite")
    let world = try DynamicWriteWorld()
    let (typed, dynamic) = (world.typed, world.dynamic)
    var owners: [UUID] = []
    var refused = 0
    for step in 0..<400 {
      let (expected, found): (String, String)
      let rank = Int16(random.below(9)) - 4
      let conditions: [(String, Query<Coat>)] = [
        ("rank < \(rank)", Coat.where { $0.rank < rank }),
        ("grade == high and isSold", Coat.where { $0.grade == .high && $0.isSold }),
        ("owner == nil", Coat.where { $0.owner == nil }),
        ("tags contains '집'", Coat.where { $0.tags.contains("집") }),
        ("spare != nil", Coat.where { !$0.spare.isNil }),
        ("id == \(rank)", Coat.where { $0.id == Int32(rank) }),
        ("title matches 'long'", Coat.where { $0.title.matches("long") }),
      ]
      let (text, query) = random.pick(conditions)
      let ownersAndOne = owners + (random.oneIn(20) ? [UUID()] : [])
      let coat = Coat.random(id: Int32(random.below(60)), owners: ownersAndOne, &random)
      switch random.below(10) {
      case 0...3:
        expected = outcome(typed) { try $0.insert(coat) }
        found = outcome(dynamic) { _ = try $0.insert("Coat", coat.values) }
      case 4...6:
        let groups = coat.assignments.filter { _ in random.oneIn(5) } + [coat.assignments[0]]
        let values = groups.reduce(into: [:]) { $0.merge($1.values) { _, new in new } }
        expected = outcome(typed) { tx in
          try tx.update(query) { coat in for group in groups { group.apply(&coat) } }
        }
        found = outcome(dynamic) { try $0.update(DynamicQuery("Coat where \(text)"), set: values) }
      case 7:
        expected = outcome(typed) { try $0.delete(query) }
        found = outcome(dynamic) { try $0.delete(DynamicQuery("Coat where \(text)")) }
      case 8:
        let tailor = Tailor(
          name: "\(random.below(9))", chief: owners.isEmpty ? nil : Ref(random.pick(owners)))
        expected = outcome(typed) { try $0.insert(tailor) }
        found = outcome(dynamic) { _ = try $0.insert("Tailor", tailor.values) }
        if expected == "()" { owners.append(tailor.id) }
      default:
        if random.oneIn(2) {
          let name = "\(random.below(9))"
          expected = outcome(typed) { try $0.delete(Tailor.where { $0.name == name }) }
          found = outcome(dynamic) { try $0.delete(DynamicQuery("Tailor where name == '\(name)'")) }
          owners = try typed.fetch(Tailor.all).map(\.id)
        } else {
          let stitch = Stitch(
            row: random.below(3), name: random.pick(["a", "é", "e\u{301}"]),
            number: UInt8(random.below(9)))
          expected = outcome(typed) { try $0.insert(stitch) }
          found = outcome(dynamic) { _ = try $0.insert("Stitch", stitch.values) }
        }
      }
      #expect(found == expected, "step \(step), seed \(random.seed)")
      if found != expected { return }
      if expected.contains(" ") { refused += 1 }
      if step % 50 == 49 { try expectEqual(world, random.seed) }
    }
    #expect(refused > 10, "seed \(random.seed)")
    #expect(try typed.count(Coat.all) > 0)
  }

  private func expectEqual(_ world: DynamicWriteWorld, _ seed: UInt64) throws {
    #expect(
      try DynamicWriteWorld.trees(of: world.dynamic) == DynamicWriteWorld.trees(of: world.typed),
      "seed \(seed)")
    let declared = try world.declared()
    #expect(try declared.fetch(Coat.all) == world.typed.fetch(Coat.all), "seed \(seed)")
    #expect(try declared.fetch(Tailor.all) == world.typed.fetch(Tailor.all), "seed \(seed)")
    #expect(try declared.fetch(Stitch.all) == world.typed.fetch(Stitch.all), "seed \(seed)")
    #expect(try world.dynamic.verify().problems == [], "seed \(seed)")
    #expect(try declared.verify().problems == [], "seed \(seed)")
  }

  /// Each value would be one that the declaring program cannot read, or none of the property.
  @Test func whatTheProgramCouldNotReadIsRefused() throws {
    let world = try DynamicWriteWorld()
    try world.dynamic.write { tx in try tx.insert("Coat", Self.least) }
    let before = try DynamicWriteWorld.trees(of: world.dynamic)
    let refusals: [(String, StoredValue, String)] = [
      ("titel", .string("a"), "no property titel; it has title"),
      ("title", .none, "title is never nil"),
      ("title", .int(1), "title is string: give it a text"),
      ("rank", .string("1"), "rank is int16: give it a whole number"),
      ("rank", .int(40_000), "rank is int16, which has no such number"),
      ("rank", .double(1.5), "whole number"),
      ("grade", .int(2), "has the raw value 2; it has low (-1), mid (0), high (1)"),
      ("fabric", .string("silk"), "it has wool (\"wool\"), silk (\"S\")"),
      ("grades", .list([.int(0), .int(7)]), "no case of grades has the raw value 7"),
      ("grades", .list([.none]), "an element of grades is never nil"),
      ("grades", .int(0), "grades is [int8]: give it a list"),
      ("title", .list([]), "title is string: give it a single value"),
      ("table", .list([.string("a")]), "texts and values"),
      ("table", .list([.string("a"), .int(1), .string("a"), .int(2)]), "twice"),
      ("link", .string("http://[::"), "is no URL"),
      ("notes", .data([0x7B, 0x7D]), "stored as JSON"),
      ("notes", .none, "stored as JSON"),
      ("trim", .none, "trim is a struct: set its properties, such as trim.color"),
      ("spare", .bool(true), "spare is a struct"),
      ("spare.color", .none, "set spare to nil, or to values"),
      ("spare.color", .string("red"), "set all of its properties"),
      ("owner", .string("nobody"), "owner is uuid?: give it a UUID"),
      ("id", .int(9), "primary key"),
    ]
    for (name, value, reason) in refusals {
      for isInsert in [true, false] where !isInsert || name != "id" {
        let error = #expect(throws: StoreError.self, "\(name)") {
          try world.dynamic.write { tx in
            if isInsert {
              let values = Self.least.merging([name: value, "id": .int(2)]) { _, new in new }
              try tx.insert("Coat", values)
            } else {
              try tx.update(DynamicQuery("Coat"), set: [name: value])
            }
          }
        }
        #expect(error?.description.contains(reason) == true, "\(name): \(error?.description ?? "")")
      }
    }
    #expect(throws: StoreError.unknownModel(model: "Coad")) {
      try world.dynamic.write { tx in try tx.insert("Coad", [:]) }
    }
    for missing in ["id", "title", "trim.color"] {
      let error = #expect(throws: StoreError.self) {
        try world.dynamic.write { tx in
          try tx.insert("Coat", Self.least.filter { $0.key != missing })
        }
      }
      #expect(error?.description.contains("needs a value for \(missing)") == true)
    }
    #expect(try DynamicWriteWorld.trees(of: world.dynamic) == before)
  }

  private static let least: [String: StoredValue] = [
    "id": .int(1), "title": .string("a"), "trim.color": .string("red"),
  ]

  @Test func whatIsLeftOutHasItsDefault() throws {
    let world = try DynamicWriteWorld()
    let object = try world.dynamic.write { tx in
      let tailor = try tx.insert("Tailor", ["name": .string("Bo")])
      #expect(try tx.fetch(DynamicQuery("Tailor select id")).map(\.values) == [[tailor["id"]]])
      return try tx.insert("Coat", Self.least)
    }
    #expect(try object["rank"] == .int(7))
    let declared = try world.declared()
    #expect(
      try declared.fetch(Coat.all) == [
        Coat(id: 1, title: "a", trim: Trim(color: "red", size: nil))
      ])
    #expect(try declared.fetch(Tailor.all).map(\.name) == ["Bo"])
  }

  /// A part of a struct is set where the struct is there; elsewhere its other properties would have no value.
  @Test func aPartOfAStructIsSetWhereTheStructIsThere() throws {
    let world = try DynamicWriteWorld()
    let set: [String: StoredValue] = ["spare.color": .string("blue")]
    try world.dynamic.write { tx in
      try tx.insert("Coat", Self.least)
      let both = Self.least.merging(
        ["id": .int(2), "spare.color": .string("red"), "spare.size": .int(3)]
      ) { _, new in new }
      try tx.insert("Coat", both)
      let error = #expect(throws: StoreError.self) { try tx.update(DynamicQuery("Coat"), set: set) }
      #expect(error?.description.contains("the object with key 1 has none") == true)
      #expect(try tx.update(DynamicQuery("Coat where spare != nil"), set: set) == 1)
    }
    let spares = try world.declared().fetch(Coat.all).map(\.spare)
    #expect(spares == [nil, Trim(color: "blue", size: 3)])
    try world.dynamic.write { tx in
      try tx.update(DynamicQuery("Coat"), set: ["spare": .none])
      let error = #expect(throws: StoreError.self) {
        try tx.update(
          DynamicQuery("Coat"), set: ["spare": .none, "spare.size": .int(1)])
      }
      #expect(error?.description.contains("nil and to values") == true)
    }
    #expect(try world.declared().fetch(Coat.all).allSatisfy { $0.spare == nil })
  }

  /// The column that told whether the struct is there stays in the file, and is no property of the program.
  @Test func aStructThatIsNoLongerOptionalIsAlwaysThere() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "vests.croft")
    do { _ = try Store.open(at: url, models: OptionalSpare.Vest.self, options: .forTests) }
    do { _ = try Store.open(at: url, models: RequiredSpare.Vest.self, options: .forTests) }
    let store = try Store.open(at: url, models: [], options: .storedModels)
    let refusals: [([String: StoredValue], String)] = [
      ([:], "needs a value for spare.color"),
      (["spare": .none], "spare is a struct that is always there"),
      (["spare": .bool(true)], "spare is a struct that is always there"),
      (["spare.color": .none], "spare.color is never nil"),
    ]
    for (values, reason) in refusals {
      let error = #expect(throws: StoreError.self) {
        try store.write { tx in
          try tx.insert("Vest", values.merging(["id": .int(1)]) { old, _ in old })
        }
      }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
    try store.write { tx in
      try tx.insert("Vest", ["id": .int(1), "spare.color": .string("red")])
      for name in ["spare", "spare.color"] {
        #expect(throws: StoreError.self) {
          try tx.update(DynamicQuery("Vest"), set: [name: .none])
        }
      }
      try tx.update(DynamicQuery("Vest"), set: ["spare.size": .int(3)])
      #expect(throws: QueryTextError.self) {
        try tx.perform(DynamicStatement("update Vest set spare = nil"))
      }
      #expect(try tx.fetch(DynamicQuery("Vest where spare != nil")).count == 1)
    }
    let declared = try Store.open(at: url, models: RequiredSpare.Vest.self, options: .forTests)
    #expect(
      try declared.fetch(RequiredSpare.Vest.all).map(\.spare) == [Trim(color: "red", size: 3)])
  }

  @Test func valuesThatOnlyTheProgramKnowsAreWrittenWhereThatIsAllowed() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "days.croft")
    _ = try Store.open(at: url, models: Newer.Day.self, options: .forTests)
    let store = try Store.open(at: url, models: [], options: .storedModels)
    let error = #expect(throws: StoreError.self) {
      try store.write { tx in try tx.insert("Day", ["id": .int(1), "mood": .int(900)]) }
    }
    #expect(error?.description.contains("allow unknown cases") == true)
    try store.write { tx in
      try tx.insert("Day", ["id": .int(2)])
      try tx.insert("Day", ["id": .int(1), "mood": .int(900)], allowingUnknownCases: true)
      #expect(throws: StoreError.self) {
        try tx.update(DynamicQuery("Day"), set: ["other": .int(0)])
      }
      try tx.update(DynamicQuery("Day"), set: ["other": .int(0)], allowingUnknownCases: true)
      // To take a value away needs no case.
      try tx.update(DynamicQuery("Day where id == 2"), set: ["other": .none])
    }
    let declared = try Store.open(at: url, models: Newer.Day.self, options: .forTests)
    #expect(
      try declared.fetch(Newer.Day.all) == [
        Newer.Day(id: 1, mood: .wild, other: .calm), Newer.Day(id: 2, mood: .calm),
      ])
  }

  /// A program of an earlier version declared the model last: any number may be a case of an enum.
  @Test func propertiesOfWhichNothingIsKnownAreRefusedAlike() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "days.croft")
    do { _ = try Store.open(at: url, models: Newer.Day.self, options: .forTests) }
    try CatalogEditing(url: url).entry { entry in
      guard case .list(let fields)? = entry["fields"] else { return }
      entry["fields"] = .list(
        fields.map { field in
          guard case .object(var object) = field else { return field }
          object["values"] = nil
          return .object(object)
        })
    }
    let store = try Store.open(at: url, models: [], options: .storedModels)
    #expect(throws: StoreError.self) {
      try store.write { tx in try tx.insert("Day", ["id": .int(1)]) }
    }
    try store.write { tx in
      try tx.insert("Day", ["id": .int(1)], allowingUnknownCases: true)
    }
    _ = try Store.open(at: url, models: Newer.Day.self, options: .forTests)
    try store.write { tx in try tx.insert("Day", ["id": .int(2)]) }
    #expect(try store.count(DynamicQuery("Day")) == 2)
  }

  @Test func aStoreWithModelsRefusesAndSaysWhatToDo() throws {
    let world = try DynamicWriteWorld()
    let error = #expect(throws: StoreError.self) {
      try world.typed.write { tx in try tx.insert("Coat", Self.least) }
    }
    #expect(error?.description.contains("Store.Options.usesStoredModels") == true)
    let selecting = #expect(throws: QueryTextError.self) {
      try world.dynamic.write { tx in try tx.delete(DynamicQuery("Coat select id")) }
    }
    #expect(selecting?.position == "Coat select ".count)
  }

  /// Observers of the program that declares the models are told, as of any commit of another store.
  @Test func observersAreTold() async throws {
    let world = try DynamicWriteWorld()
    let declared = try world.declared()
    let results = Mailbox<[String]>()
    let token = declared.observe(Coat.all) { results.send($0.after.map(\.title)) }
    defer { token.cancel() }
    #expect(await results.next() == [])
    try await world.dynamic.write { tx in try tx.insert("Coat", Self.least) }
    #expect(await results.next() == ["a"])
    try await world.dynamic.write { tx in
      try tx.update(DynamicQuery("Coat"), set: ["title": .string("b")])
    }
    #expect(await results.next() == ["b"])
    try await world.dynamic.write { tx in try tx.delete(DynamicQuery("Coat")) }
    #expect(await results.next() == [])
  }

  /// A store without models observes what is read by texts, and knows its own commits.
  @Test func aReadByATextIsObserved() throws {
    let world = try DynamicWriteWorld()
    let query = try DynamicQuery("Coat where rank > 0 select id")
    let results = Recorder<[DynamicObject]>()
    let token = world.dynamic.observe(ReadRequest { tx in try tx.fetch(query) }) {
      results.add($0)
    }
    defer { token.cancel() }
    world.dynamic.live.drain()
    try world.dynamic.write { tx in try tx.insert("Coat", Self.least) }
    world.dynamic.live.drain()
    try world.dynamic.write { tx in try tx.perform(DynamicStatement("delete Coat")) }
    world.dynamic.live.drain()
    #expect(results.all.map { $0.map(\.values) } == [[], [[.int(1)]], []])
  }

  /// A program that changes a model meanwhile: the next write by names has its properties.
  @Test func aChangedModelIsReadAgain() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "marks.croft")
    _ = try Store.open(at: url, models: OlderBeads.Bead.self, options: .forTests)
    let store = try Store.open(at: url, models: [], options: .storedModels)
    try store.write { tx in
      try tx.insert("Bead", ["id": .int(1)])
      #expect(throws: StoreError.self) {
        try tx.insert("Bead", ["id": .int(2), "tint": .string("green")])
      }
    }
    let newer = try Store.open(
      at: url, models: NewerBeads.Bead.self, Stitch.self, options: .forTests)
    try store.write { tx in
      try tx.insert(
        "Bead", ["id": .int(2), "tint": .string("green")], allowingUnknownCases: true)
      try tx.insert("Stitch", ["row": .int(1), "name": .string("a"), "number": .int(1)])
    }
    #expect(try newer.fetch(NewerBeads.Bead.all).map(\.tint) == [.red, .green])
    #expect(try newer.count(Stitch.all) == 1)
  }

  /// A program that declares no model need not have the objects of others in its hands.
  @Test func aStoreWithoutModelsErasesNothingAndReadsNone() throws {
    let world = try DynamicWriteWorld()
    try world.dynamic.write { tx in try tx.insert("Coat", Self.least) }
    let url = world.folder.url.appending(path: "dynamic.croft")
    let store = try Store.open(at: url, models: [], options: .forTests)
    try store.erase()
    #expect(throws: StoreError.self) {
      try store.write { tx in try tx.delete(DynamicQuery("Coat")) }
    }
    #expect(try store.count(DynamicQuery("Coat")) == 1)
    try world.dynamic.erase()
    #expect(try store.count(DynamicQuery("Coat")) == 0)
  }

  /// A catalog entry without a primary key stops the stores that use all models.
  @Test func aDamagedModelStopsStoresThatUseIt() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "beads.croft")
    do { _ = try Store.open(at: url, models: OlderBeads.Bead.self, options: .forTests) }
    try CatalogEditing(url: url).entry { $0["keys"] = .list([]) }
    _ = try Store.open(at: url, models: [], options: .forTests)
    #expect(throws: StoreError.self) {
      try Store.open(at: url, models: [], options: .storedModels)
    }
  }

  @Test func anOpeningWithoutModelsWritesNothing() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "beads.croft")
    _ = try DynamicWriteWorld.open(url)
    let before = try Data(contentsOf: url)
    for _ in 0..<3 {
      let store = try Store.open(at: url, models: [], options: .storedModels)
      try store.write { _ in }
      #expect(try store.count(DynamicQuery("Coat")) == 0)
    }
    #expect(try Data(contentsOf: url) == before)
  }
}

import Foundation
import LMDB
import TestSupport
import Testing

@testable import Croft

/// A program whose enums have cases that the earlier program lacks.
enum NewerBeads {
  enum Tint: String, StoredEnum, CaseIterable { case red, blue = "azure", green }
  @Model struct Bead {
    @PrimaryKey var id: Int
    var tint: Tint = .red
  }
}

/// A program that has the raw values of the enum alone.
enum PlainBeads {
  @Model struct Bead {
    @PrimaryKey var id: Int
    var tint: String = "red"
  }
}

enum OlderBeads {
  enum Tint: String, StoredEnum, CaseIterable { case red, blue = "azure" }
  @Model struct Bead {
    @PrimaryKey var id: Int
    var tint: Tint = .red
  }
}

private enum Weight: UInt8, StoredEnum, CaseIterable, CustomStringConvertible {
  case light = 3
  case heavy = 200

  var description: String { "as heavy as \(rawValue)" }
}

private enum Unlisted: Int, StoredEnum { case one = 1, two }

private struct Grams: RawRepresentable, StoredEnum, Hashable {
  let rawValue: Int
  init?(rawValue: Int) {
    if rawValue < 0 { return nil }
    self.rawValue = rawValue
  }
}

@Model private struct Stone {
  @PrimaryKey var id: Int
  var weight: Weight = .light
  var spare: Weight?
  var tints: [NewerBeads.Tint] = []
  var byName: [String: Weight] = [:]
  var unlisted: Unlisted = .one
  var grams: Grams?
  var link: URL?
  var plain = 0
  /// A property of a case's name: the property is meant where the name is written.
  var heavy: Weight = .heavy
}

@Model private struct Visit {
  @PrimaryKey var id: UUID
  var startedAt = Date()
  var endedAt: Date?
  var place: String
}

@Suite struct EnumCasesTests {
  private let folder = TemporaryFolder()
  private var url: URL { folder.url.appending(path: "cases.croft") }

  private func open(_ models: any Model.Type..., isReadOnly: Bool = false) throws -> Store {
    var options = Store.Options.forTests
    options.isReadOnly = isReadOnly
    options.usesStoredModels = models.isEmpty && !isReadOnly
    return try Store.open(at: url, models: models, options: options)
  }

  private func cases(_ property: String, of model: String, in store: Store) throws -> [String] {
    let model = try #require(try store.models.first { $0.name == model })
    let found = try #require(model.properties.first { $0.name == property })
    return found.cases.map { "\($0.name) \($0.value.text)" }
  }

  @Test func theCatalogHasTheNamesAndRawValuesOfCases() throws {
    _ = try open(Stone.self)
    let openings = [
      { try open(Stone.self) }, { try open() }, { try open(isReadOnly: true) },
    ]
    for opening in openings {
      let store = try opening()
      // The description of a case is another text than its name.
      for property in ["weight", "spare", "byName", "heavy"] {
        #expect(try cases(property, of: "Stone", in: store) == ["light 3", "heavy 200"])
      }
      #expect(
        try cases("tints", of: "Stone", in: store) == [
          "red \"red\"", "blue \"azure\"", "green \"green\"",
        ])
      for property in ["id", "unlisted", "grams", "link", "plain"] {
        #expect(try cases(property, of: "Stone", in: store) == [])
      }
      let weight = try store.models[0].properties.first { $0.name == "weight" }?.cases.first?.value
      #expect(weight == .uint(3))
      if case .uint = weight {} else { Issue.record("not the type of the column") }
    }
  }

  @Test func modelsTellTheDefaultsOfInsertedObjects() throws {
    do { _ = try open(Stone.self, Visit.self) }
    let store = try open()
    let models = try store.models
    let stone = try #require(models.first { $0.name == "Stone" })
    let object = try store.write { try $0.insert("Stone", ["id": .int(1)]) }
    for property in stone.properties {
      let expected: StoredValue? = try property.name == "id" ? nil : object[property.name]
      #expect(property.defaultValue == expected, "\(property.name)")
    }
    let visit = try #require(models.first { $0.name == "Visit" })
    // What a program calculates for each object, and what it always gives, has none.
    let defaults = visit.properties.map { "\($0.name) \($0.defaultValue?.text ?? "-")" }
    #expect(defaults == ["id -", "startedAt -", "endedAt nil", "place -"])
  }

  @Test func aCaseIsComparedByItsName() throws {
    let declared = try open(Stone.self)
    try declared.write { tx in
      try tx.insert(Stone(id: 1, weight: .light, spare: .heavy, tints: [.blue]))
      try tx.insert(Stone(id: 2, weight: .heavy, tints: [.red, .green]))
      try tx.insert(Stone(id: 3, weight: .heavy, spare: .light, byName: ["a": .heavy]))
    }
    for store in [declared, try open()] {
      func ids(_ text: String) throws -> [Int] {
        try store.fetch(DynamicQuery("Stone where " + text)).map { try $0["id", as: Int.self] }
      }
      #expect(try ids("weight == light") == [1])
      #expect(try ids("light = weight") == [1])
      #expect(try ids("weight != light and spare == nil") == [2])
      #expect(try ids("spare > light") == [1])
      #expect(try ids("spare in [light, 200]") == [1, 3])
      #expect(try ids("tints contains blue") == [1])
      #expect(try ids("tints any (it == green)") == [2])
      #expect(try ids("byName any (it == heavy)") == [3])
      #expect(try ids("weight between light and 4") == [1])
      // Here it is the property, which is 200 for all.
      #expect(try ids("weight == heavy") == [2, 3])
      #expect(try ids("spare == heavy") == [1])
    }
    let query = try Query<Stone>("weight == light and tints none (it == red)")
    #expect(try declared.fetch(query).map(\.id) == [1])
  }

  /// It was taken for a text, so that a script could give raw values alone.
  @Test func aParameterIsTheNameOfACase() throws {
    let declared = try open(Stone.self)
    try declared.write { tx in
      try tx.insert(Stone(id: 1, weight: .light, spare: .heavy, tints: [.blue]))
      try tx.insert(Stone(id: 2, weight: .heavy, tints: [.red, .green]))
      try tx.insert(Stone(id: 3, weight: .heavy, spare: .light))
    }
    let store = try open()
    for (text, value, found) in [
      ("weight == $c", "light", [1]), ("weight == $c", "3", [1]),
      ("weight == $c", "heavy", [2, 3]),
      ("spare in $c", "[light, 200]", [1, 3]), ("spare in [$c]", "heavy", [1]),
      ("spare in $c", "light", [3]), ("tints contains $c", "blue", [1]),
      ("tints contains $c", "azure", [1]), ("tints any (it == $c)", "green", [2]),
      ("spare == $c", "nil", [2]),
    ] {
      let query = try DynamicQuery("Stone where " + text, texts: ["c": value])
      let ids = try store.fetch(query).map { try $0["id", as: Int.self] }
      #expect(ids == found, "\(text), \(value)")
    }
    let error = #expect(throws: QueryTextError.self) {
      try store.fetch(DynamicQuery("Stone where weight == $c", texts: ["c": "hevy"]))
    }
    #expect(error?.reason.contains("weight has no case hevy; it has heavy") == true)
    let update = try DynamicStatement(
      "update Stone where id == 1 set weight = $c, tints = $t, byName = $b",
      texts: ["c": "heavy", "t": "[red, 'azure', green]", "b": "['a': light]"])
    _ = try store.write { tx in try tx.perform(update) }
    let stone = try #require(try declared.fetch(Stone.all).first)
    #expect(stone.weight == .heavy && stone.byName == ["a": .light])
    #expect(stone.tints == [.red, .blue, .green])
  }

  @Test func anUnknownNameIsToldTheCases() throws {
    let store = try open(Stone.self)
    for (marked, reason) in [
      ("weight == ^hevy", "weight has no case hevy; it has heavy"),
      ("weight == ^zzz", "weight has no case zzz; it has light, heavy"),
      ("tints any (it == ^pink)", "no case pink; it has red, blue, green"),
      ("spare in [light, ^lite]", "spare has no case lite; it has light"),
      ("unlisted == ^one", "Stone has no property one"),
      ("plain == ^light", "Stone has no property light"),
      ("^wait == light", "Stone has no property wait"),
    ] {
      let parts = "Stone where \(marked)".split(separator: "^", maxSplits: 1)
      let error = #expect(throws: QueryTextError.self, "\(marked)") {
        _ = try store.fetch(DynamicQuery(parts.joined()))
      }
      #expect(error?.position == parts[0].unicodeScalars.count)
      #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
  }

  /// A program of an earlier version of Croft wrote the file, or has dropped the keys that it does not know.
  @Test func aFileWithoutCasesGainsThemAtTheNextOpeningForWriting() throws {
    do {
      try open(Stone.self).write { tx in
        try tx.insert(Stone(id: 1, weight: .heavy, unlisted: .two))
      }
    }
    try CatalogEditing(url: url).entry { entry in
      guard case .list(let fields)? = entry["fields"] else { return }
      entry["fields"] = .list(
        fields.map { field in
          guard case .object(var object) = field else { return field }
          #expect(object.removeValue(forKey: "values") != nil)
          return .object(object)
        })
    }
    let before = try Data(contentsOf: url)
    do {
      let reader = try open(Stone.self, isReadOnly: true)
      #expect(try reader.fetch(Stone.all).map(\.weight) == [.heavy])
      #expect(try cases("weight", of: "Stone", in: reader) == [])
      #expect(throws: QueryTextError.self) {
        try open(isReadOnly: true).fetch(DynamicQuery("Stone where weight == light"))
      }
    }
    #expect(try Data(contentsOf: url) == before)
    #expect(try cases("weight", of: "Stone", in: open(Stone.self)) == ["light 3", "heavy 200"])
    #expect(try open(Stone.self).fetch(Stone.all).map(\.unlisted) == [.two])
  }

  @Test func anOpeningWithTheSameCasesWritesNothing() throws {
    _ = try open(NewerBeads.Bead.self)
    let catalog = try CatalogEditing(url: url).entry()
    let before = try Data(contentsOf: url)
    for _ in 0..<3 { _ = try open(NewerBeads.Bead.self) }
    #expect(try Data(contentsOf: url) == before)
    #expect(try CatalogEditing(url: url).entry() == catalog)
  }

  /// Each of them would read the catalog again after each write of the other one, and write it.
  @Test func programsInTurnDoNotReplaceEachOthersCases() throws {
    let earlier = try open(OlderBeads.Bead.self)
    #expect(try cases("tint", of: "Bead", in: earlier).count == 2)
    let later = try open(NewerBeads.Bead.self)
    let generation = try later.generation
    for round in 0..<4 {
      try earlier.write { try $0.insert(OlderBeads.Bead(id: round * 2)) }
      try later.write { try $0.insert(NewerBeads.Bead(id: round * 2 + 1, tint: .green)) }
      _ = try open(OlderBeads.Bead.self)
    }
    #expect(try later.generation == generation)
    #expect(try cases("tint", of: "Bead", in: earlier).count == 3)
    #expect(try open().count(DynamicQuery("Bead where tint == green")) == 4)
  }

  /// Whichever program comes first or last, the longer list has the names, and no value is written that one lacks.
  @Test(arguments: [[0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 1, 1]])
  func aCaseThatOneOfTheProgramsLacksIsRefused(order: [Int]) throws {
    for program in order {
      _ = try program == 0 ? open(OlderBeads.Bead.self) : open(NewerBeads.Bead.self)
    }
    let store = try open()
    #expect(try cases("tint", of: "Bead", in: store).count == 3)
    let generation = try store.generation
    try expectRefusal(of: "green", in: store)
    try store.write { tx in
      for (id, tint) in ["azure", "red"].enumerated() {
        try tx.insert("Bead", ["id": .int(Int64(id)), "tint": .string(tint)])
      }
      try tx.perform(DynamicStatement("update Bead set tint = blue"))
      #expect(throws: QueryTextError.self) {
        try tx.perform(DynamicStatement("update Bead set tint = green"))
      }
      #expect(throws: StoreError.self) {
        try tx.insert(
          "Bead", ["id": .int(9), "tint": .string("pink")], allowingUnknownCases: true)
      }
    }
    #expect(
      try open(OlderBeads.Bead.self).fetch(OlderBeads.Bead.all).map(\.tint) == [.blue, .blue])
    _ = try open(NewerBeads.Bead.self)
    #expect(try store.generation == generation)
    try store.write { tx in
      try tx.perform(
        DynamicStatement("update Bead set tint = green"), allowingUnknownCases: true)
    }
    #expect(
      try open(NewerBeads.Bead.self).fetch(NewerBeads.Bead.all).map(\.tint) == [.green, .green])
  }

  private func expectRefusal(of tint: String, in store: Store) throws {
    let error = #expect(throws: StoreError.self) {
      try store.write { tx in try tx.insert("Bead", ["id": .int(1), "tint": .string(tint)]) }
    }
    #expect(error?.description.contains("of another version") == true)
  }

  @Test func anEnumThatWasARawValueForAWhileKeepsItsNames() throws {
    _ = try open(NewerBeads.Bead.self)
    for _ in 0..<2 {
      _ = try open(PlainBeads.Bead.self)
      let store = try open()
      #expect(try cases("tint", of: "Bead", in: store).count == 3)
      try expectRefusal(of: "pink", in: store)
      _ = try open(NewerBeads.Bead.self)
      #expect(try cases("tint", of: "Bead", in: open()).count == 3)
      try expectRefusal(of: "pink", in: open())
      try open().write { tx in try tx.perform(DynamicStatement("delete Bead")) }
      try open().write { tx in
        try tx.perform(DynamicStatement("insert Bead {id: 1, tint: green}"))
      }
    }
    let generation = try open().generation
    _ = try open(PlainBeads.Bead.self)
    _ = try open(NewerBeads.Bead.self)
    #expect(try open().generation == generation)
    #expect(try open(NewerBeads.Bead.self).fetch(NewerBeads.Bead.all).map(\.tint) == [.green])
  }

  /// What a later version of Croft restricts in another way is restricted, and the catalog is read.
  @Test func aWordThatIsNotKnownRestricts() throws {
    let json = Data("[\"all\", \"urls\", \"even numbers\", {\"least\": 3}]".utf8)
    #expect(
      try JSONDecoder().decode([ValueDomain].self, from: json)
        == [.all, .urls, .unlisted, .unlisted])
    for type in [Int?.self, [Weight].self, URL.self, Grams.self] as [any Storable.Type] {
      let domain = type._domain.values
      let written = try JSONEncoder().encode([domain])
      #expect(try JSONDecoder().decode([ValueDomain].self, from: written) == [domain])
    }
  }
}

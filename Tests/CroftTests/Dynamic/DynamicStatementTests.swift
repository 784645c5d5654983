import Foundation
import TestSupport
import Testing

@testable import Croft

/// Statements as texts: what they change, their errors, and that no text makes an object which nobody can read.
@Suite struct DynamicStatementTests {
  private func perform(
    _ text: String, _ parameters: [String: any Storable] = [:], in store: Store
  ) throws -> Int {
    let statement = try DynamicStatement(text, named: parameters, calendar: DynamicWorld.utc)
    return try store.write { tx in try tx.perform(statement) }
  }

  @Test func aStatementInsertsUpdatesAndDeletes() throws {
    let world = try DynamicWriteWorld()
    let store = world.dynamic
    let owner = UUID()
    #expect(try perform("insert Tailor {id: $id, name: \"우유\"}", ["id": owner], in: store) == 1)
    let insert = """
      insert Coat {
        id: -3, title: 'it\\'s', rank: $rank, grade: high, fabric: "S", grades: [low, 1, low],
        score: 2.5, cost: 12.50, isSold: true, at: 2026-06-01, tags: ["b", "a", "b"],
        numbers: [3, -1, 3], table: ["z": 2, "é": 1], maybes: [nil, 3], bytes: x"00ff",
        link: "https://example.org", length: 5, trim.color: "red", trim.size: nil,
        spare.color: "blue", spare.size: 4, owner: $owner, others: [$owner]
      }
      """
    #expect(try perform(insert, ["rank": 9, "owner": owner], in: store) == 1)
    var coat = Coat(id: -3, title: "it's", trim: Trim(color: "red", size: nil))
    (coat.rank, coat.grade, coat.fabric, coat.grades) = (9, .high, .silk, [.low, .high, .low])
    (coat.score, coat.cost, coat.isSold) = (2.5, Decimal(12.5), true)
    coat.at = QueryMoment(calendar: DynamicWorld.utc, now: Date()).date("2026-06-01")
    (coat.tags, coat.numbers) = (["b", "a", "b"], [3, -1])
    (coat.table, coat.maybes) = (["z": 2, "é": 1], [nil, 3])
    (coat.bytes, coat.link) = (Data([0, 255]), URL(string: "https://example.org"))
    (coat.length, coat.spare) = (.nanoseconds(5), Trim(color: "blue", size: 4))
    (coat.owner, coat.others) = (Ref(owner), [Ref(owner)])
    let declared = try world.declared()
    #expect(try declared.fetch(Coat.all) == [coat])

    let update =
      "update Coat where owner.name == '우유' set title = \"x\", grade = low, tags = [], at = nil, "
      + "spare = nil, trim.size = 8, table = [:], code = nil"
    #expect(try perform(update, in: store) == 1)
    (coat.title, coat.grade, coat.tags, coat.at) = ("x", .low, [], nil)
    (coat.spare, coat.trim.size, coat.table) = (nil, 8, [:])
    #expect(try declared.fetch(Coat.all) == [coat])
    #expect(try perform("UPDATE Coat SET rank = 1, isSold = false", in: store) == 1)
    #expect(try declared.count(Coat.where { $0.rank == 1 && !$0.isSold }) == 1)
    #expect(try perform("update Coat where rank == 2 set rank = 3", in: store) == 0)
    // The owner's coats are deleted with it.
    #expect(try perform("delete Tailor where name beginsWith \"우\"", in: store) == 1)
    #expect(try declared.count(Coat.all) == 0)
    #expect(try perform("delete Coat", in: store) == 0)
    #expect(try store.verify().problems == [])
  }

  /// What a delete does is told before, as its objects are counted after it.
  @Test func aDeleteTellsItsConsequences() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "chain.croft")
    var random = SeededGenerator.forTest("aDeleteTellsItsConsequences")
    try Store.open(at: url, models: Chain.Top.self, Chain.Part.self, Chain.Note.self).write { tx in
      try tx.insert(contentsOf: (0..<20).map { Chain.Top(id: $0) })
      for id in 0..<60 {
        try tx.insert(
          Chain.Part(
            id: id, top: Ref(random.below(20)), outer: id > 0 ? Ref(random.below(id)) : nil))
        try tx.insert(
          Chain.Note(
            id: id, about: [Ref(random.below(id + 1)), Ref(0)], top: Ref(random.below(20))))
      }
    }
    var options = Store.Options()
    options.usesStoredModels = true
    let store = try Store.open(at: url, models: [], options: options)
    func values(_ tx: inout WriteTransaction) throws -> [String: [StoredValue: [StoredValue]]] {
      var found: [String: [StoredValue: [StoredValue]]] = [:]
      for model in ["Note", "Part", "Top"] {
        found[model] = [:]
        for object in try tx.fetch(DynamicQuery(model)) {
          found[model]?[try object["id"]] = object.values
        }
      }
      return found
    }
    struct Undone: Error {}
    for _ in 0..<30 {
      let model = random.pick(["Note", "Part", "Top"])
      let text = "delete \(model) where id < \(random.below(8)) or id == \(random.below(60))"
      let statement = try DynamicStatement(text)
      #expect(throws: Undone.self, "\(text)") {
        try store.write { tx in
          let before = try values(&tx)
          let told = try tx.consequences(of: statement)
          let unchanged = try values(&tx)
          #expect(unchanged == before)
          let count = try tx.perform(statement)
          let after = try values(&tx)
          #expect(told.first?.model == (count > 0 ? model : nil), "\(text)")
          for name in ["Note", "Part", "Top"] {
            let (old, new) = (before[name] ?? [:], after[name] ?? [:])
            let consequence = told.first { $0.model == name }
            #expect(
              consequence?.deletedCount ?? 0 == old.count - new.count, "\(text), \(random.seed)")
            let changed = new.count { old[$0.key] != $0.value }
            #expect(consequence?.nullifiedCount ?? 0 == changed, "\(text), \(random.seed)")
          }
          throw Undone()
        }
      }
    }
    try store.write { tx in
      let none = try tx.consequences(of: DynamicStatement("delete Top where id == 99"))
      let other = try tx.consequences(of: DynamicStatement("update Top set name = \"a\""))
      #expect(none == [] && other == [])
      let error = #expect(throws: QueryTextError.self) {
        try tx.consequences(of: DynamicStatement("delete Top where nam == 1"))
      }
      #expect(error?.query == "delete Top where nam == 1")
    }
  }

  /// A text with a mark before the place, and a part of the reason.
  private static let texts: [(String, String)] = [
    ("^Coat", "a statement begins with insert, update or delete"),
    ("insert ^", "continues with the name of a model"),
    ("insert Coat^", "\"{\" is missing before the end"),
    ("insert Coat {id: 1, title: \"a\"^", "\"}\" is missing"),
    ("insert Coat {id ^= 1}", "\":\" is missing before \"=\""),
    ("insert ^Coad {id: 1}", "the file has no model Coad; it has Coat"),
    ("insert Coat {id: 1, ^titel: \"a\"}", "Coat has no property titel; it has title"),
    ("insert Coat {id: 1, title: ^2}", "title is string: give it a text"),
    ("insert Coat {id: 1, ^id: 2}", "id is set twice"),
    ("insert ^Coat {id: 1, title: \"a\"}", "needs a value for trim.color"),
    ("insert Coat {grade: ^hgh}", "grade has no case hgh; it has high"),
    ("insert Coat {grade: ^5}", "no case of grade has the raw value 5"),
    ("insert Coat {grades: [low, ^5]}", "no case of grades has the raw value 5"),
    ("insert Coat {rank: ^99999}", "has no such number"),
    ("update Coat set score = ^1e999", "which has no such number"),
    ("update Coat set weight = ^-1e39", "which has no such number"),
    ("update Coat set cost = ^1e400", "decimal"),
    (
      "update Coat set cost = ^1.2345678901234567890123456789012345678901234567890",
      "which has no such number"
    ),
    ("insert Coat {table: ^[1]}", "texts and values"),
    ("insert Coat {table: [^1: 2]}", "the keys of table are texts"),
    ("insert Coat {tags: ^[\"a\": \"b\"]}", "tags is [string]: give it a list"),
    ("insert Coat {tags: ^\"a\"}", "tags is [string]: give it a list"),
    ("insert Coat {^notes: 1}", "stored as JSON"),
    ("insert Coat {^trim: nil}", "is a struct: set its properties"),
    ("update Coat ^where", "missing before"),
    ("update Coat where rank == 1^", "\"set\" is missing before the end"),
    ("update Coat set ^", "an assignment begins with the name of a property"),
    ("update Coat set ^id = 2", "primary key, which does not change"),
    ("update Coat set rank = ^rank + 1", "nothing is calculated"),
    ("update Coat set title = ^tags", "title is set to a literal"),
    ("update Coat set title = ^nil", "title is never nil"),
    ("update Coat where ^renk == 1 set rank = 2", "Coat has no property renk; it has rank"),
    ("update Coat set rank = 1 ^sort", "does not fit here"),
    ("delete Coat ^set", "does not fit here"),
    ("delete ^from Coat where id == 1", "leave out \"from\" before Coat"),
    ("insert ^into Coat {id: 1}", "leave out \"into\" before Coat"),
    ("delete Coat where rank == ^$1", "there is no value for $1"),
    ("delete ^Coad", "no model Coad"),
  ]

  @Test func theErrorNamesThePlaceAndWhatWouldFit() throws {
    let world = try DynamicWriteWorld()
    for (marked, reason) in Self.texts {
      let parts = marked.split(separator: "^", maxSplits: 1, omittingEmptySubsequences: false)
      let text = parts.joined()
      let error = #expect(throws: QueryTextError.self, "\(text)") {
        _ = try perform(text, in: world.dynamic)
      }
      guard let error else { continue }
      #expect(error.query == text)
      #expect(error.reason.contains(reason), "\(text): \(error.reason)")
      if marked != "update Coat ^where" {
        #expect(error.position == parts[0].unicodeScalars.count, "\(text): \(error.reason)")
      }
    }
    #expect(try world.declared().count(Coat.all) == 0)
  }

  @Test func aURLIsFoundByTheProgramThatDeclaresIt() throws {
    let world = try DynamicWriteWorld()
    let texts = [
      "https://example.org/a b", "https://example.org/우유?q=a|b", "a/../b", "HTTP://A.org",
    ]
    let declared = try world.declared()
    for (id, text) in texts.enumerated() {
      let insert = "insert Coat {id: $id, title: \"a\", trim.color: \"red\", link: $link}"
      #expect(try perform(insert, ["id": id, "link": text], in: world.dynamic) == 1)
      let url = try #require(URL(string: text))
      #expect(try declared.fetch(Coat.where { $0.link == url }).map(\.id) == [Int32(id)])
      let stored = try world.dynamic.fetch(DynamicQuery("Coat where id == $1", id))
      #expect(try stored.first?["link"] == url.stored)
    }
  }

  @Test func decimalsAndTheirTextsHaveTheSameDigits() {
    for (text, same) in [
      ("0", "-0.00"), ("1e3", "1000"), ("-12.50", "-12.5"), ("0.0125", "1.25E-2"), ("10", "1e1"),
    ] {
      #expect(DecimalDigits(text) == DecimalDigits(same) && DecimalDigits(text) != nil)
    }
    for text in ["", "NaN", "1e", "1.2.3", "e1", "inf", "1e1e1"] {
      #expect(DecimalDigits(text) == nil, "\(text)")
    }
    #expect(DecimalDigits("12") != DecimalDigits("120"))
    #expect(DecimalDigits("12") != DecimalDigits("-12"))
  }

  /// The catalog has one value of `Date()`, and not the expression.
  @Test func datesAndUUIDsWithADefaultAreGiven() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "shirts.croft")
    let declared = try Store.open(at: url, models: Shirt.self, options: .forTests)
    let store = try Store.open(at: url, models: [], options: .storedModels)
    let code = UUID()
    for (text, missing) in [
      ("insert Shirt {id: 1}", "made"), ("insert Shirt {id: 1, made: 2026-06-01}", "code"),
    ] {
      let error = #expect(throws: QueryTextError.self) { try perform(text, in: store) }
      #expect(error?.reason.contains("needs a value for \(missing): the file has") == true)
    }
    let text = "insert Shirt {id: 1, made: 2026-06-01, code: $code}"
    #expect(try perform(text, ["code": code], in: store) == 1)
    let shirt = try #require(try declared.fetch(Shirt.all).first)
    #expect(shirt.code == code && shirt.washed == nil && shirt.size == 40)

    // A struct that is set to nil and to values, by itself or by way of the one around it.
    for values in [
      "sleeve.cuff = nil, sleeve.cuff.buttons = 2",
      "sleeve.length = 1, sleeve.cuff = nil, sleeve.cuff.buttons = 2",
      "sleeve = nil, sleeve.cuff.buttons = 2",
    ] {
      let error = #expect(throws: QueryTextError.self) {
        try perform("update Shirt set \(values)", in: store)
      }
      #expect(error?.reason.contains("is set to nil and to values") == true)
      let members = values.replacing(" =", with: ":")
      #expect(throws: QueryTextError.self) {
        try perform(
          "insert Shirt {id: 2, made: 2026-06-01, code: $code, \(members)}", ["code": code],
          in: store)
      }
    }
    #expect(try declared.fetch(Shirt.all) == [shirt])
    let set = "update Shirt set sleeve.length = 1, sleeve.cuff.buttons = 2"
    #expect(try perform(set, in: store) == 1)
    #expect(
      try declared.fetch(Shirt.all).map(\.sleeve) == [Sleeve(length: 1, cuff: Cuff(buttons: 2))])
  }

  /// The default from before the property became optional counts no more.
  @Test func aPropertyThatBecameOptionalIsNilWhereItIsLeftOut() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "shirts.croft")
    do { _ = try Store.open(at: url, models: TaggedShirt.Shirt.self, options: .forTests) }
    let store = try Store.open(at: url, models: [], options: .storedModels)
    #expect(try perform("insert Shirt {id: 1}", in: store) == 1)
    let newer = try Store.open(at: url, models: UntaggedShirt.Shirt.self, options: .forTests)
    #expect(try perform("insert Shirt {id: 2}", in: store) == 1)
    #expect(try newer.fetch(UntaggedShirt.Shirt.all).map(\.tag) == ["new", nil])
  }

  @Test func aQueryAboutAModelOfSuchANameIsNoStatement() {
    for text in [
      "delete Coat", "insert Coat {", "update Order set", "DELETE Group where a", "delete `where`",
      "delete Limit", "update Sort where a == 1",
    ] {
      #expect(DynamicStatement.isStatement(text), "\(text)")
    }
    for text in [
      "delete", "Delete where a == 1", "insert select id", "update order by id", "delete limit 3",
      "delete group by a", "Coat", "`delete` where a == 1", "\"", "update = 1",
    ] {
      #expect(!DynamicStatement.isStatement(text), "\(text)")
    }
  }

  /// Statements with scalars and words exchanged: whatever is written, the declaring program reads it.
  @Test func noTextMakesAnObjectThatItsProgramCannotRead() throws {
    var random = SeededGenerator.forTest("noTextMakesAnObjectThatItsProgramCannotRead")
    let world = try DynamicWriteWorld()
    let texts = [
      "insert Coat {id: 1, title: \"a\", trim.color: \"red\", grade: high, grades: [low, 1]}",
      "insert Coat {id: 2, title: \"b\", trim.color: \"red\", spare.color: \"x\", spare.size: 3}",
      "insert Coat {id: 3, title: \"c\", trim.color: \"\", link: \"http://a\", fabric: \"S\"}",
      "insert Tailor {name: \"a\"}",
      "insert Stitch {row: 1, name: \"a\", number: 7}",
      "update Coat where rank == 7 set spare = nil, grade = low, fabric = wool, link = \"a\"",
      "update Coat set spare.size = 3, numbers = [1], table = [\"a\": 1], maybes = [nil, 1]",
      "update Coat where id in [1, 2] set rank = 300, weight = 1.5, at = 2026-01-01, cost = 3",
      "update Stitch where row == 1 set number = 200",
      "delete Coat where id == 3 and title != \"c\"",
    ]
    let words = texts.flatMap { $0.split(separator: " ").map(String.init) }
    let scalars: [Unicode.Scalar] = ["0", "9", "\"", "-", "[", "]", "{", ".", ",", "집", " "]
    var performed = 0
    for _ in 0..<1_000 {
      var parts = random.pick(texts).split(separator: " ").map(String.init)
      for _ in 0..<random.below(3) { parts[random.below(parts.count)] = random.pick(words) }
      var text = Array(parts.joined(separator: " ").unicodeScalars)
      if random.oneIn(2) { text[random.below(text.count)] = random.pick(scalars) }
      if random.oneIn(3) { text.insert(random.pick(scalars), at: random.below(text.count)) }
      do {
        let statement = String(String.UnicodeScalarView(text))
        if try perform(statement, in: world.dynamic) > 0 { performed += 1 }
      } catch is QueryTextError {
      } catch let error as StoreError {
        switch error {
        case .duplicateKey, .uniqueViolation, .danglingReference, .schemaMismatch, .keyTooLong:
          break
        default: Issue.record("\(error), seed \(random.seed)")
        }
      }
    }
    #expect(performed > 10, "seed \(random.seed)")
    let declared = try world.declared()
    #expect(throws: Never.self, "seed \(random.seed)") {
      _ = try declared.fetch(Coat.all)
      _ = try declared.fetch(Tailor.all)
      _ = try declared.fetch(Stitch.all)
    }
    #expect(try declared.count(Coat.all) > 0)
    #expect(try declared.verify().problems == [], "seed \(random.seed)")
    #expect(try world.dynamic.verify().problems == [], "seed \(random.seed)")
  }

  @Test func aTransactionSeesItsOwnChanges() throws {
    let world = try DynamicWriteWorld()
    try world.dynamic.write { tx in
      for number in 1...5 {
        let text = "insert Stitch {row: $1, name: \"a\", number: $1}"
        try tx.perform(DynamicStatement(text, number))
      }
      #expect(throws: StoreError.self) {
        try tx.perform(DynamicStatement("insert Stitch {row: 9, name: \"b\", number: 5}"))
      }
      try tx.perform(DynamicStatement("delete Stitch where number in [1, 2]"))
      let query = try DynamicQuery("Stitch where number > 0 select number sort by number desc")
      #expect(try tx.names(of: query) == ["number"])
      #expect(try tx.fetch(query).map(\.values) == [[.uint(5)], [.uint(4)], [.uint(3)]])
      let count = try DynamicQuery("Stitch select count, sum(number)")
      #expect(try tx.fetch(count).map(\.values) == [[.int(3), .uint(12)]])
      #expect(try tx.fetch(DynamicQuery("Stitch select count")).map(\.values) == [[.int(3)]])
    }
    // The entries of an index that is not unique are written with the commit.
    try world.dynamic.write { tx in
      for number in 1...60 {
        let text = "insert Coat {id: $1, title: $2, trim.color: \"red\"}"
        try tx.perform(DynamicStatement(text, number, "title \(number)"))
      }
      let query = try DynamicQuery("Coat where title == \"title 7\" select id")
      #expect(try tx.fetch(query).map(\.values) == [[.int(7)]])
      try tx.perform(DynamicStatement("update Coat where id == 9 set title = \"title 7\""))
      #expect(try tx.fetch(query).map(\.values) == [[.int(7)], [.int(9)]])
      #expect(try tx.delete(DynamicQuery("Coat where title == \"title 7\"")) == 2)
      #expect(try tx.fetch(query) == [])
    }
    #expect(try world.declared().fetch(Stitch.all).map(\.number) == [3, 4, 5])
  }
}

/// Models of which a delete changes several.
enum Chain {
  @Model struct Top {
    @PrimaryKey var id: Int
    var name = ""
  }
  @Model struct Part {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var top: Ref<Chain.Top>?
    @Relation(onDelete: .cascade) var outer: Ref<Chain.Part>?
  }
  @Model struct Note {
    @PrimaryKey var id: Int
    var about: [Ref<Chain.Part>]
    var top: Ref<Chain.Top>?
  }
}

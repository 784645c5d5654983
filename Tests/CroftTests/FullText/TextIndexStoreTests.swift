import Foundation
import LMDB
import TestSupport
import Testing

@testable import Croft

/// A store keeps an index for searches as it keeps others: built, rebuilt, checked, and by every program.
@Suite(.keepsFailedStores) struct TextIndexStoreTests {
  private static func essays(_ ids: Range<Int>, _ random: inout SeededGenerator) -> [Essay] {
    ids.map { id in
      Essay(
        id: id, title: random.searchedText(), body: random.oneIn(3) ? nil : random.searchedText(),
        tags: random.oneIn(2) ? [] : [random.searchedText()], year: random.below(5))
    }
  }

  /// Compares random searches of every plan with a loop, alone and beside another index.
  private static func check(
    _ store: Store, _ essays: [Essay], _ random: inout SeededGenerator, plans least: Int = 2
  ) throws {
    for _ in 0..<10 {
      let essay = random.pick(essays)
      let isBody = random.oneIn(3)
      let query = random.search(in: isBody ? essay.body ?? "" : essay.title)
      let year = random.oneIn(2) ? nil : random.below(5)
      let search = NaiveSearch(query)
      let expected = essays.filter { essay in
        (isBody ? essay.body.map(search.matches) ?? false : search.matches(essay.title))
          && (year.map { essay.year == $0 } ?? true)
      }
      var wanted =
        isBody ? Essay.where { $0.body.matches(query) } : Essay.where { $0.title.matches(query) }
      if let year { wanted = wanted.where { $0.year == year } }
      let plans = try store.everyPlan(of: wanted) { found, plan in
        #expect(found == expected, "seed \(random.seed), plan \(plan): \(query)")
      }
      #expect(plans >= least, "seed \(random.seed)")
    }
    #expect(try store.verify().problems == [])
  }

  @Test func aDeclaredIndexIsKeptAndUsed() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Essay.self) { temporary in
      var all = Self.essays(0..<700, &random)
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: all) }
      try Self.check(store, all, &random)
      for place in 0..<40 {
        let id = random.below(700)
        let changed = Essay(id: id, title: random.searchedText(), body: "\(place)")
        all[id] = changed
        try store.write { try $0.upsert(changed) }
      }
      let added = Self.essays(700..<800, &random)
      all += added
      try store.write { tx in
        try tx.upsert(contentsOf: added)
        try tx.update(Essay.where { $0.year == 3 }, set: \.body, to: "우유 3월")
        _ = try tx.delete(Essay.where { $0.id >= 600 && $0.id < 650 })
      }
      for place in all.indices where all[place].year == 3 { all[place].body = "우유 3월" }
      all.removeAll { $0.id >= 600 && $0.id < 650 }
      try Self.check(store, all, &random)
      try Self.check(try temporary.open(), all, &random)
      try store.rebuildIndexes()
      try Self.check(store, all, &random)
    }
  }

  /// A program that adds the index builds it, at once and in steps; one without it keeps it up to date.
  @Test(arguments: [false, true])
  func anIndexIsAddedAndKeptByOtherPrograms(inSteps: Bool) throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Unsearched.Essay.self) { temporary in
      var all = Self.essays(0..<700, &random)
      func open() throws -> Store {
        try inSteps
          ? StepwiseBuild.open(at: temporary.url, Essay.self)
          : Store.open(at: temporary.url, models: Essay.self, options: .forTests)
      }
      let plain = try temporary.open()
      try plain.write { tx in
        try tx.insert(
          contentsOf: all.map {
            Unsearched.Essay(
              id: $0.id, title: $0.title, body: $0.body, tags: $0.tags, year: $0.year)
          })
      }
      try Self.check(open(), all, &random)
      // The other program knows nothing of the index, and keeps it.
      let title = random.searchedText()
      try plain.write { tx in
        try tx.update(Unsearched.Essay.where { $0.id < 300 }, set: \.title, to: title)
        _ = try tx.delete(Unsearched.Essay.where { $0.id >= 650 })
      }
      for place in 0..<300 { all[place].title = title }
      all.removeLast(50)
      try Self.check(open(), all, &random)
      #expect(
        try plain.statistics.models[0].indexes.map(\.properties)
          == [["year"], ["title", "body", "tags"]])
    }
  }

  /// The names of a file's trees say whether an index left something.
  @Test func anIndexThatANewerProgramLeavesOutIsRemoved() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Essay.self) { temporary in
      let all = Self.essays(0..<300, &random)
      try temporary.open().write { try $0.insert(contentsOf: all) }
      let newer = try Store.open(
        at: temporary.url, models: Shortened.Essay.self, options: .forTests)
      #expect(try newer.statistics.models[0].indexes.map(\.properties) == [["year"]])
      #expect(try newer.verify().problems == [])
      let query = random.search(in: all[7].title)
      let search = NaiveSearch(query)
      #expect(
        try newer.fetch(Shortened.Essay.where { $0.title.matches(query) }).map(\.id)
          == all.filter { search.matches($0.title) }.map(\.id))
    }
  }

  /// Another process writes, alone and while this one does.
  @Test func otherProcessesKeepTheIndex() async throws {
    try await withStore(of: Essay.self) { store in
      try await store.write { tx in
        try tx.insert(contentsOf: (0..<300).map { Essay(id: $0, title: "빵 \($0)") })
      }
      await withTaskGroup(of: Void.self) { group in
        for writer in 1...2 {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [url = store.url as URL, writer = writer as Int] in
              let store = try Store.open(at: url, models: Essay.self, options: .forTests)
              for round in 0..<60 {
                try await store.write { tx in
                  try tx.upsert(Essay(id: round * 4 + writer, title: "바나나우유를 \(writer)"))
                  try tx.insert(Essay(id: writer * 1_000 + round, title: "딸기 우유"))
                }
              }
              try await store.write { tx in
                let mine = try tx.count(Essay.where { $0.title.matches("나나우유 \(writer)") })
                try #require(mine == 60)
                let first = writer * 1_000
                _ = try tx.delete(Essay.where { $0.id >= first && $0.id < first + 30 })
              }
            }
          }
        }
        group.addTask {
          do {
            for id in 300..<350 {
              try await store.write { try $0.insert(Essay(id: id, title: "우유")) }
            }
          } catch {
            Issue.record(error)
          }
        }
      }
      let found = try await store.fetch(Essay.where { $0.title.matches("우유") })
      #expect(found.count == 120 + 60 + 50)
      #expect(try await store.verify().problems == [])
    }
  }

  @Test func damageIsMendedByRebuilding() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Essay.self) { temporary in
      let all = Self.essays(0..<400, &random)
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: all) }
      let table = try store.knownCatalog.table(of: Essay._schema.erased)
      let index = try #require(table.indexes.lazy.compactMap { $0 as? TextIndex }.first)
      try store.writeInEngine { transaction in
        _ = try transaction.deleteRange(
          .prefix(TextIndexKey.block(1, 0, Array("s".utf8))), in: index.tree.tree)
      }
      let found = try store.verify()
      #expect(found.isMendedByRebuildingIndexes)
      #expect(
        found.problems == [
          "The index for searches of Essay over title, body, tags has other words than its rows"
        ])
      try store.rebuildIndexes()
      try Self.check(store, all, &random)
    }
  }

  /// Other rules, or another version of Unicode, divide texts into other terms.
  @Test func anIndexOfOtherRulesIsBuiltAgainAtTheOpening() throws {
    try withTemporaryStore(of: Essay.self) { temporary in
      try temporary.open().write { tx in
        try tx.insert(contentsOf: (0..<300).map { Essay(id: $0, title: "우유 \($0)") })
      }
      let name = try Self.noteOtherData(at: temporary.url)
      try Environment.open(at: temporary.url.path, options: .init(.forTests)).write { tx in
        try tx.empty(try #require(try tx.database(named: name)))
      }
      let store = try temporary.open()
      #expect(try store.verify().problems == [])
      #expect(try store.count(Essay.where { $0.title.matches("우유") }) == 300)
    }
  }

  /// Notes that the index for searches was built with other data, and returns the name of its tree.
  private static func noteOtherData(at url: URL, model: Int = 1) throws -> String {
    var number: Int?
    try CatalogEditing(url: url).entry(model) { entry in
      guard case .list(let indexes)? = entry["indexes"] else { return }
      for place in indexes.indices {
        guard case .list(let columns)? = indexes[place]["columns"] else { return }
        for column in columns.indices where columns[column]["isText"] != nil {
          entry["indexes"]?[place]["columns"]?[column]["dataVersion"] = .object([
            "runtimes": .list([.text("another")]), "fingerprint": .text("another"),
          ])
          if case .integer(let id)? = indexes[place]["id"] { number = Int(id) }
        }
      }
    }
    return CatalogEntry.treeName(ofIndex: try #require(number))
  }

  /// Makes the index for searches one of form 1, in which a block had the postings of one term.
  private static func giveFormerForm(at url: URL, model: Int = 1) throws {
    let name = try noteOtherData(at: url, model: model)
    try Environment.open(at: url.path, options: .init(.forTests)).write { tx in
      let tree = try #require(try tx.database(named: name))
      let key = TextIndexKey.head.prefix
      var head = try #require(try tx.get(key.span.bytes, in: tree)?.copied())
      head.removeLast(Checksum.size)
      head[0] = 1
      head += Checksum.bytes(key, head)
      _ = try tx.put(head.span.bytes, at: key.span.bytes, in: tree)
      _ = try tx.deleteRange(.prefix(TextIndexKey.block.prefix), in: tree)
      var block = TextIndexKey.block(1, 0, Array("s우유".utf8) + [0])
      block.append(bigEndian: UInt32(0))
      let postings: [UInt8] = [0, 2]
      _ = try tx.put(postings.span.bytes, at: block.span.bytes, in: tree)
    }
    try CatalogEditing(url: url).header { header in
      header = Array(header.prefix(StoreHeader.size))
      for name in ["text search", "versioned expressions"] {
        header += [UInt8(name.utf8.count)] + Array(name.utf8)
      }
    }
  }

  private static func features(of url: URL) throws -> StoreFeatures {
    var header: [UInt8] = []
    try CatalogEditing(url: url).header { header = $0 }
    return try StoreFeatures(header[StoreHeader.size...], path: url.path)
  }

  /// The file names the form from the first step on: a program that knows form 1 may open it then.
  @Test(arguments: [false, true])
  func anIndexOfTheFormerFormIsBuiltAgain(inSteps: Bool) throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withTemporaryStore(of: Essay.self) { temporary in
      let all = Self.essays(0..<300, &random)
      try temporary.open().write { try $0.insert(contentsOf: all) }
      try Self.giveFormerForm(at: temporary.url)
      do {
        let reader = try Store.open(
          at: temporary.url, models: Essay.self, options: .forTests { $0.isReadOnly = true })
        let query = random.search(in: all[7].title)
        let search = NaiveSearch(query)
        #expect(
          try reader.count(Essay.where { $0.title.matches(query) })
            == all.count { search.matches($0.title) }, "seed \(random.seed): \(query)")
      }
      #expect(try !Self.features(of: temporary.url).contains(.sharedPostingBlocks))
      if inSteps {
        let build = try StepwiseBuild(at: temporary.url, Essay.self)
        #expect(try build.step() != nil)
      } else {
        _ = try temporary.open()
      }
      #expect(try Self.features(of: temporary.url).contains(.sharedPostingBlocks))
      try Self.check(temporary.open(), all, &random)
    }
  }

  /// A delete rule writes the index of a model that the program does not declare.
  ///
  /// The program took one of form 1 for damaged, and deleted nothing.
  @Test func aDeleteRuleNeedsThePresentForm() throws {
    try withTemporaryStore(of: Folder.self, Sheet.self) { temporary in
      try temporary.open().write { tx in
        for id in 0..<4 { try tx.insert(Folder(id: id)) }
        for id in 0..<400 {
          try tx.insert(Sheet(id: id, folder: Ref(id % 4), text: "우유 \(id)"))
        }
      }
      try Self.giveFormerForm(at: temporary.url, model: 2)
      let folders = try Store.open(at: temporary.url, models: Folder.self, options: .forTests)
      try folders.write { _ = try $0.delete(Folder.self, 1) }
      let store = try temporary.open()
      #expect(try store.count(Sheet.where { $0.text.matches("우유") }) == 300)
      #expect(try store.verify().problems == [])
    }
  }

  /// The features are set with the first index for searches.
  @Test func theHeaderNamesTheFeatures() throws {
    for (model, isText) in [(Essay.self as any Model.Type, true), (Unsearched.Essay.self, false)] {
      try withTemporaryStore(of: model) { temporary in
        let store = try temporary.open()
        let header = try store.environment.read { transaction in
          try StoreHeader(in: store.knownCatalog.meta, transaction, path: temporary.url.path)
        }
        for feature: StoreFeatures in [.textSearch, .sharedPostingBlocks] {
          #expect(header.features.contains(feature) == isText)
        }
      }
    }
  }

  @Test func aRowDeletedByAQueryOfTheIndexIsGone() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withStore(of: Essay.self) { store in
      let all = Self.essays(0..<300, &random)
      try store.write { try $0.insert(contentsOf: all) }
      let count = try store.count(Essay.where { $0.title.matches("가* OR a*") })
      let (deleted, left) = try store.write { tx in
        let deleted = try tx.delete(Essay.where { $0.title.matches("가* OR a*") })
        return (deleted, try tx.count(Essay.where { $0.title.matches("가* OR a*") }))
      }
      #expect(deleted == count && left == 0)
      #expect(try store.count(Essay.all) == 300 - count)
    }
  }

  @Test func aSearchIsExplained() throws {
    try withStore(of: Essay.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<2_000).map {
            Essay(id: $0, title: $0 % 500 == 0 ? "우유" : "빵", year: $0)
          })
      }
      let found = try store.explain(
        Essay.where { $0.title.matches("우유") && $0.year >= 500 }.order(by: \.year).limit(2))
      #expect(
        found.description == """
          Essay by the index over title, body, tags: title matches "우유"
            rows: 4
            test: title matches "우유" && year >= 500
            order: sorted
            limit: 2
          """)
    }
  }

  /// Observers are told what a fetch finds, in lists and in sections.
  @Test func liveQueriesAndSectionsFollow() throws {
    var random = SeededGenerator.forTest("TextIndexStoreTests")
    try withStore(of: Essay.self) { store in
      let query = Essay.where { $0.title.matches("우* OR a*") && !$0.body.matches("가") }
        .order(by: \.year)
      let results = Recorder<ResultChange<Essay>>()
      let sections = Recorder<SectionedChange<Essay, Int>>()
      let tokens = [
        store.observe(query) { results.add($0) },
        store.observe(query.sections(by: \.year)) { sections.add($0) },
      ]
      for _ in 0..<40 {
        let some = Self.essays(0..<30, &random).filter { _ in random.oneIn(6) }
        let (first, hasDeleted) = (random.below(30), random.oneIn(2))
        try store.write { tx in
          try tx.upsert(contentsOf: some)
          if hasDeleted { _ = try tx.delete(Essay.where { $0.id >= first && $0.id < first + 4 }) }
        }
        store.live.drain()
        let found = try store.fetch(query)
        #expect(results.all.last.map { Array($0.after) } == found, "seed \(random.seed)")
        #expect(
          sections.all.last.map { $0.after.flatMap { Array($0.objects) } } == found,
          "seed \(random.seed)")
      }
      for token in tokens { token.cancel() }
    }
  }

  /// The texts of embedded structs, of which one may be absent, and a key that is a text.
  @Test func textsOfStructsAndKeysAreSearched() throws {
    try withStore(of: Letter.self) { store in
      let letters = [
        Letter(name: "첫 편지", sender: Sender(name: "김영희", towns: ["서울", "부산"])),
        Letter(name: "둘째 편지", sender: nil),
        Letter(name: "엽서", sender: Sender(name: "Anna Kim", towns: [])),
      ]
      try store.write { try $0.insert(contentsOf: letters) }
      let table = try store.knownCatalog.table(of: Letter._schema.erased)
      let index = try #require(table.indexes.lazy.compactMap { $0 as? TextIndex }.first)
      #expect(index.names == ["name", "sender.name", "sender.towns"])
      let queries: [(Query<Letter>, [String])] = [
        (Letter.where { $0.name.matches("편지") }, ["둘째 편지", "첫 편지"]),
        (Letter.where { $0.sender.name.matches("ㄱㅇㅎ OR kim") }, ["엽서", "첫 편지"]),
        (Letter.where { $0.sender.name.matches("-kim") }, ["첫 편지"]),
      ]
      for (query, names) in queries {
        let plans = try store.everyPlan(of: query) { found, _ in
          #expect(found.map(\.name) == names)
        }
        #expect(plans >= 2)
      }
      #expect(try store.verify().problems == [])
    }
  }

  /// A term that all rows have, in blocks one after the other.
  @Test func equalTextsAreAllFound() throws {
    let count = Torture.steps(short: 2_000, long: 1_000_000)
    let options = Store.Options.forTests { $0.mapSizeBytes = 4 << 30 }
    try withStore(of: Essay.self, options: options) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<count).lazy.map { Essay(id: $0, title: "우유 한 잔", tags: ["milk"]) })
      }
      for query in ["우유", "ㅇㅇ", "한잔", "mil*", "\"한 잔\"", "우유 milk -빵"] {
        #expect(try store.count(Essay.where { $0.matches(query) }) == count, "\(query)")
        let found = try store.fetch(Essay.search(query).limit(5)).map(\.id)
        #expect(found == Array(0..<5), "\(query)")
      }
      #expect(try store.count(Essay.where { $0.matches("-우유 OR 빵") }) == 0)
      #expect(try store.verify().problems == [])
    }
  }

  /// The numbers of a commit go between those of the commits before it and the segments, where they left
  /// their pages three quarters empty.
  @Test func everyCommitFillsThePagesOfItsNumbers() throws {
    try withStore(of: Essay.self) { store in
      func leafPages() throws -> Int {
        let index = try store.statistics.models[0].indexes.first { $0.properties.contains("title") }
        return try #require(index).tree.leafPages
      }
      let (commits, rows) = (4, 2_000)
      for commit in 0..<commits {
        try store.write { tx in
          try tx.insert(
            contentsOf: (0..<rows).lazy.map { Essay(id: commit * rows + $0, title: "우유") })
        }
      }
      let left = try leafPages()
      try store.rebuildIndexes()
      let built = try leafPages()
      #expect(left * 10 < built * 12, "\(left) pages, \(built) after the index was built again")
    }
  }

  /// One text of many bytes, whose words are counted in memory.
  @Test func aLongTextIsSearched() throws {
    let count = Torture.steps(short: 20_000, long: 7_000_000)
    let options = Store.Options.forTests { $0.mapSizeBytes = 4 << 30 }
    try withStore(of: Essay.self, options: options) { store in
      let body = (0..<count).map { "바나나 w\($0 % 5_000)" }.joined(separator: " ") + " 끝말"
      try store.write { tx in
        try tx.insert(contentsOf: (1..<9).map { Essay(id: $0, title: "바나나", body: "w\($0)") })
        try tx.insert(Essay(id: 0, title: "긴 글", body: body))
      }
      for (query, ids) in [
        ("끝말", [0]), ("나나", Array(0..<9)), ("\"w4999 바나나 w0\"", [0]), ("w7 긴글", [0]),
        ("w7*", [0, 7]),
        ("-ㄲㅁ", Array(1..<9)),
      ] {
        let plans = try store.everyPlan(of: Essay.where { $0.matches(query) }) { found, plan in
          #expect(found.map(\.id) == ids, "\(query), plan \(plan)")
        }
        #expect(plans > 0)
      }
      #expect(try store.verify().problems == [])
    }
  }

  @Test func mistakesOfDeclarationsAreNamed() {
    func mistake(_ texts: [KeyPath<TextIndexRoot<Song>, TextIndexPart>]...) -> String? {
      let schema = _ModelSchema<Song>(
        "Song",
        [_keyColumn(\.id, "id"), _column(\.title, "title"), _column(\.note, "note")],
        indexes: texts.map { _Index<Song>(searching: $0) })
      return schema.erased.mistake?.reason
    }
    #expect(mistake([\.title, \.note]) == nil)
    #expect(mistake([])?.contains("names no property") == true)
    #expect(mistake([\.title, \.title])?.contains("title twice") == true)
    #expect(mistake([\.loud])?.contains("not a stored text") == true)
    #expect(mistake([\.title], [\.note])?.contains("two indexes") == true)
  }
}

extension Song {
  fileprivate var loud: String { title.uppercased() }
}

/// The model of a newer program, which has dropped the index.
enum Shortened {
  @Model struct Essay: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var body: String?
    var tags: [String] = []
    @Indexed var year = 0
    var pages = 1
  }
}

@Model struct Folder {
  @PrimaryKey var id: Int
}

@Model struct Sheet {
  @PrimaryKey var id: Int
  @Relation(onDelete: .cascade) var folder: Ref<Folder>
  var text: String
  #FullText<Sheet>([\.text])
}

@Embedded struct Sender: Hashable {
  var name: String
  var towns: [String]
}

@Model struct Letter: Hashable {
  @PrimaryKey var name: String
  var sender: Sender?
  #FullText<Letter>([\.name, \.sender.name, \.sender.towns])
}

import LMDB
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// A kind of index that merges many rows into one entry, and defers all writes, needs no change of the
/// table, the planner or the executor.
@Suite(.keepsFailedStores) struct IndexKindTests {
  /// A search by a part of a title, and by more.
  private struct Search {
    let text: String
    let plays: Int
    let form: Int

    init(_ random: inout SeededGenerator) {
      text = String((0..<2 + random.below(2)).map { _ in random.pick(Array("abc")) })
      plays = random.below(4)
      form = random.below(4)
    }

    var query: Query<Song> {
      let (text, plays) = (text, plays)
      return switch form {
      case 0: Song.where { $0.title.contains(text) }
      case 1: Song.where { $0.title.contains(text) && $0.plays == plays }
      case 2: Song.where { $0.title.contains(text) || $0.id == plays }
      default: Song.where { $0.title.contains(text) }.order(by: \.plays.descending).limit(5)
      }
    }

    func run(_ songs: [Song]) -> [Song] {
      switch form {
      case 0: songs.filter { $0.title.contains(text) }
      case 1: songs.filter { $0.title.contains(text) && $0.plays == plays }
      case 2: songs.filter { $0.title.contains(text) || $0.id == plays }
      default:
        Array(
          songs.filter { $0.title.contains(text) }
            .sorted { ($1.plays, $0.id) < ($0.plays, $1.id) }.prefix(5))
      }
    }
  }

  /// Gives a store's model an index of pairs over its titles, beside its other indexes.
  private func addPairs(to store: Store) throws -> PairIndex {
    let tree = try store.writeInEngine { try $0.openDatabase(named: "pairs") }
    let known = store.knownCatalog
    let table = try known.table(of: Song._schema.erased)
    let title = try #require(table.layout.names.firstIndex(of: "title"))
    let index = PairIndex(over: title, of: table, id: 1_000, slot: 0, tree)
    let extended = Table(
      id: table.id, schema: table.schema, layout: table.layout, rows: table.rows,
      indexes: table.indexes + [index])
    store.catalog.withLock {
      $0 = Catalog(
        meta: known.meta, log: known.log, generation: known.generation, models: [extended],
        isComplete: true, assumedEmpty: [])
    }
    return index
  }

  private func song(_ id: Int, _ random: inout SeededGenerator) -> Song {
    Song(
      id: id, title: String((0..<random.below(6)).map { _ in random.pick(Array("abc")) }),
      plays: random.below(4), genre: random.pick(Genre.allCases))
  }

  /// One statement of a random kind, on the store and on a twin.
  private func change(
    _ tx: inout Croft.WriteTransaction, _ twin: inout [Int: Song], _ random: inout SeededGenerator
  ) throws {
    let (id, plays) = (random.below(60), random.below(4))
    switch random.below(8) {
    case 0:
      let songs = (60..<80).filter { twin[$0] == nil }.map { song($0, &random) }
      try tx.insert(contentsOf: songs)
      for song in songs { twin[song.id] = song }
    case 1, 2:
      let song = song(id, &random)
      try tx.upsert(song)
      twin[id] = song
    case 3:
      let title = song(id, &random).title
      try tx.update(Song.where { $0.plays == plays }, set: \.title, to: title)
      for (id, song) in twin where song.plays == plays { twin[id]?.title = title }
    case 4:
      try tx.delete(Song.self, id)
      twin[id] = nil
    case 5:
      try tx.delete(Song.where { $0.title.contains("ab") && $0.plays == plays })
      twin = twin.filter { !($0.value.title.contains("ab") && $0.value.plays == plays) }
    case 6 where random.oneIn(5):
      try tx.deleteAll(Song.self)
      twin = [:]
    default:
      let isUndone = random.oneIn(2)
      var inner = twin
      do {
        try tx.savepoint { tx in
          for _ in 0..<3 { try change(&tx, &inner, &random) }
          let search = Search(&random)
          #expect(try tx.fetch(search.query) == search.run(inner.sorted))
          if isUndone { throw Refused() }
        }
        twin = inner
      } catch is Refused {}
    }
  }

  /// Every plan of a search finds what plain loops find, amid changes and after commits.
  @Test func anIndexThatMergesRowsFindsWhatALoopFinds() throws {
    var random = SeededGenerator.forTest("IndexKindTests")
    var twin: [Int: Song] = [:]
    try withStore(of: Song.self) { store in
      let index = try addPairs(to: store)
      for _ in 0..<Torture.steps(short: 60, long: 2_000) {
        try store.write { tx in
          for _ in 0..<4 {
            try change(&tx, &twin, &random)
            let search = Search(&random)
            #expect(
              try tx.fetch(search.query) == search.run(twin.sorted), "seed \(random.seed)")
          }
        }
        let search = Search(&random)
        let plans = try store.everyPlan(of: search.query) { found, plan in
          #expect(found == search.run(twin.sorted), "seed \(random.seed), plan \(plan)")
        }
        // The scan, the index of pairs, and with another condition that one's index and both.
        #expect(plans >= [2, 5, 2, 3][search.form], "seed \(random.seed)")
        #expect(try store.count(search.query) == search.run(twin.sorted).count)
        #expect(try store.verify().problems == [], "seed \(random.seed)")
      }
      #expect(try store.environment.read { try index.statistics(in: $0).entries } <= 9)
    }
  }

  /// An index that a build makes is the one that statements wrote.
  @Test func anIndexThatMergesRowsIsBuiltInSteps() throws {
    var random = SeededGenerator.forTest("IndexKindTests")
    try withStore(of: Song.self) { store in
      let index = try addPairs(to: store)
      try store.write { tx in
        try tx.insert(contentsOf: (0..<500).map { song($0, &random) })
        try tx.flush(index)
        let written = try entries(of: index, tx.base)
        try tx.base.empty(index.tree)
        let table = try tx.table(of: Song._schema.erased)
        try table.build(index, in: &tx.base, runBytes: 1_000)
        #expect(try entries(of: index, tx.base) == written)
        #expect(written.count == 9)
      }
    }
  }

  /// The explanation names the index and what is tested.
  @Test func aLookupIsExplained() throws {
    try withStore(of: Song.self) { store in
      _ = try addPairs(to: store)
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<2_000).map { Song(id: $0, title: $0 % 500 == 0 ? "ab" : "c") })
      }
      let found = try store.explain(Song.where { $0.title.contains("ab") })
      #expect(
        found.description == """
          Song by the index over title: title contains "ab"
            rows: 4
            test: title contains "ab"
            order: as read
          """)
    }
  }

  private func entries(
    of index: PairIndex, _ transaction: borrowing LMDB.WriteTransaction
  ) throws -> [[[UInt8]]] {
    var entries: [[[UInt8]]] = []
    try transaction.forEachBlock(of: index.tree) { block in
      for place in 0..<block.count {
        entries.append([block.key(at: place).copied(), block.value(at: place).copied()])
      }
      return true
    }
    return entries
  }
}

extension [Int: Song] {
  /// The songs by their keys.
  fileprivate var sorted: [Song] { values.sorted { $0.id < $1.id } }
}

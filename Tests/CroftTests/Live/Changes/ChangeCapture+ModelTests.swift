import Testing
import TestSupport

@testable import Croft

/// Random transactions: the capture must agree with whole dumps before and after.
@Suite(.keepsFailedStores) struct ChangeCaptureModelTests {
  @Test func theJournalIsTheDifferenceOfWholeDumps() throws {
    var random = SeededGenerator.forTest("capture")
    try withStore(of: Song.self, Album.self) { store in
      for _ in 0..<Torture.steps(short: 300, long: 30_000) {
        try run(on: store, &random) { tx, random in
          for _ in 0..<1 + random.below(12) { try operate(&tx, &random, depth: 0) }
        }
      }
    }
  }

  @Test func cascadesAndNullifiedReferencesAreInTheJournal() throws {
    var random = SeededGenerator.forTest("capture of relations")
    try withStore(of: Person.self, Club.self) { store in
      for _ in 0..<Torture.steps(short: 300, long: 30_000) {
        try run(on: store, &random) { tx, random in
          for _ in 0..<1 + random.below(8) { try relate(&tx, &random) }
        }
      }
    }
  }

  /// Runs a transaction with one capture of rows, or one of keys, and compares it.
  private func run(
    on store: Store, _ random: inout SeededGenerator,
    _ body: (inout WriteTransaction, inout SeededGenerator) throws -> Void
  ) throws {
    var tx = try store.beginWrite()
    let detail: ChangeDetail = random.oneIn(3) ? .keys : .rows
    let capture = ChangeCapture(of: tx.catalog) { _ in detail }
    let before = try tx.dump()
    let sink = RecordingSink(random.pick([.keys, .newRows, .rows]))
    tx.context.changes = ChangeStream(of: tx.catalog.all, observers: capture, others: [sink])
    try body(&tx, &random)
    tx.context.changes = nil
    let after = try tx.dump()
    #expect(sink.replayed(on: before) == after, "seed \(random.seed)")
    let differences = after.differences(from: before)
    let changes = capture.deltas()
    if detail == .rows {
      #expect(changes.mapValues(\.differences) == differences, "seed \(random.seed)")
    } else {
      for (model, rows) in differences {
        let change = try #require(changes[model], "seed \(random.seed)")
        guard let keys = change.keys else { continue }
        #expect(Set(keys).isSuperset(of: rows.map(\.key)), "seed \(random.seed)")
        #expect(keys == Set(keys).sorted { $0.lexicographicallyPrecedes($1) })
      }
    }
    if random.oneIn(10) { return }
    try store.commit(tx)
  }

  /// Runs a statement that may be refused.
  private func attempt(_ statement: () throws -> Void) throws {
    do { try statement() } catch is StoreError {}
  }

  private func operate(
    _ tx: inout WriteTransaction, _ random: inout SeededGenerator, depth: Int
  ) throws {
    guard depth < 5, random.oneIn(6) else { return try change(&tx, &random) }
    do {
      try tx.savepoint { tx in
        for _ in 0..<1 + random.below(6) { try operate(&tx, &random, depth: depth + 1) }
        if random.oneIn(2) { throw Refused() }
      }
    } catch is Refused {}
  }

  private func change(
    _ tx: inout WriteTransaction, _ random: inout SeededGenerator
  ) throws {
    let id = random.below(60)
    let plays = random.below(6)
    let song = Song(id: id, title: "\(random.below(3))", plays: plays, genre: .jazz)
    switch random.below(16) {
    case 0..<2: try attempt { try tx.insert(song) }
    case 2..<4:
      let songs = (0..<8).map { Song(id: id + $0 * 3 % 8, title: "bulk", plays: plays) }
      try attempt { try tx.insert(contentsOf: songs) }
    case 4..<6: try tx.upsert(song)
    case 6..<8: try tx.update(Song.self, id) { $0.plays = plays }
    case 8:
      do {
        try tx.update(Song.where { $0.plays == plays }) { song in
          if song.id == id { throw Refused() }
          song.note = song.note == nil ? "note" : nil
        }
      } catch is Refused {}
    case 9: try tx.update(Song.where { $0.plays == plays }, set: \.title, to: "set")
    case 10: try tx.delete(Song.self, id)
    case 11: try tx.delete(Song.where { $0.plays == plays }.order(by: \.title).limit(4))
    case 12 where random.oneIn(4): try tx.deleteAll(Song.self)
    case 13: try tx.upsert(Album(name: "\(random.below(9))", year: plays))
    case 14: try tx.delete(Album.where { $0.year == plays })
    case 15 where random.oneIn(3): try tx.deleteAll(Album.self)
    default: try tx.delete(Album.self, "\(random.below(9))")
    }
  }

  private func relate(_ tx: inout WriteTransaction, _ random: inout SeededGenerator) throws {
    func reference() -> Ref<Person>? { random.oneIn(2) ? Ref(random.below(20)) : nil }
    let id = random.below(20)
    let name = random.pick(["a", "b", "c"])
    switch random.below(8) {
    case 0..<3:
      let person = Person(
        id: id, boss: reference(), friend: reference(), fans: [reference()].compactMap { $0 },
        clubs: [], home: random.oneIn(3) ? Ref(name) : nil)
      try attempt { try tx.upsert(person) }
    case 3..<5:
      let club = Club(name: name, founder: Ref(id), members: [reference()].compactMap { $0 })
      try attempt { try tx.upsert(club) }
    case 5: try attempt { try tx.delete(Person.self, id) }
    case 6: try attempt { try tx.delete(Club.self, name) }
    default:
      try attempt {
        if random.oneIn(6) {
          try tx.deleteAll(Person.self)
        } else {
          try tx.delete(Person.where { $0.id >= id && $0.id < id + 3 })
        }
      }
    }
  }
}

import Dispatch
import Testing
import TestSupport

@testable import Croft

/// Random commits under random readings: the value that was delivered last is what a read gives.
@Suite(.keepsFailedStores) struct ReadingModelTests {
  private typealias Reading = @Sendable (inout ReadTransaction) throws -> String

  @Test func valuesAreWhatAReadGives() throws {
    var random = SeededGenerator.forTest("readings")
    try withTemporaryStore(of: Song.self, Album.self, Person.self, Club.self) { temporary in
      let (store, other) = (try temporary.open(), try temporary.open())
      var watched = (0..<6).map { _ in watch(store, &random) }
      for step in 0..<Torture.steps(short: 300, long: 30_000) {
        let isForeign = random.oneIn(8)
        try commit(isForeign ? other : store, &random)
        if random.oneIn(12) { watched[random.below(6)] = watch(store, &random) }
        guard isForeign || random.oneIn(3) || step % 50 == 49 else { continue }
        store.live.didFindCommit(nil, in: store)
        store.live.drain()
        for (name, reading, values, token) in watched {
          #expect(token.error == nil)
          let expected = try store.read { try reading(&$0) }
          #expect(values.all.last == expected, "\(name), seed \(random.seed), step \(step)")
          #expect(zip(values.all, values.all.dropFirst()).allSatisfy { $0 != $1 })
        }
      }
    }
  }

  private func watch(
    _ store: Store, _ random: inout SeededGenerator
  ) -> (String, Reading, Recorder<String>, ObservationToken) {
    let (name, reading) = reading(&random)
    let values = Recorder<String>()
    let token = store.observe(ReadRequest { try reading(&$0) }) { values.add($0) }
    store.live.drain()
    return (name, reading, values, token)
  }

  /// A closure that reads in one of many ways.
  private func reading(_ random: inout SeededGenerator) -> (String, Reading) {
    let (bound, key) = (random.below(8), random.below(30))
    let some = Song.where { $0.plays >= bound }
    let rock = Song.where { $0.genre == .rock && $0.plays < bound }
    let page = some.order(by: \.title, \.plays.descending).limit(3, offset: 1)
    switch random.below(15) {
    case 0: return ("fetch", { "\(try $0.fetch(some))" })
    case 1: return ("page", { "\(try $0.fetch(page))" })
    case 2: return ("count", { "\(try $0.count(rock)) \(try $0.count(page))" })
    case 3:
      return ("sum", { "\(try $0.fetch(rock.sum(\.plays))) \(try $0.fetch(page.sum(\.plays)))" })
    case 4:
      return (
        "extremes",
        { "\(try $0.fetch(some.min(\.title)) as Any) \(try $0.fetch(rock.max(\.plays)) as Any)" }
      )
    case 5:
      let titles = some.distinct(by: \.title)
      return ("average", { "\(try $0.fetch(titles.average(\.plays)) as Any)" })
    case 6:
      return ("groups", { "\(try $0.fetch(rock.grouped(by: \.title, .count, .sum(\.plays))))" })
    case 7: return ("sections", { "\(try $0.fetch(some.sections(by: \.genre)))" })
    case 8: return ("first", { "\(try $0.first(some.order(by: \.note)) as Any)" })
    case 14: return ("gets", { tx in "\(try (0..<300).map { try tx.get(Song.self, $0)?.plays })" })
    case 9: return ("get", { "\(try $0.get(Song.self, key) as Any)" })
    case 10:
      return (
        "chain",
        { tx in
          guard let song = try tx.get(Song.self, key) else { return "none" }
          let album = try tx.get(Album.self, "\(song.plays)")
          return "\(try tx.count(Song.where { $0.title == song.title })) \(album as Any)"
        }
      )
    case 11:
      return ("links", { "\(try $0.fetch(Person.where { $0.boss.boss == Ref(bound) }))" })
    case 12:
      return (
        "referrers",
        { "\(try $0.count(Person.where { $0.referrers(by: \Person.boss).count > 1 }))" }
      )
    default:
      return (
        "rows",
        { tx in
          var titles: [String] = []
          try tx.forEachRow(some) { row throws in titles.append(try row[\.title]) }
          return titles.joined()
        }
      )
    }
  }

  private func commit(_ store: Store, _ random: inout SeededGenerator) throws {
    do {
      try store.write { tx in
        for _ in 0..<1 + random.below(4) { try change(&tx, &random) }
        if random.oneIn(8) { throw Refused() }
      }
    } catch is Refused {}
  }

  private func change(_ tx: inout WriteTransaction, _ random: inout SeededGenerator) throws {
    let (id, plays) = (random.below(30), random.below(10))
    switch random.below(13) {
    case 0..<4:
      try tx.upsert(
        Song(id: id, title: "\(random.below(4))", plays: plays, genre: Genre.allCases[id % 3]))
    case 4: try tx.delete(Song.self, id)
    case 5: try tx.update(Song.where { $0.plays == plays }, set: \.plays, to: random.below(10))
    case 6: try tx.delete(Song.where { $0.plays == plays })
    case 7 where random.oneIn(6): try tx.deleteAll(Song.self)
    case 8: try tx.upsert(Album(name: "\(plays)", year: random.below(3)))
    case 9, 10:
      var person = Person(id: plays)
      if plays > 0, try tx.get(Person.self, plays / 2) != nil { person.boss = Ref(plays / 2) }
      try tx.upsert(person)
    case 11 where random.oneIn(4): try tx.delete(Person.self, plays)
    default: try tx.update(Song.self, id) { $0.title += "x" }
    }
  }
}

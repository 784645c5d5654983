import Dispatch
import Testing
import TestSupport

@testable import Croft

/// Random commits under random live aggregates: the last value is what a query of all objects gives.
@Suite(.keepsFailedStores) struct LiveAggregateModelTests {
  /// A live aggregate, and the same asked of the store.
  private struct Watched {
    let name: String
    let values: Recorder<String>
    let token: ObservationToken
    let query: (Store) throws -> String
  }

  @Test func aggregatesAreWhatAQueryGives() throws {
    var random = SeededGenerator.forTest("live aggregates")
    try withTemporaryStore(of: Song.self, Person.self, Club.self) { temporary in
      let (store, other) = (try temporary.open(), try temporary.open())
      var watched = (0..<8).map { _ in watch(store, &random) }
      for step in 0..<Torture.steps(short: 500, long: 50_000) {
        let isForeign = random.oneIn(10)
        try commit(isForeign ? other : store, &random)
        if random.oneIn(10) { watched[random.below(8)] = watch(store, &random) }
        guard isForeign || random.oneIn(2) || step % 50 == 49 else { continue }
        store.live.didFindCommit(nil, in: store)
        store.live.drain()
        for (place, one) in watched.enumerated() {
          do {
            let expected = try one.query(store)
            // A sum that did not fit after a commit before has ended the observation.
            if one.token.error == nil {
              #expect(
                one.values.all.last == expected, "\(one.name), seed \(random.seed), step \(step)")
            }
          } catch let error as StoreError {
            #expect(one.token.error as? StoreError == error, "\(one.name), seed \(random.seed)")
          }
          #expect(zip(one.values.all, one.values.all.dropFirst()).allSatisfy { $0 != $1 })
          if let error = one.token.error {
            guard case StoreError.overflow = error else { throw error }
            watched[place] = watch(store, &random)
          }
        }
      }
    }
  }

  private func watch(_ store: Store, _ random: inout SeededGenerator) -> Watched {
    let values = Recorder<String>()
    let some = query(&random)
    func watched(
      _ name: String, _ token: ObservationToken, _ query: @escaping (Store) throws -> String
    ) -> Watched {
      store.live.drain()
      return Watched(name: name, values: values, token: token, query: query)
    }
    switch random.below(13) {
    case 0, 1:
      return watched("count", store.observe(some.count) { values.add("\($0)") }) {
        "\(try $0.count(some))"
      }
    case 2:
      return watched("sum", store.observe(some.sum(\.plays)) { values.add("\($0)") }) {
        "\(try $0.fetch(some.sum(\.plays)))"
      }
    case 3, 4:
      return watched("ratings", store.observe(some.sum(\.rating)) { values.add("\($0)") }) {
        "\(try $0.fetch(some.sum(\.rating)))"
      }
    case 5:
      return watched(
        "average", store.observe(some.average(\.rating)) { values.add("\($0 as Any)") }
      ) { "\(try $0.fetch(some.average(\.rating)) as Any)" }
    case 6:
      return watched("min", store.observe(some.min(\.title)) { values.add("\($0 as Any)") }) {
        "\(try $0.fetch(some.min(\.title)) as Any)"
      }
    case 7:
      return watched("max", store.observe(some.max(\.plays)) { values.add("\($0 as Any)") }) {
        "\(try $0.fetch(some.max(\.plays)) as Any)"
      }
    case 8:
      return watched("low", store.observe(some.min(\.rating)) { values.add("\($0 as Any)") }) {
        "\(try $0.fetch(some.min(\.rating)) as Any)"
      }
    case 9:
      return watched("high", store.observe(some.max(\.rating)) { values.add("\($0 as Any)") }) {
        "\(try $0.fetch(some.max(\.rating)) as Any)"
      }
    case 10:
      return watched(
        "groups",
        store.observe(
          some.grouped(by: \.genre, .count, .sum(\.rating), .min(\.title), .max(\.rating))
        ) { values.add("\($0)") }
      ) {
        "\(try $0.fetch(some.grouped(by: \.genre, .count, .sum(\.rating), .min(\.title), .max(\.rating))))"
      }
    case 11:
      return watched(
        "notes",
        store.observe(some.grouped(by: \.note, .sum(\.plays))) { values.add("\($0)") }
      ) { "\(try $0.fetch(some.grouped(by: \.note, .sum(\.plays))))" }
    default:
      let people = Person.where { $0.boss.boss == Ref(1) }
      return watched("people", store.observe(people.count) { values.add("\($0)") }) {
        "\(try $0.count(people))"
      }
    }
  }

  private func query(_ random: inout SeededGenerator) -> Query<Song> {
    let bound = random.below(4)
    switch random.below(7) {
    case 0: return Song.all
    case 1: return Song.where { $0.genre == .rock && $0.plays >= bound }
    case 2: return Song.where { $0.title == "\(bound)" || $0.plays < bound }
    case 3: return Song.where { $0.rating != nil }.order(by: \.title)
    case 4: return Song.all.order(by: \.title, \.plays).limit(5, offset: bound)
    case 5: return Song.where { $0.plays > bound }.distinct(by: \.title)
    default: return Song.where { $0.note == nil && $0.title < "3" }
    }
  }

  private func commit(_ store: Store, _ random: inout SeededGenerator) throws {
    do {
      try store.write { tx in
        for _ in 0..<1 + random.below(5) { try change(&tx, &random) }
        if random.oneIn(8) { throw Refused() }
      }
    } catch is Refused {}
  }

  private func change(_ tx: inout WriteTransaction, _ random: inout SeededGenerator) throws {
    let (id, title) = (random.below(40), "\(random.below(5))")
    switch random.below(14) {
    case 0..<5:
      let ratings: [Double?] = [
        nil, .nan, .infinity, -.infinity, 0.1, 1e16, -1e16, 1e-300, .greatestFiniteMagnitude,
      ]
      try tx.upsert(
        Song(
          id: id, title: title,
          plays: random.oneIn(40) ? [Int.max, .min][random.below(2)] : random.below(8) - 2,
          genre: Genre.allCases[random.below(3)], note: random.oneIn(2) ? nil : title,
          rating: random.oneIn(3)
            ? ratings[random.below(ratings.count)] : Double(random.below(100)) / 7))
    case 5, 6: try tx.delete(Song.self, id)
    case 7: try tx.update(Song.where { $0.title == title }, set: \.plays, to: random.below(6))
    // The extremes go.
    case 8: try tx.delete(Song.all.order(by: \.plays.descending).limit(2))
    case 9: try tx.delete(Song.where { $0.rating != nil }.order(by: \.rating).limit(2))
    case 10 where random.oneIn(12): try tx.deleteAll(Song.self)
    case 11:
      var person = Person(id: id % 6)
      if id % 6 > 0, try tx.get(Person.self, id % 6 / 2) != nil { person.boss = Ref(id % 6 / 2) }
      try tx.upsert(person)
    case 12: try tx.update(Song.self, id) { $0.genre = .jazz }
    default: try tx.update(Song.self, id) { $0.title += "x" }
    }
  }
}

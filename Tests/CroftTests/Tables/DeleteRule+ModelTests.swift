import Croft
import Foundation
import Testing
import TestSupport

/// Random graphs with cycles, against plain dictionaries under the same rules.
@Suite(.keepsFailedStores) struct DeleteRuleModelTests {
  private struct Twin {
    var people: [Int: Person] = [:]
    var clubs: [String: Club] = [:]

    /// Deletes people and clubs by the rules; false where something denies it.
    mutating func delete(_ ids: Set<Int>, _ names: Set<String> = []) -> Bool {
      var (ids, names) = (ids, names)
      var size = -1
      while size != ids.count + names.count {
        size = ids.count + names.count
        for person in people.values
        where person.boss.map({ ids.contains($0.key) }) == true
          || person.home.map({ names.contains($0.key) }) == true
        {
          ids.insert(person.id)
        }
        for club in clubs.values where ids.contains(club.founder.key) { names.insert(club.name) }
      }
      let isDenied =
        people.values.contains { person in
          !ids.contains(person.id) && person.guarantor.map { ids.contains($0.key) } == true
        }
        || clubs.values.contains { club in
          !names.contains(club.name) && club.chair.map { ids.contains($0.key) } == true
        }
      if isDenied { return false }
      for id in ids { people[id] = nil }
      for name in names { clubs[name] = nil }
      people = people.mapValues { person in
        var person = person
        person.fans.removeAll { ids.contains($0.key) }
        person.clubs = person.clubs.filter { !names.contains($0.key) }
        if person.friend.map({ ids.contains($0.key) }) == true { person.friend = nil }
        return person
      }
      clubs = clubs.mapValues { club in
        var club = club
        club.members.removeAll { ids.contains($0.key) }
        return club
      }
      return true
    }
  }

  private func person(_ id: Int, _ twin: Twin, _ random: inout SeededGenerator) -> Person {
    let ids = twin.people.keys.sorted() + [id]
    let names = twin.clubs.keys.sorted()
    func one(_ random: inout SeededGenerator, in count: Int) -> Ref<Person>? {
      random.oneIn(count) ? Ref(random.pick(ids)) : nil
    }
    return Person(
      id: id, boss: one(&random, in: 3), friend: one(&random, in: 2),
      guarantor: one(&random, in: 6),
      fans: (0..<random.below(4)).map { _ in Ref(random.pick(ids)) },
      clubs: names.isEmpty ? [] : Set((0..<random.below(3)).map { _ in Ref(random.pick(names)) }),
      home: names.isEmpty || random.oneIn(2) ? nil : Ref(random.pick(names)))
  }

  private func club(_ name: String, _ twin: Twin, _ random: inout SeededGenerator) -> Club {
    let ids = twin.people.keys.sorted()
    return Club(
      name: name, chair: random.oneIn(5) ? Ref(random.pick(ids)) : nil,
      founder: Ref(random.pick(ids)),
      members: (0..<random.below(4)).map { _ in Ref(random.pick(ids)) })
  }

  @Test func rulesHoldOnRandomGraphsWithCycles() throws {
    var random = SeededGenerator.forTest("DeleteRuleModelTests")
    try withStore(of: Person.self, Club.self) { store in
      var twin = Twin()
      for round in 0..<Torture.steps(short: 40, long: 2_000) {
        try store.write { tx in
          for _ in 0..<15 { try step(&tx, &twin, &random) }
        }
        #expect(try store.fetch(Person.all) == twin.people.values.sorted { $0.id < $1.id })
        #expect(try store.fetch(Club.all) == twin.clubs.values.sorted { $0.name < $1.name })
        if round % 10 == 0 { #expect(try store.verify().problems == []) }
      }
    }
  }

  private func step(
    _ tx: inout WriteTransaction, _ twin: inout Twin, _ random: inout SeededGenerator
  ) throws {
    switch random.below(8) {
    case 0..<3:
      let person = person(random.below(30), twin, &random)
      try tx.upsert(person)
      twin.people[person.id] = person
    case 3, 4:
      guard !twin.people.isEmpty else { return }
      let club = club(random.pick(["a", "b", "c", "d", "e"]), twin, &random)
      try tx.upsert(club)
      twin.clubs[club.name] = club
    case 5:
      let id = random.below(30)
      guard twin.people[id] != nil else { return }
      try expect(twin.delete([id]), &tx) { tx in _ = try tx.delete(Person.self, id) }
    case 6:
      let name = random.pick(["a", "b", "c", "d", "e"])
      guard twin.clubs[name] != nil else { return }
      try expect(twin.delete([], [name]), &tx) { tx in _ = try tx.delete(Club.self, name) }
    default:
      let bound = random.below(30)
      let before = twin
      let isAllowed = twin.delete(Set(twin.people.keys.filter { $0 >= bound && $0 < bound + 4 }))
      let gone = before.people.count - twin.people.count
      try expect(isAllowed, &tx) { tx in
        let count = try tx.delete(Person.where { $0.id >= bound && $0.id < bound + 4 })
        #expect(count == gone)
      }
    }
  }

  private func expect(
    _ isAllowed: Bool, _ tx: inout WriteTransaction,
    _ delete: (inout WriteTransaction) throws -> Void
  ) throws {
    if isAllowed { return try delete(&tx) }
    let error = StoreError.thrown { try delete(&tx) }
    guard case .deniedByRelation = error else {
      Issue.record("was not denied: \(String(describing: error))")
      return
    }
  }
}

import Testing
import TestSupport

@testable import Croft

/// Queries that read other rows: they are run again, and only after a change of a model that they
/// depend on.
@Suite(.keepsFailedStores) struct LiveQueryLinkTests {
  private func withStreets(_ body: (Store) throws -> Void) throws {
    try withStore(of: Street.self, House.self, Tenant.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [Street(name: "a", length: 10), Street(name: "b", length: 20)])
        try tx.insert(
          contentsOf: (0..<8).map {
            House(id: $0, number: $0, street: $0 == 7 ? nil : Ref($0 % 2 == 0 ? "a" : "b"))
          })
        try tx.insert(Tenant(id: 1, name: "Ann", house: Ref(2), born: 1990))
      }
      try body(store)
    }
  }

  private func dependencies<M: Model>(_ query: Query<M>, in store: Store) throws -> Set<String> {
    let live = LiveQuery(query.core, M._schema.erased)
    try store.read { try live.run(in: &$0, at: 0) }
    let dependencies = live.region.models.keys
    #expect(live.isIncremental == (dependencies.count == 1))
    let all = try store.read { $0.catalog.all }
    return Set(all.filter { dependencies.contains($0.id) }.map(\.schema.name))
  }

  @Test func aQueryDependsOnTheModelsThatItLooksAt() throws {
    try withStreets { store throws in
      #expect(try dependencies(House.where { $0.number > 1 }, in: store) == ["House"])
      #expect(
        try dependencies(House.where { $0.street.name == "a" }, in: store) == ["House", "Street"])
      #expect(
        try dependencies(House.all.order(by: \.street.length), in: store) == ["House", "Street"])
      #expect(
        try dependencies(Tenant.where { $0.house.street.length > 1 }, in: store)
          == ["Tenant", "House", "Street"])
      #expect(
        try dependencies(
          House.where { $0.referrers(by: \Tenant.house).any { $0.born > 1 } }, in: store)
          == ["House", "Tenant"])
      #expect(
        try dependencies(
          House.where { $0.referrers(by: \Tenant.house).count > 1 }, in: store)
          == ["House", "Tenant"])
      #expect(try dependencies(Tenant.where { $0.words.contains("x") }, in: store) == ["Tenant"])
      #expect(try dependencies(Tenant.where { $0.marks.sum > 3 }, in: store) == ["Tenant"])
      #expect(
        try dependencies(
          Tenant.where { $0.friends.any { $0.house.number > 2 } }, in: store)
          == ["Tenant", "House"])
    }
  }

  @Test func aChangeOfItsOwnModelIsNotAppliedButRead() throws {
    try withStreets { store in
      let query = try WatchedQuery(House.where { $0.street.name == "a" }, in: store)
      #expect(query.results.map(\.id) == [0, 2, 4, 6])
      let outcome = try query.commit { try $0.delete(House.self, 2) }
      #expect(outcome == .needsRun)
      #expect(query.tell()?.deletions == [1])
    }
  }

  @Test func aChangeOfAModelBehindAReferenceIsSeenByARun() throws {
    try withStreets { store in
      let query = try WatchedQuery(House.where { $0.street.length > 15 }, in: store)
      #expect(query.results.map(\.id) == [1, 3, 5])
      try store.write { _ = try $0.update(Street.self, "a") { $0.length = 30 } }
      try store.read { try query.live.run(in: &$0, at: 0) }
      #expect(query.tell()?.insertions == [0, 2, 4, 6])
    }
  }

  @Test func aRunThatFindsNothingNewIsSilence() throws {
    try withStreets { store in
      let query = try WatchedQuery(House.where { $0.street.name == "a" }, in: store)
      try store.write { _ = try $0.update(Street.self, "a") { $0.length = 30 } }
      try store.read { try query.live.run(in: &$0, at: 0) }
      #expect(query.tell() == nil)
    }
  }

  @Test func runsUnderRandomCommitsMoveTheFewest() throws {
    var random = SeededGenerator.forTest("runs of link queries")
    for _ in 0..<Torture.steps(short: 2, long: 400) {
      try withStore(of: Street.self, House.self) { store in
        let query = try WatchedQuery(
          House.where { $0.street.length > 2 }.order(by: \.street.length, \.number), in: store)
        var told: [House] = []
        for _ in 0..<60 {
          try store.write { tx in
            for _ in 0..<random.pick([1, 2, 6]) {
              let name = "\(random.below(5))"
              try tx.upsert(Street(name: name, length: random.below(9)))
              let house = House(id: random.below(30), number: random.below(4), street: Ref(name))
              if random.oneIn(5) {
                try tx.delete(House.self, house.id)
              } else {
                try tx.upsert(house)
              }
            }
          }
          try store.read { try query.live.run(in: &$0, at: 0) }
          let now = try store.fetch(
            House.where { $0.street.length > 2 }.order(by: \.street.length, \.number))
          #expect(Array(query.results) == now, "seed \(random.seed)")
          DiffReplay.check(
            query.tell() ?? ResultDiff(), from: told, to: now, "seed \(random.seed)", key: \.id,
            isSame: { $0 == $1 })
          told = now
        }
      }
    }
  }

  @Test func aRunKeepsTheRowsThatStayedTheSame() throws {
    try withStreets { store in
      let query = try WatchedQuery(House.all.order(by: \.number), in: store)
      let before = query.live.results
      try store.write { _ = try $0.update(House.self, 3) { $0.isOld = true } }
      try store.read { try query.live.run(in: &$0, at: 0) }
      let after = query.live.results
      let same = (0..<8).filter { before[$0].isIdentical(to: after[$0]) }
      #expect(same == [0, 1, 2, 4, 5, 6, 7])
    }
  }

  @Test func rowsInALayoutThatTheQueryWasNotRunForAreRead() throws {
    try withStreets { store in
      let query = try WatchedQuery(House.all, in: store)
      let other = RecordLayout(schema: House._schema.erased, id: 999)
      let row = StoredRow(House(id: 50, number: 1), other)
      let change = RowDelta(key: row.key, old: nil, new: row)
      #expect(try query.live.apply([change]) == .needsRun)
    }
  }
}

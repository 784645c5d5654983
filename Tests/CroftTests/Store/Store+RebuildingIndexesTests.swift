import Foundation
import LMDB
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// A model with an index of every kind.
@Model struct Tune: Hashable {
  @PrimaryKey var id: Int
  @Indexed var title: String
  @Indexed(.unique) var code: String?
  @Indexed var tags: [String] = []
  @Relation(onDelete: .cascade) var disc: Ref<Platter>?
  var rank = 0
  #Index<Tune>([\.rank.descending, \.title.caseFolded])
}
@Model struct Platter: Hashable {
  @PrimaryKey var id: Int
}

/// Damaged indexes, and how they are rebuilt from the rows.
@Suite(.keepsFailedStores) struct StoreRebuildingIndexesTests {
  static func tune(_ id: Int) -> Tune {
    Tune(
      id: id, title: "Title \(id % 13)", code: id % 4 == 0 ? nil : "code \(id)",
      tags: (0..<id % 4).map { "tag \(($0 + id) % 9)" }, disc: id % 3 == 0 ? nil : Ref(id % 5),
      rank: id % 11 - 5)
  }
  /// A unique value of more than a key holds, so that its entry is truncated.
  static let long = String(repeating: "long ", count: 200)

  static func fill(_ store: Store, _ count: Int) throws {
    try store.write { tx throws in
      try tx.insert(contentsOf: (0..<5).map { Platter(id: $0) })
      try tx.insert(contentsOf: (0..<count).map(tune))
      try tx.insert(Tune(id: count, title: "", code: long + "1"))
      try tx.insert(Tune(id: count + 1, title: "", code: long + "2"))
    }
  }

  /// Deletes every third entry of all indexes, and gives every fifth to another object.
  static func damage(_ url: URL) throws {
    let environment = try Environment.open(at: url.path)
    try environment.write { transaction in
      for number in 1...9 {
        guard let tree = try transaction.database(named: "x\(number)") else { continue }
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try transaction.forEachBlock(of: tree) { block in
          for place in 0..<block.count {
            entries.append((block.key(at: place).copied(), block.value(at: place).copied()))
          }
          return true
        }
        for (place, var entry) in entries.enumerated() {
          if place % 3 == 0 { _ = try transaction.delete(entry.key.span.bytes, in: tree) }
          guard place % 5 == 0 else { continue }
          // The last byte is the last one of a primary key.
          if entry.value.isEmpty {
            entry.key[entry.key.count - 1] ^= 1
          } else {
            entry.value[entry.value.count - 1] ^= 1
          }
          _ = try transaction.put(entry.value.span.bytes, at: entry.key.span.bytes, in: tree)
        }
      }
    }
  }

  static func expectWhole(_ store: Store, _ tunes: [Tune]) throws {
    let verification = try store.verify()
    #expect(verification.problems == [] && !verification.isMendedByRebuildingIndexes)
    #expect(try store.fetch(Tune.all) == tunes)
    for title in ["Title 3", "Title 12"] {
      #expect(
        try store.fetch(Tune.where { $0.title == title }) == tunes.filter { $0.title == title })
    }
    #expect(
      try store.fetch(Tune.where { $0.tags.contains("tag 4") })
        == tunes.filter { $0.tags.contains("tag 4") })
    #expect(
      try store.fetch(Tune.where { $0.disc == Ref(2) }) == tunes.filter { $0.disc == Ref(2) })
    #expect(
      try store.fetch(Tune.where { $0.code == "code 7" }) == tunes.filter { $0.code == "code 7" })
    #expect(try store.explain(Tune.where { $0.code == "code 7" }).access == .indexEquality)
    let statistics = try store.statistics.models
    #expect(statistics.allSatisfy { $0.indexes.allSatisfy { !$0.isBuilding } })
    #expect(statistics.map(\.indexes.count) == [0, 5])
  }

  private func withDamage(
    _ count: Int = 200, _ body: (TemporaryStore, [Tune]) throws -> Void
  ) throws {
    try withTemporaryStore(of: Tune.self, Platter.self, checksAtEnd: false) { temporary in
      try Self.fill(temporary.open(), count)
      let tunes = try temporary.open().fetch(Tune.all)
      try Self.damage(temporary.url)
      try body(temporary, tunes)
    }
  }

  @Test func everyKindOfIndexIsMadeAnewAndVerifyingSaysThatThisMendsIt() throws {
    try withDamage { temporary, tunes in
      let store = try temporary.open()
      let verification = try store.verify(keepingProblems: 1_000)
      #expect(verification.problemCount > 300 && verification.isMendedByRebuildingIndexes)
      #expect(verification.indexProblemCount == verification.problemCount)
      var steps: [IndexRebuildProgress] = []
      try store.rebuildIndexes { steps.append($0) }
      try Self.expectWhole(store, tunes)
      #expect(steps.map(\.done) == [1, 2, 3, 4, 5] && steps.allSatisfy { $0.total == 5 })
      #expect(Set(steps.map(\.properties)).count == 5 && steps.allSatisfy { $0.model == "Tune" })
      #expect(steps.first { $0.properties == ["title"] }?.entries == tunes.count)
      #expect(steps.last?.fraction == 1)
      // Rules and constraints hold by the new ones.
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert(Tune(id: 900, title: "", code: "code 7")) }
      }
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert(Tune(id: 900, title: "", code: Self.long + "1")) }
      }
      try store.write { _ = try $0.delete(Platter.self, 2) }
      try Self.expectWhole(temporary.open(), tunes.filter { $0.disc != Ref(2) })
    }
  }

  @Test func oneModelsIndexesAreMadeAnewAloneAndAnUnknownModelIsRefused() throws {
    try withDamage { temporary, tunes in
      let store = try temporary.open()
      try store.rebuildIndexes(of: Platter.self)
      #expect(try !store.verify().isSound)
      #expect(throws: StoreError.unknownModel(model: "Song")) {
        try store.rebuildIndexes(of: Song.self)
      }
      try store.rebuildIndexes(of: Tune.self)
      try Self.expectWhole(store, tunes)
    }
  }

  @Test func aModelThatRefersToTheProgramsIsMendedThoughItIsNotDeclared() throws {
    try withDamage { temporary, tunes in
      let store = try Store.open(at: temporary.url, models: Platter.self, options: .forTests)
      #expect(try store.verify().isMendedByRebuildingIndexes)
      try store.rebuildIndexes()
      try Self.expectWhole(temporary.open(), tunes)
    }
  }

  @Test func itIsDoneOffTheCallersThreadToo() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "store.croft")
    let store = try Store.open(at: url, models: Tune.self, Platter.self, options: .forTests)
    try Self.fill(store, 50)
    let steps = Recorder<Int>()
    try await store.rebuildIndexes { steps.add($0.done) }
    #expect(steps.all == [1, 2, 3, 4, 5])
    #expect(try await store.verify().isSound)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aReadOnlyStoreAndAWriteAreNoPlacesForIt() throws {
    try withDamage { temporary, _ in
      do {
        let store = try temporary.open()
        #expect(throws: StoreError.nestedWrite) {
          try store.write { _ in try store.rebuildIndexes() }
        }
      }
      let store = try Store.open(
        at: temporary.url, models: Tune.self, Platter.self,
        options: .forTests { $0.isReadOnly = true })
      #expect(throws: StoreError.readOnly) { try store.rebuildIndexes() }
    }
  }

  @Test func twoObjectsOfOneUniqueValueAreNamedAndNothingIsLost() throws {
    for code in ["code 7", Self.long + "1"] {
      try withTemporaryStore(of: Tune.self, Platter.self) { temporary in
        try Self.fill(temporary.open(), 50)
        try Self.damage(temporary.url)
        let store = try temporary.open()
        let first = try #require(try store.fetch(Tune.all).first { $0.code == code })
        // With its entry gone, nothing keeps another object from having the same.
        let environment = try Environment.open(at: temporary.url.path, options: .init(.forTests))
        try environment.write { transaction in
          let index = store.knownCatalog.all.last?.entryIndexes.first { $0.isUnique }
          try transaction.empty(try #require(index).entries)
        }
        try store.write { try $0.insert(Tune(id: 1_000, title: "same", code: code)) }
        let tunes = try store.fetch(Tune.all)
        let found = try store.verify(keepingProblems: 1_000)
        #expect(found.problemCount > found.indexProblemCount || code == Self.long + "1")
        for _ in 0..<2 {
          #expect(
            throws: StoreError.uniqueViolation(
              model: "Tune", fields: ["code"], key: "1000", existing: "\(first.id)")
          ) { try store.rebuildIndexes() }
          #expect(try store.fetch(Tune.all) == tunes)
        }
        // The others are done by then or by the next opening, which is refused to nobody.
        #expect(try temporary.open().fetch(Tune.all) == tunes)
        try store.write { _ = try $0.update(Tune.self, 1_000) { $0.code = "another" } }
        try store.rebuildIndexes()
        #expect(try store.verify().problems == [])
      }
    }
  }

  @Test func aRowThatCannotBeReadIsNamedAndTheStoreIsOpenedAllTheSame() throws {
    try withDamage { temporary, tunes in
      let store = try StepwiseBuild.open(at: temporary.url, Tune.self)
      let environment = try Environment.open(at: temporary.url.path, options: .init(.forTests))
      try environment.write { transaction in
        let trees = (
          try #require(try transaction.database(named: "e1")),
          try #require(try transaction.database(named: "e2"))
        )
        let rows = try transaction.count(of: trees.0) == tunes.count ? trees.0 : trees.1
        var key: [UInt8] = []
        try transaction.forEachBlock(of: rows) { block in
          key = block.key(at: 0).copied()
          return false
        }
        _ = try transaction.put([0x52, 0, 1].span.bytes, at: key.span.bytes, in: rows)
      }
      guard case .corrupt("Tune", .some, _) = StoreError.thrown(by: { try store.rebuildIndexes() })
      else {
        Issue.record("it was rebuilt")
        return
      }
      #expect(try !store.verify().isMendedByRebuildingIndexes)
      #expect(try temporary.open().get(Tune.self, 150) == tunes[150])
      #expect(try temporary.open().write { try $0.delete(Tune.self, 151) })
    }
  }

  /// Between the steps others write, and rules and constraints hold at every moment.
  @Test func whateverIsWrittenBetweenStepsTheIndexesAreWhatTheRowsAskFor() throws {
    var random = SeededGenerator.forTest("StoreRebuildingIndexesTests")
    try withTemporaryStore(of: Tune.self, Platter.self) { temporary in
      let other = try temporary.open()
      try Self.fill(other, 300)
      // They keep their plans, which lead to trees that are replaced.
      let kept: [(Query<Tune>, (Tune) -> Bool)] = [
        (Tune.where { $0.title == "Title 4" }, { $0.title == "Title 4" }),
        (Tune.where { $0.tags.contains("tag 2") }, { $0.tags.contains("tag 2") }),
        (Tune.where { $0.disc == Ref(2) && $0.rank != 1 }, { $0.disc == Ref(2) && $0.rank != 1 }),
        (Tune.where { $0.rank > 2 }.order(by: \.rank.descending), { $0.rank > 2 }),
      ]
      for (query, _) in kept {
        for _ in 0..<2 { _ = (try other.fetch(query), try other.count(query)) }
      }
      let store = try StoreOpening(
        path: temporary.url.path, [Tune.self, Platter.self], .forTests,
        limits: StepwiseBuild.building
      ).run()
      var steps = 0
      try store.rebuildIndexes { _ in
        steps += 1
        do {
          let all = try other.fetch(Tune.all)
          for (query, matches) in kept {
            #expect(try Set(other.fetch(query)) == Set(all.filter(matches)), "step \(steps)")
            #expect(try other.count(query) == all.count(where: matches), "step \(steps)")
          }
          try other.write { tx in
            for _ in 0..<4 {
              let id = random.below(320)
              switch random.below(4) {
              case 0: try tx.delete(Tune.self, id)
              case 1: try tx.update(Tune.self, id) { $0.title = "new \(steps)" }
              default:
                var tune = Self.tune(id)
                tune.rank = steps
                try tx.upsert(tune)
              }
            }
          }
          // No two objects get one value while its index is being rebuilt.
          let some = try #require(try other.first(Tune.where { !$0.code.isNil }))
          #expect(throws: StoreError.self) {
            try other.write { try $0.insert(Tune(id: 10_000 + steps, title: "", code: some.code)) }
          }
          if steps == 9 {
            let count = try other.count(Tune.where { $0.disc == Ref(3) })
            let all = try other.count(Tune.all)
            try other.write { _ = try $0.delete(Platter.self, 3) }
            let left = try other.count(Tune.all)
            #expect(count > 0 && left == all - count)
            try other.write { try $0.insert(Platter(id: 3)) }
          }
          #expect(try other.verify().problems == [], "seed \(random.seed)")
        } catch {
          Issue.record(error)
        }
      }
      #expect(steps > 20)
      try Self.expectWhole(store, other.fetch(Tune.all))
    }
  }

  /// A schema that changes in the middle ends with whole indexes as well.
  @Test func aMigrationInTheMiddleMakesAllIndexesAnew() throws {
    try withDamage(300) { temporary, tunes in
      let store = try StoreOpening(
        path: temporary.url.path, [Tune.self, Platter.self], .forTests,
        limits: StepwiseBuild.building
      ).run()
      var steps = 0
      try store.rebuildIndexes { _ in
        steps += 1
        guard steps == 4 else { return }
        do {
          _ = try Store.open(
            at: temporary.url, models: Tune.self, Platter.self, options: .forTests,
            migrations: [Migration("rewrite", Tune.self) { _, new in new?.rank += 1 }])
        } catch {
          Issue.record(error)
        }
      }
      let twin = tunes.map { tune in
        var tune = tune
        tune.rank += 1
        return tune
      }
      try Self.expectWhole(store, twin)
    }
  }
}

#if DEBUG
  /// Each call of the storage engine fails once while indexes are rebuilt.
  @Suite(.keepsFailedStores) struct StoreRebuildingFaultTests {
    @Test func aRebuildThatFailsAnywhereGoesOnAtTheNextOpening() throws {
      var call = 1
      var isClean = false
      var resumed = 0
      while !isClean {
        try withTemporaryStore(of: Tune.self, Platter.self) { temporary in
          try StoreRebuildingIndexesTests.fill(temporary.open(), 40)
          try StoreRebuildingIndexesTests.damage(temporary.url)
          let plan = FaultPlan(failingCall: call, with: .outOfSpace)
          do {
            let store = try StoreOpening(
              path: temporary.url.path, [Tune.self, Platter.self], .forTests,
              limits: StepwiseBuild.building
            ).run()
            let tunes = try store.fetch(Tune.all)
            do {
              try FaultPlan.$current.withValue(plan) { try store.rebuildIndexes() }
            } catch {
              #expect(error is StoreError, "call \(call): \(error)")
              #expect(plan.hasFailedCall, "call \(call): \(error)")
            }
            isClean = !plan.hasFailedCall
            #expect(try store.fetch(Tune.all) == tunes, "call \(call)")
          }
          // The next opening continues the requested rebuild, if that was committed.
          let store = try temporary.open()
          #expect(try store.statistics.models[1].indexes.count == 5, "call \(call)")
          if plan.hasFailedCall, try store.verify().isSound { resumed += 1 }
          try store.rebuildIndexes()
          #expect(try store.verify().problems == [], "call \(call)")
        }
        call += 1 + call / 16
        guard call < 20_000 else { preconditionFailure("The rebuild never ends.") }
      }
      #expect(resumed > 10)
    }
  }
#endif

/// A process that rebuilds indexes and dies, while another has the store open.
@Suite(.keepsFailedStores) struct StoreRebuildingProcessTests {
  @Test(arguments: [1, 2, 4, 9]) func aProcessKilledInTheMiddleLosesOneStep(steps: Int) async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "store.croft")
    try StoreRebuildingIndexesTests.fill(
      Store.open(at: url, models: Tune.self, Platter.self, options: .forTests), 300)
    try StoreRebuildingIndexesTests.damage(url)
    let store = try Store.open(at: url, models: Tune.self, Platter.self, options: .forTests)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [url = url as URL, steps = steps as Int] in
      let store = try StoreOpening(
        path: url.path, [Tune.self, Platter.self], .forTests, limits: StepwiseBuild.building
      ).run()
      let count = Atomic(0)
      try await store.rebuildIndexes { _ in
        if count.add(1, ordering: .relaxed).newValue == steps { kill(getpid(), SIGKILL) }
      }
    }
    #expect(try store.statistics.models[1].indexes.contains(where: \.isBuilding))
    try await store.write { tx in
      try tx.insert(Tune(id: 5_000, title: "Title 3", tags: ["tag 4"]))
      try tx.insert(Tune(id: -5_000, title: "Title 3", disc: Ref(2)))
    }
    await #expect(processExitsWith: .success) { [url = url as URL] in
      let store = try Store.open(at: url, models: Tune.self, Platter.self, options: .forTests)
      try #require(try await store.verify().problems == [])
    }
    try StoreRebuildingIndexesTests.expectWhole(store, await store.fetch(Tune.all))
    #expect(try await store.count(Tune.all) == 304)
    try FileManager.default.removeItem(at: folder)
  }
}

import Foundation
import Testing
import TestSupport

@testable import Croft

/// A unique index over many objects is built step by step, and clashes may turn up on the way.
@Suite(.keepsFailedStores) struct IndexBuildingUniqueTests {
  private let long = String(repeating: "z", count: 300)

  /// Passes a store of badges, open as the older program whose codes need not be unique.
  private func withBadges(
    _ code: (Int) -> String?, _ body: (Store, URL) throws -> Void
  ) throws {
    try withTemporaryStore(of: Loose.Badge.self) { temporary in
      let old = try temporary.open()
      try old.write { tx in
        try tx.insert(contentsOf: (0..<240).map { Loose.Badge(id: $0, code: code($0)) })
      }
      try body(old, temporary.url)
    }
  }

  /// Distinct codes, some of them nil and some longer than an index keeps.
  private func distinct(_ id: Int) -> String? {
    id % 7 == 0 ? nil : (id % 5 == 0 ? long : "") + "code \(id)"
  }

  @Test func aUniqueIndexIsBuiltInStepsAndHolds() throws {
    try withBadges(distinct) { old, url in
      let build = try StepwiseBuild(at: url, Strict.Badge.self)
      while try build.step() != nil { #expect(try old.verify().problems == []) }
      let new = try Store.open(at: url, models: Strict.Badge.self, options: .forTests)
      #expect(try new.verify().indexEntries == 240)
      #expect(
        throws: StoreError.uniqueViolation(
          model: "Badge", fields: ["code"], key: "5000", existing: "3")
      ) { try new.write { try $0.insert(Strict.Badge(id: 5_000, code: "code 3")) } }
    }
  }

  @Test(arguments: [false, true])
  func aClashFoundOnTheWayNamesBothObjectsAndTakesTheIndexBack(isLong: Bool) throws {
    let start = isLong ? long : ""
    func code(_ id: Int) -> String { start + "\(id == 220 ? 2 : id)" }
    try withBadges(code) { old, url in
      let clash = StoreError.uniqueViolation(
        model: "Badge", fields: ["code"], key: "220", existing: "2"
      ).buildingUniqueIndex(isMigrating: false)
      for _ in 0..<2 {
        #expect(throws: clash) { try StepwiseBuild.open(at: url, Strict.Badge.self) }
        // The older program has a store without the index, and may repeat values.
        #expect(try old.verify().indexEntries == 0)
        #expect(try old.statistics.models[0].indexes.isEmpty)
        _ = try old.write { try $0.upsert(Loose.Badge(id: 2_000, code: start + "7")) }
        _ = try old.write { try $0.delete(Loose.Badge.self, 2_000) }
      }
      _ = try old.write { try $0.update(Loose.Badge.self, 220) { $0.code = "another" } }
      let new = try StepwiseBuild.open(at: url, Strict.Badge.self)
      #expect(try new.verify().indexEntries == 240)
    }
  }

  /// The later program's opening failed at the clash, and its other changes stayed: the earlier program,
  /// which needs the value, was refused for good.
  @Test func aRefusedUniqueIndexTakesBackWhatElseItsProgramChanged() throws {
    try withTemporaryStore(of: Needing.Pass.self, Needing.Gate.self) { temporary in
      let old = try temporary.open()
      try old.write { tx in
        try tx.insert(
          contentsOf: (0..<240).map { Needing.Pass(id: $0, code: $0 % 200, note: "\($0)") })
        try tx.insert(Needing.Gate(id: 1, width: 2))
      }
      for models in [[Passing.Pass.self], [Passing.Gate.self, Passing.Renamed.self]]
        as [[any Model.Type]]
      {
        #expect {
          try StoreOpening(
            path: temporary.url.path, models, .forTests, limits: StepwiseBuild.building
          ).run()
        } throws: {
          ($0 as? StoreError)?.description.contains("its unique index over code cannot be made")
            ?? false
        }
        let again = try temporary.open()
        #expect(try again.get(Needing.Pass.self, 230)?.note == "230")
        #expect(try again.get(Needing.Gate.self, 1) == Needing.Gate(id: 1, width: 2))
        #expect(try again.verify().problems == [])
      }
    }
  }

  @Test func aClashWithWhatIsBuiltIsRefusedAtTheStatement() throws {
    try withBadges(distinct) { old, url in
      let build = try StepwiseBuild(at: url, Strict.Badge.self)
      for _ in 0..<3 { try build.step() }
      for id in [5_000, -1] {
        #expect(
          throws: StoreError.uniqueViolation(
            model: "Badge", fields: ["code"], key: "\(id)", existing: "3")
        ) { try old.write { try $0.insert(Loose.Badge(id: id, code: "code 3")) } }
      }
      while try build.step() != nil {}
      #expect(try old.verify().indexEntries == 240)
    }
  }

  /// Rows that the build has not reached may repeat values of those that it has: taking them away
  /// must not take the others' entries.
  @Test func aClashThatIsResolvedBeforeTheBuildReachesItIsNone() throws {
    func code(_ id: Int) -> String? { id >= 220 ? "code \(id - 220)" : "code \(id)" }
    try withBadges(code) { old, url in
      let build = try StepwiseBuild(at: url, Strict.Badge.self)
      for _ in 0..<3 { try build.step() }
      try old.write { tx in
        try tx.delete(Loose.Badge.where { $0.id.in(220..<224) })
        for id in 224..<228 { try tx.delete(Loose.Badge.self, id) }
        try tx.update(Loose.Badge.where { $0.id.in(228..<240) }) { $0.code = "own \($0.id)" }
      }
      #expect(try old.verify().problems == [])
      while try build.step() != nil { #expect(try old.verify().problems == []) }
      #expect(try old.verify().indexEntries == 232)
    }
  }

  /// A change of another property of such a row is not refused for the clash.
  @Test func objectsThatKeepTheirValuesCanBeChangedWhileTheyClash() throws {
    try withTemporaryStore(of: Labelled.Badge.self) { temporary in
      let old = try temporary.open()
      try old.write { tx in
        try tx.insert(
          contentsOf: (0..<240).map { Labelled.Badge(id: $0, code: "\($0 % 220)") })
      }
      let build = try StepwiseBuild(at: temporary.url, Strict.Badge.self)
      for _ in 0..<3 { try build.step() }
      _ = try old.write { try $0.update(Labelled.Badge.self, 230) { $0.label = "changed" } }
      #expect(try old.get(Labelled.Badge.self, 230)?.label == "changed")
      #expect(throws: StoreError.self) {
        try StepwiseBuild.open(at: temporary.url, Strict.Badge.self)
      }
    }
  }

  @Test func aProgramThatDoesNotAskForTheIndexOpensTheStoreWhateverClashes() throws {
    try withBadges({ "\($0 % 220)" }) { old, url in
      let build = try StepwiseBuild(at: url, Strict.Badge.self)
      for _ in 0..<3 { try build.step() }
      let again = try StepwiseBuild.open(at: url, Loose.Badge.self)
      #expect(try again.verify().indexEntries == 0)
      #expect(try again.count(Loose.Badge.all) == 240)
    }
  }

  @Test func whateverIsWrittenMeanwhileNoTwoObjectsHaveOneValueInTheEnd() throws {
    var random = SeededGenerator.forTest("IndexBuildingUniqueTests")
    for _ in 0..<4 {
      try withBadges(distinct) { old, url in
        let build = try StepwiseBuild(at: url, Strict.Badge.self)
        repeat {
          for _ in 0..<10 {
            let id = random.below(300) - 30
            let code = random.oneIn(5) ? nil : distinct(random.below(300))
            do {
              try old.write { tx in
                if random.oneIn(4) {
                  try tx.delete(Loose.Badge.self, id)
                } else {
                  try tx.upsert(Loose.Badge(id: id, code: code))
                }
              }
            } catch StoreError.uniqueViolation {}
          }
          #expect(try old.verify().problems == [], "seed \(random.seed)")
        } while try stepOrClash(build)
        #expect(try old.verify().problems == [], "seed \(random.seed)")
      }
    }
  }

  /// Takes a step; false when all is done, or when values clash that were there before.
  private func stepOrClash(_ build: StepwiseBuild) throws -> Bool {
    do { return try build.step() != nil } catch is IndexBuilder.IndexClash { return false }
  }
}

enum Labelled {
  @Model struct Badge: Hashable {
    @PrimaryKey var id: Int
    var code: String?
    var label: String?
  }
}

/// A program whose passes need a note.
enum Needing {
  @Model struct Pass {
    @PrimaryKey var id: Int
    var code: Int
    var note: String
  }
  @Model struct Gate: Equatable {
    @PrimaryKey var id: Int
    var width: Int32
  }
}

/// Later ones, in which a pass may be without a note, or the gate is wider, and codes are unique.
enum Passing {
  @Model struct Pass {
    @PrimaryKey var id: Int
    @Indexed(.unique) var code: Int
    var note: String?
  }
  @Model struct Gate {
    @PrimaryKey var id: Int
    var width: Int64
  }
  @Renamed(from: "Pass")
  @Model struct Renamed {
    @PrimaryKey var id: Int
    @Indexed(.unique) var code: Int
    var note: String
  }
}

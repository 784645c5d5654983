import Croft
import Foundation
import Testing
import TestSupport

// An older and a newer program of one model on one file.

enum OldForm {
  @Model struct Entry: Hashable {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank: Int?
    var old: String?
  }
}
enum NewForm {
  @Model struct Entry: Hashable {
    @PrimaryKey var id: Int
    var tag: String?
    var title: String
    @Indexed var rank: Int?
    @Indexed var score: Double?
    var blob: Data?
  }
}

/// All that either program knows of an entry.
private struct Twin: Equatable {
  var title: String
  var rank: Int?
  var old: String?
  var tag: String?
  var score: Double?
  var blob: Data?
}

/// Nobody loses fields.
@Suite(.keepsFailedStores) struct AlternatingProgramsTests {
  @Test func anOlderAndANewerProgramAlternateAThousandTimesAndEveryValueSurvives() throws {
    var random = SeededGenerator.forTest(#function)
    try withTemporaryStore(of: NewForm.Entry.self) { temporary in
      var twins: [Int: Twin] = [:]
      for turn in 0..<1_000 {
        if turn % 2 == 0 {
          let store = try Store.open(
            at: temporary.url, models: OldForm.Entry.self, options: .forTests)
          try store.write { _ = try write(&$0, &random, &twins) as OldForm.Entry? }
          if turn % 100 == 0 {
            #expect(
              try store.fetch(OldForm.Entry.all) == older(twins),
              "seed \(random.seed), turn \(turn)")
          }
        } else {
          let store = try temporary.open()
          try store.write { _ = try write(&$0, &random, &twins) as NewForm.Entry? }
          if turn % 100 == 1 {
            #expect(
              try store.fetch(NewForm.Entry.all) == newer(twins),
              "seed \(random.seed), turn \(turn)")
          }
        }
      }
      let store = try temporary.open()
      #expect(try store.fetch(NewForm.Entry.all) == newer(twins), "seed \(random.seed)")
      #expect(
        try store.fetch(NewForm.Entry.where { $0.score > 0 })
          == newer(twins).filter { $0.score.map { $0 > 0 } ?? false }, "seed \(random.seed)")
      let old = try Store.open(at: temporary.url, models: OldForm.Entry.self, options: .forTests)
      #expect(try old.fetch(OldForm.Entry.all) == older(twins), "seed \(random.seed)")
      // Each program has one layout; opening costs no more however often it is done.
      #expect(try old.verify().isSound)
    }
  }

  private func older(_ twins: [Int: Twin]) -> [OldForm.Entry] {
    twins.keys.sorted().map { id in
      OldForm.Entry(
        id: id, title: twins[id]?.title ?? "", rank: twins[id]?.rank, old: twins[id]?.old)
    }
  }

  private func newer(_ twins: [Int: Twin]) -> [NewForm.Entry] {
    twins.keys.sorted().map { id in
      let twin = twins[id]
      return NewForm.Entry(
        id: id, tag: twin?.tag, title: twin?.title ?? "", rank: twin?.rank, score: twin?.score,
        blob: twin?.blob)
    }
  }

  /// A few statements of the older program.
  private func write(
    _ tx: inout WriteTransaction, _ random: inout SeededGenerator, _ twins: inout [Int: Twin]
  ) throws -> OldForm.Entry? {
    for _ in 0..<3 {
      let id = random.below(40)
      var twin = twins[id] ?? Twin(title: "")
      twin.title = random.text()
      twin.rank = random.maybe { $0.below(5) }
      twin.old = random.maybe { $0.anyText() }
      let entry = OldForm.Entry(id: id, title: twin.title, rank: twin.rank, old: twin.old)
      switch random.below(3) {
      case 0 where twins[id] != nil:
        try tx.update(OldForm.Entry.self, id) { $0 = entry }
      case 1 where random.oneIn(4):
        try tx.delete(OldForm.Entry.self, id)
        twins[id] = nil
        continue
      default: try tx.upsert(entry)
      }
      twins[id] = twin
    }
    return nil
  }

  /// A few statements of the newer program; values of 70,000 bytes make rows wide.
  private func write(
    _ tx: inout WriteTransaction, _ random: inout SeededGenerator, _ twins: inout [Int: Twin]
  ) throws -> NewForm.Entry? {
    for _ in 0..<3 {
      let id = random.below(40)
      var twin = twins[id] ?? Twin(title: "")
      twin.title = random.text()
      twin.tag = random.maybe { $0.text() }
      twin.score = random.maybe { Double($0.below(7)) - 3 }
      twin.blob = random.maybe { Data(count: $0.oneIn(10) ? 70_000 : $0.below(3)) }
      let entry = NewForm.Entry(
        id: id, tag: twin.tag, title: twin.title, rank: twin.rank, score: twin.score,
        blob: twin.blob)
      if random.oneIn(2), twins[id] != nil {
        try tx.update(NewForm.Entry.self, id) { $0 = entry }
      } else {
        try tx.upsert(entry)
      }
      twins[id] = twin
    }
    return nil
  }
}

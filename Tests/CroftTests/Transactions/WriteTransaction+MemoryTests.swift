import Foundation
import Synchronization
import Testing

@testable import Croft

/// Tells how many of it there are, and were, for one test at a time.
final class Mark: Sendable, Hashable {
  struct Count {
    var made = 0
    var alive = 0
    var most = 0
  }

  static let count = Mutex(Count())

  init() {
    Self.count.withLock { count in
      count.made += 1
      count.alive += 1
      count.most = max(count.most, count.alive)
    }
  }

  deinit { Self.count.withLock { $0.alive -= 1 } }

  /// What a body makes, and how many there are at once.
  static func counting(_ body: () throws -> Void) rethrows -> (made: Int, most: Int) {
    let before = count.withLock { count in
      count.most = count.alive
      return count
    }
    try body()
    let after = count.withLock { $0 }
    return (after.made - before.made, after.most - before.alive)
  }

  static func == (left: Mark, right: Mark) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// A model whose objects are counted.
@Model struct Marked: Hashable {
  @PrimaryKey var id: Int
  @Indexed var group: Int
  var rest = 0
  @Indexed var text = ""
  var note: String?
  @Transient var mark = Mark()
}

/// What statements about many objects keep in memory: their keys.
@Suite(.serialized, .keepsFailedStores) struct WriteTransactionMemoryTests {
  private func withMarked(_ count: Int, _ body: (Store) throws -> Void) throws {
    try withStore(of: Marked.self) { store in
      try store.write { tx throws in
        try tx.insert(
          contentsOf: (0..<count).map {
            Marked(id: $0, group: $0 % 10, rest: $0 % 3, text: "text \($0)")
          })
      }
      try body(store)
    }
  }

  @Test func deletingAndSettingByQueryMakesNoObject() throws {
    try withMarked(3_000) { store in
      let count = try Mark.counting {
        try store.write { tx throws in
          try tx.update(
            Marked.where { $0.group < 5 }.order(by: \.text), set: (\.note, to: "x"),
            (\.group, to: 7))
          try tx.delete(Marked.where { $0.group == 7 }.order(by: \.text.descending))
          try tx.delete(Marked.where { $0.id < 2_000 })
        }
      }
      #expect(count == (0, 0))
      #expect(try store.count(Marked.all) == 400)
    }
  }

  @Test func anUpdateByQueryHasOneObjectAtATime() throws {
    try withMarked(3_000) { store in
      let count = try Mark.counting {
        try store.write { tx throws in
          _ = try tx.update(Marked.where { $0.group < 5 }.order(by: \.text)) { $0.note = "x" }
        }
      }
      // The one that is changed, and the one that was.
      #expect(count.made == 1_500 && count.most <= 2, "\(count)")
    }
  }

  @Test func indexEntriesOfDeletedObjectsAreAppliedOnTheWay() throws {
    try withMarked(3_000) { store in
      try store.write { tx throws in
        tx.context.entryWriters.longestBufferBytes = 500
        let count = try tx.delete(Marked.where { $0.rest != 0 }.order(by: \.text))
        #expect(count == 2_000)
        tx.context.entryWriters.forEach { #expect(!$0.isFull) }
        #expect(try tx.fetch(Marked.where { $0.group == 4 }).allSatisfy { $0.id % 3 == 0 })
      }
      #expect(try store.fetch(Marked.all).map(\.id) == (0..<1_000).map { $0 * 3 })
      #expect(try store.verify().indexEntries == 2_000)
    }
  }

  @Test func whatGoesByCascadesIsAppliedOnTheWayToo() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx throws in
        try tx.insert(
          contentsOf: (0..<600).map { id in
            Person(id: id, boss: id % 3 == 0 ? nil : Ref(id - 1), fans: [Ref(id / 2)])
          })
      }
      try store.write { tx throws in
        tx.context.entryWriters.longestBufferBytes = 300
        let count = try tx.delete(Person.where { $0.id >= 100 && $0.boss == nil })
        #expect(count == 498)
        tx.context.entryWriters.forEach { #expect(!$0.isFull) }
      }
      #expect(try store.count(Person.all) == 102)
    }
  }
}

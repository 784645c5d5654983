import Foundation
import Synchronization
import TestSupport
import Testing
import TodoKit

/// The states that items had before changes since a time.
@Suite struct ItemStatesTests {
  /// The state at any time of an item that was changed since then is among its states, however many
  /// rows a command has.
  @Test(arguments: [1, 3, 1000])
  func theStateAtATimeIsKnown(rowsPerPortion: Int) throws {
    var random = SeededGenerator.forTest("theStateAtATimeIsKnown \(rowsPerPortion)")
    let seconds = Mutex(0.0)
    var limits = HistoryLimits()
    limits.rowsPerPortion = rowsPerPortion
    let repository = try CroftTodoRepository.inMemory(
      limits: limits, now: { Date(timeIntervalSince1970: seconds.withLock { $0 }) })
    let items = (0..<5).map { TodoItem(title: "item \($0)", in: nil) }
    try repository.perform(.add(items))
    var snapshots: [(time: Date, items: [UUID: TodoItem])] = []
    for step in 1...40 {
      let all = try repository.items(.all)
      snapshots.append(
        (
          Date(timeIntervalSince1970: Double(step) - 0.5),
          Dictionary(all.map { ($0.id, $0) }) { $1 }
        ))
      seconds.withLock { $0 = Double(step) }
      let ids = all.map(\.id).filter { _ in random.oneIn(2) }
      let patch: ItemPatch =
        random.oneIn(2)
        ? ItemPatch(note: "note \(random.below(100))") : ItemPatch(isDone: random.oneIn(2))
      let result = try repository.perform(.edit(ids, patch))
      if result.isUndoable, random.oneIn(4) { try repository.perform(.undo) }
    }
    let now = Dictionary(try repository.items(.all).map { ($0.id, $0) }) { $1 }
    for (time, then) in snapshots {
      let states = try repository.itemStates(since: time)
      for (id, item) in then where now[id] != item {
        #expect(states[id]?.contains(item) == true, "seed \(random.seed)")
      }
    }
    #expect(try repository.itemStates(since: Date(timeIntervalSince1970: 40)).isEmpty)
  }

  /// An item that was added since a time has had the state in which it was added.
  @Test func anItemThatWasAddedSinceThenIsKnownAsItWasAdded() throws {
    let seconds = Mutex(1.0)
    let repository = try CroftTodoRepository.inMemory(
      now: { Date(timeIntervalSince1970: seconds.withLock { $0 }) })
    try repository.perform(.add(TodoItem(title: "a", in: nil)))
    let added = try #require(try repository.items(.all).first)
    seconds.withLock { $0 = 2 }
    try repository.perform(.edit([added.id], ItemPatch(title: "b")))
    #expect(try repository.itemStates(since: .distantPast) == [added.id: [added]])
    #expect(try repository.itemStates(since: Date(timeIntervalSince1970: 2)) == [:])
  }
}

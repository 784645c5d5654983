import Croft
import Foundation
import LMDB
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// Tallies: kept by the change, in its transaction, and never counted again.
@Suite("Tally")
struct TallyTests {
  @Test func progressOfAnEmptyListIsZero() {
    #expect(Tally().progress == 0)
    #expect(Tally(total: 9, done: 6).progress == 2.0 / 3)
    #expect(Tally(total: 9, done: 6).undone == 3)
  }

  /// The naive twin: tallies counted by hand after every one of many random commands.
  @Test(arguments: RepositoryKind.allCases)
  func talliesAreWhatCountingWouldGive(kind: RepositoryKind) throws {
    var generator = SeededGenerator()
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let groups = (1...3).map { TodoGroup.numbered($0) }
    try repository.perform(.add(groups: groups, items: []))
    var nextID = 1
    for step in 1...150 {
      let items = try repository.items(.all)
      let present = try repository.groups().map(\.id)
      let chosen = items.shuffled(using: &generator).prefix(
        Int.random(in: 0...4, using: &generator))
      let group = Bool.random(using: &generator) ? present.randomElement(using: &generator) : nil
      let flag = Bool.random(using: &generator)
      do {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0..<4:
          try repository.perform(
            .add(.numbered(nextID, isDone: flag, isImportant: !flag, group: group)))
          nextID += 1
        case 4, 5: try repository.perform(.setDone(chosen.map(\.id), flag))
        case 6: try repository.perform(.setImportant(chosen.map(\.id), flag))
        case 7:
          try repository.perform(.edit(chosen.map(\.id), ItemPatch(groupID: .some(group))))
        case 8: try repository.perform(.delete(chosen.prefix(1).map(\.id)))
        case 9: try repository.perform(.undo)
        case 10: try repository.perform(.redo)
        default:
          if let group, step % 4 == 0 { try repository.perform(.deleteGroup(group)) }
        }
      } catch let error as TodoError where [.nothingToUndo, .nothingToRedo].contains(error.code) {
        continue
      }
      let lists: [ItemList] = [.all, .important, .ungrouped] + groups.map { .group(id: $0.id) }
      for list in lists {
        let counted = try repository.items(.all).filter { list.includes($0) }
        let tally = Tally(total: counted.count, done: counted.count { $0.isDone })
        #expect(try repository.tally(of: list) == tally, "step \(step), seed \(generator.seed)")
      }
    }
  }

  #if DEBUG
    /// How many calls of the C library it takes to mark one item done, and open again.
    private func callsToToggle(inAGroupOf count: Int) throws -> [Int] {
      let folder = TemporaryFolder()
      let path = folder.path(to: "todo.croft")
      let group = TodoGroup.numbered(1)
      do {
        let store = try Store.open(at: URL(filePath: path), models: TodoGroup.self, TodoItem.self)
        try store.write { tx in
          try tx.insert(group)
          try tx.insert(
            contentsOf: (1...count).lazy.map {
              TodoItem.numbered($0, isImportant: true, group: group.id)
            })
        }
      }
      let repository = try CroftTodoRepository(path: path)
      // The first write after the file has grown looks for readers that have died.
      try repository.perform(.setImportant([.numbered(count)], false))
      #expect(try repository.tally(of: .group(id: group.id)) == Tally(total: count))
      let calls = try [true, false, true].map { isDone in
        let plan = FaultPlan(failingCall: .max, with: .outOfSpace)
        try FaultPlan.$current.withValue(plan) {
          try repository.perform(.setDone([.numbered(count / 2)], isDone))
        }
        return plan.callCount
      }
      #expect(
        try repository.groups().map(\.tally.progress) == [1 / Double(count)])
      return calls
    }

    @Test func t6TogglingCostsTheSameCallsInAGroupOfTenAndOfAHundredThousand() throws {
      let few = try callsToToggle(inAGroupOf: 10)
      let many = try callsToToggle(inAGroupOf: 100_000)
      // A row that is the next one in its tree takes a call less, and so depends on its neighbours.
      #expect(zip(few, many).allSatisfy { abs($0 - $1) <= 3 }, "\(few) \(many)")
      #expect(few.allSatisfy { $0 > 0 && $0 < 100 })
    }

    @Test func countingAListReadsOneRowHoweverManyItemsItHas() throws {
      let calls = try [10, 10_000].map { count in
        let repository = try CroftTodoRepository.inMemory(limits: HistoryLimits(commands: 0))
        let home = TodoGroup.numbered(1)
        let items = (1...count).map {
          TodoItem.numbered($0, isDone: $0 == 1, isImportant: true, group: home.id)
        }
        try repository.perform(.add(groups: [home], items: items))
        return try [.all, .important, .group(id: home.id)].map { (list: ItemList) in
          let plan = FaultPlan(failingCall: .max, with: .outOfSpace)
          let tally = try FaultPlan.$current.withValue(plan) { try repository.tally(of: list) }
          #expect(tally == Tally(total: count, done: 1))
          return plan.callCount
        }
      }
      #expect(calls[0] == calls[1])
      #expect(calls[0].allSatisfy { $0 > 0 && $0 < 20 })
    }
  #endif
}

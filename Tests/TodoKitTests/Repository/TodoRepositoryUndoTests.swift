import Croft
import Foundation
import Testing
import TestSupport
@testable import TodoKit
import TodoTestSupport

/// Undo and redo, per command, in every repository.
@Suite("TodoRepository, undo and redo")
struct TodoRepositoryUndoTests {
  @Test(arguments: RepositoryKind.allCases)
  func everyCommandIsTakenBackAndDoneAgainAsAWhole(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1, image: GroupImage(bytes: Data([9]), mimeType: "image/png"))
    try repository.perform(
      .add(groups: [home], items: (1...5).map { .numbered($0, group: home.id) }))
    let commands: [TodoCommand] = [
      .editItems(
        ids: [.numbered(1), .numbered(3)],
        patch: ItemPatch(title: "t", isDone: true, due: CalendarDay("2026-06-01"), tags: ["x"])),
      .editItems(ids: [.numbered(1), .numbered(2)], patch: ItemPatch(isDone: false)),
      .moveItems(ids: [.numbered(5), .numbered(2)], to: .first),
      .editGroup(
        id: home.id, patch: GroupPatch(name: "n", color: RGBA("#123456"), image: .some(nil))),
      .add(groups: [.numbered(2, name: "n")], items: [.numbered(6), .numbered(7)]),
      .moveGroup(id: home.id, to: .last),
      .deleteItems(ids: [.numbered(6), .numbered(1)]),
      .editItems(ids: [.numbered(2)], patch: ItemPatch(groupID: .numbered(1002))),
      .editItems(
        ids: [.numbered(2), .numbered(3)],
        patch: ItemPatch(title: "moved", groupID: .numbered(1003)),
        inNewGroup: .numbered(3, name: "n")),
      .deleteGroup(id: home.id, holding: nil),
      .deleteAll(list: .all, filter: .all),
    ]
    var states = [try State(repository)]
    for command in commands {
      try repository.perform(command)
      states.append(try State(repository))
    }
    // All the way back, all the way forward, twice.
    for _ in 0..<2 {
      for index in commands.indices.reversed() {
        let receipt = try repository.perform(.undo)
        #expect(receipt.command == commands[index])
        #expect(try State(repository) == states[index], "undo of \(commands[index])")
      }
      for index in commands.indices {
        let receipt = try repository.perform(.redo)
        #expect(receipt.command == commands[index])
        #expect(try State(repository) == states[index + 1], "redo of \(commands[index])")
      }
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatWasDeletedComesBackInItsPlaceWithEverything(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    let items: [TodoItem] = [
      .numbered(1), .numbered(2, group: home.id), .numbered(3, group: home.id),
    ]
    try repository.perform(.add(groups: [home], items: items))
    try repository.perform(.deleteGroup(home.id))
    let receipt = try repository.perform(.undo)
    #expect(receipt.groups == [home])
    #expect(receipt.items == Array(items[1...]))
    #expect(try repository.items(.all) == items)
    #expect(try repository.tally(of: .group(id: home.id)) == Tally(total: 2))
  }

  @Test(arguments: RepositoryKind.allCases)
  func withoutCommandsThereIsNothingToUndoOrRedo(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    #expect(try repository.history() == CommandHistory())
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.undo) }?.code == .nothingToUndo)
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.redo) }?.code == .nothingToRedo)
    try repository.perform(.add(.numbered(1)))
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.redo) }?.code == .nothingToRedo)
    try repository.perform(.undo)
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.undo) }?.code == .nothingToUndo)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aNewCommandEndsWhatCouldBeDoneAgain(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    for number in 1...3 { try repository.perform(.add(.numbered(number))) }
    try repository.perform(.undo)
    try repository.perform(.undo)
    try repository.perform(.add(.numbered(4)))
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.redo) }?.code == .nothingToRedo)
    try repository.perform(.undo)
    try repository.perform(.undo)
    #expect(try repository.items(.all) == [])
    try repository.perform(.redo)
    try repository.perform(.redo)
    #expect(try repository.items(.all) == [.numbered(1), .numbered(4)])
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatChangedNothingIsNoCommand(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    try repository.perform(.undo)
    try repository.perform(.redo)
    try repository.perform(.setDone([.numbered(1)], false))
    try repository.perform(.retitle(.numbered(1), to: "item 1"))
    #expect(throws: TodoError.self) {
      try repository.perform(.setDone([.numbered(1), .numbered(9)], true))
    }
    #expect(try repository.history().undo == .add(groups: [], items: [.numbered(1)]))
  }

  @Test(arguments: RepositoryKind.allCases)
  func aReceiptSaysWhetherAnythingChanged(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    let first = TodoCommand.add(
      groups: [home, .numbered(2)], items: (1...3).map { .numbered($0, group: home.id) })
    #expect(try !repository.perform(first).isNoOp)
    let ids: [UUID] = [.numbered(1), .numbered(2)]
    let idle: [TodoCommand] = [
      .editItems(ids: ids, patch: ItemPatch(title: nil)),
      .editItems(ids: ids, patch: ItemPatch(isDone: false, isImportant: false)),
      .editItems(ids: [ids[0]], patch: ItemPatch(title: "item 1", groupID: .some(home.id))),
      .editItems(ids: ids, patch: ItemPatch(removedTags: ["none has it"])),
      .editItems(ids: [], patch: ItemPatch(isDone: true)),
      .editGroup(id: home.id, patch: GroupPatch(name: " \(home.name) ", color: home.color)),
      .moveItems(ids: ids, to: .first), .moveItems(ids: [ids[1]], to: .after(id: ids[0])),
      .moveItems(ids: [ids[1]], to: .after(id: ids[1])),
      .moveGroup(id: home.id, to: .first), .moveItems(ids: [], to: .first),
      .deleteItems(ids: []), .deleteAll(list: .important, filter: .all),
      .add(groups: [], items: []),
    ]
    for intent in idle {
      let receipt = try repository.perform(intent)
      #expect(receipt.isNoOp && receipt.command == intent, "\(intent)")
      #expect(try repository.history().undo == first, "\(intent)")
    }
    // One of several is enough.
    try repository.perform(.setDone([ids[0]], true))
    let some = TodoCommand.editItems(ids: ids, patch: ItemPatch(isDone: true))
    #expect(try !repository.perform(some).isNoOp)
    #expect(try repository.history().undo == some)
    #expect(try !repository.perform(.undo).isNoOp && !repository.perform(.redo).isNoOp)
  }

  @Test(arguments: RepositoryKind.allCases)
  func theHistoryIsBoundedByCommandsAndByBytes(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make(limits: HistoryLimits(commands: 3, bytes: 20_000))
    defer { withExtendedLifetime(folder) {} }
    for number in 1...5 { try repository.perform(.add(.numbered(number))) }
    for _ in 1...3 { try repository.perform(.undo) }
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.undo) }?.code == .nothingToUndo)
    #expect(try repository.items(.all).map(\.id) == [.numbered(1), .numbered(2)])
    // Each is kept three times: what was asked, and both ways. Two of them do not fit.
    let long = String(repeating: "x", count: 5000)
    try repository.perform(.add(.numbered(6, title: long)))
    try repository.perform(.add(.numbered(7, title: long)))
    try repository.perform(.undo)
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.undo) }?.code == .nothingToUndo)
    // One that does not fit alone is kept alone, until the next one.
    try repository.perform(.add(.numbered(8)))
    try repository.perform(.add(.numbered(9, title: String(repeating: "x", count: 50_000))))
    try repository.perform(.undo)
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.undo) }?.code == .nothingToUndo)
    try repository.perform(.redo)
    try repository.perform(.add(.numbered(10)))
    try repository.perform(.undo)
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(.undo) }?.code == .nothingToUndo)
  }

  /// Such a deletion once took the history with it: 64 MiB were too few for its items.
  @Test(arguments: RepositoryKind.allCases, [999, 1_000, 1_001, 2_500])
  func aDeletionOfManyItemsIsUndoneAndTakesNoOlderCommandWithIt(
    kind: RepositoryKind, count: Int
  ) throws {
    let (repository, folder) = try kind.make(limits: HistoryLimits(bytes: 2_000_000))
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(groups: [.numbered(1)], items: []))
    let before = try repository.history()
    let items = (1...count).map { TodoItem.numbered($0, group: .numbered(1_001)) }
    try repository.perform(.add(items))
    let stored = try repository.items(.all)
    let groups = try repository.groups()
    let deletion = try repository.perform(.deleteGroup(.numbered(1_001)))
    #expect(deletion.isUndoable && deletion.items.count == count)
    #expect(try repository.tally(of: .all) == Tally() && repository.groups().isEmpty)
    let undone = try repository.perform(.undo)
    #expect(Set(undone.items.map(\.id)) == Set(items.map(\.id)) && undone.groups.count == 1)
    #expect(try repository.items(.all) == stored && repository.groups() == groups)
    try repository.perform(.redo)
    #expect(try repository.items(.all).isEmpty && repository.groups().isEmpty)
    try repository.perform(.undo)
    #expect(try repository.items(.all) == stored && repository.groups() == groups)
    try repository.perform(.undo)
    #expect(try repository.history().undo == before.undo)
    try repository.perform(.undo)
    #expect(try repository.groups().isEmpty && repository.history().undo == nil)
    for _ in 0..<2 { try repository.perform(.redo) }
    #expect(try repository.items(.all) == stored && repository.groups() == groups)
  }

  /// Few rows of many bytes: seven titles of ten megabytes could not be brought back.
  @Test func fewItemsOfManyBytesAreBroughtBack() throws {
    let (repository, folder) = try RepositoryKind.croft.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(9)))
    let title = String(repeating: "장보기", count: 100_000)
    try repository.perform(.add((1...3).map { .numbered($0, title: title) }))
    let stored = try repository.items(.all)
    #expect(try repository.perform(.deleteAll(in: .all)).isUndoable)
    try repository.perform(.undo)
    #expect(try repository.items(.all) == stored)
    for _ in 0..<2 { try repository.perform(.undo) }
    #expect(try repository.items(.all).isEmpty)
  }

  /// What undoes an import of 100,000 items took more room than the items.
  @Test func whatUndoesACommandOfManyRowsIsCompressed() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let repository = try CroftTodoRepository(path: path)
    try repository.perform(.add((1...2_500).map { .numbered($0) }))
    let stored = try repository.items(.all)
    try repository.perform(.deleteAll(in: .all))
    let store = try Store.open(at: URL(filePath: path), models: LoggedPortion.self)
    let portions = try store.fetch(LoggedPortion.all)
    #expect(portions.count == 6)
    for portion in portions {
      let plain = try [portion.undo, portion.redo].map(DeflatedData.inflating)
      #expect(plain.allSatisfy { $0.first == UInt8(ascii: "[") })
      #expect((portion.undo.count + portion.redo.count) * 5 < plain[0].count + plain[1].count)
    }
    // Rows that are not appended leave their pages half full.
    #expect(try repository.perform(.undo).items.map(\.id) == stored.map(\.id))
    #expect(try repository.items(.all) == stored)
    // Lists of earlier programs have plain JSON there.
    try store.write { tx in
      for var portion in portions {
        (portion.undo, portion.redo) = (
          try DeflatedData.inflating(portion.undo), try DeflatedData.inflating(portion.redo)
        )
        try tx.upsert(portion)
      }
    }
    for _ in 0..<2 {
      #expect(try repository.perform(.redo).items.map(\.id) == stored.map(\.id))
      #expect(try repository.items(.all).isEmpty)
      try repository.perform(.undo)
      #expect(try repository.items(.all) == stored)
    }
  }

  @Test func compressedBytesComeBack() throws {
    var random = SeededGenerator.forTest("compressedBytesComeBack")
    for count in [0, 1, 8, 9, 100, 1_000, 200_000] {
      let alike = Data((0..<count).map { UInt8($0 % 7) })
      let unlike = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      for bytes in [alike, unlike] where bytes.first != 0x7A {
        let stored = DeflatedData.deflating(bytes)
        #expect(stored.count <= bytes.count)
        #expect(try DeflatedData.inflating(stored) == bytes, "seed \(random.seed), \(count) bytes")
      }
    }
    #expect(DeflatedData.deflating(Data(count: 1_000_000)).count < 10_000)
  }

  /// Bytes that are damaged are an error, and take no more memory than they can stand for.
  @Test func damagedBytesAreAnError() throws {
    let plain = Data((0..<1_000).map { UInt8($0 % 7) })
    let stored = DeflatedData.deflating(plain)
    var damaged = (1..<stored.count).map { stored.prefix($0) }
    damaged += stored.indices.dropFirst().map { place in
      var bytes = stored
      bytes[place] ^= 0x10
      return bytes
    }
    var refused = 0
    for bytes in damaged {
      do {
        // A bit that fills up the last byte of the stream says nothing.
        #expect(try DeflatedData.inflating(bytes) == plain)
      } catch let error as TodoError {
        #expect(error.code == .historyIncomplete)
        refused += 1
      }
    }
    #expect(refused >= damaged.count - 1)
  }

  /// What undoes a command of many rows goes with it.
  @Test func portionsAreRemovedWithTheirCommands() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let repository = try CroftTodoRepository(path: path, limits: HistoryLimits(commands: 2))
    func portions() throws -> Int {
      try Store.open(at: URL(filePath: path), models: LoggedPortion.self).count(LoggedPortion.all)
    }
    try repository.perform(.add((1...1_500).map { .numbered($0) }))
    #expect(try portions() == 2)
    try repository.perform(.setDone((1...1_200).map { .numbered($0) }, true))
    #expect(try portions() == 4)
    try repository.perform(.add(.numbered(2_000)))
    #expect(try portions() == 2)
    // The next command removes the undone ones.
    for _ in 0..<2 { try repository.perform(.undo) }
    try repository.perform(.add(.numbered(2_001)))
    #expect(try portions() == 0)
  }

  /// What a progress closure throws ends the change, at whatever row, and leaves nothing of it.
  @Test(arguments: [1_000, 2_000, 3_000])
  func aChangeThatIsCancelledLeavesNothing(row: Int) throws {
    let folder = TemporaryFolder()
    let rows = ProgressRows()
    let repository = try CroftTodoRepository(
      path: folder.path(to: "todo.croft"),
      onProgress: { count in
        rows.counts.append(count)
        if count >= row { throw CancellationError() }
      })
    try repository.perform(.add(.numbered(9_999)))
    let before = try repository.history()
    let items = (1...3_500).map { TodoItem.numbered($0) }
    #expect(throws: CancellationError.self) { try repository.perform(.add(items)) }
    #expect(rows.counts == Array(stride(from: 1_000, through: row, by: 1_000)))
    #expect(try repository.tally(of: .all) == Tally(total: 1))
    #expect(try repository.items(.all).map(\.id) == [.numbered(9_999)])
    #expect(try repository.history() == before)
    try repository.perform(.undo)
    #expect(try repository.items(.all).isEmpty)
  }

  /// A yes is about what was shown: another program may have changed it since.
  @Test(arguments: RepositoryKind.allCases)
  func whatHasChangedSinceItWasShownIsNotTouched(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(groups: [.numbered(1)], items: [.numbered(1), .numbered(2)]))
    let shown = ExpectedState(
      items: try repository.items(.all), groups: try repository.groups().map(\.group))
    let deletion = TodoCommand.ifUnchanged(shown, then: .delete([.numbered(1)]))
    let history = try repository.history()
    for change in [
      TodoCommand.retitle(.numbered(2), to: "other"), .setDone([.numbered(1)], true),
      .editGroup(.numbered(1_001), GroupPatch(name: "other")),
    ] {
      try repository.perform(change)
      #expect(
        #expect(throws: TodoError.self) { try repository.perform(deletion) }?.code == .changedSince)
      try repository.perform(.undo)
    }
    #expect(try repository.history().undo == history.undo)
    try repository.perform(.move([.numbered(2)], to: .first))
    let result = try repository.perform(deletion)
    #expect(result.command == .delete([.numbered(1)]) && result.isUndoable)
    #expect(try repository.history().undo == result.command)
    #expect(
      #expect(throws: TodoError.self) { try repository.perform(deletion) }?.code == .itemNotFound)
  }

  /// As are items of a program that did not note when they were done.
  @Test(arguments: RepositoryKind.allCases)
  func anItemOfWhichNobodyKnowsWhenItWasDoneIsThatAgain(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    var item = TodoItem.numbered(1, isDone: true)
    item.doneAt = nil
    try repository.perform(.add(item))
    try repository.perform(.setDone([item.id], false))
    try repository.perform(.undo)
    #expect(try repository.items(.all) == [item])
  }

  @Test(arguments: RepositoryKind.allCases)
  func textsComeBackInTheNormalFormThatEachHad(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let titles = ["한", "\u{1112}\u{1161}\u{11AB}"]
    try repository.perform(.add([.numbered(1, title: titles[0]), .numbered(2, title: titles[1])]))
    try repository.perform(.edit([.numbered(1), .numbered(2)], ItemPatch(title: "x")))
    try repository.perform(.undo)
    #expect(try repository.items(.all).map(\.title.utf8.count) == titles.map(\.utf8.count))
  }

  /// Another program, with a history of its own, must not leave steps that do not fit any more.
  @Test func aCommandThatIsNotKeptEndsTheHistoryBeforeIt() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let one = try CroftTodoRepository(path: path)
    let other = try CroftTodoRepository(path: path, limits: HistoryLimits(commands: 0))
    try one.perform(.add([.numbered(1), .numbered(2)]))
    try one.perform(.setDone([.numbered(1)], true))
    try one.perform(.undo)
    try other.perform(.setDone([.numbered(2)], false))
    #expect(try one.history() != CommandHistory(), "nothing was changed")
    try other.perform(.delete([.numbered(1)]))
    #expect(try one.history() == CommandHistory())
    #expect(#expect(throws: TodoError.self) { try one.perform(.undo) }?.code == .nothingToUndo)
  }

  @Test func undoAndRedoGoOnAfterARestart() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let home = TodoGroup.numbered(1)
    do {
      let repository = try CroftTodoRepository(path: path, now: { .noted })
      try repository.perform(.add(groups: [home], items: [.numbered(1, group: home.id)]))
      try repository.perform(.setDone([.numbered(1)], true))
      try repository.perform(.deleteGroup(home.id))
    }
    do {
      let repository = try CroftTodoRepository(path: path)
      try repository.perform(.undo)
      #expect(try repository.items(.all) == [.numbered(1, isDone: true, group: home.id)])
      try repository.perform(.undo)
      #expect(try repository.items(.all) == [.numbered(1, group: home.id)])
    }
    let repository = try CroftTodoRepository(path: path)
    try repository.perform(.redo)
    #expect(try repository.items(.all) == [.numbered(1, isDone: true, group: home.id)])
    try repository.perform(.redo)
    #expect(try repository.items(.all) == [] && repository.groups() == [])
  }

  @Test func everyWriterOfAFileSharesOneHistory() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let one = try CroftTodoRepository(path: path)
    let other = try CroftTodoRepository(path: path)
    try one.perform(.add(.numbered(1)))
    try other.perform(.add(.numbered(2)))
    try one.perform(.undo)
    #expect(try other.items(.all) == [.numbered(1)])
  }
}

/// All that a repository shows, except for its history.
private struct State: Equatable {
  let items: [TodoItem]
  let groups: [GroupSummary]
  let tallies: [Tally]

  init(_ repository: any TodoRepository) throws {
    items = try repository.items(.all)
    groups = try repository.groups()
    tallies = try [.all, .important, .ungrouped].map { try repository.tally(of: $0) }
  }
}

/// What a progress closure was called with; it is called on the thread of the test.
private final class ProgressRows: @unchecked Sendable {
  var counts: [Int] = []
}

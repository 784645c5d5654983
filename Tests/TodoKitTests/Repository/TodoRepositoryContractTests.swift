import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Synchronization
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// What every repository does; each test runs against each kind.
@Suite("TodoRepository")
struct TodoRepositoryContractTests {
  @Test(arguments: RepositoryKind.allCases)
  func everyFieldSurvivesStoring(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let image = GroupImage(bytes: Data([0x89, 0x50, 0, 0xFF]), mimeType: "image/png")
    let group = TodoGroup.numbered(
      1, name: "집안일", color: try #require(RGBA("#ff880080")), image: image)
    var full = TodoItem.numbered(
      1, title: "보고서 쓰기 👩‍👩‍👧", priority: .high, isDone: true, isImportant: true,
      group: group.id)
    full.note = "두 쪽\n\u{1112}\u{1161}\u{11AB}"
    full.due = CalendarDay(year: 2028, month: 2, day: 29)
    full.dueTime = TimeOfDay("14:30")
    full.repeats = RepeatRule(rawValue: "last fri")
    full.hiddenUntil = CalendarDay(year: 2028, month: 2, day: 1)
    full.foreignID = "todo.txt/1"
    full.foreignRecord = Data([0, 0xFF])
    full.tags = ["회사", "a b", "\u{200B}"]
    full.doneAt = Date(timeIntervalSinceReferenceDate: 0.1)
    var empty = TodoItem.numbered(2, title: "", priority: .none)
    empty.order = -1
    let long = TodoItem.numbered(3, title: String(repeating: "a long title ", count: 200))
    let items = [full, empty, long]
    let added = try repository.perform(.add(groups: [group], items: items))
    #expect(added.items == items && added.groups == [group])
    for item in items { #expect(try repository.item(item.id) == item) }
    #expect(try repository.group(group.id) == group)
    #expect(try repository.item(full.id)?.note.utf8.elementsEqual(full.note.utf8) == true)
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatIsNotThereIsNil(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    #expect(try repository.item(.numbered(1)) == nil)
    #expect(try repository.items(.all) == [])
  }

  @Test(arguments: RepositoryKind.allCases)
  func itemsAreFoundByTheEndsOfTheirIds(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    func found(_ ending: String) throws -> [String] {
      try repository.items(endingIn: #require(ShortID(ending))).map(\.title)
    }
    // The end of 0x10001 is that of 0x1 too, but for its last but four digits.
    let numbers = [1, 2, 0x10001, 0x10002, 0xABCD, 0x1ABCD, 0x2ABCD]
    let items = numbers.map { TodoItem.numbered($0, title: String($0, radix: 16)) }
    try repository.perform(.add(items.reversed()))
    #expect(try found("0001") == ["1", "10001"] && found("00001") == ["1"])
    #expect(try found("abcd") == ["abcd", "1abcd", "2abcd"] && found("2abcd") == ["2abcd"])
    #expect(try found("10001") == ["10001"] && found("abce") == [] && found("ffff") == [])
    for item in items {
      #expect(try found(item.id.uuidString) == [item.title])
    }
    try repository.perform(.delete([items[4].id]))
    #expect(try found("abcd") == ["1abcd", "2abcd"])
    try repository.perform(.undo)
    #expect(try found("abcd") == ["abcd", "1abcd", "2abcd"])
    try repository.perform(.deleteAll(in: .all))
    #expect(try found("0001") == [])
    try repository.perform(.undo)
    #expect(try found("0001") == ["1", "10001"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aListIsNarrowedByConditions(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1, name: "집안일")
    var items = [
      TodoItem.numbered(1, title: "Café buchen", priority: .high),
      TodoItem.numbered(2, title: "장보기", priority: .low, group: home.id),
      TodoItem.numbered(3, title: "Buy milk", isDone: true),
      TodoItem.numbered(4, title: "call", isDone: true, isImportant: true),
    ]
    items[0].due = CalendarDay(year: 2026, month: 1, day: 2)
    items[1].due = CalendarDay(year: 2026, month: 1, day: 5)
    items[1].tags = ["Errand", "시장"]
    items[2].note = "at the CAFE"
    items[2].doneAt = Date(timeIntervalSince1970: 100)
    items[3].doneAt = Date(timeIntervalSince1970: 200)
    try repository.perform(.add(groups: [home], items: items))
    func titles(_ conditions: ItemCondition..., limit: Int? = nil) throws -> [String] {
      try repository.items(in: .all, meeting: conditions, limit: limit).map(\.title)
    }
    let day = try #require(CalendarDay(year: 2026, month: 1, day: 3))
    #expect(try titles(.text("cafe")) == ["Café buchen", "Buy milk"])
    #expect(try titles(.text("보기")) == ["장보기"])
    #expect(try titles(.text("mil*")) == ["Buy milk"] && titles(.text("mil")) == [])
    #expect(try titles(.text("ㅈㅂ OR call")) == ["장보기", "call"])
    #expect(try titles(.text("cafe"), .isDone(false)) == ["Café buchen"])
    #expect(try titles(.tag("errand")) == ["장보기"])
    #expect(try titles(.list(.group(id: home.id))) == ["장보기"])
    #expect(try titles(.list(.important)) == ["call"])
    #expect(try titles(.list(.ungrouped), .priority(.high)) == ["Café buchen"])
    #expect(try titles(.dueBefore(day)) == ["Café buchen"])
    #expect(try titles(.dueAfter(day)) == ["장보기"])
    #expect(try titles(.due(day)) == [])
    #expect(try titles(.not(.dueAfter(day)), .isDone(false)) == ["Café buchen"])
    #expect(try titles(.any([.tag("errand"), .priority(.high)])) == ["Café buchen", "장보기"])
    #expect(try titles(.any([])) == [] && titles(.all([]), .tag("errand")) == ["장보기"])
    #expect(try titles(.not(.all([.isDone(true), .text("call")]))).count == 3)
    let (hundred, twoHundred) = (
      Date(timeIntervalSince1970: 100), Date(timeIntervalSince1970: 200)
    )
    #expect(try titles(.completed(from: hundred, before: twoHundred)) == ["Buy milk"])
    #expect(try titles(.completed(from: hundred, before: nil)) == ["Buy milk", "call"])
    #expect(try titles(.list(.all), .not(.list(.all))) == [])
    // A hidden item comes back on its day; a done one is not waiting.
    let hidden = ItemPatch(hiddenUntil: day)
    try repository.perform(.edit([.numbered(1), .numbered(3)], hidden))
    let before = try #require(day.adding(days: -1))
    #expect(try titles(.isWaiting(before)) == ["Café buchen"])
    #expect(try titles(.isWaiting(day)) == [])
    let page = try repository.page(.init(.all, hidesWaitingOn: before))
    #expect(page.items.map(\.title) == ["장보기", "Buy milk", "call"] && page.hidden == Tally())
    #expect(page.waiting == 1)
    #expect(try repository.page(.init(.all, hidesWaitingOn: day)).items.count == 4)
    try repository.perform(.undo)
    // A time of the day it is has passed or not; the whole day passes at its end.
    try repository.perform(.edit([.numbered(2)], ItemPatch(dueTime: TimeOfDay("14:30"))))
    let (noon, evening) = (try #require(TimeOfDay("12:00")), try #require(TimeOfDay("18:00")))
    let monday = try #require(CalendarDay(year: 2026, month: 1, day: 5))
    #expect(try titles(.overdue(day, noon)) == ["Café buchen"])
    #expect(try titles(.overdue(monday, noon)) == ["Café buchen"])
    #expect(try titles(.overdue(monday, evening)) == ["Café buchen", "장보기"])
    #expect(try titles(.hasNoDue) == ["Buy milk", "call"])
    #expect(try titles(limit: 2) == ["Café buchen", "장보기"])
    let last = try repository.page(.init(.all, completedLimit: 1))
    #expect(last.items.map(\.title).suffix(1) == ["call"])
    #expect(last.hidden == Tally(total: 1, done: 1))
    let found = try repository.page(.init(.all, meeting: [.text("CAFÉ")], completedLimit: 0))
    #expect(found.hidden == Tally(total: 1, done: 1))
  }

  @Test(arguments: RepositoryKind.allCases)
  func addingAnIdTwiceIsRefusedAndKeepsTheFirst(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let first = TodoItem.numbered(1, title: "first")
    try repository.perform(.add(first))
    let error = #expect(throws: TodoError.self) {
      try repository.perform(.add(TodoItem.numbered(1, title: "second")))
    }
    guard case .duplicate(first.id) = error else {
      Issue.record("unexpected error: \(String(describing: error))")
      return
    }
    #expect(try repository.items(.all) == [first])
  }

  @Test(arguments: RepositoryKind.allCases)
  func openItemsComeFirstAndEachPartByPlace(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let inOrder: [TodoItem] = [
      .numbered(9, minute: -5), .numbered(2, minute: 1), .numbered(3, minute: 2),
      .numbered(1, minute: 7), .numbered(8, isDone: true, minute: -9),
      .numbered(4, isDone: true, minute: 3), .numbered(5, isDone: true, minute: 4),
    ]
    for item in inOrder.reversed() { try repository.perform(.add(item)) }
    #expect(try repository.items(.all) == inOrder)
    #expect(try repository.items(.undone) == Array(inOrder[..<4]))
    #expect(try repository.items(.done) == Array(inOrder[4...]))
  }

  @Test(arguments: RepositoryKind.allCases)
  func settingDoneAnswersInTheOrderOfTheIds(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    for number in 1...3 { try repository.perform(.add(.numbered(number))) }
    let changed = try repository.perform(.setDone([.numbered(3), .numbered(1)], true)).items
    #expect(changed == [.numbered(3, isDone: true), .numbered(1, isDone: true)])
    #expect(try repository.items(.undone) == [.numbered(2)])
    #expect(
      try repository.perform(.setDone([.numbered(1)], true)).items == [.numbered(1, isDone: true)])
    #expect(try repository.perform(.setDone([.numbered(1)], false)).items == [.numbered(1)])
    #expect(try repository.items(.done) == [.numbered(3, isDone: true)])
  }

  @Test(arguments: RepositoryKind.allCases)
  func settingAPriorityChangesNothingElse(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1, priority: .low, isImportant: true)))
    let changed = try repository.perform(.setPriority([.numbered(1)], .high)).items
    #expect(changed == [.numbered(1, priority: .high, isImportant: true)])
    #expect(try repository.items(.all) == changed)
  }

  @Test(arguments: RepositoryKind.allCases)
  func settingAStarChangesNothingElse(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1, priority: .low, isDone: true)))
    let starred = TodoItem.numbered(1, priority: .low, isDone: true, isImportant: true)
    #expect(try repository.perform(.setImportant([.numbered(1)], true)).items == [starred])
    #expect(try repository.perform(.setImportant([.numbered(1)], true)).items == [starred])
    #expect(try repository.items(.all) == [starred])
    #expect(
      try repository.perform(.setImportant([.numbered(1)], false)).items.map(\.isImportant) == [
        false
      ])
  }

  @Test(arguments: RepositoryKind.allCases)
  func deletingAllOfAListIsOneChange(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    let items: [TodoItem] = [
      .numbered(1, group: home.id), .numbered(2, isDone: true, group: home.id), .numbered(3),
    ]
    try repository.perform(.add(groups: [home], items: items))
    let lists = Recorder(repository.observe(.all))
    let list = ItemList.group(id: home.id)
    #expect(try repository.perform(.deleteAll(in: list, .done)).items.map(\.id) == [.numbered(2)])
    lists.wait { $0.count == 2 }
    #expect(try repository.perform(.deleteAll(in: list)).items.map(\.id) == [.numbered(1)])
    lists.wait { $0.count == 3 }
    #expect(try repository.perform(.deleteAll(in: list)).items == [])
    try repository.perform(.undo)
    lists.wait { $0.count == 4 }
    #expect(try repository.perform(.deleteAll(in: .all)).items.count == 2)
    lists.wait { $0.count == 5 }
    #expect(lists.elements.map(\.count) == [3, 2, 1, 2, 0])
    #expect(try repository.groups().map(\.group) == [home])
  }

  @Test(arguments: RepositoryKind.allCases)
  func retitlingStoresTheTitleAsItIs(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1, isDone: true)))
    let changed = try repository.perform(.retitle(.numbered(1), to: " 두유 사기 ")).items[0]
    #expect(changed == .numbered(1, title: " 두유 사기 ", isDone: true))
    #expect(try repository.item(.numbered(1)) == changed)
  }

  @Test(arguments: RepositoryKind.allCases)
  func deletingAnswersWithWhatWasDeleted(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    for number in 1...3 { try repository.perform(.add(.numbered(number))) }
    let deleted = try repository.perform(.delete([.numbered(3), .numbered(2)])).items
    #expect(deleted == [.numbered(3), .numbered(2)])
    #expect(try repository.items(.all) == [.numbered(1)])
    #expect(try repository.item(.numbered(2)) == nil)
  }

  @Test(arguments: RepositoryKind.allCases)
  func repeatedIdsCountOnceAtTheirFirstPlace(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    for number in 1...2 { try repository.perform(.add(.numbered(number))) }
    let ids: [UUID] = [.numbered(2), .numbered(1), .numbered(2)]
    #expect(
      try repository.perform(.setDone(ids, true)).items.map(\.id) == [.numbered(2), .numbered(1)])
    #expect(try repository.perform(.delete(ids)).items.map(\.id) == [.numbered(2), .numbered(1)])
  }

  @Test(arguments: RepositoryKind.allCases)
  func anUnknownIdAmongOthersChangesNothing(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let items = [TodoItem.numbered(1), .numbered(2)]
    for item in items { try repository.perform(.add(item)) }
    let ids: [UUID] = [.numbered(1), .numbered(7), .numbered(2)]
    let verbs: [() throws -> Void] = [
      { _ = try repository.perform(.setDone(ids, true)) },
      { _ = try repository.perform(.setPriority(ids, .high)) },
      { _ = try repository.perform(.delete(ids)) },
      { _ = try repository.perform(.retitle(.numbered(7), to: "x")) },
    ]
    for verb in verbs {
      let error = #expect(throws: TodoError.self) { try verb() }
      guard case .notFound(.numbered(7)) = error else {
        Issue.record("unexpected error: \(String(describing: error))")
        continue
      }
      #expect(try repository.items(.all) == items)
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func noIdsChangeNothing(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    #expect(try repository.perform(.setDone([], true)).items == [])
    #expect(try repository.perform(.setPriority([], .high)).items == [])
    #expect(try repository.perform(.delete([])).items == [])
    #expect(try repository.items(.all) == [.numbered(1)])
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatCannotBeKeptIsRefusedWithAnErrorOfThisModule(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    // The history is JSON, which has no such number.
    let item = TodoItem(title: "x", createdAt: Date(timeIntervalSinceReferenceDate: .nan))
    let error = #expect(throws: TodoError.self) { try repository.perform(.add(item)) }
    #expect(error?.code == .storageFailed)
    #expect(try repository.items(.all) == [])
  }

  @Test(arguments: RepositoryKind.allCases)
  func asynchronousVerbsDoWhatTheirTwinsDo(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let (one, two, three) = (UUID.numbered(1), UUID.numbered(2), UUID.numbered(3))
    for number in 1...3 { try await repository.perform(.add(.numbered(number))) }
    #expect(try repository.item(two) == .numbered(2))
    #expect(
      try await repository.perform(.setDone([three], true)).items == [.numbered(3, isDone: true)])
    #expect(
      try await repository.perform(.setPriority([one], .low)).items == [
        .numbered(1, priority: .low)
      ])
    #expect(
      try await repository.perform(.retitle(two, to: "new")).items[0] == .numbered(2, title: "new"))
    #expect(try await repository.perform(.delete([one])).items == [.numbered(1, priority: .low)])
    #expect(
      try repository.items(.all) == [
        .numbered(2, title: "new"), .numbered(3, isDone: true),
      ])
    #expect(try await repository.perform(.setDone([], true)).items == [])
    #expect(try await repository.perform(.setPriority([], .low)).items == [])
    #expect(try await repository.perform(.delete([])).items == [])
    await #expect(throws: TodoError.self) { try await repository.perform(.add(.numbered(2))) }
    await #expect(throws: TodoError.self) { try await repository.perform(.delete([two, one])) }
    #expect(try repository.items(.all).count == 2)
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatAUserTypesIsValidatedBeforeTheStoreIsAsked(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    let renamed = try repository.perform(
      validating: .retitle(.numbered(1), to: " 두유 사기\u{3000}"))
    #expect(renamed.items.map(\.title) == ["두유 사기"])
    for blank in ["", " \t", "\u{3000}", "\u{200B}"] {
      let issue = #expect(throws: ValidationIssue.self) {
        try repository.perform(validating: .retitle(.numbered(1), to: blank))
      }
      #expect(issue == ValidationIssue(.blank, at: .title))
    }
    #expect(try repository.item(.numbered(1))?.title == "두유 사기")
    #expect(try repository.history().undo == .retitle(.numbered(1), to: "두유 사기"))
  }

  @Test(arguments: RepositoryKind.allCases)
  func aBlankNameIsRefusedInEveryActionThatNamesAGroup(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = try repository.perform(.addGroup(name: "Home")).groups[0]
    let image = GroupImage(bytes: Data([1]), mimeType: "image/png")
    let actions: [TodoAction] = [
      .addGroup(GroupDraft(name: " \u{3000}")),
      .submitGroup(GroupDraft(name: "\u{200B}", image: image, titles: ["Sweep"])),
      .editGroup(home.id, GroupPatch(name: "")),
      .editGroup(home.id, GroupPatch(name: "\t"), ifStill: home),
    ]
    for action in actions {
      let issue = #expect(throws: ValidationIssue.self) {
        try repository.perform(validating: action)
      }
      #expect(issue == ValidationIssue(.blank, at: .name), "\(action)")
    }
    #expect(try repository.groups().map(\.group) == [home])
    // A command comes from a program, such as an import, which gets a name that is made up.
    #expect(try repository.perform(.addGroup(name: " ")).groups[0].name == "Untitled Group")
  }

  @Test(arguments: RepositoryKind.allCases)
  func markingDoneAgainWritesNothingAndToggleIsSugar(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let open = try repository.perform(.add(.numbered(1))).items[0]
    let lists = Recorder(repository.observe(.all))
    let first = try repository.perform(.toggleDone(open))
    #expect(first.items == [.numbered(1, isDone: true)] && !first.isNoOp && first.isUndoable)
    // A slow subscriber gets the last of several results, so each is waited for.
    lists.wait { $0.count == 2 }
    // The same row, tapped again before it was drawn again: it asks for the same.
    let again = try repository.perform(.toggleDone(open))
    #expect(again.items == first.items && again.isNoOp && !again.isUndoable)
    #expect(try repository.perform(.setDone([open.id], true)).isNoOp)
    try repository.perform(.undo)
    #expect(try repository.item(open.id) == open, "one step of undo, not three")
    lists.wait { $0.count == 3 }
    #expect(lists.elements.map { $0.map(\.isDone) } == [[false], [true], [false]])
    #expect(try repository.perform(.toggleDone(first.items[0])).isNoOp)
  }

  @Test(arguments: RepositoryKind.allCases)
  func theNewestCommandIsUndoableHoweverLargeItIs(kind: RepositoryKind) throws {
    // A deletion of many items ended the history, and nothing said so: front ends offered undo.
    let (repository, folder) = try kind.make(limits: HistoryLimits(bytes: 2_000))
    defer { withExtendedLifetime(folder) {} }
    #expect(try repository.perform(.add(.numbered(1))).isUndoable)
    let large = try repository.perform(
      .retitle(.numbered(1), to: String(repeating: "x", count: 2_000)))
    #expect(!large.isNoOp && large.isUndoable)
    #expect(try repository.history().undo == large.command)
    try repository.perform(.undo)
    #expect(try repository.item(.numbered(1))?.title == "item 1")
    try repository.perform(.redo)
    #expect(try repository.perform(.setDone([.numbered(1)], true)).isUndoable)
    #expect(try !repository.perform(.undo).isUndoable)
    #expect(try repository.perform(.redo).isUndoable)
  }

  /// Of two clients, the undo that the first offered took back what the second had done meanwhile.
  @Test(arguments: RepositoryKind.allCases)
  func aStepIsUndoneWhileItIsTheLast(kind: RepositoryKind) throws {
    var limits = HistoryLimits()
    limits.rowsPerPortion = 3
    let seconds = Seconds()
    let (repository, folder) = try kind.make(limits: limits, now: seconds.next)
    defer { withExtendedLifetime(folder) {} }
    func undo(_ result: CommandResult) throws {
      let step = try #require(result.step)
      #expect(HistoryStep("\(step)") == step)
      try repository.perform(.ifUnchanged(ExpectedState(lastStep: step), then: .undo))
    }
    func isRefused(_ work: () throws -> Void) -> Bool {
      do { try work() } catch TodoError.notTheLastCommand { return true } catch {}
      return false
    }
    let first = try repository.perform(.add(.numbered(1)))
    let second = try repository.perform(.add(.numbered(2)))
    #expect(isRefused { try undo(first) })
    #expect(try repository.items(.all).count == 2)
    try undo(second)
    #expect(isRefused { try undo(second) })
    // It has the number of the second.
    let third = try repository.perform(.add(.numbered(3)))
    #expect(isRefused { try undo(second) })
    try undo(third)
    let redone = try repository.perform(.redo)
    #expect(isRefused { try undo(first) })
    try undo(redone)
    try undo(first)
    #expect(isRefused { try undo(first) })
    #expect(try repository.items(.all).isEmpty)

    // The history keeps deletions of many rows without their ids, so that they look alike.
    let deletions = try (1...2).map { _ in
      try repository.perform(.add(groups: [], items: (1...7).map { .numbered($0) }))
      return try repository.perform(.deleteAll(in: .all))
    }
    #expect(isRefused { try undo(deletions[0]) })
    try undo(deletions[1])
    #expect(try repository.items(.all).count == 7)
  }

  /// The store sorts and stops at a limit; the plain order is that of all items.
  @Test(arguments: ItemSort.allCases)
  func aLimitInAnOrderIsTheBeginningOfTheWholeOrder(sort: ItemSort) throws {
    let repository = try CroftTodoRepository.inMemory()
    var generator = SeededGenerator()
    let days = [nil, nil, 1, 1, 2, 30].map { day in
      day.flatMap { CalendarDay(year: 2026, month: 6, day: $0) }
    }
    let times = [nil, TimeOfDay(hour: 9, minute: 0), TimeOfDay(hour: 23, minute: 59)]
    let items = (1...200).map { number in
      var item = TodoItem.numbered(
        number, title: String(Int.random(in: 0..<40, using: &generator)),
        priority: Priority.allCases.randomElement(using: &generator) ?? .none,
        isDone: number % 3 == 0, isImportant: number % 4 == 0,
        minute: .random(in: 0..<20, using: &generator))
      item.due = days.randomElement(using: &generator) ?? nil
      if item.due != nil { item.dueTime = times.randomElement(using: &generator) ?? nil }
      return item
    }
    try repository.perform(.add(items))
    let moved = items.shuffled(using: &generator).prefix(50).map(\.id)
    try repository.perform(.move(moved, to: .first))
    for list in [ItemList.all, .important] {
      for conditions in [[], [ItemCondition.isDone(false)], [.priority(.high)]] {
        let all = try repository.items(in: list, .all).filter { item in
          conditions.allSatisfy { $0 == .isDone(false) ? !item.isDone : item.priority == .high }
        }
        let expected = sort.sorted(all).map(\.id)
        for limit in [0, 1, 7, 60, 500, nil] {
          let found = try repository.items(
            in: list, meeting: conditions, sortedBy: sort, limit: limit)
          let comment: Comment = "\(list), \(conditions), \(limit ?? -1), seed \(generator.seed)"
          #expect(found.map(\.id) == Array(expected.prefix(limit ?? expected.count)), comment)
        }
      }
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aListIsReadInTheOrderOfChoice(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    var items: [TodoItem] = [
      .numbered(1, title: "b", priority: .low), .numbered(2, title: "A", priority: .high),
      .numbered(3, title: "c", priority: .high), .numbered(4, title: "a", isDone: true),
    ]
    items[0].due = CalendarDay(year: 2026, month: 6, day: 1)
    items[2].due = CalendarDay(year: 2026, month: 5, day: 31)
    try repository.perform(.add(items))
    let orders: [(ItemSort, [Int])] = [
      (.manual, [1, 2, 3, 4]), (.created, [3, 2, 1, 4]), (.priority, [2, 3, 1, 4]),
      (.due, [3, 1, 2, 4]), (.title, [2, 1, 3, 4]),
    ]
    for (sort, numbers) in orders {
      let sorted = sort.sorted(try repository.items(.all))
      #expect(sorted.map(\.id) == numbers.map { .numbered($0) }, "\(sort)")
    }
    // On a screen the order changes without another read of the list.
    let sort = BehaviorRelay(value: ItemSort.title)
    let output = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: .never(), sort: sort.asObservable()))
    let shown = Recorder(output.sections)
    sort.accept(.created)
    #expect(shown.elements.map { $0.open.map(\.title) } == [["A", "b", "c"], ["c", "A", "b"]])
  }
}

/// A clock that moves with each question.
private final class Seconds: Sendable {
  private let count = Atomic(0)

  @Sendable func next() -> Date {
    .noted + Double(count.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}

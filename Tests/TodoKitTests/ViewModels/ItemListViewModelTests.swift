import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoTestSupport

/// A list of three items, the third one done, and subjects to send actions and filters through.
private struct Screen {
  let repository = RecordingRepository()
  let actions = PublishSubject<ItemListViewModel.Action>()
  let filter = BehaviorSubject<ItemFilter>(value: .all)
  let output: ItemListViewModel.Output

  init() throws {
    for number in 1...3 { try repository.perform(.add(.numbered(number, isDone: number == 3))) }
    output = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions, filter: filter))
  }
}

@Suite("ItemListViewModel, changing items")
struct ItemListViewModelActionTests {
  @Test func eachActionIsAnsweredWithTheItemsItChanged() throws {
    let screen = try Screen()
    let changed = Recorder(screen.output.changed)
    let actions: [ItemListViewModel.Action] = [
      .setDone([.numbered(2), .numbered(1)], true), .setDone([.numbered(3)], false),
      .retitle(.numbered(1), to: " 두유 사기\u{3000}"), .setPriority([.numbered(3)], .high),
      .delete([.numbered(2)]),
    ]
    for action in actions { screen.actions.onNext(action) }
    #expect(try changed.elements.map(\.command) == actions.map { try $0.command.get() })
    #expect(
      changed.elements.map(\.items) == [
        [.numbered(2, isDone: true), .numbered(1, isDone: true)], [.numbered(3)],
        [.numbered(1, title: "두유 사기", isDone: true)], [.numbered(3, priority: .high)],
        [.numbered(2, isDone: true)],
      ])
    #expect(
      try screen.repository.items(.all) == [
        .numbered(3, priority: .high), .numbered(1, title: "두유 사기", isDone: true),
      ])
  }

  @Test func aChangeSaysWhetherAnythingChanged() throws {
    let screen = try Screen()
    let changed = Recorder(screen.output.changed)
    screen.actions.onNext(.setDone([.numbered(3)], true))
    screen.actions.onNext(.setDone([.numbered(2), .numbered(3)], true))
    #expect(changed.elements.map(\.isNoOp) == [true, false])
    #expect(changed.elements.map(\.items.count) == [1, 2])
  }

  @Test(arguments: RepositoryKind.allCases)
  func everyActionIsOneCommandThatCanBeTakenBack(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let group = TodoGroup.numbered(1)
    let day = try #require(CalendarDay("2026-06-01"))
    try repository.perform(.add(groups: [group], items: (1...3).map { .numbered($0) }))
    let ids: [UUID] = [.numbered(1), .numbered(2)]
    let actions = PublishSubject<ItemListViewModel.Action>()
    let output = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    let changed = Recorder(output.changed)
    let changes: [(action: ItemListViewModel.Action, isMade: (TodoItem) -> Bool)] = [
      (.setDone(ids, true), { $0.isDone }), (.setImportant(ids, true), { $0.isImportant }),
      (.setDue(ids, DueChange(day: day)), { $0.due == day }),
      (.setDue(ids, nil), { $0.due == nil }),
      (.setGroup(ids, group.id), { $0.groupID == group.id }),
      (.setGroup(ids, nil), { $0.groupID == nil }),
      (.addTags(ids, [" 집 "]), { $0.tags == ["집"] }), (.removeTags(ids, ["집"]), { $0.tags == [] }),
      (.setPriority(ids, .high), { $0.priority == .high }),
      (.move(ids, to: .last), { $0.order > TodoItem.numbered(3).order }),
    ]
    for (index, change) in changes.enumerated() {
      let before = try repository.items(.all)
      actions.onNext(change.action)
      let told = try #require(changed.elements.last)
      #expect(changed.elements.count == index * 3 + 1)
      #expect(try told.command == change.action.command.get() && told.groups == [])
      #expect(!told.isNoOp && told.isUndoable)
      #expect(told.items.map(\.id) == ids)
      #expect(told.items.allSatisfy(change.isMade), "\(change.action)")
      let after = try repository.items(.all)
      actions.onNext(.undo)
      #expect(changed.elements.last?.command == told.command)
      #expect(try repository.items(.all) == before)
      actions.onNext(.redo)
      #expect(changed.elements.last?.isUndoable == true)
      #expect(changed.elements.last?.command == told.command)
      #expect(Set(changed.elements.last?.items ?? []) == Set(told.items))
      #expect(try repository.items(.all) == after)
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func takingBackTellsTheCommandAndItsGroups(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let actions = PublishSubject<ItemListViewModel.Action>()
    let output = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    let changed = Recorder(output.changed)
    let errors = Recorder(output.storageError)
    actions.onNext(.undo)
    actions.onNext(.redo)
    #expect(errors.elements.map { ($0 as? TodoError)?.code } == [.nothingToUndo, .nothingToRedo])
    let group = try repository.perform(.addGroup(name: "집안일")).groups[0]
    actions.onNext(.undo)
    #expect(changed.elements.map(\.groups) == [[group]])
    #expect(changed.elements.map(\.items) == [[]])
    guard case .add = changed.elements.first?.command else {
      Issue.record("unexpected command: \(changed.elements)")
      return
    }
  }

  @Test func aBlankTagIsRefused() throws {
    let screen = try Screen()
    let issues = Recorder(screen.output.validationError)
    screen.actions.onNext(.addTags([.numbered(1)], ["a", " "]))
    screen.actions.onNext(.removeTags([.numbered(1)], [""]))
    #expect(
      issues.elements == [
        ValidationIssue(.blank, at: ["tags", .index(1)]),
        ValidationIssue(.blank, at: ["tags", .index(0)]),
      ])
    #expect(screen.repository.count(of: .other) == 0)
  }

  @Test(arguments: ["", "  ", "\u{3000}\t"])
  func aBlankTitleIsRefused(typed: String) throws {
    let screen = try Screen()
    let issues = Recorder(screen.output.validationError)
    let changed = Recorder(screen.output.changed)
    screen.actions.onNext(.retitle(.numbered(1), to: typed))
    #expect(issues.elements == [ValidationIssue(.blank, at: .title)])
    #expect(changed.elements.isEmpty)
    #expect(screen.repository.count(of: .retitle) == 0)
  }

  @Test(arguments: [nil, Priority.none])
  func noPriorityIsRefused(chosen: Priority?) throws {
    let screen = try Screen()
    let issues = Recorder(screen.output.validationError)
    screen.actions.onNext(.setPriority([.numbered(1)], chosen))
    #expect(issues.elements == [ValidationIssue(.required, at: .priority)])
    #expect(screen.repository.count(of: .setPriority) == 0)
  }

  @Test func noErrorEndsAnOutput() throws {
    let screen = try Screen()
    let changed = Recorder(screen.output.changed)
    let issues = Recorder(screen.output.validationError)
    let errors = Recorder(screen.output.storageError)
    screen.actions.onNext(.delete([.numbered(1), .numbered(9)]))
    screen.actions.onNext(.retitle(.numbered(1), to: ""))
    screen.repository.fail([.setDone])
    screen.actions.onNext(.setDone([.numbered(1)], true))
    screen.repository.fail([])
    screen.actions.onNext(.setDone([.numbered(1)], true))
    guard case .notFound(.numbered(9)) = errors.elements.first as? TodoError else {
      Issue.record("unexpected errors: \(errors.elements)")
      return
    }
    #expect(errors.failedCalls.last == .setDone)
    #expect(errors.elements.count == 2)
    #expect(issues.elements.count == 1)
    #expect(changed.elements.map(\.items) == [[.numbered(1, isDone: true)]])
    #expect(!changed.hasEnded && !issues.hasEnded && !errors.hasEnded)
  }

  @Test func severalOutputsShareOneEvaluation() throws {
    let screen = try Screen()
    let recorders = (
      Recorder(screen.output.storageError), Recorder(screen.output.changed),
      Recorder(screen.output.validationError), Recorder(screen.output.changed)
    )
    screen.actions.onNext(.delete([.numbered(1)]))
    #expect(screen.repository.count(of: .delete) == 1)
    #expect(recorders.1.elements == recorders.3.elements)
    #expect(recorders.0.elements.isEmpty)
  }

  @Test func changingItemsReadsNoList() throws {
    let screen = try Screen()
    let changed = Recorder(screen.output.changed)
    let errors = Recorder(screen.output.storageError)
    for _ in 1...10 { screen.actions.onNext(.setDone([.numbered(1)], true)) }
    #expect(changed.elements.count == 10)
    #expect(errors.elements.isEmpty)
    #expect(screen.repository.count(of: .items) == 0)
    #expect(screen.repository.count(of: .observedRead) == 0)
  }
}

@Suite("ItemListViewModel, showing sections")
struct ItemListViewModelSectionTests {
  @Test func openItemsStandAboveCompletedOnes() throws {
    let screen = try Screen()
    let sections = Recorder(screen.output.sections)
    #expect(sections.elements.map(\.open) == [[.numbered(1), .numbered(2)]])
    #expect(sections.elements.map(\.completed) == [[.numbered(3, isDone: true)]])
    #expect(sections.elements[0].all == (try screen.repository.items(.all)))
  }

  @Test func sectionsFollowEveryCommit() throws {
    let screen = try Screen()
    let changed = Recorder(screen.output.changed)
    let sections = Recorder(screen.output.sections)
    screen.actions.onNext(.setDone([.numbered(1)], true))
    try screen.repository.perform(.add(.numbered(4)))
    #expect(changed.elements.count == 1)
    #expect(
      sections.elements.map { $0.open.map(\.id) } == [
        [.numbered(1), .numbered(2)], [.numbered(2)], [.numbered(2), .numbered(4)],
      ])
  }

  @Test func aNewFilterReplacesTheList() throws {
    let screen = try Screen()
    let sections = Recorder(screen.output.sections)
    screen.filter.onNext(.done)
    screen.filter.onNext(.undone)
    try screen.repository.perform(.add(.numbered(4, isDone: true)))
    #expect(sections.elements.map(\.all.count) == [3, 1, 2])
    #expect(sections.elements.map(\.open.count) == [2, 0, 2])
  }

  @Test func theListIsReadOnlyWhileSomebodyLooks() throws {
    let screen = try Screen()
    let looking = screen.output.sections.subscribe(onNext: { _ in })
    #expect(screen.repository.count(of: .observedRead) == 1)
    looking.dispose()
    try screen.repository.perform(.add(.numbered(4)))
    #expect(screen.repository.count(of: .observedRead) == 1)
  }

  @Test func oneLookIsEnoughForOneList() throws {
    let screen = try Screen()
    let list = Recorder(screen.output.sections.take(1))
    #expect(list.elements.map(\.all.count) == [3])
    #expect(list.completions == 1)
    try screen.repository.perform(.add(.numbered(4)))
    #expect(screen.repository.count(of: .observedRead) == 1)
    #expect(Recorder(screen.output.sections.take(1)).elements.map(\.all.count) == [4])
  }

  @Test func aSecondLookerGetsTheListAtOnce() throws {
    let screen = try Screen()
    let first = Recorder(screen.output.sections)
    let second = Recorder(screen.output.sections)
    #expect(first.elements == second.elements)
    #expect(screen.repository.count(of: .observedRead) == 1)
  }

  @Test func aListThatCannotBeReadIsAStorageErrorAndCanBeAskedForAgain() throws {
    let screen = try Screen()
    let errors = Recorder(screen.output.storageError)
    let sections = Recorder(screen.output.sections)
    screen.repository.fail([.observedRead])
    try screen.repository.perform(.add(.numbered(4)))
    #expect(errors.failedCalls == [.observedRead])
    #expect(!sections.hasEnded && !errors.hasEnded)
    screen.repository.fail([])
    screen.filter.onNext(.all)
    #expect(sections.elements.map(\.all.count) == [3, 4])
  }
}

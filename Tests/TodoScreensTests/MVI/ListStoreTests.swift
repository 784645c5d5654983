import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

/// A group with items of these titles, and a store that shows it.
private struct Screen {
  let repository: any TodoRepository
  private let folder: TemporaryFolder?
  let group: TodoGroup
  let ids: [UUID]
  let store: ListStore
  let states: Recorder<ListState>

  init(_ kind: RepositoryKind, _ titles: String...) throws {
    let (repository, folder) = try kind.make()
    self.repository = repository
    self.folder = folder
    let group = try repository.perform(.addGroup(name: "집안일")).groups[0]
    self.group = group
    ids = try titles.map { title in
      var item = TodoItem(title: title)
      item.groupID = group.id
      return try repository.perform(.add(item)).items[0].id
    }
    store = ListStore(list: .group(id: group.id), repository: repository)
    states = Recorder(store.states)
  }

  /// Waits until the screen shows what a test expects, and returns that.
  ///
  /// - Parameter known: The number of states after which one has to show that the sheet is saved; nil for none.
  @discardableResult
  func wait(
    savingAfter known: Int? = nil, at location: SourceLocation = #_sourceLocation,
    until isExpected: @escaping @Sendable (ListState) -> Bool
  ) throws -> ListState {
    let states = states.wait(
      until: { states in
        let hasSaved =
          known.map { states.dropFirst($0).contains { $0.sheet?.isSaving == true } } ?? true
        return hasSaved && states.last.map(isExpected) ?? false
      }, sourceLocation: location)
    return try #require(states.last, sourceLocation: location)
  }
}

extension ListState {
  fileprivate var titles: [String] { (undone + done).map(\.title) }
}

@Suite("ListStore")
struct ListStoreTests {
  @Test(arguments: RepositoryKind.allCases)
  func theStateShowsTheListAtOnceAndFollowsWhateverIsCommitted(kind: RepositoryKind) throws {
    let screen = try Screen(kind, "청소", "빨래")
    #expect(screen.states.elements.count == 1)
    #expect(screen.store.state.titles == ["청소", "빨래"])
    #expect(screen.store.state.group == screen.group)
    // Somebody else's commits.
    try screen.repository.perform(.move([screen.ids[1]], to: .first))
    try screen.repository.perform(.editGroup(screen.group.id, GroupPatch(name: "살림")))
    try screen.repository.perform(.setDone([screen.ids[1]], true))
    let state = try screen.wait { $0.done.count == 1 && $0.group?.name == "살림" }
    #expect(state.titles == ["청소", "빨래"])
    #expect(state.items.value == ItemSections(try screen.repository.items(.all)))
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatIsSentIsACommandAndComesBackAsAState(kind: RepositoryKind) throws {
    let screen = try Screen(kind, "청소")
    let id = screen.ids[0]
    let before = screen.store.state.items
    screen.store.send(.toggleDone(id: id))
    try screen.wait { $0.done.map(\.id) == [id] }
    let command = TodoCommand.editItems(ids: [id], patch: ItemPatch(isDone: true))
    #expect(try screen.repository.history().undo == command)
    screen.store.send(.toggleDone(id: id))
    try screen.wait { $0.undone.map(\.id) == [id] }
    screen.store.send(.toggleImportant(id: id))
    try screen.wait { $0.undone.first?.isImportant == true }
    screen.store.send(.setPriority(id: id, priority: .high))
    try screen.wait { $0.undone.first?.priority == .high }
    screen.store.send(.createTask(title: " 빨래 "))
    let state = try screen.wait { $0.titles == ["청소", "빨래"] }
    #expect(state.undone.last?.groupID == screen.group.id && !state.hasError)
    // Each was one step of undo.
    for _ in 1...5 { try screen.repository.perform(.undo) }
    try screen.wait { $0.items == before }
  }

  /// A server has a store for each request, of the row that its page shows.
  @Test(arguments: RepositoryKind.allCases)
  func aStoreOfWhatWasShownAnswersWithoutReadingTheList(kind: RepositoryKind) throws {
    let screen = try Screen(kind, "청소", "빨래")
    let (repository, id) = (screen.repository, screen.ids[0])
    let deletions = PendingDeletions(repository: repository)
    let shown = try #require(try repository.item(id))
    func answer(_ intent: ListIntent) -> ListState {
      let store = ListStore(
        showing: ListState(list: .all, showing: [shown]), repository: repository,
        deletions: deletions)
      store.send(intent)
      return store.state
    }
    let done = answer(.toggleDone(id: id))
    #expect(done.result?.isUndoable == true && done.items.value?.all == [shown])
    // The same button once more: the item is what the press asked for, and undo has one step of it.
    let again = answer(.toggleDone(id: id))
    #expect(again.result?.isNoOp == true && again.result?.isUndoable == false)
    #expect(try repository.item(id)?.isDone == true)
    try repository.perform(.retitle(id, to: "대청소"))
    let late = answer(.retitleTask(id: id, title: "걸레질"))
    #expect(late.error?.code == .changedSince && late.result == nil)
    #expect(try repository.item(id)?.title == "대청소")
    #expect(answer(.setPriority(id: id, priority: nil)).issues.map(\.code) == [.required])
    let question = try #require(answer(.askToDelete(items: [id])).question)
    #expect(answer(.answer(token: question.token, isYes: true)).result?.items.map(\.id) == [id])
    #expect(answer(.answer(token: question.token, isYes: true)).error?.code == .noPendingDeletion)
    #expect(try repository.items(.all).map(\.id) == [screen.ids[1]])
  }

  @Test(arguments: RepositoryKind.allCases)
  func theSheetMakesRetitlesAndRenames(kind: RepositoryKind) throws {
    let screen = try Screen(kind, "청소")
    try screen.repository.perform(.addGroup(name: "살림"))
    for (mode, text) in [
      (ListSheet.Mode.create, "빨래"), (.retitle(id: screen.ids[0]), "대청소"), (.rename, "살림"),
    ] {
      screen.store.send(.openSheet(mode: mode))
      screen.store.send(.type(text: text))
      screen.store.send(.save)
      try screen.wait { $0.sheet == nil }
    }
    try screen.wait { $0.titles == ["대청소", "빨래"] && $0.group?.name == "살림 (1)" }
  }

  /// The store follows the list, so that what it shows when Save is pressed may be the change itself.
  @Test(arguments: RepositoryKind.allCases)
  func theSheetDoesNotOverwriteWhatWasChangedWhileItWasOpen(kind: RepositoryKind) throws {
    let screen = try Screen(kind, "빵")
    let modes = [ListSheet.Mode.retitle(id: screen.ids[0]), .rename]
    for (mode, text) in zip(modes, ["우유", "가게"]) {
      screen.store.send(.openSheet(mode: mode))
      try screen.repository.perform(.retitle(screen.ids[0], to: "호밀빵"))
      try screen.repository.perform(.editGroup(screen.group.id, GroupPatch(name: "장보기")))
      try screen.wait { $0.titles == ["호밀빵"] && $0.group?.name == "장보기" }
      screen.store.send(.type(text: text))
      screen.store.send(.save)
      try screen.wait { $0.error?.code == .changedSince && $0.sheet?.isSaving == false }
      // Pressed again before the error was read, it is refused again.
      let known = screen.states.elements.count
      screen.store.send(.save)
      try screen.wait(savingAfter: known) {
        $0.error?.code == .changedSince && $0.sheet?.isSaving == false
      }
      #expect(try screen.repository.items(.all).map(\.title) == ["호밀빵"])
      screen.store.send(.dismissError)
      screen.store.send(.save)
      try screen.wait { $0.sheet == nil && $0.error == nil }
      try screen.repository.perform(.undo)
      try screen.wait { $0.titles == ["호밀빵"] && $0.group?.name == "장보기" }
      try screen.repository.perform(.editGroup(screen.group.id, GroupPatch(name: "집안일")))
      try screen.wait { $0.group?.name == "집안일" }
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func deletionAsksFirstAndHitsWhatWasSwipedAfterAnyReorderOfTheScreen(
    kind: RepositoryKind
  ) throws {
    let screen = try Screen(kind, "청소", "빨래", "설거지")
    screen.store.send(.askToDelete(items: [screen.ids[1]]))
    let question = try #require(try screen.wait { $0.question != nil }.question)
    #expect(question.items == [screen.ids[1]] && question.titles == ["빨래"])
    try screen.repository.perform(.move([screen.ids[1]], to: .last))
    screen.store.send(.answer(token: question.token, isYes: true))
    try screen.wait { $0.titles == ["청소", "설거지"] && $0.question == nil }
    // It is shown, then gone for good.
    let shown = screen.states.elements.map { $0.question != nil }
    #expect(shown.contains(true))
    #expect(shown.drop { !$0 }.drop { $0 }.allSatisfy { !$0 })
    // The answer was good once.
    screen.store.send(.answer(token: question.token, isYes: true))
    try screen.wait { $0.error?.code == .noPendingDeletion }
  }

  @Test(arguments: RepositoryKind.allCases)
  func aDeletedGroupIsSaidToBeGoneAndComesBackWithUndo(kind: RepositoryKind) throws {
    let screen = try Screen(kind, "청소")
    screen.store.send(.askToDeleteGroup)
    let first = try #require(try screen.wait { $0.question != nil }.question)
    screen.store.send(.answer(token: first.token, isYes: false))
    try screen.wait { $0.question == nil }
    #expect(try screen.repository.groups().count == 1)
    screen.store.send(.askToDeleteGroup)
    let question = try #require(try screen.wait { $0.question != nil }.question)
    screen.store.send(.answer(token: question.token, isYes: true))
    try screen.wait { $0.isGone && $0.titles == [] && $0.group?.name == "집안일" }
    screen.store.send(.createTask(title: "빨래"))
    try screen.wait { $0.error?.code == .groupNotFound }
    try screen.repository.perform(.undo)
    try screen.wait { !$0.isGone && $0.titles == ["청소"] }
    screen.store.send(.createTask(title: "빨래"))
    try screen.wait { !$0.hasError && $0.titles == ["청소", "빨래"] }
  }

  @Test(arguments: RepositoryKind.allCases)
  func theImportantListIsAListLikeOthers(kind: RepositoryKind) throws {
    let screen = try Screen(kind, "청소", "빨래")
    let important = ListStore(list: .important, repository: screen.repository)
    let states = Recorder(important.states)
    #expect(important.state.items == .loaded(ItemSections([])) && !important.state.isGone)
    screen.store.send(.toggleImportant(id: screen.ids[1]))
    states.wait { $0.last?.titles == ["빨래"] }
    // Both screens show one item, and none a copy.
    important.send(.toggleDone(id: screen.ids[1]))
    states.wait { $0.last?.done.map(\.title) == ["빨래"] }
    try screen.wait { $0.done.map(\.title) == ["빨래"] }
    important.send(.toggleImportant(id: screen.ids[1]))
    states.wait { $0.last?.titles == [] }
    important.send(.createTask(title: "산책"))
    states.wait { $0.last?.issues == [ValidationIssue(.listIsFixed)] }
  }

  @Test func aGroupThatNeverWasIsGone() {
    let store = ListStore(list: .group(id: .numbered(9)), repository: PlainTodoRepository())
    #expect(store.state.isGone && store.state.group == nil && store.state.titles == [])
  }
}

@Suite("ListStore, when something fails")
struct GroupStoreFailureTests {
  private let repository = RecordingRepository()

  @Test func anErrorIsPartOfTheStateUntilTheNextSuccessOrTheUserClearsIt() throws {
    try repository.perform(.add(.numbered(1)))
    let store = ListStore(list: .all, repository: repository)
    repository.fail([.setDone])
    store.send(.toggleDone(id: .numbered(1)))
    #expect(store.state.hasError && store.state.undone == [.numbered(1)])
    #expect(store.state.error?.cause is RecordingRepository.Broken)
    repository.fail([])
    store.send(.toggleDone(id: .numbered(1)))
    #expect(!store.state.hasError && store.state.undone == [])
    repository.fail([.setDone])
    store.send(.toggleDone(id: .numbered(1)))
    #expect(store.state.hasError)
    store.send(.dismissError)
    #expect(!store.state.hasError)
  }

  @Test func aListThatCannotBeReadKeepsWhatWasShownAndIsReadAgain() throws {
    try repository.perform(.add(.numbered(1)))
    let store = ListStore(list: .all, repository: repository)
    repository.fail([.observedRead])
    try repository.perform(.add(.numbered(2)))
    #expect(store.state.hasError && store.state.items.error != nil)
    #expect(store.state.undone == [.numbered(1)])
    store.send(.reload)
    #expect(store.state.hasError && store.state.undone == [.numbered(1)])
    repository.fail([])
    store.send(.reload)
    #expect(!store.state.hasError && store.state.undone == [.numbered(1), .numbered(2)])
    // One reading is under way, however often it was asked for.
    store.send(.reload)
    let reads = repository.count(of: .observedRead)
    try repository.perform(.add(.numbered(3)))
    #expect(repository.count(of: .observedRead) == reads + 1)
  }

  @Test func aStoreThatIsGoneReadsNoMore() throws {
    var store: ListStore? = ListStore(list: .all, repository: repository)
    let weak = WeakRef(store)
    let states = store.map { Recorder($0.states) }
    #expect(repository.count(of: .observedRead) == 1)
    store = nil
    #expect(weak.value == nil)
    try repository.perform(.add(.numbered(1)))
    #expect(repository.count(of: .observedRead) == 1)
    #expect(states?.elements.count == 1)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aStoreKeepsNothingAliveAndNothingKeepsIt(kind: RepositoryKind) throws {
    var (repository, folder): ((any TodoRepository)?, TemporaryFolder?) = try kind.make()
    let kept = WeakRef<AnyObject>(repository)
    var store = repository.map { ListStore(list: .important, repository: $0) }
    let weak = WeakRef(store)
    store?.send(.toggleDone(id: .numbered(1)))
    repository = nil
    #expect(kept.value != nil)
    store = nil
    #expect(weak.value == nil && kept.value == nil)
    withExtendedLifetime(folder) {}
    folder = nil
  }
}

@Suite("ListStore, on a scheduler")
struct ListStoreSchedulerTests {
  @Test func statesAreDeliveredWhereTheScreenWantsThem() throws {
    let repository = PlainTodoRepository(now: { .noted })
    try repository.perform(.add(.numbered(1)))
    let thread = ScreenThread()
    let store = ListStore(list: .all, repository: repository, on: thread)
    let states = Recorder(store.states)
    #expect(states.elements.isEmpty, "nothing is delivered before the thread runs")
    thread.run { states.elements.last?.undone == [.numbered(1)] }
    store.send(.toggleDone(id: .numbered(1)))
    #expect(states.elements.last?.done == [])
    thread.run { states.elements.last?.done == [.numbered(1, isDone: true)] }
  }
}

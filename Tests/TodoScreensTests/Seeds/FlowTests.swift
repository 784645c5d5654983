import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

/// The apps' flows from end to end on the screens of their architectures, and on all of them.
///
/// Each begins with an empty store, adds with errors, toggles, reorders, renames with a clash,
/// deletes after a question, undoes, starts again, and finds everything there.
@Suite("Flows")
struct FlowTests {
  /// A store's file, and what it held when the program ended.
  private struct Disk {
    let folder: TemporaryFolder
    var items: [TodoItem] = []
    var groups: [GroupSummary] = []

    init() throws { folder = TemporaryFolder() }

    /// Starts the program.
    func start() throws -> CroftTodoRepository {
      try CroftTodoRepository(path: folder.path(to: "todo.croft"))
    }

    /// Notes what there is, before the program ends.
    mutating func note(_ repository: CroftTodoRepository) throws {
      items = try repository.items(.all)
      groups = try repository.groups()
    }
  }

  /// App A: groups with items, on MVC.
  @Test func groupsOfItems() throws {
    var disk = try Disk()
    do {
      let repository = try disk.start()
      let screen = GroupScreen(repository)
      #expect(screen.view.picture.groups == .loaded([]))
      screen.bus.emit(GroupEvents.PushToNewTaskScreen())
      var draft = GroupDraft(name: " ", titles: [])
      #expect(
        try screen.refusal(of: GroupEvents.CreateTaskGroup.self, draft)?.code == .required)
      draft = .filled("집안일", "청소", "빨래", "설거지")
      let home = try screen.ask(GroupEvents.CreateTaskGroup.self, draft).id
      screen.bus.emit(GroupEvents.PopScreen())
      let other = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "회사")).id
      screen.waitForPicture { $0.error == nil }

      screen.bus.emit(GroupEvents.PushToDetailTaskScreen(home))
      screen.waitForPicture { $0.titles == ["청소", "빨래", "설거지"] }
      let ids = try #require(screen.view.picture.items.value?.all.map(\.id))
      try screen.ask(GroupEvents.CompleteTask.self, .init([ids[0]], isDone: true))
      try screen.ask(GroupEvents.MoveTask.self, .init([ids[2]], to: .before(id: ids[1])))
      try screen.ask(GroupEvents.EditTaskName.self, .init(ids[1], to: "다림질"))
      screen.waitForPicture { $0.titles == ["설거지", "다림질", "청소"] }
      let renamed = try screen.ask(
        GroupEvents.UpdateTaskGroup.self, .init(other, GroupPatch(name: "집안일")))
      #expect(renamed.groups[0].name == "집안일 (1)")
      try screen.ask(GroupEvents.MoveTaskGroup.self, .init(other, to: .first))

      let question = try screen.ask(GroupEvents.DeleteTaskGroup.self, home)
      #expect(question.titles == ["집안일"] && question.items.count == 3)
      let deletion = try screen.ask(GroupEvents.ConfirmDeletion.self, question.token)
      #expect(deletion.report.items.count == 3)
      screen.waitForPicture { $0.names == ["집안일 (1)"] && $0.openGroup == nil }
      HistoryCommands(repository: repository).undo.execute()
      screen.waitForPicture { $0.names == ["집안일 (1)", "집안일"] }
      try disk.note(repository)
    }
    let screen = GroupScreen(try disk.start())
    #expect(screen.view.picture.groups == .loaded(disk.groups))
    #expect(disk.groups.map(\.tally) == [Tally(), Tally(total: 3, done: 1)])
    screen.bus.emit(GroupEvents.PushToDetailTaskScreen(disk.groups[1].id))
    #expect(screen.view.picture.items == .loaded(ItemSections(disk.items)))
    #expect(disk.groups[1].group.image != nil)
  }

  /// App B: items with priorities, on MVVM.
  @Test func itemsWithPriorities() throws {
    var disk = try Disk()
    do {
      let repository = try disk.start()
      let screen = ModelScreen(repository)
      #expect(screen.sections.elements == [ItemSections([])])
      for draft in [
        TaskDraft(title: "  ", priority: .high), TaskDraft(title: "우유", priority: nil),
        TaskDraft(title: " 우유 ", priority: .high), TaskDraft(title: "보고서", priority: .low),
        TaskDraft(title: "청소", priority: .normal),
      ] {
        screen.attempts.onNext(draft)
      }
      #expect(screen.answers.elements == [false, false, true, true, true])
      let ids = try repository.items(.all).map(\.id)
      screen.rows.wait { $0.last?.map(\.title) == ["우유", "보고서", "청소"] }
      screen.actions.onNext(.setDone([ids[0]], true))
      screen.actions.onNext(.move([ids[2]], to: .first))
      screen.actions.onNext(.retitle(ids[1], to: " "))
      screen.actions.onNext(.retitle(ids[1], to: "긴 보고서"))
      screen.rows.wait { $0.last?.map(\.title) == ["청소", "긴 보고서", "우유"] }
      screen.actions.onNext(.deleteAll(.all, .all))
      screen.sections.wait { $0.last == ItemSections([]) }
      screen.actions.onNext(.undo)
      screen.sections.wait { $0.last?.completed.map(\.title) == ["우유"] }
      #expect(screen.answers.elements.suffix(6) == [true, true, false, true, true, true])
      try disk.note(repository)
    }
    let screen = ModelScreen(try disk.start())
    #expect(screen.sections.elements == [ItemSections(disk.items)])
    #expect(screen.rows.elements == [disk.items])
    #expect(disk.items.map(\.priority) == [.normal, .low, .high])
  }

  /// App C: one list, on MVI.
  @Test func oneList() throws {
    var disk = try Disk()
    let home: TodoGroup
    do {
      let repository = try disk.start()
      home = try repository.perform(.addGroup(name: "집안일")).groups[0]
      try repository.perform(.addGroup(name: "회사"))
      let screen = AllScreens.Store(.group(id: home.id), repository)
      let important = AllScreens.Store(.important, repository)
      #expect(screen.store.state.undone == [] && important.store.state.capabilities.canAdd == false)
      for text in [" ", "청소", "빨래", "설거지"] {
        screen.store.send(.openSheet(mode: .create))
        screen.store.send(.type(text: text))
        screen.send(.save)
        screen.send(.closeSheet)
      }
      screen.states.wait { $0.last?.undone.count == 3 }
      let ids = screen.store.state.undone.map(\.id)
      screen.send(.toggleDone(id: ids[0]))
      screen.send(.toggleImportant(id: ids[2]))
      try repository.perform(.move([ids[2]], to: .first))
      screen.states.wait { $0.last?.undone.map(\.title) == ["설거지", "빨래"] }
      screen.states.wait { $0.last?.done.map(\.title) == ["청소"] }
      important.states.wait { $0.last?.undone.map(\.title) == ["설거지"] }
      screen.send(.renameGroup(name: "회사"))
      screen.states.wait { $0.last?.group?.name == "회사 (1)" }

      screen.send(.askToDelete(items: [ids[1]]))
      let question = try #require(screen.store.state.question)
      #expect(question.titles == ["빨래"])
      screen.send(.answer(token: question.token, isYes: true))
      screen.states.wait { $0.last?.undone.map(\.title) == ["설거지"] }
      try repository.perform(.undo)
      screen.states.wait { $0.last?.undone.map(\.title) == ["설거지", "빨래"] }
      try disk.note(repository)
    }
    let screen = ListStore(list: .group(id: home.id), repository: try disk.start())
    #expect(screen.state.items == .loaded(ItemSections(disk.items)))
    #expect(screen.state.group?.name == "회사 (1)")
  }

  /// App D: lists and their navigation, on MVP.
  @Test func listsAndTheirScreens() throws {
    var disk = try Disk()
    do {
      let repository = try disk.start()
      let window = Window(repository)
      let home = try #require(window.view(RecordingHomeView.self))
      window.thread.run { home.lines == [] && home.important == Tally() }
      func addList(_ name: String) throws -> RecordingFormView<AddListPresenter> {
        home.presenter.rightBarButtonTapped()
        let form = try #require(window.view(RecordingFormView<AddListPresenter>.self))
        form.presenter.rightBarButtonTapped(name)
        return form
      }
      let refused = try addList("Important")
      #expect(refused.alert?.code == .reservedName && refused.dismissals == 0)
      refused.presenter.leftBarButtonTapped()
      #expect(try addList(" 집안일 ").stored == ["집안일"])
      #expect(try addList("집안일").stored == ["집안일 (1)"])
      window.thread.run { home.lines == ["집안일 0/0", "집안일 (1) 0/0"] }
      let groups = try repository.groups().map(\.id)

      home.presenter.listTapped(.group(id: groups[0]))
      let list = try #require(window.view(RecordingListView.self))
      for title in ["청소", "빨래"] {
        list.presenter.rightBarButtonTapped()
        try #require(window.view(RecordingFormView<EditTaskPresenter>.self)).presenter
          .rightBarButtonTapped(title)
      }
      window.thread.run { list.titles == ["청소", "빨래"] }
      list.presenter.doneTapped(list.items[0])
      list.presenter.starTapped(list.items[1])
      list.presenter.nameTapped()
      let form = try #require(window.view(RecordingFormView<RenameListPresenter>.self))
      form.presenter.rightBarButtonTapped("집안일 (1)")
      #expect(form.stored == ["집안일", "집안일 (1) (1)"])
      window.thread.run { list.titles == ["빨래", "청소"] && list.name == "집안일 (1) (1)" }
      list.presenter.leftBarButtonTapped()
      home.presenter.moved(groups[1], to: .first)
      window.thread.run { home.lines == ["집안일 (1) 0/0", "집안일 (1) (1) 1/2"] }

      home.presenter.deleteTapped(groups[0])
      let question = try #require(home.question)
      #expect(question.titles == ["집안일 (1) (1)"] && question.items.count == 2)
      home.presenter.answer(question.token, isYes: true)
      window.thread.run { home.lines == ["집안일 (1) 0/0"] && home.important == Tally() }
      HistoryCommands(repository: repository).undo.execute()
      window.thread.run { home.lines.count == 2 && home.important == Tally(total: 1) }
      try disk.note(repository)
    }
    let window = Window(try disk.start())
    let home = try #require(window.view(RecordingHomeView.self))
    window.thread.run { home.lines == ["집안일 (1) 0/0", "집안일 (1) (1) 1/2"] }
    home.presenter.listTapped(.group(id: disk.groups[1].id))
    let list = try #require(window.view(RecordingListView.self))
    window.thread.run { list.items == disk.items }
    #expect(list.sections == ["open 1", "completed 1"])
  }

  /// What one architecture adds, another changes, a third deletes; a restart finds it all.
  @Test func fromTheFirstStartToARestartEverythingIsThere() throws {
    var disk = try Disk()
    do {
      let repository = try disk.start()
      let adding = ModelScreen(repository)
      let groups = GroupScreen(repository)
      let window = Window(repository)
      let all = AllScreens.Store(.all, repository)
      adding.attempts.onNext(TaskDraft(title: "", priority: .high))
      adding.attempts.onNext(TaskDraft(title: "우유 사기", priority: .high))
      adding.attempts.onNext(TaskDraft(title: "보고서", priority: .low))
      let ids = try repository.items(.all).map(\.id)
      all.states.wait { $0.last?.undone.map(\.id) == ids }
      let home = try groups.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일")).id
      adding.actions.onNext(.setGroup([ids[0]], home))
      all.send(.toggleDone(id: ids[0]))
      groups.waitForPicture { $0.groups.value?.map(\.tally) == [Tally(total: 1, done: 1)] }
      adding.actions.onNext(.setImportant([ids[1]], true))
      let homeView = try #require(window.view(RecordingHomeView.self))
      window.thread.run { homeView.lines == ["집안일 1/1"] && homeView.important == Tally(total: 1) }
      homeView.presenter.deleteTapped(home)
      homeView.presenter.answer(try #require(homeView.question).token, isYes: true)
      all.states.wait { $0.last?.items.value?.all.map(\.id) == [ids[1]] }
      groups.waitForPicture { $0.names == [] }
      adding.actions.onNext(.undo)
      all.states.wait { $0.last?.done.map(\.id) == [ids[0]] }
      groups.waitForPicture { $0.names == ["집안일"] }
      try disk.note(repository)
    }
    // A restart: everything is there, and the undone command can be redone.
    let repository = try disk.start()
    let adding = ModelScreen(repository)
    #expect(adding.sections.elements == [ItemSections(disk.items)])
    #expect(GroupScreen(repository).view.picture.groups == .loaded(disk.groups))
    adding.actions.onNext(.redo)
    adding.sections.wait { $0.last?.all.map(\.title) == ["보고서"] }
    adding.actions.onNext(.undo)
    let sections = ItemSections(disk.items)
    adding.sections.wait { $0.last == sections }
    #expect(try repository.groups() == disk.groups)
  }
}

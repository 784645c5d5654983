import Foundation
import LMDB
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

/// Defects of the seeds' apps that are not repeated; the first three are the module Reactive's.
@Suite("Traps")
struct TrapTests {
  #if DEBUG
    /// A screen that saves something, and says whether that was done and whether it shows an error.
    private enum Saving: CaseIterable {
      case mvc, mvvmAdding, mvvmList, mvi, mvp

      /// Opens the screen; calling the result saves something else on it.
      func open(
        _ repository: CroftTodoRepository, _ item: UUID
      ) throws -> () throws -> (isDone: Bool, hasError: Bool) {
        switch self {
        case .mvc:
          let screen = GroupScreen(repository)
          return {
            let error = try screen.refusal(
              of: GroupEvents.EditTaskName.self, .init(item, to: "new"))
            #expect(screen.view.picture.error == error)
            return (error == nil, error != nil)
          }
        case .mvvmAdding, .mvvmList:
          let screen = ModelScreen(repository)
          return {
            if self == .mvvmList {
              screen.actions.onNext(.retitle(item, to: "new"))
            } else {
              screen.attempts.onNext(TaskDraft(title: "new", priority: .high))
            }
            return (screen.answers.elements.last == true, screen.answers.elements.last == false)
          }
        case .mvi:
          let store = ListStore(list: .all, repository: repository)
          return {
            store.send(.retitleTask(id: item, title: "new"))
            return (!store.state.hasError, store.state.hasError)
          }
        case .mvp:
          let window = Window(repository)
          try #require(window.view(RecordingHomeView.self)).presenter.listTapped(.all)
          let view = try #require(window.view(RecordingListView.self))
          window.thread.run { !view.items.isEmpty }
          return {
            defer { withExtendedLifetime(window) {} }
            view.presenter.starTapped(view.items[0])
            return (view.alert == nil, view.alert != nil)
          }
        }
      }
    }

    /// Each call of the C library fails in turn, until a save gets through.
    @Test(arguments: Saving.allCases)
    private func t4AFailedSaveIsNotSilentOnAnyScreen(screen: Saving) throws {
      for call in 1... {
        let folder = TemporaryFolder()
        let repository = try CroftTodoRepository(path: folder.path(to: "todo.croft"))
        try repository.perform(.add(.numbered(1)))
        let before = try repository.items(.all)
        let save = try screen.open(repository, .numbered(1))
        let plan = FaultPlan(failingCall: call, with: .outOfSpace)
        let told = try FaultPlan.$current.withValue(plan) { try save() }
        let isStored = try repository.items(.all) != before
        #expect(told.isDone == isStored, "call \(call)")
        #expect(told.hasError == !isStored, "call \(call)")
        if !plan.hasFailedCall {
          #expect(isStored && call > 4)
          break
        }
        try #require(call < 1_000, "it is never saved")
      }
    }
  #endif

  @Test func t5WhatIsEditedOnAScreenIsSaved() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let home = TodoGroup.numbered(1)
    let image = GroupImage(bytes: Data([0x89, 0x50]), mimeType: "image/png")
    do {
      let repository = try CroftTodoRepository(path: path)
      try repository.perform(
        .add(groups: [home], items: (1...4).map { .numbered($0, group: home.id) }))
      // The edit screen of a group: colour and picture. The row of an item: its title.
      let mvc = GroupScreen(repository)
      try mvc.ask(
        GroupEvents.UpdateTaskGroup.self,
        .init(home.id, GroupPatch(color: RGBA("#ff8800"), image: image)))
      try mvc.ask(GroupEvents.EditTaskName.self, .init(.numbered(1), to: "from MVC"))
      let mvvm = ModelScreen(repository)
      withExtendedLifetime(mvvm) {
        mvvm.actions.onNext(.retitle(.numbered(2), to: "from MVVM"))
      }
      ListStore(list: .all, repository: repository)
        .send(.retitleTask(id: .numbered(3), title: "from MVI"))
      let mvp = Window(repository)
      try #require(mvp.view(RecordingHomeView.self)).presenter.listTapped(.group(id: home.id))
      let list = try #require(mvp.view(RecordingListView.self))
      list.presenter.titleTapped(.numbered(4))
      try #require(mvp.view(RecordingFormView<EditTaskPresenter>.self)).presenter
        .rightBarButtonTapped("from MVP")
      list.presenter.nameTapped()
      try #require(mvp.view(RecordingFormView<RenameListPresenter>.self)).presenter
        .rightBarButtonTapped("집안일")
    }
    let reopened = try CroftTodoRepository(path: path)
    let group = try #require(try reopened.groups().first?.group)
    #expect(group.name == "집안일" && group.color == RGBA("#ff8800") && group.image == image)
    #expect(
      try reopened.items(.all).map(\.title) == ["from MVC", "from MVVM", "from MVI", "from MVP"])
  }

  @Test func t7WhatIsToldIsStoredAlreadyAndNothingStandsBesideTheStore() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let repository = try CroftTodoRepository(path: path)
    // Like another program: it sees what is on disk and nothing else.
    let other = try CroftTodoRepository(path: path)
    let isStored = Recorder(
      repository.observe(.all).map { told in
        let stored = Set(try other.items(.all).map(\.id))
        return told.allSatisfy { stored.contains($0.id) }
      })
    for number in 1...20 { try repository.perform(.add(.numbered(number))) }
    #expect(throws: TodoError.self) { try repository.perform(.add(.numbered(1))) }

    // Adding answers with the list, once, and ends.
    let adding = Recorder(repository.addTask(.numbered(21)))
    #expect(adding.elements.map(\.count) == [21] && adding.completions == 1)

    // What somebody else stores is in the list, as what the screen itself has stored.
    let screen = ModelScreen(repository)
    try other.perform(.retitle(.numbered(1), to: "from elsewhere"))
    screen.sections.wait { $0.last?.all.first?.title == "from elsewhere" }
    #expect(try screen.sections.elements.last?.all == repository.items(.all))
    let lists = Recorder(repository.observe(.all))
    try other.perform(.delete([.numbered(21)]))
    lists.wait { $0.last?.count == 20 }
    #expect(isStored.elements.count > 1 && isStored.elements.allSatisfy { $0 })
  }

  @Test(arguments: RepositoryKind.allCases)
  func t8ImportantHoldsNoCopiesAndItemsAreFoundByTheirIds(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    try repository.perform(
      .add(groups: [home], items: [.numbered(1, isImportant: true, group: home.id)]))
    let important = AllScreens.Store(.important, repository)
    let group = AllScreens.Store(.group(id: home.id), repository)
    let item = try #require(group.store.state.undone.first)
    #expect(important.store.state.undone == [item])

    // A change of any property, made in the group, is in the important list at once.
    group.store.send(.retitleTask(id: item.id, title: "new"))
    important.states.wait { $0.last?.undone.first?.title == "new" }
    // The row that was shown before the change still names its item.
    important.store.send(.toggleDone(id: item.id))
    group.states.wait { $0.last?.done.map(\.title) == ["new"] }
    // The list is found by its id, whatever its name is by now.
    group.store.send(.renameGroup(name: "another name"))
    group.states.wait { $0.last?.group?.name == "another name" }
    important.store.send(.toggleImportant(id: item.id))
    important.states.wait { $0.last?.items.value?.all == [] }
    #expect(try repository.items(.all).map(\.id) == [item.id])
    group.states.wait { $0.last?.done.first?.isImportant == false }

    // A missing item is an error: a tap never does nothing.
    try repository.perform(.delete([item.id]))
    group.states.wait { $0.last?.items.value?.all == [] }
    group.store.send(.toggleDone(id: item.id))
    group.states.wait { $0.last?.error?.code == .itemNotFound }
  }

  @Test func t8AnAlertCanBeDismissedOnEveryScreen() throws {
    let repository = PlainTodoRepository()
    let mvc = GroupScreen(repository)
    _ = try mvc.refusal(of: GroupEvents.EditTaskName.self, .init(.numbered(9), to: "t"))
    #expect(mvc.view.picture.error != nil)
    mvc.bus.emit(GroupEvents.DismissError())
    #expect(mvc.view.picture.error == nil)

    let mvi = ListStore(list: .all, repository: repository)
    mvi.send(.retitleTask(id: .numbered(9), title: "t"))
    #expect(mvi.state.hasError)
    mvi.send(.dismissError)
    #expect(!mvi.state.hasError)

    let mvp = Window(repository)
    try #require(mvp.view(RecordingHomeView.self)).presenter.listTapped(.all)
    let list = try #require(mvp.view(RecordingListView.self))
    list.presenter.doneTapped(.numbered(9))
    #expect(list.alert != nil)
    list.presenter.alertDismissed()
    #expect(list.alert == nil)

    // In MVVM errors are events, which a front end shows and forgets.
    let mvvm = ModelScreen(repository)
    mvvm.actions.onNext(.setDone([.numbered(9)], true))
    mvvm.attempts.onNext(TaskDraft(title: "t", priority: .high))
    #expect(mvvm.answers.elements == [false, true])
  }

  @Test(arguments: RepositoryKind.allCases)
  func t9TheOwnNameIsFreeOnTheScreenAndTheCheckIsInTheWrite(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = try repository.perform(.addGroup(name: "집안일")).groups[0]
    let window = Window(repository)
    try #require(window.view(RecordingHomeView.self)).presenter.listTapped(.group(id: home.id))
    func rename(_ name: String, meanwhile: () throws -> Void = {}) throws -> [String] {
      try #require(window.view(RecordingListView.self)).presenter.nameTapped()
      let form = try #require(window.view(RecordingFormView<RenameListPresenter>.self))
      try meanwhile()
      form.presenter.rightBarButtonTapped(name)
      return form.stored
    }
    #expect(try rename("집안일") == ["집안일", "집안일"])
    #expect(try rename(" 집안일 ") == ["집안일", "집안일"])
    // The name was free when the form was opened, and is not when it is stored.
    let answer = try rename("회사") { try repository.perform(.addGroup(name: "회사")) }
    #expect(answer == ["집안일", "회사 (1)"])
    #expect(try Set(repository.groups().map(\.group.name)) == ["회사", "회사 (1)"])
  }
}

import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Synchronization
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("GroupController, groups")
struct GroupControllerGroupTests {
  @Test(arguments: RepositoryKind.allCases)
  func anEventIsCommittedThenAnsweredAndItsPictureFollows(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let (repository, bus) = (screen.repository, screen.bus)
    let answers = Recorder(
      Observable<[String]>.create { observer in
        bus.emit(
          GroupEvents.AddTaskGroup(GroupDraft(name: " 집안일 ")) { result in
            // It is in the store when the answer comes, and that comes before emit returns.
            observer.onNext((try? repository.groups().map(\.group.name)) ?? [])
            if case .success(let group) = result { observer.onNext([group.name]) }
          })
        observer.onCompleted()
        return Disposables.create()
      })
    #expect(answers.elements == [["집안일"], ["집안일"]] && answers.completions == 1)
    screen.waitForPicture { $0.names == ["집안일"] }
  }

  @Test func nothingIsDrawnBeforeItIsCommitted() throws {
    let repository = PlainTodoRepository()
    let screen = GroupScreen(repository)
    let stored = Recorder(
      screen.view.pictures.map { picture in
        // A picture shows the stored groups at the moment of drawing.
        try repository.groups() == picture.groups.value
      })
    try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "회사"))
    #expect(stored.elements.count >= 3 && stored.elements.allSatisfy { $0 })
  }

  @Test func whatFailsIsNotDrawnButSaid() throws {
    let repository = RecordingRepository()
    let screen = GroupScreen(repository)
    repository.fail([.add])
    #expect(
      try screen.refusal(of: GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))?.code
        == .unexpected)
    #expect(screen.view.picture.names == [])
    #expect(screen.view.picture.error?.cause is RecordingRepository.Broken)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aFilledFormMakesAGroupWithItsItemsInOneStep(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let draft = GroupDraft.filled(" 집안일 ", "청소", " 빨래\u{3000}")
    let group = try screen.ask(GroupEvents.CreateTaskGroup.self, draft)
    #expect(group.name == "집안일" && group.color == draft.color && group.image == draft.image)
    #expect(
      try screen.repository.items(in: .group(id: group.id), .all).map(\.title) == ["청소", "빨래"])
    screen.waitForPicture { $0.groups.value?.first?.tally == Tally(total: 2) }
    try screen.repository.perform(.undo)
    #expect(try screen.repository.groups() == [] && screen.repository.items(.all) == [])
  }

  @Test func aFormThatIsNotFilledIsRefusedWithOneMessageAtATime() throws {
    let screen = try GroupScreen(.plain)
    var draft = GroupDraft()
    var shown: [PresentableError?] = []
    let filled = GroupDraft.filled("집안일", "청소")
    let steps: [(inout GroupDraft) -> Void] = [
      { _ in }, { $0.image = filled.image }, { $0.name = "중요" }, { $0.name = "집안일" },
      { $0.titles = ["청소", " "] }, { $0.titles = ["청소"] },
    ]
    for step in steps {
      step(&draft)
      let refusal = try screen.refusal(of: GroupEvents.CreateTaskGroup.self, draft)
      #expect(refusal == screen.view.picture.error)
      shown.append(refusal)
    }
    #expect(
      shown.map { $0?.code } == [.required, .blank, .reservedName, .tooShort, .blank, nil])
    #expect(
      shown.map { $0?.path }
        == [.image, .name, .name, .items, ["items", 1, "title"], nil])
    #expect(screen.view.picture.names == ["집안일"])
  }

  @Test func aNameAloneMakesAGroup() throws {
    let screen = try GroupScreen(.plain)
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    let other = try screen.ask(
      GroupEvents.AddTaskGroup.self, GroupDraft(name: " 집안일", color: RGBA("#fff")))
    #expect(group.image == nil && other.name == "집안일 (1)" && other.color == RGBA("#fff"))
    #expect(
      try screen.refusal(of: GroupEvents.AddTaskGroup.self, GroupDraft(name: " "))
        == PresentableError(ValidationIssue(.blank, at: .name)))
    #expect(
      try screen.refusal(of: GroupEvents.AddTaskGroup.self, GroupDraft(name: "Important"))?.code
        == .reservedName)
    #expect(screen.view.picture.names == ["집안일", "집안일 (1)"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aGroupIsChangedAndMovedByItsId(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let ids = try ["집안일", "회사", "공부"].map {
      try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: $0)).id
    }
    let renamed = try screen.ask(
      GroupEvents.UpdateTaskGroup.self,
      .init(ids[0], GroupPatch(name: " 회사 ", color: RGBA("#00ff00"))))
    #expect(renamed.groups[0].name == "회사 (1)" && renamed.groups[0].color == RGBA("#00ff00"))
    try screen.ask(GroupEvents.MoveTaskGroup.self, .init(ids[2], to: .first))
    try screen.ask(GroupEvents.MoveTaskGroup.self, .init(ids[1], to: .before(id: ids[0])))
    screen.waitForPicture { $0.names == ["공부", "회사", "회사 (1)"] }
    let unknown = try screen.refusal(
      of: GroupEvents.UpdateTaskGroup.self, .init(.numbered(9), GroupPatch(name: "x")))
    #expect(unknown == PresentableError(TodoError.groupNotFound(.numbered(9))))
  }

  @Test(arguments: RepositoryKind.allCases)
  func anotherNameIsValidatedAsTheFirstOne(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    let color = try #require(RGBA("#00ff00"))
    let blank = try screen.refusal(
      of: GroupEvents.UpdateTaskGroup.self, .init(group, GroupPatch(name: " ", color: color)))
    #expect(blank == PresentableError(ValidationIssue(.blank, at: .name)))
    #expect(screen.view.picture.error == blank)
    let reserved = try screen.refusal(
      of: GroupEvents.UpdateTaskGroup.self, .init(group.id, GroupPatch(name: "important")))
    #expect(reserved?.code == .reservedName)
    #expect(try screen.repository.group(group.id) == group)
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatSomebodyElseHasChangedSinceIsNotOverwritten(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let shown = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    try screen.repository.perform(.editGroup(shown.id, GroupPatch(name: "살림")))
    #expect(
      try screen.refusal(of: GroupEvents.UpdateTaskGroup.self, .init(shown, GroupPatch(name: "집")))
        == PresentableError(TodoError.changedSince(shown.id)))
    let color = try #require(RGBA("#00ff00"))
    let changed = try screen.ask(
      GroupEvents.UpdateTaskGroup.self, .init(shown, GroupPatch(color: color)))
    #expect(changed.groups[0].name == "살림" && changed.groups[0].color == color)
  }

  @Test(arguments: RepositoryKind.allCases)
  func theAnswerSaysWhetherAnythingChanged(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    func rename(_ name: String) throws -> CommandResult {
      try screen.ask(GroupEvents.UpdateTaskGroup.self, .init(group, GroupPatch(name: name)))
    }
    let idle = try rename(" 집안일 ")
    #expect(idle.isNoOp && idle.groups == [group])
    let moved = try screen.ask(GroupEvents.MoveTaskGroup.self, .init(group.id, to: .last))
    #expect(moved.isNoOp)
    #expect(try !rename("살림").isNoOp)
  }

  @Test(arguments: RepositoryKind.allCases)
  func commitsOfOthersAreDrawnToo(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let group = try screen.repository.perform(.addGroup(name: "집안일")).groups[0]
    screen.bus.emit(GroupEvents.PushToDetailTaskScreen(group.id))
    var item = TodoItem(title: "청소")
    item.groupID = group.id
    try screen.repository.perform(.add(item))
    screen.waitForPicture { $0.titles == ["청소"] && $0.groups.value?.first?.tally.total == 1 }
    try screen.repository.perform(.setDone([item.id], true))
    screen.waitForPicture {
      $0.items.value?.open == [] && $0.items.value?.completed.map(\.title) == ["청소"]
        && $0.groups.value?.first?.tally.progress == 1
    }
  }

  @Test func theNextSuccessTakesTheErrorAwayAndSoDoesTheUser() throws {
    let screen = try GroupScreen(.plain)
    _ = try screen.refusal(of: GroupEvents.AddTaskGroup.self, GroupDraft())
    #expect(screen.view.picture.error?.code == .blank)
    screen.bus.emit(GroupEvents.DismissError())
    #expect(screen.view.picture.error == nil)
    _ = try screen.refusal(of: GroupEvents.AddTaskGroup.self, GroupDraft())
    #expect(screen.view.picture.error?.code == .blank)
    try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    #expect(screen.view.picture.error == nil)
  }
}

@Suite("GroupController, screens")
struct GroupControllerScreenTests {
  @Test func screensAreOpenedAndClosedAsRoutes() throws {
    let screen = try GroupScreen(.plain)
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    screen.bus.emit(GroupEvents.PushToNewTaskScreen())
    #expect(screen.router.stack == [.home, .newGroup] && screen.view.picture.openGroup == nil)
    screen.bus.emit(GroupEvents.PopScreen())
    screen.bus.emit(GroupEvents.PushToDetailTaskScreen(group.id))
    screen.bus.emit(GroupEvents.PushToEditTaskGroupScreen(group.id))
    screen.bus.emit(GroupEvents.PresentColorPicker(.gray))
    #expect(
      screen.router.stack == [.home, .group(group.id), .editGroup(group.id), .colorPicker(.gray)])
    #expect(screen.view.picture.openGroup == group.id)
    #expect(screen.view.picture.items == .loaded(ItemSections([])))
    for _ in 1...5 { screen.bus.emit(GroupEvents.PopScreen()) }
    #expect(screen.router.stack == [.home])
    #expect(screen.view.picture.openGroup == nil && screen.view.picture.items == .idle)
  }

  /// A chosen event has the type of the events' superclass, and the bus delivered it to nobody.
  @Test func aScreenThatIsChosenByAConditionIsOpened() throws {
    let screen = try GroupScreen(.plain)
    for isOpening in [true, false] {
      let event = isOpening ? GroupEvents.PushToNewTaskScreen() : GroupEvents.PopScreen()
      screen.bus.emit(event)
      #expect(screen.router.stack == (isOpening ? [.home, .newGroup] : [.home]))
    }
  }

  @Test func theItemsOfOneGroupAreNeverShownAsThoseOfAnother() throws {
    let screen = try GroupScreen(.plain)
    for name in ["집안일", "회사"] {
      let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: name))
      try screen.ask(GroupEvents.CreateNewTask.self, .init("\(name) 일", in: group.id))
      screen.bus.emit(GroupEvents.PushToDetailTaskScreen(group.id))
    }
    for picture in screen.pictures.elements {
      guard let titles = picture.titles, let id = picture.openGroup else { continue }
      let name = picture.groups.value?.first { $0.id == id }?.group.name
      #expect(titles == name.map { ["\($0) 일"] })
    }
    #expect(screen.view.picture.titles == ["회사 일"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func theScreensOfAGroupThatIsGoneAreClosed(kind: RepositoryKind) throws {
    let screen = try GroupScreen(kind)
    let stacks = Recorder(screen.router.stacks)
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    screen.waitForPicture { $0.names == ["집안일"] }
    screen.bus.emit(GroupEvents.PushToDetailTaskScreen(group.id))
    screen.bus.emit(GroupEvents.PushToEditTaskGroupScreen(group.id))
    // Somebody else deletes it.
    try screen.repository.perform(.deleteGroup(group.id))
    stacks.wait { $0.count > 1 && $0.last == [.home] }
    screen.waitForPicture { $0.openGroup == nil && $0.names == [] }
  }

  @Test(arguments: [("", false), (" \u{3000}", false), ("청소", true), (" a ", true)])
  func whatIsEmptyCannotBeConfirmed(text: String, canConfirm: Bool) throws {
    let screen = try GroupScreen(.plain)
    #expect(!screen.view.picture.canConfirm)
    screen.bus.emit(GroupEvents.EnterText("x"))
    #expect(screen.view.picture.canConfirm)
    screen.bus.emit(GroupEvents.EnterText(text))
    #expect(screen.view.picture.canConfirm == canConfirm)
  }
}

import Foundation
import Presentation
import Reactive
import Synchronization
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

@Suite("GroupController, starting up")
struct GroupControllerStartTests {
  private struct Broken: Error {}

  @Test func theRootViewIsBuiltOnceAndDrawsTheModel() throws {
    let model = GroupModel(repository: PlainTodoRepository())
    let view = RecordingGroupView(model)
    let controller = GroupController(view: view, bus: EventBus())
    #expect(view.built == 0)
    controller.loadView()
    controller.loadView()
    #expect(controller.typedView === view && view.built == 1)
    #expect(view.picture == GroupPicture(groups: .loaded([])))
  }

  @Test(arguments: RepositoryKind.allCases)
  func bothStartUpOrdersDrawTheSamePicture(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    let group = try repository.perform(.addGroup(name: "집안일")).groups[0]
    var item = TodoItem(title: "우유 사기", isDone: true)
    item.groupID = group.id
    try repository.perform(.add(item))
    let route = [GroupRoute.home, .group(group.id)]

    // Storage, then model, then view, which subscribes; then the controller asks for data.
    let loaded = GroupModel(repository: repository)
    loaded.open(group.id)
    loaded.load()
    let late = RecordingGroupView(loaded)
    late.initializeUI()
    let subscribed = late.picture
    GroupController(view: late, router: Router(route), bus: EventBus()).loadView()

    // The view is there first and has subscribed; then the storage is opened.
    let opened = Mutex(0)
    let unloaded = GroupModel {
      opened.withLock { $0 += 1 }
      return repository
    }
    let early = RecordingGroupView(unloaded)
    early.initializeUI()
    #expect(early.picture == GroupPicture() && opened.withLock(\.self) == 0)
    unloaded.open(group.id)
    unloaded.load()
    #expect(opened.withLock(\.self) == 1)

    #expect(subscribed == early.picture && late.picture == early.picture)
    #expect(early.picture.groups == .loaded(try repository.groups()))
    #expect(early.picture.openGroup == group.id)
    #expect(early.picture.items == .loaded(ItemSections(try repository.items(.all))))
    #expect(early.picture.groups.value?.first?.tally.progress == 1)
    withExtendedLifetime(folder) {}
  }

  @Test func aStorageThatCannotBeOpenedIsShownAndTriedAgain() {
    let isBroken = Mutex(true)
    let repository = PlainTodoRepository()
    let bus = EventBus()
    let view = RecordingGroupView(
      GroupModel {
        if isBroken.withLock(\.self) { throw TodoError.storage(Broken()) }
        return repository
      })
    let controller = GroupController(view: view, bus: bus)
    controller.loadView()
    #expect(view.picture.groups.error?.code == .storageFailed)

    // Commands fail as well, and say why.
    let draft = GroupDraft(name: "집안일")
    #expect(throws: TodoError.self) {
      try bus.result(of: GroupEvents.AddTaskGroup.self, draft)?.get()
    }
    #expect(view.picture.error?.code == .storageFailed)

    isBroken.withLock { $0 = false }
    bus.emit(GroupEvents.Reload())
    #expect(view.picture.groups == .loaded([]))
    #expect(throws: Never.self) {
      try bus.result(of: GroupEvents.AddTaskGroup.self, draft)?.get()
    }
    #expect(view.picture.names == ["집안일"] && view.picture.error == nil)
  }

  @Test func aListThatCannotBeReadIsShownWithTheOneBefore() throws {
    let repository = RecordingRepository()
    let screen = GroupScreen(repository)
    let group = try screen.ask(GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일"))
    screen.bus.emit(GroupEvents.PushToDetailTaskScreen(group.id))
    try screen.ask(GroupEvents.CreateNewTask.self, .init("청소", in: group.id))
    repository.fail([.observedRead])
    try screen.ask(GroupEvents.CreateNewTask.self, .init("빨래", in: group.id))
    #expect(screen.view.picture.items.error?.code == .unexpected)
    #expect(screen.view.picture.titles == ["청소"])
    repository.fail([])
    screen.bus.emit(GroupEvents.Reload())
    #expect(screen.view.picture.items.error == nil)
    #expect(screen.view.picture.titles == ["청소", "빨래"])
  }

  @Test func whatIsShownChangesWhereTheScreenSays() throws {
    let repository = PlainTodoRepository()
    let thread = ScreenThread()
    let view = RecordingGroupView(GroupModel(repository: repository, on: thread))
    let controller = GroupController(view: view, bus: EventBus())
    controller.loadView()
    try repository.perform(.addGroup(name: "집안일"))
    #expect(view.picture == GroupPicture())
    thread.run(until: { view.picture.names == ["집안일"] })
    withExtendedLifetime(controller) {}
  }

  @Test(arguments: RepositoryKind.allCases)
  func nothingOfAScreenOutlivesIt(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    let bus = EventBus()
    let router = Router<GroupRoute>([.home])
    var view: RecordingGroupView? = RecordingGroupView(GroupModel(repository: repository))
    var controller = view.map { GroupController(view: $0, router: router, bus: bus) }
    controller?.loadView()
    bus.emit(GroupEvents.PushToNewTaskScreen())
    let parts: [WeakRef<AnyObject>] = [
      WeakRef(view), WeakRef(view?.model), WeakRef(controller),
    ]
    view = nil
    #expect(parts.allSatisfy { $0.value != nil })
    controller = nil
    #expect(parts.allSatisfy { $0.value == nil })
    #expect(bus.result(of: GroupEvents.AddTaskGroup.self, GroupDraft(name: "집안일")) == nil)
    bus.emit(GroupEvents.PopScreen())
    #expect(router.stack == [.home, .newGroup])
    withExtendedLifetime(folder) {}
  }
}

import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoScreens
import TodoTestSupport

/// The screens of all architectures, open at the same time on one store on disk.
///
/// They use two repositories of one file, as two programs would.
final class AllScreens {
  private let folder: TemporaryFolder
  let one: CroftTodoRepository
  let other: CroftTodoRepository
  /// A group that is always there, and whose screen is open in several architectures.
  let home: TodoGroup
  let mvc: GroupScreen
  let mvvm: ModelScreen
  let mvp: [Window]
  let mvi: [Store]

  /// The screen of one list, and what it has shown.
  struct Store {
    let store: ListStore
    let states: Recorder<ListState>

    init(_ list: ItemList, _ repository: any TodoRepository) {
      store = ListStore(list: list, repository: repository)
      states = Recorder(store.states)
    }

    /// Does what an intent asks for, and returns when that is done.
    ///
    /// News that is being handled on another thread comes first, so `send` may return before.
    func send(_ intent: ListIntent) {
      store.send(intent)
      // The first is handled after the intent, the second after the effects of it.
      for _ in 0..<2 { sendMarker() }
    }

    /// Sends something that can be told from everything else, and waits until it is handled.
    private func sendMarker() {
      let marker = UUID()
      store.send(.openSheet(mode: .retitle(id: marker)))
      // The effects of the intent may have closed it again.
      states.wait { states in
        states.contains { state in
          guard case .notFound(marker) = state.error?.cause as? TodoError else { return false }
          return true
        }
      }
    }
  }

  init() throws {
    folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    // Made without a history, so that no undo takes it away.
    home = try CroftTodoRepository(path: path, limits: HistoryLimits(commands: 0))
      .perform(.addGroup(name: "집안일", color: .gray)).groups[0]
    one = try CroftTodoRepository(path: path)
    other = try CroftTodoRepository(path: path)
    mvc = GroupScreen(one)
    mvc.bus.emit(GroupEvents.PushToDetailTaskScreen(home.id))
    mvvm = ModelScreen(one)
    mvp = [Window(one), Window(other)]
    for (window, list) in zip(mvp, [ItemList.group(id: home.id), .important]) {
      try #require(window.view(RecordingHomeView.self)).presenter.listTapped(list)
    }
    mvi = [Store(.all, one), Store(.important, one), Store(.group(id: home.id), other)]
  }

  /// Waits until every screen shows what the store holds.
  ///
  /// - Returns: The screens that do not.
  func screensThatDiffer() throws -> [String] {
    let groups = try one.groups()
    let tally = try one.tally(of: .important)
    let all = try one.items(.all)
    let ofHome = try one.items(in: .group(id: home.id), .all)
    let important = try one.items(in: .important, .all)
    var different: [String] = []
    func expect(_ screen: String, _ isSame: Bool) { if !isSame { different.append(screen) } }

    let picture = mvc.pictures.wait { pictures in
      pictures.last?.groups.value == groups
        && pictures.last?.items.value == ItemSections(ofHome)
    }.last
    expect("MVC, groups", picture?.groups.value == groups)
    expect("MVC, items", picture?.items.value == ItemSections(ofHome))

    let sections = mvvm.sections.wait { $0.last == ItemSections(all) }.last
    expect("MVVM, sections", sections == ItemSections(all))
    let rows = mvvm.rows.wait { $0.last == all }.last
    expect("MVVM, rows", rows == all)

    let lines = groups.map { "\($0.group.name) \($0.tally.done)/\($0.tally.total)" }
    for (window, items) in zip(mvp, [ofHome, important]) {
      let homeView = try #require(window.view(RecordingHomeView.self))
      let listView = try #require(window.view(RecordingListView.self))
      window.thread.run {
        homeView.lines == lines && homeView.important == tally && listView.items == items
      }
      expect("MVP, home", homeView.lines == lines && homeView.important == tally)
      expect("MVP, list", listView.items == items)
    }

    let group = groups.first { $0.group.id == home.id }?.group
    for ((list, items), screen) in zip([("all", all), ("important", important)], mvi) {
      let state = screen.states.wait { $0.last?.items.value == ItemSections(items) }.last
      expect("MVI, \(list)", state?.items.value == ItemSections(items))
    }
    let state = mvi[2].states.wait { states in
      states.last?.items.value == ItemSections(ofHome) && states.last?.group == group
    }.last
    expect("MVI, group", state?.items.value == ItemSections(ofHome) && state?.group == group)
    return different
  }
}

/// The screens of MVVM: adding, and the home list in both of its forms.
final class ModelScreen {
  let attempts = PublishSubject<TaskDraft>()
  let actions = PublishSubject<ItemListViewModel.Action>()
  let sections: Recorder<ItemSections>
  /// What a list view has made of the rows' changes.
  let rows: Recorder<[TodoItem]>
  let answers: Recorder<Bool>
  private let results: FetchedResults<TodoItem>

  init(_ repository: any TodoRepository) {
    let adding = AddTaskViewModel(repository: repository)
      .transform(input: .init(attempts: attempts))
    let list = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    sections = Recorder(list.sections)
    results = FetchedResults(list.rows)
    rows = Recorder(
      results.events.compactMap { event in
        switch event {
        case .reload(let list), .didChange(let list): Array(list.rows)
        case .willChange, .section, .row: nil
        }
      })
    answers = Recorder(
      .merge(
        adding.added.map { _ in true }, adding.validationError.map { _ in false },
        adding.storageError.map { _ in false }, list.changed.map { _ in true },
        list.validationError.map { _ in false }, list.storageError.map { _ in false }))
  }
}

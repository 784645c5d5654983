import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// A home screen of three items, the third one done.
private struct Home {
  let repository: any TodoRepository
  let folder: TemporaryFolder?
  let actions = PublishSubject<ItemListViewModel.Action>()
  let list = BehaviorSubject<ItemList>(value: .all)
  let filter = BehaviorSubject<ItemFilter>(value: .all)
  let edits = PublishSubject<Bool>()
  let output: ItemListViewModel.Output

  init(_ kind: RepositoryKind, items: [TodoItem] = (1...3).map { .numbered($0, isDone: $0 == 3) })
    throws
  {
    (repository, folder) = try kind.make()
    try repository.perform(.add(items))
    output = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions, list: list, filter: filter, edits: edits))
  }
}

extension ItemSections {
  /// The titles of both sections.
  fileprivate var titles: [[String]] { [open.map(\.title), completed.map(\.title)] }
}

@Suite("ItemListViewModel, the home list")
struct ItemListViewModelHomeTests {
  @Test(arguments: RepositoryKind.allCases)
  func theListAndTheFilterCanBeChosenAnew(kind: RepositoryKind) throws {
    let home = try Home(kind)
    let sections = Recorder(home.output.sections)
    try home.repository.perform(.setImportant([.numbered(2), .numbered(3)], true))
    home.list.onNext(.important)
    sections.wait { $0.last?.titles == [["item 2"], ["item 3"]] }
    home.filter.onNext(.done)
    sections.wait { $0.last?.titles == [[], ["item 3"]] }
    home.list.onNext(.all)
    home.filter.onNext(.undone)
    sections.wait { $0.last?.titles == [["item 1", "item 2"], []] }
    try home.repository.perform(.setDone([.numbered(1)], true))
    sections.wait { $0.last?.titles == [["item 2"], []] }
  }

  @Test(arguments: RepositoryKind.allCases)
  func rowsAreToldByWhatBecameOfThem(kind: RepositoryKind) throws {
    let home = try Home(kind)
    let results = FetchedResults(home.output.rows)
    let sections = Recorder(
      results.events.compactMap { event -> [Int]? in
        switch event {
        case .reload(let list), .didChange(let list): list.sections?.map(\.count)
        case .willChange, .section, .row: nil
        }
      })
    #expect(results.list.rows.map(\.title) == ["item 1", "item 2", "item 3"])
    #expect(sections.elements == [[2, 1]])
    try home.repository.perform(.setDone([.numbered(1), .numbered(2)], true))
    sections.wait { $0.last == [3] }
    #expect(results.list.rows.map(\.title) == ["item 1", "item 2", "item 3"])
    home.filter.onNext(.undone)
    sections.wait { $0.last == [] }
    #expect(results.list.count == 0)
  }

  @Test(arguments: RepositoryKind.allCases)
  func deletingAllIsOneTransactionAndOneChange(kind: RepositoryKind) throws {
    let home = try Home(kind)
    let sections = Recorder(home.output.sections)
    let rows = Recorder(home.output.rows.map(\.after.count))
    let changed = Recorder(home.output.changed)
    home.actions.onNext(.deleteAll(.all, .all))
    #expect(changed.elements.map(\.items.count) == [3])
    sections.wait { $0.count >= 2 }
    rows.wait { $0.count >= 2 }
    #expect(sections.elements.map(\.all.count) == [3, 0])
    #expect(rows.elements == [3, 0])
    home.actions.onNext(.undo)
    sections.wait { $0.last?.titles == [["item 1", "item 2"], ["item 3"]] }
    home.actions.onNext(.deleteAll(.all, .done))
    sections.wait { $0.last?.titles == [["item 1", "item 2"], []] }
  }

  @Test(arguments: RepositoryKind.allCases)
  func leavingEditModeShowsWhatRemains(kind: RepositoryKind) throws {
    let home = try Home(kind)
    let isEditing = Recorder(home.output.isEditing)
    let sections = Recorder(home.output.sections)
    let changed = Recorder(home.output.changed)
    #expect(isEditing.elements == [false])
    home.edits.onNext(true)
    home.edits.onNext(true)
    home.actions.onNext(.delete([.numbered(1)]))
    home.actions.onNext(.delete([.numbered(3)]))
    home.edits.onNext(false)
    isEditing.wait { $0 == [false, true, false] }
    #expect(changed.elements.map(\.items.count) == [1, 1])
    sections.wait { $0.last?.titles == [["item 2"], []] }
  }

  @Test(arguments: RepositoryKind.allCases)
  func withoutItemsThereIsAPictureAndNothingToEdit(kind: RepositoryKind) throws {
    let home = try Home(kind, items: [])
    // Delivered in the order of subscribing, so both outputs know the list.
    let isEditing = Recorder(home.output.isEditing)
    let isEmpty = Recorder(home.output.isEmpty)
    let changed = Recorder(home.output.changed)
    home.edits.onNext(true)
    #expect(isEmpty.elements == [true] && isEditing.elements == [false])
    try home.repository.perform(.add(.numbered(1)))
    isEmpty.wait { $0 == [true, false] }
    home.edits.onNext(true)
    isEditing.wait { $0 == [false, true] }
    home.actions.onNext(.deleteAll(.all, .all))
    isEditing.wait { $0 == [false, true, false] }
    isEmpty.wait { $0 == [true, false, true] }
    // An item that is added afterwards is shown, and not edited.
    try home.repository.perform(.add(.numbered(2)))
    isEmpty.wait { $0 == [true, false, true, false] }
    #expect(isEditing.elements == [false, true, false])
    #expect(changed.elements.map(\.items) == [[.numbered(1)]])
  }

  @Test(arguments: RepositoryKind.allCases)
  func nothingIsFollowedAnyMoreWhenNobodyLooks(kind: RepositoryKind) throws {
    let home = try Home(kind)
    do {
      let modes = (Recorder(home.output.isEmpty), Recorder(home.output.isEditing))
      let lists = (Recorder(home.output.sections), Recorder(home.output.rows))
      #expect(home.edits.hasObservers && home.list.hasObservers && home.filter.hasObservers)
      withExtendedLifetime((modes, lists)) {}
    }
    #expect(!home.edits.hasObservers && !home.list.hasObservers && !home.filter.hasObservers)
  }

  @Test func doneItemsAloneAreNoEmptyList() throws {
    let home = try Home(.plain, items: [.numbered(1, isDone: true)])
    home.filter.onNext(.undone)
    let sections = Recorder(home.output.sections)
    #expect(sections.elements.map(\.all.count) == [0])
    #expect(Recorder(home.output.isEmpty).elements == [false])
  }
}

import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// How every repository tells what became of a list.
@Suite("TodoRepository, changes of a list")
struct TodoRepositoryChangesTests {
  @Test(arguments: RepositoryKind.allCases)
  func theListComesFirstThenWhatEachCommitDidToIt(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add([.numbered(1), .numbered(2), .numbered(3)]))
    let changes = Recorder(repository.changes(in: .all, .all))
    let first = try #require(changes.elements.first)
    #expect(first.isInitial && Array(first.after.rows) == (1...3).map { .numbered($0) })
    #expect(first.after.sections == [ListSection(name: "open", count: 3)])

    try repository.perform(.setDone([.numbered(1)], true))
    let second = try #require(changes.wait { $0.count == 2 }.last)
    #expect(!second.isInitial)
    #expect(second.moves == [.init(from: 0, to: 2, isModified: true)])
    #expect(second.after.sections?.map(\.name) == ["open", "completed"])

    try repository.perform(.retitle(.numbered(2), to: "new"))
    let third = try #require(changes.wait { $0.count == 3 }.last)
    #expect(third.modifications == [0] && third.modificationsAfter == [0])
    #expect(third.before.rows[0].title == "item 2" && third.after.rows[0].title == "new")

    try repository.perform(.delete([.numbered(2), .numbered(3)]))
    let last = try #require(changes.wait { $0.count == 4 }.last)
    #expect(last.deletions == [0, 1] && last.insertions == [])
    #expect(last.after.sections == [ListSection(name: "completed", count: 1)])
  }

  @Test(arguments: RepositoryKind.allCases)
  func anEmptyListHasNoSections(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let changes = Recorder(repository.changes(in: .important, .undone))
    #expect(changes.elements.map { $0.after.sections } == [[]])
  }

  /// The naive twin: each list is read, and compared with what following the changes gives.
  @Test(arguments: RepositoryKind.allCases)
  func followingTheChangesGivesTheList(kind: RepositoryKind) throws {
    var generator = SeededGenerator()
    print("CROFT_SEED=\(generator.seed) replays the changes of lists")
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    try repository.perform(.add(groups: [home], items: []))
    let watched: [(list: ItemList, filter: ItemFilter)] = [
      (.all, .all), (.all, .undone), (.important, .all), (.group(id: home.id), .done),
    ]
    let lists = watched.map { Recorder(repository.observe(in: $0.list, $0.filter)) }
    let changes = watched.map { Recorder(repository.changes(in: $0.list, $0.filter)) }
    for _ in 0..<250 {
      try RandomEdit(home.id, using: &generator).run(on: repository)
      for (index, watch) in watched.enumerated() {
        let items = try repository.items(in: watch.list, watch.filter)
        lists[index].wait { $0.last == items }
        changes[index].wait { $0.last.map { Array($0.after.rows) } == items }
      }
    }
    for changes in changes {
      var shown: [TodoItem] = []
      #expect(changes.elements.indices.allSatisfy { changes.elements[$0].isInitial == ($0 == 0) })
      for change in changes.elements {
        #expect(Array(change.before.rows) == shown, "no gap between changes")
        shown = change.isInitial ? Array(change.after.rows) : shown.following(change)
        #expect(shown == Array(change.after.rows), "seed \(generator.seed)")
        #expect(change.after.sections == ItemSections(shown).rows.sections)
      }
    }
  }
}

/// Some edit of some of twenty items.
private enum RandomEdit {
  case add(TodoItem)
  case edit([UUID], ItemPatch)
  case move([UUID], Position)
  case delete([UUID])

  init(_ group: UUID, using generator: inout SeededGenerator) {
    func id() -> UUID { .numbered(Int.random(in: 1...20, using: &generator)) }
    let ids = (0..<Int.random(in: 1...4, using: &generator)).map { _ in id() }
    let flag = Bool.random(using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0...2:
      self = .add(.numbered(Int.random(in: 1...20, using: &generator), isImportant: flag))
    case 3: self = .edit(ids, ItemPatch(isDone: flag))
    case 4: self = .edit(ids, ItemPatch(title: "t\(ids.count)", groupID: flag ? group : .some(nil)))
    case 5: self = .edit(ids, ItemPatch(isImportant: flag))
    case 6: self = .move(ids, flag ? .first : .after(id: id()))
    default: self = .delete(ids)
    }
  }

  /// Does it; what names an item that is not there does nothing.
  func run(on repository: any TodoRepository) throws {
    do {
      switch self {
      case .add(let item): try repository.perform(.add(item))
      case .edit(let ids, let patch): try repository.perform(.edit(ids, patch))
      case .move(let ids, let place): try repository.perform(.move(ids, to: place))
      case .delete(let ids): try repository.perform(.delete(ids))
      }
    } catch let error as TodoError where [.itemNotFound, .itemExists].contains(error.code) {
    }
  }
}

extension [TodoItem] {
  /// Takes out and puts in what a change says, as its documentation has it.
  fileprivate func following(_ change: ListChange<TodoItem>) -> [TodoItem] {
    var items = self
    for (old, new) in zip(change.modifications, change.modificationsAfter) {
      items[old] = change.after.rows[new]
    }
    let gone = change.deletions + change.moves.map(\.from)
    for index in gone.sorted().reversed() { items.remove(at: index) }
    for index in (change.insertions + change.moves.map(\.to)).sorted() {
      items.insert(change.after.rows[index], at: index)
    }
    return items
  }
}

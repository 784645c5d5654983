import Croft
import CroftReactive
import Foundation
import Presentation
import Reactive
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// A table view's model: sections of items, changed by nothing but the events of fetched results.
private struct Table {
  private(set) var names: [String?] = []
  private(set) var rows: [[TodoItem]] = []
  private var sectionEdits: [SectionEdit] = []
  private var rowEdits: [RowEdit] = []

  /// Takes an event; says whether the table now shows another list.
  mutating func take(_ event: FetchedEvent<TodoItem>) -> Bool {
    switch event {
    case .reload(let list):
      rows = (0..<list.sectionCount).map { section in
        (0..<list.rowCount(inSection: section)).map {
          list[ListIndexPath(section: section, row: $0)]
        }
      }
      names = (0..<list.sectionCount).map { list.name(ofSection: $0) }
      return true
    case .willChange(let list):
      #expect(Array(list.rows) == items, "a batch begins with what is shown")
      (sectionEdits, rowEdits) = ([], [])
    case .section(let edit): sectionEdits.append(edit)
    case .row(let edit): rowEdits.append(edit)
    case .didChange(let list):
      #expect(!sectionEdits.isEmpty || !rowEdits.isEmpty, "a batch is never empty")
      apply(to: list)
      #expect(Array(list.rows) == items, "a batch leads to the list that it ends with")
      #expect(names == (0..<list.sectionCount).map { list.name(ofSection: $0) })
      return true
    }
    return false
  }

  var items: [TodoItem] { rows.flatMap(\.self) }

  private mutating func apply(to list: SectionedRows<TodoItem>) {
    let before = rows
    var gone: [ListIndexPath] = []
    var new: [ListIndexPath: TodoItem] = [:]
    for edit in rowEdits {
      switch edit {
      case .delete(let old): gone.append(old)
      case .insert(let place): new[place] = list[place]
      case .move(let old, let place, let isModified):
        gone.append(old)
        new[place] = isModified ? list[place] : before[old.section][old.row]
      case .update(let old, let place): rows[old.section][old.row] = list[place]
      }
    }
    for place in gone.sorted().reversed() { rows[place.section].remove(at: place.row) }
    for case .delete(let section) in sectionEdits.reversed() {
      #expect(rows[section].isEmpty, "the rows of a section that goes are gone before it")
      rows.remove(at: section)
      names.remove(at: section)
    }
    for case .insert(let section) in sectionEdits {
      rows.insert([], at: section)
      names.insert(list.name(ofSection: section), at: section)
    }
    for (place, row) in new.sorted(by: { $0.key < $1.key }) {
      rows[place.section].insert(row, at: place.row)
    }
  }
}

/// One of a few items is gone, or new, or different.
private enum Edit {
  case delete(UUID)
  case write(TodoItem)

  init(_ random: inout SeededGenerator) {
    let number = Int.random(in: 0..<30, using: &random)
    if Int.random(in: 0..<4, using: &random) == 0 {
      self = .delete(.numbered(number))
    } else {
      self = .write(
        .numbered(
          number, priority: Priority.allCases.randomElement(using: &random) ?? .none,
          isDone: Int.random(in: 0..<3, using: &random) == 0,
          minute: Int.random(in: 0..<60, using: &random)))
    }
  }
}

@Suite("Live lists of a store")
struct LiveListTests {
  /// Makes random commits, and replays what fetched results tell of them.
  private func replay(
    sorted query: Query<TodoItem>,
    _ changes: (Store) -> Observable<ListChange<TodoItem>>
  ) async throws {
    var random = SeededGenerator()
    print("CROFT_SEED=\(random.seed) replays live lists")
    let store = try Store.inMemory(models: TodoItem.self, TodoGroup.self)
    let results = FetchedResults(changes(store))
    var events = results.events.values.makeAsyncIterator()
    var table = Table()
    var batches = 0
    while try await !table.take(#require(events.next())) {}
    for _ in 0..<500 {
      let edits = (0..<Int.random(in: 1...5, using: &random)).map { _ in Edit(&random) }
      try await store.write { tx in
        for edit in edits {
          switch edit {
          case .delete(let id): _ = try tx.delete(TodoItem.self, id)
          case .write(let item): try tx.upsert(item)
          }
        }
      }
      // Commits that nobody has been told of yet come as one; the last of them is always told.
      let stored = try await store.fetch(query)
      while table.items != stored {
        if table.take(try #require(await events.next())) { batches += 1 }
      }
      #expect(results.list.rows.elementsEqual(stored), "what is shown is never stale")
    }
    #expect(batches > 250)
  }

  @Test func replayedBatchesGiveTheList() async throws {
    let query = TodoItem.where { !$0.isDone }.order(by: \.order)
    try await replay(sorted: query) { store in
      store.rx.changes(of: query).map { ListChange($0) }
    }
  }

  @Test func replayedBatchesGiveTheSections() async throws {
    let query = TodoItem.where { !$0.isDone }.order(by: \.order)
    let sections = query.sections(by: \.priority)
    try await replay(sorted: TodoItem.where { !$0.isDone }.order(by: \.priority, \.order)) {
      store in
      store.rx.changes(of: sections).map { change in ListChange(change) { "\($0)" } }
    }
  }

  @Test func aListWithALimitIsReplayedToo() async throws {
    let query = TodoItem.all.order(by: \.order).limit(7)
    try await replay(sorted: query) { store in
      store.rx.changes(of: query).map { ListChange($0) }
    }
  }
}

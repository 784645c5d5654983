import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// A table view's model: sections of rows, changed by nothing but the events of fetched results.
private struct Table {
  private(set) var names: [String?] = []
  private(set) var rows: [[Row]] = []
  private var sectionEdits: [SectionEdit] = []
  private var rowEdits: [RowEdit] = []

  mutating func take(_ event: FetchedEvent<Row>) {
    switch event {
    case .reload(let list):
      rows = list.table
      names = (0..<list.sectionCount).map { list.name(ofSection: $0) }
    case .willChange(let list):
      #expect(list.table == rows)
      (sectionEdits, rowEdits) = ([], [])
    case .section(let edit):
      #expect(rowEdits.isEmpty, "sections are told before rows")
      sectionEdits.append(edit)
    case .row(let edit): rowEdits.append(edit)
    case .didChange(let list):
      #expect(!sectionEdits.isEmpty || !rowEdits.isEmpty, "a batch is never empty")
      apply(to: list)
    }
  }

  private mutating func apply(to list: SectionedRows<Row>) {
    let before = rows
    var gone: [ListIndexPath] = []
    var new: [ListIndexPath: Row] = [:]
    for edit in rowEdits {
      switch edit {
      case .delete(let old): gone.append(old)
      case .insert(let place): new[place] = list[place]
      case .move(let old, let place, let isModified):
        gone.append(old)
        let row = before[old.section][old.row]
        #expect(row.id == list[place].id && isModified == (row != list[place]))
        new[place] = row
        if isModified { new[place] = list[place] }
      case .update(let old, let place):
        #expect(before[old.section][old.row].id == list[place].id)
        rows[old.section][old.row] = list[place]
      }
    }
    #expect(Set(gone).count == gone.count)
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

@Suite("FetchedResults, replayed", .accounted)
struct FetchedResultsReplayTests {
  private func replay(isSectioned: Bool) {
    var lists = RandomLists(SeededGenerator())
    print("CROFT_SEED=\(lists.random.seed) replays FetchedResults")
    let changes = PublishSubject<ListChange<Row>>()
    let results = FetchedResults(changes)
    let bag = DisposeBag()
    let events = results.events.recorded(in: bag)
    var rows = lists.rows()
    var list = isSectioned ? lists.sectioned(rows) : SectionedRows(rows)
    var table = Table()
    changes.onNext(ListChange(initial: list))
    for _ in 0..<5_000 {
      rows = rows.isEmpty ? lists.rows() : lists.changed(rows)
      let next = isSectioned ? lists.sectioned(rows) : SectionedRows(rows)
      changes.onNext(ListChange(from: list, to: next))
      for event in events.takeElements() { table.take(event) }
      #expect(table.rows == next.table)
      #expect(table.names == (0..<next.sectionCount).map { next.name(ofSection: $0) })
      list = next
    }
  }

  @Test func randomChangesReplayedOnAListGiveTheList() { replay(isSectioned: false) }

  @Test func randomChangesReplayedOnSectionsGiveTheSections() { replay(isSectioned: true) }
}

import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite("ListChange", .accounted)
struct ListChangeTests {
  /// Applies a change's lists as its documentation says.
  private func replay(_ change: ListChange<Row>) -> [Row] {
    let rows = Array(change.before.rows)
    let after = Array(change.after.rows)
    var updated = rows
    for (old, new) in zip(change.modifications, change.modificationsAfter) {
      updated[old] = after[new]
    }
    let gone = Set(change.deletions + change.moves.map(\.from))
    var result = updated.indices.filter { !gone.contains($0) }.map { updated[$0] }
    let moved = Dictionary(uniqueKeysWithValues: change.moves.map { ($0.to, $0) })
    for new in (change.insertions + change.moves.map(\.to)).sorted() {
      let move = moved[new]
      let row = move.map { $0.isModified ? after[new] : rows[$0.from] } ?? after[new]
      result.insert(row, at: new)
    }
    return result
  }

  private func isAscending(_ indices: [Int]) -> Bool {
    zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }
  }

  @Test func replayedOnTheListBeforeItGivesTheListAfter() {
    var lists = RandomLists(SeededGenerator())
    print("CROFT_SEED=\(lists.random.seed) replays ListChange")
    var rows = lists.rows()
    for _ in 0..<5_000 {
      let next = lists.changed(rows)
      let change = ListChange(from: SectionedRows(rows), to: SectionedRows(next))
      #expect(replay(change) == next)
      #expect(isAscending(change.deletions) && isAscending(change.insertions))
      #expect(isAscending(change.modifications) && isAscending(change.modificationsAfter))
      #expect(isAscending(change.moves.map(\.to)))
      #expect(change.moves.count == leastMoves(rows, next))
      rows = next.isEmpty ? lists.rows() : next
    }
  }

  /// How many rows must move at least: all that both lists have, but a longest run in order.
  private func leastMoves(_ before: [Row], _ after: [Row]) -> Int {
    let places = after.compactMap { row in before.firstIndex { $0.id == row.id } }
    var longest = [Int](repeating: 1, count: places.count)
    for index in places.indices {
      for earlier in 0..<index where places[earlier] < places[index] {
        longest[index] = max(longest[index], longest[earlier] + 1)
      }
    }
    return places.count - (longest.max() ?? 0)
  }

  @Test func aDeletedAndRecreatedRowIsAModification() {
    let change = ListChange(
      from: SectionedRows([Row(id: 1), Row(id: 2)]),
      to: SectionedRows([Row(id: 1, value: 9), Row(id: 2)]))
    #expect(change.modifications == [0] && change.modificationsAfter == [0])
    #expect(change.deletions == [] && change.insertions == [] && change.moves == [])
  }

  @Test func aMovedRowSaysWhetherItChangedAndIsInNoOtherList() {
    let change = ListChange(
      from: SectionedRows([Row(id: 1), Row(id: 2), Row(id: 3)]),
      to: SectionedRows([Row(id: 3, value: 1), Row(id: 1), Row(id: 2)]))
    #expect(change.moves == [.init(from: 2, to: 0, isModified: true)])
    #expect(change.modifications == [] && change.insertions == [] && change.deletions == [])
  }

  @Test func evensAndOddsOfTwentyThousandRowsAreCompared() {
    let rows = (0..<20_000).map { Row(id: $0) }
    let riffled = rows.filter { $0.id.isMultiple(of: 2) } + rows.filter { $0.id % 2 == 1 }
    let change = ListChange(from: SectionedRows(rows), to: SectionedRows(riffled))
    #expect(change.moves.count == 9_999)
    #expect(replay(change) == riffled)
  }

  @Test func listsAreToldByHowTheyDifferAndEqualOnesAreNot() {
    let bag = DisposeBag()
    let lists = PublishSubject<[Row]>()
    let changes = lists.listChanges().recorded(in: bag)
    lists.onNext([Row(id: 1)])
    lists.onNext([Row(id: 1)])
    lists.onNext([Row(id: 1), Row(id: 2)])
    #expect(changes.elements.map(\.isInitial) == [true, false])
    #expect(changes.elements.last?.insertions == [1])
    #expect(changes.elements.last?.before == SectionedRows([Row(id: 1)]))
  }

  @Test func twoRowsOfOneIDAreRefused() async {
    await #expect(processExitsWith: .failure) {
      let list = SectionedRows([Row(id: 1), Row(id: 1)])
      _ = ListChange(from: list, to: list)
    }
  }
}

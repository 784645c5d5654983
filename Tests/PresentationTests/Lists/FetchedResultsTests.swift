import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite("FetchedResults", .accounted)
struct FetchedResultsTests {
  private let bag = DisposeBag()
  private let changes = PublishSubject<ListChange<Row>>()

  private func makeResults(
    _ lists: [SectionedRows<Row>]
  ) -> (FetchedResults<Row>, Recorder<FetchedEvent<Row>>) {
    let results = FetchedResults(changes)
    let events = results.events.recorded(in: bag)
    // Results follow their list as long as they live, and that is as long as the test runs.
    Disposables.create { _ = results }.disposed(by: bag)
    if let first = lists.first { changes.onNext(ListChange(initial: first)) }
    for (before, after) in zip(lists, lists.dropFirst()) {
      changes.onNext(ListChange(from: before, to: after))
    }
    return (results, events)
  }

  private func at(_ section: Int, _ row: Int) -> ListIndexPath {
    ListIndexPath(section: section, row: row)
  }

  @Test func theFirstListIsAReload() {
    let list = SectionedRows([Row(id: 1)])
    let (results, events) = makeResults([list])
    #expect(events.elements == [.reload(list)])
    #expect(results.isLoaded && results.list == list)
  }

  @Test func nothingIsToldBeforeTheListIs() {
    let (results, events) = makeResults([])
    #expect(events.elements == [] && !results.isLoaded && results.list.count == 0)
  }

  @Test func aBatchIsWillChangeThenSectionsThenRowsThenDidChange() {
    let before = SectionedRows([
      "open": [Row(id: 1), Row(id: 2), Row(id: 3)], "later": [Row(id: 4)],
    ])
    let after = SectionedRows([
      "open": [Row(id: 3), Row(id: 1, value: 1), Row(id: 5)], "done": [Row(id: 2, value: 1)],
    ])
    let (_, events) = makeResults([before, after])
    #expect(
      events.elements == [
        .reload(before), .willChange(before), .section(.delete(1)), .section(.insert(1)),
        .row(.delete(at: at(1, 0))), .row(.insert(at: at(0, 2))),
        .row(.move(from: at(0, 2), to: at(0, 0), isModified: false)),
        .row(.move(from: at(0, 1), to: at(1, 0), isModified: true)),
        .row(.update(at: at(0, 0), now: at(0, 1))), .didChange(after),
      ])
  }

  @Test func anUpdateOfAMovedRowIsPartOfTheMove() {
    let before = SectionedRows([Row(id: 1), Row(id: 2), Row(id: 3)])
    let after = SectionedRows([Row(id: 3, value: 1), Row(id: 1), Row(id: 2)])
    let (_, events) = makeResults([before, after])
    #expect(
      events.elements.dropFirst(2).dropLast()
        == [.row(.move(from: at(0, 2), to: at(0, 0), isModified: true))])
  }

  @Test func aRowWhoseSectionChangesWhileItsIndexDoesNotIsAMove() {
    let before = SectionedRows(["open": [Row(id: 1), Row(id: 2)]])
    let after = SectionedRows(["open": [Row(id: 1)], "done": [Row(id: 2, value: 1)]])
    let (_, events) = makeResults([before, after])
    #expect(
      events.elements.dropFirst(2).dropLast() == [
        .section(.insert(1)), .row(.move(from: at(0, 1), to: at(1, 0), isModified: true)),
      ])
  }

  @Test func aSectionOfAnotherNameIsGoneAndNewAndItsRowsMoveUnchanged() {
    let before = SectionedRows(["home": [Row(id: 1), Row(id: 2)]])
    let after = SectionedRows(["house": [Row(id: 1), Row(id: 2)]])
    let (_, events) = makeResults([before, after])
    #expect(
      events.elements.dropFirst(2).dropLast() == [
        .section(.delete(0)), .section(.insert(0)),
        .row(.move(from: at(0, 0), to: at(0, 0), isModified: false)),
        .row(.move(from: at(0, 1), to: at(0, 1), isModified: false)),
      ])
  }

  @Test func aBatchIsNeverEmpty() {
    let list = SectionedRows(["a": [Row(id: 1)]])
    let (_, events) = makeResults([list, list])
    #expect(events.elements == [.reload(list)])
    changes.onNext(ListChange(before: list, after: list))
    #expect(events.elements.count == 1)
  }

  @Test func whoeverComesLateIsToldTheListAsItIsAndNothingStale() {
    let first = SectionedRows([Row(id: 1), Row(id: 2)])
    let second = SectionedRows([Row(id: 2)])
    let (results, _) = makeResults([first, second])
    let late = results.events.recorded(in: bag)
    #expect(late.elements == [.reload(second)])
    let third = SectionedRows([Row(id: 2), Row(id: 3)])
    changes.onNext(ListChange(from: second, to: third))
    #expect(
      late.elements.dropFirst()
        == [.willChange(second), .row(.insert(at: at(0, 1))), .didChange(third)])
    #expect(results.list == third)
  }

  @Test func aChangeThatDoesNotFollowFromWhatIsShownIsAReload() {
    let (_, events) = makeResults([SectionedRows([Row(id: 1)])])
    let before = SectionedRows([Row(id: 1), Row(id: 2)])
    let after = SectionedRows([Row(id: 1), Row(id: 2), Row(id: 3)])
    changes.onNext(ListChange(from: before, to: after))
    #expect(events.elements.last == .reload(after))
    changes.onNext(ListChange(initial: before))
    #expect(events.elements.last == .reload(before) && events.elements.count == 3)
  }

  // Lists were taken for the same when they had as many rows, and a view was told to take rows out
  // that it had never shown.
  @Test func aChangeOfAnotherListOfTheSameLengthIsAReload() {
    let shown = SectionedRows([Row(id: 1), Row(id: 2)])
    let (_, events) = makeResults([shown])
    let other = SectionedRows([Row(id: 3), Row(id: 4)])
    let after = SectionedRows([Row(id: 3)])
    changes.onNext(ListChange(from: other, to: after))
    #expect(events.elements == [.reload(shown), .reload(after)])
    // The same rows in other sections are another list as well.
    let sectioned = SectionedRows(["a": [Row(id: 3)]])
    changes.onNext(ListChange(from: sectioned, to: other))
    #expect(events.elements.last == .reload(other) && events.elements.count == 3)
  }

  @Test func aChangeThatWasMissedMakesTheNextOneAReload() {
    let lists = [[1, 2], [2, 3], [3, 4], [4, 5]].map { SectionedRows($0.map { Row(id: $0) }) }
    let (_, events) = makeResults([lists[0]])
    changes.onNext(ListChange(from: lists[1], to: lists[2]))
    #expect(events.elements == [.reload(lists[0]), .reload(lists[2])])
    changes.onNext(ListChange(from: lists[2], to: lists[3]))
    #expect(events.elements.dropFirst(2).first == .willChange(lists[2]))
  }

  @Test func aListThatIsEqualIsTheSameList() {
    let (_, events) = makeResults([SectionedRows([Row(id: 1)])])
    let after = SectionedRows([Row(id: 1), Row(id: 2)])
    changes.onNext(ListChange(from: SectionedRows([Row(id: 1)]), to: after))
    #expect(events.elements.last == .didChange(after))
  }

  @Test func rowsThatCannotBeComparedAreTheSameByTheirVersion() {
    struct Opaque: Sendable {}
    func list(_ count: Int, version: Int? = nil) -> SectionedRows<Opaque> {
      SectionedRows(ListRows(Array(repeating: Opaque(), count: count), version: version))
    }
    let changes = PublishSubject<ListChange<Opaque>>()
    let results = FetchedResults(changes)
    let reloads = Counter()
    let batches = Counter()
    results.events.subscribe(onNext: { event in
      if case .reload = event { reloads.increment() }
      if case .didChange = event { batches.increment() }
    }).disposed(by: bag)
    changes.onNext(ListChange(initial: list(1, version: 1)))
    changes.onNext(ListChange(before: list(1, version: 1), after: list(2), insertions: [1]))
    #expect(reloads.value == 1 && batches.value == 1)
    changes.onNext(ListChange(before: list(2), after: list(3), insertions: [2]))
    #expect(reloads.value == 2 && batches.value == 1)
  }

  @Test func countsAreToldWhenTheyChange() {
    let lists = [[1], [1, 2], [2, 3], []].map { SectionedRows($0.map { Row(id: $0) }) }
    let results = FetchedResults(changes)
    let counts = results.counts.recorded(in: bag)
    changes.onNext(ListChange(initial: lists[0]))
    for (before, after) in zip(lists, lists.dropFirst()) {
      changes.onNext(ListChange(from: before, to: after))
    }
    #expect(counts.elements == [1, 2, 0])
  }

  @Test func aFailureIsAValueAndTheListStaysAsItWas() {
    let list = SectionedRows([Row(id: 1)])
    let (results, events) = makeResults([list])
    changes.onError(Refusal.broken)
    #expect(results.errors.recorded(in: bag).elements == [PresentableError(Refusal.broken)])
    #expect(results.list == list && !events.hasEnded)
  }

  @Test func aChangeThatComesFromWithinAnEventIsTheNextBatch() {
    let lists = [[1], [1, 2], [2]].map { SectionedRows($0.map { Row(id: $0) }) }
    let results = FetchedResults(changes)
    let events = Recorder<FetchedEvent<Row>>()
    results.events.subscribe(onNext: { [changes] event in
      events.on(.next(event))
      if event == .willChange(lists[0]) {
        changes.onNext(ListChange(from: lists[1], to: lists[2]))
      }
    }).disposed(by: bag)
    changes.onNext(ListChange(initial: lists[0]))
    changes.onNext(ListChange(from: lists[0], to: lists[1]))
    #expect(
      events.elements == [
        .reload(lists[0]), .willChange(lists[0]), .row(.insert(at: at(0, 1))),
        .didChange(lists[1]), .willChange(lists[1]), .row(.delete(at: at(0, 0))),
        .didChange(lists[2]),
      ])
  }

  @Test func aBatchMakesNoRows() {
    let made = Counter()
    let rows = SectionedRows(ListRows(CountingRows(count: 100_000, made: made)))
    let fewer = SectionedRows(ListRows(CountingRows(count: 99_999, made: made)))
    let results = FetchedResults(changes)
    let count = Counter()
    results.events.subscribe(onNext: { _ in count.increment() }).disposed(by: bag)
    changes.onNext(ListChange(initial: rows))
    changes.onNext(ListChange(before: rows, after: fewer, deletions: [99_999]))
    #expect(count.value == 4 && made.value == 0)
  }

  @Test func nothingIsFollowedOnceTheResultsAreGone() {
    var results: FetchedResults<Row>? = FetchedResults(changes)
    #expect(changes.hasObservers && results != nil)
    results = nil
    #expect(!changes.hasObservers)
  }
}

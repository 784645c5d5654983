import Presentation
import Testing
import TestSupport

@Suite("SectionedRows")
struct SectionedRowsTests {
  private let list = SectionedRows(["open": [Row(id: 1), Row(id: 2)], "done": [Row(id: 3)]])

  @Test func rowsAreFoundByTheirPlaces() {
    #expect(list.count == 3 && list.sectionCount == 2)
    #expect(list.rowCount(inSection: 0) == 2 && list.rowCount(inSection: 1) == 1)
    #expect(list.name(ofSection: 1) == "done")
    #expect(list[ListIndexPath(section: 1, row: 0)] == Row(id: 3))
  }

  @Test func everyRowHasAPlaceAndEveryPlaceItsRow() {
    #expect((0..<3).map { list.path(of: $0).description } == ["0.0", "0.1", "1.0"])
    for index in 0..<3 { #expect(list.index(of: list.path(of: index)) == index) }
  }

  @Test func aListWithoutSectionsHasOneAlsoWhenItIsEmpty() {
    let empty = SectionedRows<Row>([])
    #expect(empty.sectionCount == 1 && empty.rowCount(inSection: 0) == 0)
    #expect(empty.sections == nil && empty.name(ofSection: 0) == nil)
    #expect(SectionedRows<Row>([:]).sectionCount == 0)
  }

  @Test func placesStandInReadingOrder() {
    let places = [(0, 1), (1, 0), (0, 0)].map { ListIndexPath(section: $0.0, row: $0.1) }
    #expect(places.sorted().map(\.description) == ["0.0", "0.1", "1.0"])
  }

  @Test func rowsAreMadeWhenTheyAreAskedFor() {
    let made = Counter()
    let rows = ListRows(CountingRows(count: 1_000_000, made: made))
    #expect(rows.count == 1_000_000 && made.value == 0)
    #expect(rows[999_999] == Row(id: 999_999) && made.value == 1)
  }

  @Test func twoSectionsOfOneNameAreRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = SectionedRows(["a": [Row(id: 1)], "b": [Row(id: 2)], "a": [Row(id: 3)]])
    }
  }

  @Test func sectionsThatDoNotHoldAllRowsAreRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = SectionedRows(ListRows([Row(id: 1)]), sections: [])
    }
  }

  @Test func anEmptySectionIsRefused() async {
    await #expect(processExitsWith: .failure) { _ = SectionedRows(["a": []]) }
  }

  @Test func aPlaceWithoutARowIsRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = SectionedRows(["a": [Row(id: 1)]])[ListIndexPath(section: 0, row: 1)]
    }
  }
}

/// Rows that count how many of them were made.
struct CountingRows: RandomAccessCollection, Sendable {
  let count: Int
  let made: Counter

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Row {
    made.increment()
    return Row(id: index)
  }
}

import Presentation
import TestSupport

/// A row of the lists in these tests.
struct Row: Identifiable, Hashable, Sendable {
  let id: Int
  var value = 0
}

extension SectionedRows where Element == Row {
  /// A list of sections by name, each with its rows.
  init(_ sections: KeyValuePairs<String, [Row]>) {
    self.init(named: sections.map { (name: $0.key, rows: $0.value) })
  }

  init(named sections: [(name: String, rows: [Row])]) {
    self.init(
      ListRows(sections.flatMap(\.rows)),
      sections: sections.map { ListSection(name: $0.name, count: $0.rows.count) })
  }

  /// The rows of each section.
  var table: [[Row]] {
    (0..<sectionCount).map { section in
      (0..<rowCount(inSection: section)).map { self[ListIndexPath(section: section, row: $0)] }
    }
  }
}

/// Lists that differ from one another at random.
struct RandomLists {
  var random: SeededGenerator
  private var nextID = 0

  init(_ random: SeededGenerator) {
    self.random = random
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  /// Some rows.
  mutating func rows() -> [Row] {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in newRow() }
  }

  private mutating func newRow() -> Row {
    nextID += 1
    return Row(id: nextID, value: Int.random(in: 0..<3, using: &random))
  }

  /// The rows after a few have gone, come, changed and moved.
  mutating func changed(_ rows: [Row]) -> [Row] {
    var rows = rows
    let rate = [0, 10, 50, 100].randomElement(using: &random) ?? 0
    rows.removeAll { _ in chance(rate / 2) }
    for index in rows.indices where chance(rate) { rows[index].value += 1 }
    if !rows.isEmpty, chance(50) {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let row = rows.remove(at: Int.random(in: rows.indices, using: &random))
        rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
      }
    }
    if chance(10) { rows.shuffle(using: &random) }
    for _ in 0..<Int.random(in: 0...2, using: &random) where chance(rate) {
      rows.insert(newRow(), at: Int.random(in: 0...rows.count, using: &random))
    }
    return rows
  }

  /// The rows in sections of random names, in random order; each name once.
  mutating func sectioned(_ rows: [Row]) -> SectionedRows<Row> {
    var names = ["a", "b", "c", "d", "e"].shuffled(using: &random)
    if chance(70) { names.sort() }
    var sections: [(name: String, rows: [Row])] = []
    for row in rows {
      let isNew = sections.isEmpty || chance(25)
      if isNew, let name = names.popLast() {
        sections.append((name, [row]))
      } else if let last = sections.indices.last {
        sections[last].rows.append(row)
      }
    }
    return SectionedRows(named: sections)
  }
}

/// What Croft's workloads cost for each object, with several numbers of objects.
package struct Growth: Sendable {
  private var columns: [(size: Int, figures: [Figure])] = []

  /// Makes a table without columns.
  package init() {}

  /// Adds the figures of one number of objects, more than those before.
  package mutating func add(_ figures: [Figure], size: Int) {
    columns.append((size, figures))
  }

  /// The report for people.
  package var text: String { "growth\n" + Table.text(head, rows) }

  /// The section of the page.
  package func section(head lines: [String]) -> FiguresPage.Section {
    FiguresPage.Section("Growth", head: lines, tables: [MarkdownTable.text(head, rows)])
  }

  /// A line for each figure; its number of objects tells the columns apart.
  package var json: String {
    columns.flatMap { column in column.figures.map { $0.json + "\n" } }.joined()
  }

  private var head: [String] {
    ["workload"] + columns.map { "\($0.size)" } + ["growth"]
      + columns.map { "peak B/object of \($0.size)" }
  }

  private var rows: [[String]] {
    (columns.first?.figures ?? []).map { first in
      let figures = columns.map { column in
        column.figures.first { $0.workload == first.workload }
      }
      let times = figures.map { $0?.nanosecondsPerObject ?? 0 }
      let growth = (times.last ?? 0) / first.nanosecondsPerObject
      let peaks = zip(figures, columns).map { figure, column in
        Double(figure?.peakBytes ?? 0) / Double(column.size)
      }
      return [first.workload] + times.map(FiguresPage.Section.time)
        + [Table.fixed(growth, digits: 2)] + peaks.map { Table.fixed($0, digits: 0) }
    }
  }
}

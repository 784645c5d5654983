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
  package var text: String {
    let bounds = boundRows.isEmpty ? "" : "\ntargets\n" + Table.text(Growth.boundHead, boundRows)
    return "growth\n" + Table.text(head, rows) + bounds
  }

  /// The section of the page.
  package func section(head lines: [String]) -> FiguresPage.Section {
    let bounds = boundRows.isEmpty ? [] : [MarkdownTable.text(Growth.boundHead, boundRows)]
    return FiguresPage.Section(
      "Growth", head: lines, tables: [MarkdownTable.text(head, rows)] + bounds)
  }

  /// A line for each figure; its number of objects tells the columns apart.
  package var json: String {
    columns.flatMap { column in column.figures.map { $0.json + "\n" } }.joined()
  }

  private var head: [String] {
    ["workload"] + columns.map { "\($0.size)" } + ["growth"]
      + columns.map { "peak B/object of \($0.size)" }
  }

  private static let boundHead = ["workload", "objects", "bound", "ratio", "verdict"]

  /// The most that the time of a part may grow from one size to the next, which is ten times as large.
  private static let bound = 1.2

  /// For each workload of one large thing the bound of every step from a size to the next.
  private var boundRows: [[String]] {
    let large = (columns.first?.figures ?? []).map(\.workload).filter { $0.hasPrefix("large-") }
    return large.flatMap { workload in
      zip(columns, columns.dropFirst()).compactMap { smaller, larger -> [String]? in
        func time(_ figures: [Figure]) -> Double? {
          figures.first { $0.workload == workload }?.nanosecondsPerObject
        }
        guard let before = time(smaller.figures), let after = time(larger.figures), before > 0
        else { return nil }
        let ratio = after / before
        return [
          workload, "\(larger.size) against \(smaller.size)",
          "<= " + Table.fixed(Growth.bound, digits: 3), Table.fixed(ratio, digits: 3),
          ratio <= Growth.bound ? "met" : "missed",
        ]
      }
    }
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

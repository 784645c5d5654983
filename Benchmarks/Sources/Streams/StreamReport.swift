package import Harness

/// The report of one comparison: for people, and for machines.
package struct StreamReport {
  private let comparison: StreamComparison

  /// Reports a comparison.
  package init(_ comparison: StreamComparison) {
    self.comparison = comparison
  }

  /// A heading, a line for each library, and which targets are met, with a line break at the end.
  package var text: String {
    let row = comparison.row
    let head = ["library", "ns/\(row.unit)", "x loop", "x OpenCombine", "spread", "allocations"]
    let rows = [head] + comparison.figures.map(cells)
    let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { cells in
      "  "
        + cells.indices.map { column in
          let spaces = String(repeating: " ", count: widths[column] - cells[column].count)
          return column == 0 ? cells[column] + spaces : spaces + cells[column]
        }.joined(separator: "  ")
    }
    return "\(row.name), \(comparison.units) \(row.unit)s\n" + lines.joined(separator: "\n")
      + "\n" + verdicts.map { "  \($0)\n" }.joined()
  }

  /// One JSON object a library, each on a line.
  package var json: String {
    comparison.figures.map { figure in
      let fields = [
        "\"row\":\"\(comparison.row.name)\"", "\"library\":\"\(figure.library)\"",
        "\"unit\":\"\(comparison.row.unit)\"", "\"units\":\(comparison.units)",
        "\"nanoseconds\":\(fixed(figure.nanoseconds.median))",
        "\"ratioToLoop\":\(number(comparison.ratio(of: figure, to: PlainLoop.self), "null"))",
        "\"ratioToOpenCombine\":"
          + number(comparison.ratio(of: figure, to: OpenCombineStreams.self), "null"),
        "\"spread\":\(fixed(figure.nanoseconds.spread))",
        "\"allocations\":\(Meter.countsAllocations ? fixed(figure.allocations) : "null")",
      ]
      return "{" + fields.joined(separator: ",") + "}\n"
    }.joined()
  }

  /// The section of the page of figures that lists comparisons, a row each.
  package static func section(
    of comparisons: [StreamComparison], head: [String]
  ) -> FiguresPage.Section {
    let columns = [
      "row", "unit", "reactive ns", "spread", "x loop", "x OpenCombine", "allocations", "missed",
    ]
    let rows = comparisons.compactMap { comparison in
      comparison.figure(of: ReactiveStreams.self).map { figure in
        let report = StreamReport(comparison)
        let cells = report.cells(figure)
        let missed = report.targets.filter { !$0.isMet }.map(\.text).joined(separator: "; ")
        return [comparison.row.name, comparison.row.unit, cells[1], cells[4], cells[2], cells[3]]
          + [cells[5], missed.isEmpty ? "-" : missed]
      }
    }
    return FiguresPage.Section(
      "Chains of events", head: head, tables: [MarkdownTable.text(columns, rows)])
  }

  /// A line for each target of Reactive.
  private var verdicts: [String] {
    targets.map { "target \($0.isMet ? "met" : "MISSED"): \($0.text)" }
  }

  /// The targets of Reactive: its limits, and the distance to OpenCombine.
  private var targets: [(isMet: Bool, text: String)] {
    guard let figure = comparison.figure(of: ReactiveStreams.self) else { return [] }
    let row = comparison.row
    var targets: [(isMet: Bool, text: String)] = []
    if let limit = row.targetNanoseconds {
      targets.append((figure.nanoseconds.median <= limit, "at most \(fixed(limit)) ns"))
    }
    if Meter.countsAllocations {
      // What is made once a round, not per unit, does not count.
      targets.append(
        (
          figure.allocations < row.allowedAllocations + 0.01,
          "at most \(fixed(row.allowedAllocations)) allocations"
        ))
    }
    if let ratio = comparison.ratio(of: figure, to: OpenCombineStreams.self), ratio > 0 {
      targets.append(
        (
          1 / ratio >= StreamRow.targetFactor,
          "\(fixed(StreamRow.targetFactor)) times as fast as OpenCombine: \(fixed(1 / ratio))"
        ))
    }
    return targets
  }

  private func cells(_ figure: StreamComparison.Figure) -> [String] {
    [
      figure.library, fixed(figure.nanoseconds.median),
      number(comparison.ratio(of: figure, to: PlainLoop.self), "-"),
      number(comparison.ratio(of: figure, to: OpenCombineStreams.self), "-"),
      "\(Int((figure.nanoseconds.spread * 100).rounded()))%",
      Meter.countsAllocations ? fixed(figure.allocations) : "-",
    ]
  }

  private func number(_ value: Double?, _ none: String) -> String { value.map(fixed) ?? none }

  /// Two decimals.
  private func fixed(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

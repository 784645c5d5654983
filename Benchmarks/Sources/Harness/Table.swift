/// The report for people: one block a workload.
package enum Table {
  /// Lays out one workload's figures, with a heading line and a line break at the end.
  package static func text(of comparison: Comparison) -> String {
    let objects = comparison.figures.first?.objects ?? 0
    let head =
      ["engine", "ns/object"] + Figure.peers.map { "x \($0)" } + ["spread", "file MB", "peak MB"]
    return "\(comparison.workload), \(objects) objects\n"
      + text(head, comparison.figures.map(cells))
  }

  /// Lays out rows under a heading, columns in line, each row with a line break.
  static func text(_ head: [String], _ rows: [[String]]) -> String {
    let widths = head.indices.map { column in
      ([head] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([head] + rows).map { row in
      "  " + row.indices.map { pad(row[$0], to: widths[$0], left: $0 == 0) }.joined(separator: "  ")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func cells(_ figure: Figure) -> [String] {
    let ratios = Figure.peers.map { peer in
      figure.ratios[peer].map { fixed($0, digits: 2) } ?? "-"
    }
    return [figure.engine, fixed(figure.nanosecondsPerObject, digits: 1)] + ratios + [
      fixed(figure.spread * 100, digits: 0) + "%",
      fixed(Double(figure.fileBytes) / 1e6, digits: 1),
      fixed(Double(figure.peakBytes) / 1e6, digits: 1),
    ]
  }

  private static func pad(_ text: String, to width: Int, left: Bool) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return left ? text + spaces : spaces + text
  }

  /// A number with a fixed count of decimals, rounded half away from zero.
  static func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let parts = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return "\(parts)" }
    let fraction = String(abs(parts) % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(parts < 0 ? "-" : "")\(abs(parts) / scale).\(zeros)\(fraction)"
  }
}

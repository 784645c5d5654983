import Foundation

/// One line of the table.
struct Line {
  var what: String
  var croft: String
  /// The plain loop's figure, or what Croft is compared with.
  var peer: String
  var bound: String
  /// Whether the bound is met; nil where there is none.
  var isMet: Bool?

  private var cells: [String] {
    [what, croft, peer, bound, isMet.map { $0 ? "met" : "missed" } ?? "-"]
  }

  /// The lines as a table, columns in line.
  static func table(_ lines: [Line]) -> String {
    let rows = [["what", "croft", "peer", "bound", "verdict"]] + lines.map(\.cells)
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

// MARK: - Durations

extension [Duration] {
  /// The middle one.
  var median: Duration { sorted()[count / 2] }

  /// The one that 99 of 100 do not exceed.
  var percentile99: Duration { sorted()[Swift.min(count - 1, count * 99 / 100)] }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }

  var text: String {
    switch seconds {
    case ..<0.001: String(format: "%.0f µs", seconds * 1e6)
    case ..<1: String(format: "%.2f ms", seconds * 1e3)
    default: String(format: "%.2f s", seconds)
    }
  }
}

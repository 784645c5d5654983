import Foundation

/// A picture of how Croft's times compare with those of its peers, as an SVG for light and dark pages.
///
/// Each workload has a bar for each peer: to the right of the line Croft is faster, so many times; to the left
/// it is slower. The scale is logarithmic, so that half and double are equally far from the line.
package struct RatioChart: Sendable {
  private let rows: [(workload: String, factors: [(peer: String, factor: Double)])]

  /// Makes a chart of the figures of a run.
  package init(of figures: [Figure]) {
    rows = figures.filter { $0.engine == "croft" && !$0.ratios.isEmpty }.map { figure in
      (
        figure.workload,
        Figure.peers.compactMap { peer in
          figure.ratios[peer].flatMap { $0 > 0 ? (peer, 1 / $0) : nil }
        }
      )
    }
  }

  private static let (barHeight, rowGap, top) = (9, 8, 44)
  private static let (plotStart, plotEnd, width) = (130.0, 690.0, 760)
  /// The least and the greatest factor that the scale shows; a longer bar ends there, and its number tells.
  private static let (least, greatest) = (0.125, 64.0)

  /// The picture.
  package var svg: String {
    let rowHeight = Self.barHeight * Figure.peers.count + Self.rowGap
    let height = Self.top + rows.count * rowHeight + 6
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width) \(height)\" "
        + "font-family=\"system-ui, sans-serif\" font-size=\"11\" role=\"img\">",
      "<title>How many times faster than each peer Croft is</title>", Self.style,
    ]
    lines += legend()
    lines += scale(to: height - 6)
    for (place, row) in rows.enumerated() {
      lines += bars(row.factors, named: row.workload, at: Self.top + place * rowHeight)
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// Colours that are told apart without seeing red and green, on white and on black.
  private static let style = """
    <style>
    text { fill: #24292f } .axis { stroke: #8c959f } .grid { stroke: #d0d7de }
    .lmdb { fill: #6e7781 } .sqlite { fill: #0969da } .grdb { fill: #bf8700 }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .axis { stroke: #8b949e } .grid { stroke: #30363d }
    .lmdb { fill: #8b949e } .sqlite { fill: #58a6ff } .grdb { fill: #d29922 }
    }
    </style>
    """

  private func legend() -> [String] {
    let names = ["lmdb": "LMDB in C", "sqlite": "SQLite in C", "grdb": "GRDB"]
    return Figure.peers.enumerated().flatMap { place, peer in
      let start = Self.plotStart + Double(place) * 110
      return [
        rectangle(peer, x: start, y: 6, width: 12),
        text(names[peer] ?? peer, x: start + 17, y: 14),
      ]
    }
  }

  private func scale(to bottom: Int) -> [String] {
    var lines: [String] = []
    var factor = Self.least
    while factor <= Self.greatest {
      let x = Self.x(factor)
      lines.append(
        "<line class=\"\(factor == 1 ? "axis" : "grid")\" x1=\"\(Self.number(x))\" "
          + "y1=\"\(Self.top - 8)\" x2=\"\(Self.number(x))\" y2=\"\(bottom)\"/>")
      let label = factor < 1 ? "1/\(Int(1 / factor))" : "\(Int(factor))"
      lines.append(text(label, x: x, y: Self.top - 12, anchor: "middle"))
      factor *= 2
    }
    return lines
  }

  private func bars(
    _ factors: [(peer: String, factor: Double)], named workload: String, at y: Int
  ) -> [String] {
    let middle = y + Self.barHeight * Figure.peers.count / 2 + 4
    var lines = [text(workload, x: Self.plotStart - 8, y: middle, anchor: "end")]
    for (place, bar) in factors.enumerated() {
      let (line, end) = (Self.x(1), Self.x(bar.factor))
      let barY = y + place * Self.barHeight
      lines.append(
        rectangle(bar.peer, x: min(line, end), y: barY, width: max(abs(end - line), 0.5)))
      let digits = bar.factor < 10 ? 2 : 0
      lines.append(
        text(
          Table.fixed(bar.factor, digits: digits), x: max(line, end) + 3,
          y: barY + Self.barHeight - 1, size: 9))
    }
    return lines
  }

  private static func x(_ factor: Double) -> Double {
    let shown = min(max(factor, least), greatest)
    return plotStart + (plotEnd - plotStart) * log2(shown / least) / log2(greatest / least)
  }

  private func rectangle(_ peer: String, x: Double, y: Int, width: Double) -> String {
    "<rect class=\"\(peer)\" x=\"\(Self.number(x))\" y=\"\(y)\" width=\"\(Self.number(width))\" "
      + "height=\"\(Self.barHeight - 1)\"/>"
  }

  private func text(
    _ text: String, x: Double, y: Int, anchor: String = "start", size: Int = 11
  ) -> String {
    "<text x=\"\(Self.number(x))\" y=\"\(y)\" text-anchor=\"\(anchor)\" font-size=\"\(size)\">"
      + "\(text)</text>"
  }

  private static func number(_ value: Double) -> String { Table.fixed(value, digits: 1) }
}

import Foundation

/// The page of figures that a run of the command writes: sections, each with its tables.
package struct FiguresPage: Sendable {
  /// One group of measurements: what they were made with, and what came out.
  package struct Section: Sendable {
    /// The heading.
    package var title: String
    /// What was measured, with which libraries, on what; a line each.
    package var head: [String]
    /// The tables, in Markdown, each with a line break at its end.
    package var tables: [String]
    /// The picture above the tables, and its file beside the page.
    package var chart: (name: String, chart: RatioChart)?

    /// Makes a section.
    package init(_ title: String, head: [String], tables: [String]) {
      self.title = title
      self.head = head
      self.tables = tables
    }
  }

  /// The command that writes the page again, with its arguments.
  package let command: String
  /// The day of the run, as in 2026-11-22.
  package let date: String
  /// The sections of this run.
  package var sections: [Section] = []

  /// Makes a page without sections.
  package init(command: String, date: String) {
    self.command = command
    self.date = date
  }

  /// Writes the page, and its pictures beside it.
  package func write(to path: String) throws {
    for (name, chart) in sections.compactMap(\.chart) {
      let file = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: name)
      try chart.svg.write(to: file, atomically: true, encoding: .utf8)
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// The page in Markdown: the sections of the run, then what other commands gave on other days.
  package var text: String {
    let introduction = """
      # Figures

      Written by `\(command)` on \(date);
      to be written again, not edited. Times are medians. A ratio compares two figures of one run:
      below 1, Croft is faster than the peer that the column names. The spread is
      (slowest - fastest) / median. [The article of the
      harness](Sources/Harness/Harness.docc/Harness.md) tells what each name measures.

      """
    let measured = sections.map { section in
      "## \(section.title)\n\n" + section.head.map { "- \($0)\n" }.joined() + "\n"
        + (section.chart.map { "![How many times faster than each peer Croft is](\($0.name))\n\n" }
          ?? "")
        + section.tables.joined(separator: "\n")
    }
    return ([introduction] + measured + [RecordedResult.section]).joined(separator: "\n")
  }
}

extension FiguresPage.Section {
  /// The section of stores.
  package static func stores(_ figures: [Figure], head: [String]) -> FiguresPage.Section {
    let names =
      ["workload", "objects", "croft", "spread"] + Figure.peers.map { "x \($0)" }
      + ["file MB", "peak MB"]
    var stores = section("Stores", figures, head, MarkdownTable.text(names, rows(of: figures)))
    stores.chart = ("Stores.svg", RatioChart(of: figures))
    // Croft commits in two ways, so all engines of a write are listed.
    let writes = figures.filter { $0.workload.hasPrefix("write-") }
    if !writes.isEmpty {
      stores.tables.append(
        MarkdownTable.text(
          ["workload", "engine", "time an object", "spread"],
          writes.map {
            [$0.workload, $0.engine, time($0.nanosecondsPerObject), percent($0.spread)]
          }))
    }
    return stores
  }

  /// The section of live queries: delivery of a change, without the commit's own time.
  package static func liveQueries(_ figures: [Figure], head: [String]) -> FiguresPage.Section {
    engines("Live queries", figures, head)
  }

  /// The section of text scans: one title and one text.
  package static func textScans(_ figures: [Figure], head: [String]) -> FiguresPage.Section {
    engines("Text scans", figures, head)
  }

  /// The section of searches with an index.
  package static func searches(_ figures: [Figure], head: [String]) -> FiguresPage.Section {
    engines("Searches", figures, head)
  }

  /// A section with a row for each engine.
  private static func engines(
    _ title: String, _ figures: [Figure], _ head: [String]
  ) -> FiguresPage.Section {
    let names = ["workload", "units", "engine", "time a unit", "spread", "x grdb"]
    let rows = figures.map { figure in
      [
        figure.workload, "\(figure.objects)", figure.engine, time(figure.nanosecondsPerObject),
        percent(figure.spread), ratio(figure.ratios["grdb"]),
      ]
    }
    return section(title, figures, head, MarkdownTable.text(names, rows))
  }

  private static func section(
    _ title: String, _ figures: [Figure], _ head: [String], _ table: String
  ) -> FiguresPage.Section {
    FiguresPage.Section(
      title, head: head, tables: [table, Target.markdown(on: figures)].compactMap(\.self))
  }

  /// A row for each figure of Croft, with ratios to the peers of its run.
  private static func rows(of figures: [Figure]) -> [[String]] {
    figures.filter { $0.engine == "croft" }.map { figure in
      [
        figure.workload, "\(figure.objects)", time(figure.nanosecondsPerObject),
        percent(figure.spread),
      ] + Figure.peers.map { ratio(figure.ratios[$0]) } + [
        Table.fixed(Double(figure.fileBytes) / 1e6, digits: 1),
        Table.fixed(Double(figure.peakBytes) / 1e6, digits: 1),
      ]
    }
  }

  /// A duration in the unit that leaves one to three digits before the point.
  static func time(_ nanoseconds: Double) -> String {
    switch abs(nanoseconds) {
    case ..<999.5: Table.fixed(nanoseconds, digits: 0) + " ns"
    case ..<999_500: Table.fixed(nanoseconds / 1e3, digits: 1) + " µs"
    default: Table.fixed(nanoseconds / 1e6, digits: 1) + " ms"
    }
  }

  private static func percent(_ part: Double) -> String {
    Table.fixed(part * 100, digits: 0) + "%"
  }

  private static func ratio(_ value: Double?) -> String {
    value.map { Table.fixed($0, digits: 2) } ?? "-"
  }
}

/// Tables in Markdown.
package enum MarkdownTable {
  /// Lays out rows under a heading, the first column to the left.
  ///
  /// - Parameter isNumeric: Whether the other columns are numbers, which are put to the right.
  package static func text(
    _ head: [String], _ rows: [[String]], isNumeric: Bool = true
  ) -> String {
    let rule = head.indices.map { isNumeric && $0 > 0 ? "---:" : "---" }
    return ([head, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}

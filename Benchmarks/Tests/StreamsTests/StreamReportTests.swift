import Foundation
import Harness
import Streams
import Testing

@Suite struct StreamReportTests {
  @Test func theTableNamesLibrariesRatiosAndTargets() throws {
    let row = try #require(StreamRow.named("subject-1")?.first)
    let comparison = try StreamComparison(of: row, among: StreamLibraries.all, size: 10, rounds: 1)
    let lines = StreamReport(comparison).text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "subject-1, 100 events")
    #expect(lines[1].contains("x OpenCombine") && lines[1].contains("allocations"))
    #expect(lines[2].contains("loop") && lines[4].contains("opencombine"))
    #expect(lines.dropFirst(5).allSatisfy { $0.hasPrefix("  target ") })
  }

  @Test func theJSONIsOneObjectALine() throws {
    let row = try #require(StreamRow.named("subscribe")?.first)
    let comparison = try StreamComparison(of: row, among: StreamLibraries.all, size: 10, rounds: 1)
    let lines = StreamReport(comparison).json.split(separator: "\n")
    #expect(lines.count == StreamLibraries.all.count)
    for line in lines {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(
        Set(object.keys) == [
          "row", "library", "unit", "units", "nanoseconds", "ratioToLoop", "ratioToOpenCombine",
          "spread", "allocations",
        ])
    }
  }

  @Test func thePageHasARowForEachComparison() throws {
    let rows = ["subject-1", "subscribe"].compactMap { StreamRow.named($0)?.first }
    let comparisons = try rows.map { row in
      try StreamComparison(of: row, among: StreamLibraries.all, size: 10, rounds: 1)
    }
    let section = StreamReport.section(of: comparisons, head: ["one process"])
    #expect(section.head == ["one process"])
    let lines = try #require(section.tables.first).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[2].hasPrefix("| subject-1 | event | "))
    #expect(lines[3].hasPrefix("| subscribe | subscription | "))
    let columns = lines.map { $0.split(separator: "|").count }
    #expect(Set(columns).count == 1)
  }

  /// The page that is there has all rows: who adds one writes the page again.
  @Test func thePageOfTheProjectHasEachRow() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().appendingPathComponent("../../Figures.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    for row in StreamRow.all {
      #expect(
        page.contains("\n| \(row.name) | \(row.unit) | "), "write it with Scripts/bench --report")
    }
  }
}

import Foundation
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
}

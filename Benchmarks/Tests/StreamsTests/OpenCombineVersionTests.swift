import Foundation
import Streams
import Testing

@Suite struct OpenCombineVersionTests {
  /// OpenCombine does not tell its version, so a constant repeats what the manifest pins.
  @Test func theReportNamesThePinnedVersion() throws {
    let manifest = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let line = try #require(
      text.split(separator: "\n").first { $0.contains("OpenCombine/OpenCombine") })
    let version = try #require(line.split(separator: "\"").last { $0.first?.isNumber == true })
    #expect(OpenCombineStreams.version == "OpenCombine \(version)")
  }
}

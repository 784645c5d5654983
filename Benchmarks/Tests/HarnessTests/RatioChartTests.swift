import Foundation
import Harness
import Testing

@Suite struct RatioChartTests {
  @Test func eachPeerOfAWorkloadHasABarOnItsSideOfTheLine() throws {
    let svg = RatioChart(of: [
      figure("read-key", "croft", ["lmdb": 2, "grdb": 0.25]), figure("read-key", "lmdb", [:]),
      figure("live-wake-up", "croft", [:]),
    ]).svg
    // The scale is from 1/8 to 64 between 130 and 690: 1 is at 316.7, 4 at 441.1, 1/2 at 254.4.
    #expect(svg.contains("<rect class=\"lmdb\" x=\"254.4\" y=\"44\" width=\"62.2\""))
    #expect(svg.contains("<rect class=\"grdb\" x=\"316.7\" y=\"53\" width=\"124.4\""))
    #expect(svg.contains(">0.50</text>") && svg.contains(">4.00</text>"))
    #expect(svg.contains(">read-key</text>") && !svg.contains("live-wake-up"))
    #expect(svg.contains("prefers-color-scheme: dark"))
  }

  @Test func aBarEndsWithTheScaleAndItsNumberTellsHowFarItWould() {
    let svg = RatioChart(of: [figure("delete-all", "croft", ["grdb": 0.001])]).svg
    #expect(svg.contains("<rect class=\"grdb\" x=\"316.7\" y=\"44\" width=\"373.3\""))
    #expect(svg.contains(">1000</text>"))
  }

  @Test func thePictureIsWellFormed() {
    let svg = RatioChart(of: [figure("read-key", "croft", ["lmdb": 1, "sqlite": 3, "grdb": 0.3])])
      .svg
    let opened = svg.components(separatedBy: "<").count - 1
    let closed = svg.components(separatedBy: ">").count - 1
    #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n") && opened == closed)
  }

  private func figure(_ workload: String, _ engine: String, _ ratios: [String: Double]) -> Figure {
    Figure(
      workload: workload, engine: engine, objects: 1, nanosecondsPerObject: 1, ratios: ratios,
      spread: 0, checksum: "1", fileBytes: 1, peakBytes: 0)
  }
}

import Foundation
import Harness
import Testing

@Suite struct FigureTests {
  private let figure = Figure(
    workload: "insert-plain", engine: "croft", objects: 1_000, nanosecondsPerObject: 123.456,
    ratios: ["lmdb": 1.23456, "grdb": 0.2], spread: 0.04321, checksum: "00000000000000ff",
    fileBytes: 8_192, peakBytes: 4_096)

  @Test func itsJSONIsOneLineWithTheKeysInOrder() {
    #expect(
      figure.json == """
        {"workload":"insert-plain","engine":"croft","objects":1000,"nanosecondsPerObject":123.5,\
        "firstQuartile":123.5,"ratioToRawLMDB":1.235,"spread":0.043,"checksum":"00000000000000ff","fileBytes":8192,\
        "peakBytes":4096}
        """)
  }

  @Test func aMissingRatioIsNull() throws {
    var figure = figure
    figure.ratios["lmdb"] = nil
    let object = try JSONSerialization.jsonObject(with: Data(figure.json.utf8))
    let fields = try #require(object as? [String: Any])
    #expect(fields["ratioToRawLMDB"] is NSNull)
    #expect(fields.count == 10)
  }
}

import Foundation
import Testing
import TodoKit

@Suite struct EstimateTests {
  @Test(arguments: [
    ("2h", 120), ("45m", 45), ("1h30m", 90), ("1h 30m", 90), ("1.5h", 90), ("0.25h", 15),
    ("2 hours", 120), ("1 Hour 5 min", 65), ("90 mins", 90), ("9999h59m", 599_999),
    ("2시간", 120), ("45분", 45), ("1시간 30분", 90), ("1시간 반", 90), ("2시간반", 150),
  ])
  func wordsAreRead(words: String, minutes: Int32) throws {
    let estimate = try #require(Estimate(words: words))
    #expect(estimate.rawValue == minutes)
    #expect(Estimate(estimate.description) == estimate)
    #expect(Estimate(words: estimate.koreanWords) == estimate)
    let data = try JSONEncoder().encode([estimate])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(estimate)\"]")
    #expect(try JSONDecoder().decode([Estimate].self, from: data) == [estimate])
  }

  @Test(arguments: [
    "", "0m", "0h", "2", "h", "반", "-1h", "1h1h", "30m1h", "1.333h", "1..5h", "1.5.5h", "10000h",
    "99999999h", "2h x", "1h반시간", "½h", "１h", "1e3m", "soon", "2d", ".h",
  ])
  func otherWordsAreNone(words: String) {
    #expect(Estimate(words: words) == nil)
  }

  @Test func sumsAreWrittenAsEstimates() {
    #expect([0, 5, 60, 125].map(Estimate.text(ofMinutes:)) == ["0m", "5m", "1h", "2h5m"])
    #expect([0, 60, 125].map(Estimate.koreanText(ofMinutes:)) == ["0분", "1시간", "2시간5분"])
  }
}

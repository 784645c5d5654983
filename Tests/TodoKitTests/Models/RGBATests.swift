import Foundation
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

@Suite("RGBA")
struct RGBATests {
  @Test(arguments: [
    ("#f80", "#ff8800"), ("#FF8800", "#ff8800"), ("#ff880080", "#ff880080"),
    ("#000", "#000000"), ("#00000000", "#00000000"), ("#0000000f", "#0000000f"),
  ])
  func coloursAreReadAsPeopleWriteThem(text: String, written: String) {
    #expect(RGBA(text)?.description == written)
  }

  @Test(arguments: [
    "", "#", "ff8800", "#ff", "#ffff", "#fffff", "#fffffff", "#ggg", "##fff", "#ff88000", "#é0é",
    " #fff", "#fff ", "#-12", "red",
  ])
  func whatIsNoColourIsNotRead(text: String) {
    #expect(RGBA(text) == nil)
  }

  @Test func partsLieBetweenZeroAndOne() throws {
    let color = try #require(RGBA(red: 1, green: 0, blue: 0.2, alpha: 1))
    #expect(color.red == 1 && color.green == 0 && color.blue == 0.2 && color.alpha == 1)
    for outside in [-0.001, 1.001, .nan, .infinity] {
      #expect(RGBA(red: outside, green: 0, blue: 0) == nil)
      #expect(RGBA(red: 0, green: outside, blue: 0) == nil)
      #expect(RGBA(red: 0, green: 0, blue: outside) == nil)
      #expect(RGBA(red: 0, green: 0, blue: 0, alpha: outside) == nil)
    }
  }

  @Test func aNewGroupsColourIsDark() {
    var generator = SeededGenerator()
    for _ in 0..<200 {
      let color = RGBA.randomDark(using: &generator)
      #expect(color.red <= 0.5 && color.green <= 0.5 && color.blue <= 0.5 && color.alpha == 1)
    }
  }

  @Test func jsonHoldsTheText() throws {
    let color = try #require(RGBA("#ff8800"))
    #expect(String(decoding: try JSONEncoder().encode([color]), as: UTF8.self) == ##"["#ff8800"]"##)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RGBA].self, from: Data(#"["red"]"#.utf8))
    }
  }
}

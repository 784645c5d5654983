import Testing
import TodoKit

@testable import TerminalText
@testable import TodoPrompt

@Suite struct AmbiguousWidthTests {
  @Test(arguments: [
    ("─", 1, 2), ("★", 1, 2), ("…", 1, 2), ("█", 1, 2), ("→", 1, 2), ("①", 1, 2), ("±", 1, 2),
    ("Ж", 1, 2), ("a", 1, 1), ("☐", 1, 1), ("☑", 1, 1), ("▰", 1, 1), ("▱", 1, 1), ("✓", 1, 1),
    ("ö", 1, 1), ("한", 2, 2), ("e\u{301}", 1, 1), ("\u{AD}", 1, 1), ("\u{E000}", 1, 1),
    ("할일 ─ a", 8, 9),
  ])
  func theSettingSaysHowWideAmbiguousCharactersAre(text: String, narrow: Int, wide: Int) {
    #expect(text.displayWidth == narrow)
    AmbiguousWidth.$columns.withValue(2) { #expect(text.displayWidth == wide) }
    #expect(text.displayWidth == narrow)
  }

  @Test func theTableIsAscendingAndHasNothingThatIsWide() {
    for (one, next) in zip(AmbiguousWidth.ranges, AmbiguousWidth.ranges.dropFirst()) {
      #expect(one.upperBound < next.lowerBound)
    }
    for value in AmbiguousWidth.ranges.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(scalar.displayWidth == 1, "\(String(value, radix: 16))")
    }
  }

  @Test(arguments: [1, 2])
  func cardsHaveStraightBorders(columns: Int) {
    AmbiguousWidth.$columns.withValue(columns) {
      for width in 12...60 {
        let table = GroupTable(
          groups: [], important: .init(total: 9, done: 6), language: .korean,
          styler: ANSIStyler(isOn: false), columns: width, glyphs: Glyphs(isUnicode: true))
        let widths = GroupCards(table: table).text.split(separator: "\n").map {
          String($0).displayWidth
        }
        #expect(Set(widths).count == 1, "\(width): \(widths)")
        #expect(widths.allSatisfy { $0 <= width })
      }
    }
  }
}

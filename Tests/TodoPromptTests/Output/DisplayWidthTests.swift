import Foundation
import Testing

@testable import TerminalText
@testable import TodoPrompt

@Suite struct DisplayWidthTests {
  /// What Python's `wcwidth.wcswidth` (0.7.0) says about the same texts.
  @Test(arguments: [
    ("", 0), ("abc", 3), ("장보기", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("한글 abc", 8),
    ("e\u{301}", 1), ("\u{E9}", 1), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇰🇷", 2), ("🇰🇷🇯🇵", 4), ("1️⃣", 2),
    ("❤️", 2), ("❤", 1), ("☎️", 2), ("★", 1), ("…", 1), ("●", 1), ("█", 1), ("日本語", 6), ("ｶﾅ", 2),
    ("ＡＢ", 4), ("🧑‍💻 code", 7), ("\u{200B}", 0), ("a\u{200D}b", 2), ("✓", 1), ("☐", 1), ("🏳️‍🌈", 2),
    ("ㅎㅏㄴ", 6), ("क्ष", 2), ("👩🏻‍🚀", 2), ("（）", 4), ("\u{C0B0}\u{11AB}", 2),
  ])
  func measuresText(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test func everyCodePointIsAsWideAsTheReferenceSays() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/widths.txt").standardized
    let lines = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count > 700)
    var differences: [String] = []
    for line in lines {
      let parts = line.split { $0 == " " || $0 == "-" }
      let first = try #require(UInt32(parts[0], radix: 16))
      let last = try #require(UInt32(parts[1], radix: 16))
      let width = try #require(Int(parts[2]))
      for value in first...last {
        guard let scalar = Unicode.Scalar(value), scalar.displayWidth != width else { continue }
        differences.append("\(String(value, radix: 16)): \(scalar.displayWidth), not \(width)")
      }
    }
    #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(20))")
  }

  @Test func theTableIsAscendingAndHasNoOverlaps() {
    let ranges = Unicode.Scalar.wideRanges
    for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound < next.lowerBound) }
  }

  @Test func truncatesBetweenCharacters() {
    #expect("장보기 목록".truncated(to: 11) == "장보기 목록")
    #expect("장보기 목록".truncated(to: 10) == "장보기 ...")
    #expect("장보기 목록".truncated(to: 8) == "장보...")
    #expect("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧".truncated(to: 5) == "👨‍👩‍👧...")
    #expect("abc".truncated(to: 2) == "..")
    #expect("abc".truncated(to: 0) == "")
    for width in 0...20 {
      let text = "a한\u{1112}\u{1161}🇰🇷e\u{301}👩🏻‍🚀 긴 제목".truncated(to: width)
      #expect(text.displayWidth <= width)
    }
  }

  @Test func padsByColumnsNotByCharacters() {
    #expect("높음".padded(to: 6) == "높음  ")
    #expect("7".padded(to: 3, leading: true) == "  7")
    #expect("높음".padded(to: 2) == "높음")
  }
}

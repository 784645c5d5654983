import TestSupport
import Testing

@testable import Croft

/// Texts fold for a search as the laws say, by the table and by the definition.
@Suite struct SearchFoldingTests {
  private func folded(_ utf8: some Sequence<UInt8>) -> String {
    Array(utf8).withUnsafeBytes { utf8 in
      TextFolding.withFolded(utf8, .forSearch) { String(decoding: $0, as: UTF8.self) }
    }
  }

  private func isSame(_ left: String, _ right: String) -> Bool {
    left.unicodeScalars.elementsEqual(right.unicodeScalars)
  }

  @Test func eachScalarFoldsAsTheLawsSay() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      if category == .unassigned || category == .privateUse { continue }
      for text in [String(scalar), "e\(scalar)\u{301} \u{1112}\(scalar)\u{1161}\u{11AB}"] {
        if isSame(folded(text.utf8), NaiveSearch.folded(text)) { continue }
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func textsFoldAsTheLawsSay() {
    var random = SeededGenerator.forTest("SearchFoldingTests")
    for _ in 0..<6_000 {
      let utf8 = random.spelledText()
      let text = String(decoding: utf8, as: UTF8.self)
      let wanted = NaiveSearch.folded(text)
      #expect(isSame(folded(utf8), wanted), "seed \(random.seed): \(utf8)")
      #expect(isSame(folded(wanted.utf8), wanted), "folded twice, seed \(random.seed): \(utf8)")
      let traced = String(decoding: FoldedText(text).utf8, as: UTF8.self)
      #expect(isSame(traced, wanted), "seed \(random.seed): \(utf8)")
    }
  }

  @Test(arguments: [
    ("Ｃａｆé １２", "cafe 12"), ("ｶﾞｷﾞ ﾊﾟ", "ガギ パ"), ("ﾡﾢﾣ ￂ", "ㄱㄲㄱㅅ ㅏ"), ("ㄳㅄ", "ㄱㅅㅂㅅ"),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}", "한ㄱ"), ("👍🏽 ❤️", "👍 ❤"), ("wo\u{AD}rd", "word"),
    ("محـــمد", "محمد"), ("\u{202B}a\u{202C}", "a"), ("\u{1100}\u{200D}\u{1161}", "가"),
    ("ｶ\u{200D}ﾞ", "ガ"), ("Straße ΣΑΣ", "strasse σασ"),
  ])
  func textsFold(_ text: String, to wanted: String) {
    #expect(isSame(folded(text.utf8), wanted), "\(folded(text.utf8))")
  }
}

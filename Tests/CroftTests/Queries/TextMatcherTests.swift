import TestSupport
import Testing

@testable import Croft

/// Texts are searched and compared as their folded forms are.
@Suite struct TextMatcherTests {
  @Test func textsMatchAsTheirFoldedFormsDo() {
    var random = SeededGenerator.forTest("TextMatcherTests")
    var matches = 0
    for _ in 0..<4_000 {
      let utf8 = random.spelledText()
      let text = String(decoding: utf8, as: UTF8.self)
      let scalars = text.unicodeScalars
      let start = random.below(scalars.count + 1)
      let part = String(scalars.dropFirst(start).prefix(1 + random.below(4)))
      let wanted = random.oneIn(3) ? String(decoding: random.spelledText(), as: UTF8.self) : part
      for kind in [TextPattern.Kind.equal, .contains, .hasPrefix, .hasSuffix] {
        for options in FoldingTableTests.allOptions {
          let matcher = TextMatcher(TextPattern(kind: kind, text: wanted, options: options))
          let expected = NaiveFolding.fits(
            NaiveFolding.folded(text, options), kind, NaiveFolding.folded(wanted, options))
          matches += expected ? 1 : 0
          #expect(
            utf8.withUnsafeBytes { matcher.matches($0) } == expected,
            "seed \(random.seed): \(kind) \(options.rawValue) \(wanted) in \(utf8)")
        }
      }
    }
    #expect(matches > 4_000)
  }

  @Test func textsCompareAsTheirNormalFormsDo() {
    var random = SeededGenerator.forTest("TextTest")
    for _ in 0..<6_000 {
      let utf8 = random.spelledText()
      let text = String(decoding: utf8, as: UTF8.self)
      let other =
        random.oneIn(2)
        ? String(TextKey.canonicalDecomposition(of: text))
        : String(decoding: random.spelledText(), as: UTF8.self)
      let test = TextTest(other)
      let (left, right) = (NaiveFolding.folded(text, []), NaiveFolding.folded(other, []))
      let order = utf8.withUnsafeBytes { test.order(of: $0) }
      #expect(order.signum() == compare(left, right), "seed \(random.seed): \(utf8)")
      let isEqual = utf8.withUnsafeBytes { test.isEqual(to: $0) }
      #expect(isEqual == (text == other), "seed \(random.seed): \(utf8)")
      #expect(code(utf8, foldsCase: false) == escaped(left), "seed \(random.seed): \(utf8)")
      let caseFolded = NaiveFolding.folded(text, .caseInsensitive)
      #expect(code(utf8, foldsCase: true) == escaped(caseFolded), "seed \(random.seed): \(utf8)")
    }
  }

  private func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  private func code(_ utf8: [UInt8], foldsCase: Bool) -> [UInt8] {
    var code = _ByteBuffer()
    utf8.withUnsafeBytes {
      code.appendVariableCode(.string, $0, cut: nil, foldsCase: foldsCase)
    }
    return Array(code.bytes)
  }

  private func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { $0 == 0 ? [0, 0xFF] : [$0] } + [0, 0]
  }
}

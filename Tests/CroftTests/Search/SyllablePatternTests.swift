import TestSupport
import Testing

@testable import Croft

/// What a text tells before it is folded is what the folded one does.
@Suite struct SyllablePatternTests {
  private static let syllables = ["가", "나", "각", "힣", "유"]
  /// Texts between syllables, before and after them: some compose, vanish or divide.
  private static let others = [
    "", "", "", "", " ", " ", "  ", "\t", "\n", "\u{0}", "\u{8}", ",", "-", "a", "Z", "3", "ㄱ", "ㅏ",
    "か", "字",
    "\u{3000}", "\u{A0}", "\u{2003}", "\u{200B}", "\u{200D}", "\u{AD}", "\u{640}", "\u{FE0F}",
    "\u{301}",
    "\u{302E}", "\u{20DD}", "\u{5B8}", "\u{1100}", "\u{1161}", "\u{11A8}", "\u{11C2}", "\u{1175}",
    "\u{D7B0}",
    "\u{A960}", "ﾡ", "한", "걔", "😀", "é", "e\u{301}", "\u{E000}",
  ]

  /// The pattern of a query that is one term.
  private func patterns(_ query: String) throws -> (SearchPattern, syllables: SyllablePattern?) {
    let term = try #require(SearchQuery(query).groups.first?.first)
    let sequence = try #require(term.sequences.first)
    #expect(term.sequences.count == 1)
    return (
      SearchPattern(sequence.parts, startsWord: sequence.startsWord),
      SyllablePattern(sequence.parts)
    )
  }

  /// The answer of a text before it is folded, and that of the folded one.
  private func occurs(
    _ pattern: (SearchPattern, syllables: SyllablePattern?), in utf8: [UInt8]
  ) -> (known: Bool?, folded: Bool) {
    utf8.withUnsafeBytes { text in
      let known = pattern.0.occurs(inUnfolded: text)
      #expect(known == pattern.syllables?.occurs(in: text))
      return (known, TextFolding.withFolded(text, .forSearch) { pattern.0.occurs(in: $0) })
    }
  }

  @Test func anUnfoldedTextTellsWhatTheFoldedOneDoes() throws {
    var random = SeededGenerator.forTest("SyllablePatternTests")
    var (found, lacking, unknown) = (0, 0, 0)
    for _ in 0..<Torture.steps(short: 20_000, long: 1_000_000) {
      let query = (0...random.below(4)).map { _ in random.pick(Self.syllables) }.joined()
      // Half of the texts have the query, with something between its syllables.
      let near = query.map { String($0) + (random.oneIn(3) ? random.pick(Self.others) : "") }
      let far = (0..<random.below(6)).map { _ in
        random.pick(Self.syllables) + random.pick(Self.others)
      }
      let parts = [random.pick(Self.others)] + (random.oneIn(2) ? far + near : near + far)
      var utf8 = Array(parts.joined().utf8)
      if random.oneIn(20) { utf8[random.below(utf8.count)] = UInt8(random.below(256)) }
      let pattern = try patterns(query)
      let (known, folded) = occurs(pattern, in: utf8)
      #expect(known == nil || known == folded, "seed \(random.seed): \(query) in \(utf8)")
      switch known {
      case true?: found += 1
      case false?: lacking += 1
      case nil: unknown += 1
      }
      let text = String(decoding: utf8, as: UTF8.self)
      #expect(
        TextSearch(query).matches(text) == NaiveSearch(query).matches(text),
        "seed \(random.seed): \(query) in \(utf8)")
    }
    #expect(min(found, lacking, unknown) > 500, "\(found) \(lacking) \(unknown)")
  }

  /// No other scalar folds to a syllable, and what follows a syllable changes it in no text without jamo.
  @Test func onlyJamoFoldToSyllables() {
    func hasSyllable(_ text: some StringProtocol) -> Bool {
      text.unicodeScalars.contains { Hangul.syllables.contains($0.value) }
    }
    for value in UInt32(0)...0xFFFF where !Hangul.syllables.contains(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isJamo = (0x1100...0x11FF).contains(value)
      #expect(!hasSyllable(TextFolding.folded(String(scalar), .forSearch)), "\(scalar.value)")
      let after = TextFolding.folded("가" + String(scalar), .forSearch).unicodeScalars
      if !isJamo { #expect(after.first == "가" && !hasSyllable(String(after.dropFirst()))) }
      if isJamo { #expect(Array(String(scalar).utf8)[0] == 0xE1) }
    }
    #expect(TextFolding.folded("가\u{11A8}", .forSearch) == "각")
  }

  @Test(
    arguments: [
      // Together, and with white space from a word's start on.
      ("나나", "바나나", true), ("나나", "바 나 나", true), ("나나", "바나 나", false), ("과일", "사과 일", false),
      ("과일", "a과 \t일", true), ("과일", "과,일", false), ("과일", "과일", true), ("과일", "과", false),
      ("과", "사과", true), ("과", "", false), ("과일", "과일 \u{1161}", nil),
      // Signs that may vanish or compose, and white space that is not ASCII.
      ("과일", "과\u{200D}일", nil), ("과일", "과\u{3000}일", nil), ("과일", "か과 일", nil),
      ("과일", "か과일", true),
      ("과일", "과\u{301}일 과일", true), ("과", "\u{1100}\u{116A}", nil), ("가", "가\u{11A8}", nil),
    ] as [(String, String, Bool?)])
  func aTextTells(_ query: String, _ text: String, _ occurs: Bool?) throws {
    let pattern = try patterns(query)
    #expect(self.occurs(pattern, in: Array(text.utf8)).known == occurs)
  }

  @Test func onlySyllablesThatFollowEachOtherAreAPattern() throws {
    for query in ["a", "가a", "ㄱ", "가ㄴ", "かな", "\"가 나\"", "字", "3", "가😀"] {
      #expect(try patterns(query).syllables == nil, "\(query)")
    }
    for query in ["가", "가나", "\u{1100}\u{1161}", "힣힣힣"] {
      #expect(try patterns(query).syllables != nil, "\(query)")
    }
    // Initials match from a word's start, and beginnings are several syllables.
    let term = try #require(SearchQuery("가*").groups.first?.first)
    for sequence in term.sequences { #expect(SyllablePattern(sequence.parts) == nil) }
  }
}

import TestSupport
import Testing

@testable import Croft

/// The table of scalars gives what the definition gives, and is only quicker.
@Suite struct FoldingTableTests {
  static let allOptions = (0..<4).map { TextOptions(rawValue: $0) }

  /// All scalars that have a meaning.
  private static var assigned: some Sequence<Unicode.Scalar> {
    (0...UInt32(0x10FFFF)).lazy.compactMap(Unicode.Scalar.init).filter { scalar in
      switch scalar.properties.generalCategory {
      case .unassigned, .privateUse: false
      default: true
      }
    }
  }

  private func folded(
    _ text: some Sequence<UInt8>, _ options: TextOptions, first count: Int = .max
  ) -> [UInt8] {
    Array(text).withUnsafeBytes { utf8 in
      TextFolding.withFolded(utf8, options, first: count) { Array($0) }
    }
  }

  @Test func eachScalarFoldsAsItIsDefined() {
    for scalar in Self.assigned {
      let text = String(scalar)
      for options in Self.allOptions {
        if folded(text.utf8, options) == NaiveFolding.folded(text, options) { continue }
        Issue.record("U+\(String(scalar.value, radix: 16)) under \(options.rawValue)")
      }
    }
  }

  @Test func textsMayBeCutBeforeEachStableScalarAndWhatItFoldsTo() {
    // The scalars that some composed scalar has after its first one.
    var composing: Set<Unicode.Scalar> = []
    for scalar in Self.assigned {
      composing.formUnion(TextKey.canonicalDecomposition(of: String(scalar)).dropFirst())
    }
    /// Whether a text composes with no text before it.
    func isApart(_ text: String) -> Bool {
      guard let first = TextKey.canonicalDecomposition(of: text).first else { return false }
      return first.properties.canonicalCombiningClass == .notReordered
        && !composing.contains(first)
    }
    for scalar in StableScalars.all {
      let text = String(scalar)
      let isStable =
        scalar.properties.generalCategory != .unassigned && isApart(text)
        && !NaiveFolding.isMark(scalar)
        && Array(TextKey.canonicalComposition(of: text).unicodeScalars) == [scalar]
      if !isStable { Issue.record("U+\(String(scalar.value, radix: 16))") }
    }
    // A word may begin with a scalar that a stable one and its marks compose.
    for scalar in Self.assigned where isApart(String(scalar)) {
      if !isApart(TextKey.caseFolded(String(scalar))) {
        Issue.record("U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test func theTableKnowsTheScriptsThatItIsFor() {
    let table = FoldingTable([])
    for text in [
      "사랑 노래 ㅋㅋ", "L’âme déjà naïve, cœur « Noël »…", "Größe ẞ", "İstanbul ışık", "Ώρα καλή",
      "Ёлка", "Tiếng Việt", "日本語カタカナ", "👍🏽 👩‍👧 🇰🇷 ♥️", "שלום", "سلام", "ＡＢＣ",
    ] {
      let isKnown = Array(text.utf8).withUnsafeBytes { table.isStable($0, first: .max) }
      #expect(isKnown, "\(text)")
    }
  }

  @Test func textsFoldAsTheyAreDefined() {
    var random = SeededGenerator.forTest("FoldingTableTests")
    for _ in 0..<6_000 {
      let utf8 = random.spelledText()
      let text = String(decoding: utf8, as: UTF8.self)
      for options in Self.allOptions {
        let wanted = NaiveFolding.folded(text, options)
        #expect(folded(utf8, options) == wanted, "seed \(random.seed): \(utf8)")
        let count = random.below(9)
        let start = folded(utf8, options, first: count)
        #expect(start.count >= min(count, wanted.count), "seed \(random.seed): \(utf8)")
        #expect(start.prefix(count) == wanted.prefix(count), "seed \(random.seed): \(utf8)")
      }
    }
  }

  /// What may follow a scalar and compose with it, or may not.
  private static let followers = [
    "", "x", "\u{301}", "\u{323}", "한", "\u{1100}", "\u{1161}", "\u{11A8}",
  ]

  @Test func lettersWithMarksFoldAsTheyAreDefined() {
    for letter in UInt8(0x21)...0x7E {
      for mark in UInt32(0x2FE)...0x346 {
        var text = "a" + String(Unicode.Scalar(letter))
        text.unicodeScalars.append(Unicode.Scalar(mark) ?? "x")
        text += Self.followers[(Int(letter) + Int(mark)) % Self.followers.count]
        for options in Self.allOptions {
          let wanted = NaiveFolding.folded(text, options)
          #expect(folded(text.utf8, options) == wanted, "\(text.unicodeScalars.map(\.value))")
        }
      }
    }
  }

  @Test func syllablesInJamoFoldAsTheyAreDefined() {
    for (place, value) in (UInt32(0xAC00)...0xD7A3).enumerated() {
      let syllable = Unicode.Scalar(value).map { String($0) } ?? ""
      let text =
        "한 " + String(TextKey.canonicalDecomposition(of: syllable))
        + Self.followers[place % Self.followers.count]
      for options in Self.allOptions {
        let wanted = NaiveFolding.folded(text, options)
        #expect(folded(text.utf8, options) == wanted, "\(text.unicodeScalars.map(\.value))")
      }
    }
  }

  /// A text so long that its folded form has no room on the stack, with every kind of scalar.
  @Test func longTextsFoldAsTheyAreDefined() {
    var random = SeededGenerator.forTest("FoldingTableTests long")
    for _ in 0..<40 {
      let utf8 = (0..<random.below(300)).flatMap { _ in random.spelledText() }
      let text = String(decoding: utf8, as: UTF8.self)
      for options in Self.allOptions {
        #expect(folded(utf8, options) == NaiveFolding.folded(text, options), "\(random.seed)")
      }
    }
  }
}

extension StableScalars {
  /// The scalars of all ranges.
  fileprivate static var all: some Sequence<Unicode.Scalar> {
    (unchanged + mapped).lazy.flatMap { $0 }.compactMap(Unicode.Scalar.init)
  }
}

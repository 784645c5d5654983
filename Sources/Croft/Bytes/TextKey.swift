@_spi(_Unicode) import Swift

/// Unicode's normalisation form C, behind one function so that its source can change.
enum NormalForm {
  /// The text in normalisation form C (Unicode Standard Annex 15).
  ///
  /// The standard library has it behind an underscored interface; FoundationEssentials
  /// has none, and Foundation would cost a prompt its start-up time.
  static func canonicalComposition(of text: String) -> String {
    var normal = ""
    normal.unicodeScalars.append(contentsOf: text._nfc)
    return normal
  }

  /// The text in normalisation form D.
  static func canonicalDecomposition(of text: String) -> String.UnicodeScalarView {
    var normal = String.UnicodeScalarView()
    normal.append(contentsOf: text._nfd)
    return normal
  }

  /// Whether all bytes are ASCII, which is in normalisation form C already.
  static func isASCII(_ utf8: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    let count = utf8.count
    while index &+ 8 <= count {
      // Safety: eight bytes from `index` on lie in the buffer.
      let word = unsafe utf8.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    while index < count {
      if unsafe utf8[index] >= 0x80 { return false }
      index &+= 1
    }
    return true
  }
}

/// Texts made equal where they differ in case only.
enum CaseFolding {
  /// The text with its case folded, in normalisation form C.
  ///
  /// Unicode's full case folding by the standard library's mappings, which has no folding of
  /// its own: each scalar goes to lower, to upper and to lower case again, so that ß, ẞ, SS and
  /// ss are one, as are σ and ς. The dotless ı stays itself. No language's rules are applied.
  static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = ""
    for scalar in NormalForm.canonicalComposition(of: text).unicodeScalars {
      if scalar == "\u{131}" {
        folded.unicodeScalars.append(scalar)
      } else {
        folded += lower(upper(scalar.properties.lowercaseMapping))
      }
    }
    return NormalForm.canonicalComposition(of: folded)
  }

  private static func upper(_ text: String) -> String {
    text.unicodeScalars.map(\.properties.uppercaseMapping).joined()
  }

  private static func lower(_ text: String) -> String {
    text.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }
}

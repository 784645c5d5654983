@_spi(_Unicode) import Swift

/// How texts are made comparable byte by byte: normalised, or with their case folded.
enum TextKey {
  /// The text in normalisation form C (Unicode Standard Annex 15).
  ///
  /// The standard library offers it in an underscored interface only; FoundationEssentials
  /// has none, and loading Foundation would slow the start of a command-line program.
  @inline(never)
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

  /// The text with its case folded, in normalisation form C.
  ///
  /// It is Unicode's full case folding, made of the standard library's mappings because that has
  /// no folding: each scalar is mapped to lower, to upper and to lower case again, so that ß, ẞ, SS
  /// and ss become one text, as do σ and ς. The dotless ı stays as it is. No language's own rules
  /// are applied.
  @inline(never)
  static func caseFolded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = ""
    for scalar in canonicalComposition(of: text).unicodeScalars {
      if scalar == "\u{131}" {
        folded.unicodeScalars.append(scalar)
      } else {
        folded += lower(upper(scalar.properties.lowercaseMapping))
      }
    }
    return canonicalComposition(of: folded)
  }

  private static func upper(_ text: String) -> String {
    text.unicodeScalars.map(\.properties.uppercaseMapping).joined()
  }

  private static func lower(_ text: String) -> String {
    text.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }
}

extension _ByteBuffer {
  /// Appends the UTF-8 of a text with its case folded, escaped and with the end mark.
  @inline(never)
  mutating func appendCaseFolded(_ utf8: UnsafeRawBufferPointer) {
    // Safety: the bytes are copied while they are borrowed.
    unsafe TextFolding.withFolded(utf8, .caseInsensitive) { unsafe appendEscaped($0) }
  }

  // Apart, so that ASCII does not pay for the registers that it needs.
  @inline(never)
  mutating func appendComposed(_ utf8: UnsafeRawBufferPointer) {
    // Safety: the bytes are copied while they are borrowed.
    unsafe TextFolding.withFolded(utf8, []) { unsafe appendEscaped($0) }
  }
}

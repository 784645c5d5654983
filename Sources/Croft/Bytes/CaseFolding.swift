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

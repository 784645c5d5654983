import TerminalText

/// The signs of check marks, bars and borders.
///
/// They are ASCII unless the settings say otherwise, because terminals disagree about others. Check marks and
/// bars have one width everywhere; borders have the width of ambiguous characters.
struct Glyphs: Equatable {
  var isUnicode = false

  func box(isDone: Bool) -> String {
    isUnicode ? (isDone ? "\u{2611}" : "\u{2610}") : (isDone ? "[x]" : "[ ]")
  }

  /// A bar of a length, of which a part is filled.
  func bar(filled: Int, of length: Int) -> String {
    let (begin, full, open, end) =
      isUnicode ? ("", "\u{25B0}", "\u{25B1}", "") : ("[", "#", "-", "]")
    return begin + String(repeating: full, count: filled)
      + String(repeating: open, count: length - filled) + end
  }

  /// The sign of a border's left and right side.
  var side: String { isUnicode ? "\u{2502}" : "|" }

  /// The upper or lower border above so many columns, which must be even, and two corners.
  func border(_ columns: Int, isUpper: Bool) -> String {
    if !isUnicode { return "+" + String(repeating: "-", count: columns) + "+" }
    let line = String(repeating: "\u{2500}", count: columns / "\u{2500}".displayWidth)
    return isUpper ? "\u{250C}\(line)\u{2510}" : "\u{2514}\(line)\u{2518}"
  }
}

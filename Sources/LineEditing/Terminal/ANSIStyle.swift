/// A style of text, by its ANSI code (SGR).
///
/// Nothing is said by style alone. The codes are those of a terminal's own colours.
package enum ANSIStyle: Int {
  /// Heavy letters.
  case bold = 1
  /// Grey letters.
  case dim = 2
  /// Letters that are crossed out.
  case strikethrough = 9
  /// Red letters.
  case red = 31
  /// Green letters.
  case green = 32
  /// Yellow letters.
  case yellow = 33

  /// The code of a style in the terminal's own colours.
  package static func usualCode(of style: ANSIStyle) -> String? { String(style.rawValue) }
}

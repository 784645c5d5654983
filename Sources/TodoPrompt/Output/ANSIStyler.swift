import LineEditing
import TodoKit

/// Adds ANSI codes to text, unless colour is off.
///
/// A library for six codes would load all of Foundation at every start, and such libraries keep one
/// switch for the process, while each stream has its own here.
struct ANSIStyler {
  let isOn: Bool
  var depth = ColorDepth.sixteen
  var theme = Theme.default

  /// The text in the given styles; an empty text is not changed.
  func styled(_ text: String, _ styles: ANSIStyle...) -> String {
    guard isOn, !styles.isEmpty, !text.isEmpty else { return text }
    let codes = styles.compactMap { theme.code(of: $0) }.joined(separator: ";")
    if codes.isEmpty { return text }
    return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
  }

  /// The columns that a colour's block and the blank after it take; none where there are no colours.
  var swatchWidth: Int { isOn && theme != .none ? 3 : 0 }

  /// A block of a colour, and a blank; blanks without a colour, and nothing where there are none.
  func swatch(_ color: RGBA?) -> String {
    if swatchWidth == 0 { return "" }
    guard let color else { return "   " }
    return "\u{1B}[\(depth.backgroundCode(of: color))m  \u{1B}[0m "
  }
}

extension SharedOptions.ColorChoice {
  /// Whether a stream is coloured.
  ///
  /// With `auto`, `NO_COLOR` switches colour off, and then `CLICOLOR_FORCE` or `FORCE_COLOR`
  /// switches it on. Otherwise a terminal is coloured unless it is dumb. Empty variables and a force
  /// of 0 are ignored.
  func isOn(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    if isSet("NO_COLOR") { return false }
    let isForced = ["CLICOLOR_FORCE", "FORCE_COLOR"].contains {
      isSet($0) && environment[$0] != "0"
    }
    return isForced || (isTerminal && environment["TERM"] != "dumb")
  }
}

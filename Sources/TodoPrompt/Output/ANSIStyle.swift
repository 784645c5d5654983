/// A style of text, by its ANSI code (SGR).
///
/// Nothing is said by style alone.
///
/// The colours are the terminal's own, which its user can read on any background.
enum ANSIStyle: Int {
  case bold = 1
  case dim = 2
  case struck = 9
  case red = 31
  case green = 32
  case yellow = 33
}

/// Adds ANSI codes to text, or none where colour is off.
///
/// A library for six codes would load all of Foundation at every start, and such libraries keep one
/// switch for the process, while each stream has its own here.
struct ANSIStyler {
  let isOn: Bool

  /// The text in the given styles; an empty text stays as it is.
  func styled(_ text: String, _ styles: ANSIStyle...) -> String {
    guard isOn, !styles.isEmpty, !text.isEmpty else { return text }
    let codes = styles.map { String($0.rawValue) }.joined(separator: ";")
    return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
  }
}

extension ColorChoice {
  /// Whether a stream is coloured.
  ///
  /// The choice decides first; left to itself, `NO_COLOR` switches colour off and
  /// `CLICOLOR_FORCE` or `FORCE_COLOR` on, and then it takes a terminal that is
  /// not dumb. Variables that are empty say nothing, nor does a force of 0.
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

/// What a piece of text looks like, beside its words, which must do without.
///
/// The palette is the terminal's own, so that it stays readable on light and dark.
enum ANSIStyle: Int {
  case bold = 1
  case dim = 2
  case struck = 9
  case red = 31
  case green = 32
  case yellow = 33
}

/// Colours text, or leaves it as it is where colour is off.
///
/// Six codes need no library: the usual one would load all of Foundation and its
/// Unicode data at every start, and keeps its switches in global variables, while
/// here two streams decide apart.
struct ANSIStyler {
  let isOn: Bool

  /// The text in the given styles; an empty text, or no ink, stays as it is.
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

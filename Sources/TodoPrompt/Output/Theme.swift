import LineEditing

/// A choice of colours for the styles of output.
enum Theme: String, CaseIterable {
  /// The terminal's own colours, which its user can read on any background.
  case `default`
  /// Bright colours, for a dark background.
  case dark
  /// Colours without yellow, for a light background.
  case light
  /// Bright and bold colours, and nothing dim.
  case contrast
  /// No colours; other styles stay.
  case none

  /// The ANSI code (SGR) of a style; nil for one that the theme does not show.
  func code(of style: ANSIStyle) -> String? {
    switch (self, style) {
    case (.dark, .red): "91"
    case (.dark, .green): "92"
    case (.dark, .yellow): "93"
    case (.dark, .dim): "37"
    case (.light, .yellow): "35"
    case (.light, .dim): "90"
    case (.contrast, .red): "1;91"
    case (.contrast, .green): "1;92"
    case (.contrast, .yellow): "1;93"
    case (.contrast, .dim), (.none, .red), (.none, .green), (.none, .yellow): nil
    default: String(style.rawValue)
    }
  }

  /// What it is for, in one line.
  var summary: LocalizedText {
    switch self {
    case .default: LocalizedText("the terminal's own colours", "터미널의 색")
    case .dark: LocalizedText("bright, for a dark background", "어두운 배경에 밝은 색")
    case .light: LocalizedText("for a light background", "밝은 배경에 맞는 색")
    case .contrast: LocalizedText("bright and bold, nothing dim", "밝고 굵게, 흐린 것 없이")
    case .none: LocalizedText("no colours", "색 없이")
    }
  }
}

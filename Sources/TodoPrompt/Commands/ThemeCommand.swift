import LineEditing
import TerminalText
import TodoKit

struct ThemeCommand: Command {
  static let name = "theme"
  static let aliases = ["테마"]
  static let synopsis = "theme [\(Theme.allCases.map(\.rawValue).joined(separator: "|"))]"
  static let example = "theme dark"
  static let summary = LocalizedText("Shows and changes the colours.", "색을 보여 주고 바꿉니다.")
  static let details = [
    LocalizedText(
      Theme.allCases.map { "  \($0.rawValue): \($0.summary.english)" }.joined(separator: "\n")
        + "\n  The setting \"theme\" keeps it.",
      Theme.allCases.map { "  \($0.rawValue): \($0.summary.korean)" }.joined(separator: "\n")
        + "\n  \"theme\" 설정에 남습니다.")
  ]
  static let actions = Theme.allCases.map(\.rawValue)

  /// The theme to use; nil to list all.
  let theme: Theme?

  func run(in session: Session) {
    guard let theme else { return list(in: session) }
    session.keep(.theme, as: theme.rawValue)
    session.say(
      "Colours: \(theme.rawValue), \(theme.summary.english).",
      "색: \(theme.rawValue), \(theme.summary.korean).")
  }

  /// Prints the themes, with a mark before the one that is used and an example of each.
  private func list(in session: Session) {
    let output = session.environment.output
    let width = Theme.allCases.map(\.rawValue.count).max() ?? 0
    var styler = session.styler(for: output)
    for theme in Theme.allCases {
      styler.theme = theme
      let mark = theme == session.config.theme ? "*" : " "
      let language = session.preferences.language
      let samples: [(Priority, ANSIStyle)] = [(.high, .red), (.normal, .yellow), (.low, .green)]
      let words = samples.map { styler.styled(LocalizedText.priority($0).text(in: language), $1) }
      let name = theme.rawValue.padded(to: width)
      let text = styler.styled(theme.summary.text(in: language), .dim)
      output.write("\(mark) \(name)  \(words.joined(separator: " "))  \(text)\n")
    }
  }

  init(_ input: CommandInput) throws {
    guard let word = try input.onlyWord() else {
      theme = nil
      return
    }
    guard let theme = Theme(rawValue: word.lowercased()) else {
      let names = Theme.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(
        "There is no theme \"\(word.visible)\". There are \(names).",
        "\"\(word.visible)\" 테마는 없습니다. 있는 테마: \(names).", .usage)
    }
    self.theme = theme
  }
}

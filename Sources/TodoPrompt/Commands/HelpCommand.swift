import LineEditing
import TerminalText

struct HelpCommand: Command {
  static let name = "help"
  static let aliases = ["?", ".help", "도움말"]
  static let synopsis = "help [VERB]"
  static let example = "help add"
  static let summary = LocalizedText("Explains the verbs, or one of them.", "명령을 설명합니다.")

  /// The width of help where the terminal says none.
  private static let columns = 80

  /// The name of the verb to explain; nil for all.
  let verb: String?

  var isPaged: Bool { true }

  func run(in session: Session) {
    let text = verb.flatMap { Grammar.commandsByName[$0] }.map(Self.explanation) ?? Self.overview
    let columns = session.environment.output.columns ?? Self.columns
    session.say(text.english.wrapped(to: columns), text.korean.wrapped(to: columns))
  }
}

extension HelpCommand {
  init(_ input: CommandInput) throws {
    guard let word = input.allWords.first else {
      verb = nil
      return
    }
    guard let command = Grammar.commandsByName[word] else {
      throw CommandError(.unknownVerb(word), .usage)
    }
    verb = command.name
  }

  /// One verb: its forms, its summary, an example, and its details.
  private static func explanation(of command: any Command.Type) -> LocalizedText {
    LocalizedText(
      "\(command.synopsis)\n  \(command.summary.english)\n  Example: \(command.example)",
      "\(command.synopsis)\n  \(command.summary.korean)\n  예: \(command.example)"
    ).followed(by: command.details)
  }

  /// All verbs, a line each, and the options.
  private static var overview: LocalizedText {
    LocalizedText(
      """
      todo [OPTIONS] VERB ...    one command
      todo [OPTIONS] -c LINE     one command line; may be repeated
      todo [OPTIONS]             the prompt; or a script on standard input

      \(verbTable { $0.english })

      \(optionTable { $0.english })

      An ITEM is a number of the last list, a range such as 5-7, or an id's last four or more \
      characters. "help VERB" says more and shows an example.

      Items are kept in ~/.local/share/todo/todo.croft (in $XDG_DATA_HOME/todo where that is set) \
      unless --db or TODO_DB names a file. TODO_PRIORITY (high, normal or low) is the priority of \
      items that are added without one; config priority none adds them without any.
      """,
      """
      todo [옵션] 명령 ...       명령 하나
      todo [옵션] -c 줄          명령 줄 하나. 여러 번 쓸 수 있습니다
      todo [옵션]                프롬프트, 또는 표준 입력의 스크립트

      \(verbTable(withKoreanNames: true) { $0.korean })

      \(optionTable { $0.korean })

      ITEM은 마지막 목록의 번호, 5-7 같은 범위, 또는 id의 끝 네 글자 이상입니다.
      "help 명령"으로 자세히 보고 예를 볼 수 있습니다.

      할일은 ~/.local/share/todo/todo.croft에 있습니다($XDG_DATA_HOME이 있으면 그 안의 todo 폴더). \
      다른 파일은 --db나 TODO_DB로 정합니다. TODO_PRIORITY(high, normal, low)는 중요도 없이 추가한 \
      할일의 중요도이고, config priority none은 중요도 없이 추가하게 합니다.
      """)
  }

  private static func verbTable(
    withKoreanNames: Bool = false, _ text: (LocalizedText) -> String
  ) -> String {
    columns(
      Grammar.commands.map { command in
        let korean = command.aliases.first { !$0.allSatisfy(\.isASCII) }
        let name = withKoreanNames ? korean.map { "\(command.name), \($0)" } : nil
        return (name ?? command.name, text(command.summary))
      })
  }

  private static func optionTable(_ text: (LocalizedText) -> String) -> String {
    columns(SharedOptions.explained.map { ($0.spelling, text($0.meaning)) })
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let first = rows.map { $0.0.displayWidth }.max() ?? 0
    return rows.map { "  \($0.0.padded(to: first))  \($0.1)" }.joined(separator: "\n")
  }
}

/// What `help` says; every verb with one example.
extension LocalizedText {
  /// All verbs, a line each, and the options.
  static var overview: LocalizedText {
    LocalizedText(
      """
      todo [OPTIONS] VERB ...    one command
      todo [OPTIONS] -c LINE     one command line; may be repeated
      todo [OPTIONS]             the prompt; or a script on standard input

      \(verbTable { $0.english })

      \(optionTable { $0.english })

      An ITEM is a number of the last list, a range such as 5-7, or an id's last four
      or more characters. "help VERB" says more.

      Items are kept in ~/.local/share/todo/todo.croft (in $XDG_DATA_HOME/todo where that
      is set) unless --db or TODO_DB names a file. TODO_PRIORITY (high, normal or low) is the
      priority of what is added without one.
      """,
      """
      todo [옵션] 명령 ...       명령 하나
      todo [옵션] -c 줄          명령 줄 하나. 여러 번 쓸 수 있습니다
      todo [옵션]                프롬프트, 또는 표준 입력의 스크립트

      \(verbTable { $0.korean })

      \(optionTable { $0.korean })

      ITEM은 마지막 목록의 번호, 5-7 같은 범위, 또는 id의 끝 네 글자 이상입니다.
      "help 명령"으로 자세히 볼 수 있습니다.

      할일은 ~/.local/share/todo/todo.croft에 있습니다($XDG_DATA_HOME이 있으면 그 안의
      todo 폴더). 다른 파일은 --db나 TODO_DB로 정합니다. TODO_PRIORITY(high, normal, low)는
      중요도 없이 추가한 할일의 중요도입니다.
      """)
  }

  /// One verb: how it is written, what it does, an example.
  static func explanation(of verb: Verb) -> LocalizedText {
    let summary = summary(of: verb)
    let details = details(of: verb)
    return LocalizedText(
      "\(verb.synopsis)\n  \(summary.english)\n  Example: \(verb.example)",
      "\(verb.synopsis)\n  \(summary.korean)\n  예: \(verb.example)"
    ).followed(by: details)
  }

  private static func summary(of verb: Verb) -> LocalizedText {
    switch verb {
    case .add: LocalizedText("Adds an item; it needs a priority.", "할일을 추가합니다. 중요도가 필요합니다.")
    case .ls: LocalizedText("Lists items, open ones first.", "할일을 보여 줍니다. 남은 것이 먼저입니다.")
    case .show:
      LocalizedText("Shows a group, or all of one item.", "그룹 하나나 할일 하나를 자세히 보여 줍니다.")
    case .done: LocalizedText("Marks items as done.", "할일을 완료합니다.")
    case .undone: LocalizedText("Marks items as not done.", "완료를 취소합니다.")
    case .edit: LocalizedText("Gives an item another title.", "할일의 제목을 바꿉니다.")
    case .pri: LocalizedText("Sets the priority of items.", "할일의 중요도를 바꿉니다.")
    case .star: LocalizedText("Gives items a star.", "할일에 별표를 합니다.")
    case .unstar: LocalizedText("Takes stars away.", "별표를 해제합니다.")
    case .due: LocalizedText("Sets the day items are due.", "할일의 마감일을 정합니다.")
    case .tag: LocalizedText("Files items under words.", "할일에 태그를 붙입니다.")
    case .untag: LocalizedText("Takes such words away.", "할일의 태그를 뗍니다.")
    case .mv: LocalizedText("Puts items elsewhere.", "할일을 옮깁니다.")
    case .undo: LocalizedText("Takes the last command back.", "마지막 명령을 되돌립니다.")
    case .redo: LocalizedText("Does it again.", "되돌린 명령을 다시 실행합니다.")
    case .group: LocalizedText("Lists and changes groups.", "그룹을 보여 주고 바꿉니다.")
    case .help: LocalizedText("Explains the verbs, or one of them.", "명령을 설명합니다.")
    case .quit: LocalizedText("Leaves the prompt, or ends a script.", "프롬프트나 스크립트를 끝냅니다.")
    case .rm: LocalizedText("Deletes items; asks for 3 or more.", "할일을 삭제합니다. 셋부터 묻습니다.")
    }
  }

  private static let options: [(spelling: String, meaning: LocalizedText)] = [
    ("--db PATH", LocalizedText("the file with the items (or TODO_DB)", "할일 파일 (또는 TODO_DB)")),
    ("-o table|json", LocalizedText("how results are written", "출력 형식")),
    ("--color auto|always|never", LocalizedText("when to colour", "색을 쓸 때")),
    ("--lang ko|en", LocalizedText("the language of messages", "메시지 언어")),
    ("--yes", LocalizedText("delete without asking", "묻지 않고 삭제")),
    ("--keep-going", LocalizedText("go on after an error", "오류가 나도 계속")),
    ("-h, --help", LocalizedText("this text, or a verb's", "도움말")),
  ]

  private static func verbTable(_ text: (LocalizedText) -> String) -> String {
    columns(Verb.allCases.map { ($0.rawValue, text(summary(of: $0)), $0.example) })
  }

  private static func optionTable(_ text: (LocalizedText) -> String) -> String {
    columns(options.map { ($0.spelling, text($0.meaning), "") })
  }

  private static func columns(_ rows: [(String, String, String)]) -> String {
    let first = rows.map { $0.0.displayWidth }.max() ?? 0
    let second = rows.map { $0.1.displayWidth }.max() ?? 0
    return rows.map { row in
      let head = "  \(row.0.padded(to: first))  "
      return row.2.isEmpty ? head + row.1 : head + row.1.padded(to: second) + "  " + row.2
    }.joined(separator: "\n")
  }
}

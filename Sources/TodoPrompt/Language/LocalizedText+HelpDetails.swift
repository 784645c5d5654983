import TodoKit

/// What `help VERB` says beyond the verb's summary.
extension LocalizedText {
  /// What else there is to know about a verb.
  static func details(of verb: Verb) -> [LocalizedText] {
    switch verb {
    case .add: [daysOfHelp, signsOfHelp]
    case .due: [daysOfHelp]
    case .edit:
      [
        LocalizedText(
          "  All words are the title; !h, @GROUP, due:DAY and #TAG are not read as signs here.",
          "  모든 낱말이 제목이 됩니다. !h, @GROUP, due:DAY, #TAG도 여기서는 제목입니다.")
      ]
    case .mv: [groupsOfHelp, placesOfHelp]
    case .show, .ls: [groupsOfHelp]
    case .group: [groupsOfHelp, placesOfHelp]
    case .undo: [historyOfHelp]
    default: []
    }
  }

  private static let daysOfHelp = LocalizedText(
    """
      A DAY is today, tomorrow, fri (the next one, not today), this fri (perhaps today),
      next fri (that of next week), +3d, +2w, 6/1, 2026-06-01, eom, or 내일, 금요일, 다음주 금,
      3일 뒤 and the like in Korean; 이번주 금 is that of this week, and no day once it has passed.
    """,
    """
      DAY는 오늘, 내일, 모레, 글피, 금요일(다음번 금요일, 오늘 제외), 다음주 월,
      이번주 금(지났으면 쓸 수 없음), 3일 뒤, 2주 뒤, 6/1, 6월 1일, 2026-06-01, 월말,
      또는 today, fri, next fri 같은 영어입니다.
    """)

  private static let signsOfHelp = LocalizedText(
    """
      What holds blanks is put in quotes: due:"next fri", @"my home", #"two words".
      A sign with nothing behind it is a word of the title, and so is all behind --.
      Without a priority TODO_PRIORITY counts, where it is set.
    """,
    """
      빈칸이 들어가면 따옴표로 묶습니다: due:"다음주 금", @"집안 일", #"두 낱말".
      뒤에 아무것도 없는 기호와 -- 뒤의 모든 낱말은 제목이 됩니다.
      중요도를 쓰지 않으면 TODO_PRIORITY의 값을 씁니다.
    """)

  private static let groupsOfHelp = LocalizedText(
    "  A GROUP is named by its name; @ before it says that no number or id is meant.",
    "  GROUP에는 그룹 이름을 씁니다. 번호나 id로 보일 이름 앞에는 @를 붙입니다.")

  private static let placesOfHelp = LocalizedText(
    "  first and last are other words for top and bottom.",
    "  first와 last는 top, bottom과 같습니다.")

  private static let historyOfHelp = LocalizedText(
    "  The last \(HistoryLimits().commands) commands are kept, whoever gave them.",
    "  누가 실행했든 마지막 명령 \(HistoryLimits().commands)개를 되돌릴 수 있습니다.")

  /// Said where nothing can be taken back, and yet there is something.
  static let olderCommandsAreNotKept = LocalizedText(
    "Only the last \(HistoryLimits().commands) commands are kept; older ones stay as they are.",
    "마지막 명령 \(HistoryLimits().commands)개만 되돌릴 수 있습니다. 그 전의 것은 그대로 남습니다.")
}

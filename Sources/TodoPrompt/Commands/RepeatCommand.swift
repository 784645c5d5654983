import CroftFoundation
import TodoKit

struct RepeatCommand: ItemTextCommand {
  static let name = "repeat"
  static let aliases = ["반복"]
  static let synopsis = "repeat ITEM... RULE|none"
  static let example = "repeat 3 every fri"
  static let summary = LocalizedText("Sets the recurrence of items.", "할일을 반복합니다.")
  static let details = [LocalizedText.repeatsHelp]

  let words: TargetsAndText

  func action(of text: [String], in session: Session) throws -> ([UUID]) -> TodoAction {
    let rule = try RepeatRule.typed(text.joined(separator: " "))
    return { .setRepeats($0, rule) }
  }

  static func answer(about item: TodoItem) -> LocalizedText {
    guard let rule = item.repeats else { return LocalizedText("No repetition", "반복 없음") }
    let day = LocalizedText.due(item) ?? LocalizedText("", "")
    return LocalizedText(
      "Repeats every \(rule.rawValue), due \(day.english)",
      "반복 \(rule.koreanWords), 마감일 \(day.korean)")
  }
}

extension RepeatRule {
  /// Reads the words of a rule; nil for `none`.
  static func typed(_ words: String) throws -> RepeatRule? {
    if words.meansNone { return nil }
    if let rule = RepeatRule(words: words) { return rule }
    throw CommandError(.unknownWord(words, at: .repeats), .usage)
  }
}

extension LocalizedText {
  /// The rules that can be written, for the help of verbs that take one.
  static let repeatsHelp = LocalizedText(
    """
      A RULE is day, week, month, quarter, year, 2 weeks, biweekly, fri, mon,wed, mon-fri, weekday, \
    month on 15, first mon, last fri, or 매일, 매주 금, 격주, 2주마다, 이틀마다, 매월 15일, 분기 and the \
    like in Korean; every before it is allowed.
      Completing a repeating item adds its next occurrence, due on the rule's next day.
    """,
    """
      RULE은 매일, 매주, 매월, 분기, 매년, 격주, 2주마다, 이틀마다, 매주 금, 매주 월수금, 평일, 매월 15일, \
    매월 첫째 월, 매월 마지막 금, 또는 day, 2 weeks, fri, mon,wed, month on 15 같은 영어입니다.
      반복하는 할일을 완료하면 다음 마감일의 할일이 새로 생깁니다.
    """)
}

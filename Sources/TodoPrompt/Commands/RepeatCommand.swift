import Presentation
import TodoKit

/// `repeat ITEM... RULE`: says how items come again.
struct RepeatCommand: Command {
  static let name = "repeat"
  static let aliases = ["반복"]
  static let synopsis = "repeat ITEM... RULE|none"
  static let example = "repeat 3 every fri"
  static let summary = LocalizedText("Says how items come again.", "할일을 반복합니다.")
  static let details = [LocalizedText.repeatsHelp]

  /// The items, and the words of the rule.
  let words: ItemWords

  func run(in session: Session) throws(CommandError) {
    let (targets, text) = try words.split(for: Self.self, in: session)
    let rule = try RepeatRule.typed(text.joined(separator: " "))
    try session.change(targets, by: { .setRepeats($0, rule) }) { label, item in
      let title = item.title.visible
      guard let rule = item.repeats else {
        return LocalizedText("No repetition \(label): \(title)", "반복 없음 \(label): \(title)")
      }
      let day = LocalizedText.due(item) ?? LocalizedText("", "")
      return LocalizedText(
        "Repeats every \(rule.rawValue), due \(day.english) \(label): \(title)",
        "반복 \(rule.koreanWords), 마감일 \(day.korean) \(label): \(title)")
    }
  }
}

extension RepeatCommand {
  init(_ input: CommandInput) throws(CommandError) { words = try ItemWords(input, of: Self.self) }
}

extension RepeatRule {
  /// Reads the words of a rule; nil for `none`.
  ///
  /// - Throws: An error with the status `usage` for words that name no rule.
  static func typed(_ words: String) throws(CommandError) -> RepeatRule? {
    if ["none", "없음"].contains(words.lowercased()) { return nil }
    switch Validator.repeatRule.validate(words) {
    case .valid(let rule, _): return rule
    case .invalid(let issues): throw CommandError(issues[0], .usage)
    }
  }

  /// The rule as it is typed behind a title.
  var asSign: String {
    rawValue.contains(" ") ? "every:\"\(rawValue)\"" : "every:\(rawValue)"
  }
}

extension LocalizedText {
  /// The rules that can be written, for the help of verbs that take one.
  static let repeatsHelp = LocalizedText(
    """
      A RULE is day, week, month, year, 2 weeks, fri, mon,wed, weekday, month on 15, or 매일, 매주 금, \
    2주마다, 매월 15일 and the like in Korean; every before it is allowed.
      A repeating item that is done leaves its rule to the next one, due on its next day.
    """,
    """
      RULE은 매일, 매주, 매월, 매년, 2주마다, 매주 금, 매주 월수금, 평일, 매월 15일, 또는 day, 2 weeks, \
    fri, mon,wed, month on 15 같은 영어입니다.
      반복하는 할일을 완료하면 다음 날의 할일이 새로 생깁니다.
    """)
}

import CroftFoundation
import TodoKit

struct DueCommand: ItemTextCommand {
  static let name = "due"
  static let aliases = ["마감", "기한"]
  static let synopsis = "due ITEM... DAY|none"
  static let example = "due 3 next fri"
  static let summary = LocalizedText(
    "Sets the day, or the time, items are due.", "할일의 마감일과 시각을 정합니다.")
  static let details = [LocalizedText.timesHelp]

  let words: TargetsAndText

  func action(of text: [String], in session: Session) throws -> ([UUID]) -> TodoAction {
    let due = try session.environment.clock.due(text.joined(separator: " "))
    return { .setDue($0, due) }
  }

  static func answer(about item: TodoItem) -> LocalizedText {
    guard let day = LocalizedText.due(item) else { return LocalizedText("No due day", "마감일 없음") }
    return LocalizedText("Due \(day.english)", "마감일 \(day.korean)")
  }
}

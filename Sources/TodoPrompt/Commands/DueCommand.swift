import TodoKit

/// `due ITEM... DAY`: sets the day by which items are due.
struct DueCommand: Command {
  static let name = "due"
  static let aliases = ["마감", "기한"]
  static let synopsis = "due ITEM... DAY|none"
  static let example = "due 3 next fri"
  static let summary = LocalizedText(
    "Sets the day, or the time, items are due.", "할일의 마감일과 시각을 정합니다.")
  static let details = [LocalizedText.daysHelp]

  /// The items, and the words of the day.
  let words: TargetsAndText

  func run(in session: Session) throws {
    let (targets, day) = try words.split(for: Self.self, in: session)
    let due = try session.environment.clock.due(day.joined(separator: " "))
    try session.change(targets, by: { .setDue($0, due) }) { label, item in
      let title = item.title.visible
      guard let day = LocalizedText.due(item) else {
        return LocalizedText("No due day \(label): \(title)", "마감일 없음 \(label): \(title)")
      }
      return LocalizedText(
        "Due \(day.english) \(label): \(title)", "마감일 \(day.korean) \(label): \(title)")
    }
  }
}

extension DueCommand {
  init(_ input: CommandInput) throws {
    words = try TargetsAndText(input, of: Self.self)
  }
}

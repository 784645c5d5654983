import TodoKit

/// `due ITEM... DAY`: sets the day by which items are due.
struct DueCommand: Command {
  static let name = "due"
  static let synopsis = "due ITEM... DAY|none"
  static let example = "due 3 next fri"
  static let summary = LocalizedText("Sets the day items are due.", "할일의 마감일을 정합니다.")
  static let details = [LocalizedText.daysHelp]

  let targets: [String]
  /// The day, in words.
  let day: String

  func run(in session: Session) throws(CommandError) {
    let due = try session.environment.clock.dueDay(day)
    try session.change(targets, by: { .setDue($0, due) }) { label, item in
      let title = item.title.visible
      guard let day = item.due.map(LocalizedText.day) else {
        return LocalizedText("No due day \(label): \(title)", "마감일 없음 \(label): \(title)")
      }
      return LocalizedText(
        "Due \(day.english) \(label): \(title)", "마감일 \(day.korean) \(label): \(title)")
    }
  }
}

extension DueCommand {
  init(_ input: CommandInput) throws(CommandError) {
    let (targets, day) = try Self.splitTargets(in: input.allWords)
    self.targets = targets
    self.day = day.joined(separator: " ")
  }
}

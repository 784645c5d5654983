import CroftFoundation
import TodoKit

struct WaitCommand: ItemTextCommand {
  static let name = "wait"
  static let aliases = ["숨기기"]
  static let synopsis = "wait ITEM... DAY|none"
  static let example = "wait 3 next mon"
  static let summary = LocalizedText("Hides items until a day.", "할일을 정한 날까지 숨깁니다.")
  static let details = [
    LocalizedText(
      """
        ls, agenda and watch leave hidden items out and say how many there are; ls is:waiting and \
      ls --all show them. none shows an item again.
        Records (-o json, ndjson, csv, tsv, md) have hidden items too, with the day in the field wait.
      """,
      """
        ls, agenda, watch에는 나오지 않고 몇 개인지만 나옵니다. ls is:대기나 ls --all로 볼 수 있고, 없음을 \
      쓰면 다시 보입니다.
        레코드(-o json, ndjson, csv, tsv, md)에는 숨긴 할일도 있으며, 그날은 wait 필드에 있습니다.
      """), LocalizedText.daysHelp,
  ]

  let words: TargetsAndText

  func action(of text: [String], in session: Session) throws -> ([UUID]) -> TodoAction {
    let day = try session.environment.clock.dueDay(text.joined(separator: " "))
    return { .setHiddenUntil($0, day) }
  }

  static func answer(about item: TodoItem) -> LocalizedText {
    guard let day = item.hiddenUntil.map(LocalizedText.day) else {
      return LocalizedText("Not hidden", "숨기지 않음")
    }
    return LocalizedText("Hidden until \(day.english)", "\(day.korean)까지 숨김")
  }
}

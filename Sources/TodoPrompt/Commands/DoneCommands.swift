import CroftFoundation
import TodoKit

struct DoneCommand: ItemCommand {
  static let name = "done"
  static let aliases = ["완료"]
  static let example = "done 3 5-7"
  static let summary = LocalizedText("Marks items as done.", "할일을 완료합니다.")
  static let answer = LocalizedText("Done", "완료")

  let targets: [String]

  static func action(on ids: [UUID]) -> TodoAction { .setDone(ids, true) }
}

struct UndoneCommand: ItemCommand {
  static let name = "undone"
  static let aliases = ["되살리기", "미완료"]
  static let example = "undone 3"
  static let summary = LocalizedText("Marks items as not done.", "완료를 취소합니다.")
  static let answer = LocalizedText("Not done", "완료 취소")

  let targets: [String]

  static func action(on ids: [UUID]) -> TodoAction { .setDone(ids, false) }
}

import CroftFoundation
import TodoKit

struct StarCommand: ItemCommand {
  static let name = "star"
  static let aliases = ["별표"]
  static let example = "star 3"
  static let summary = LocalizedText("Gives items a star.", "할일에 별표를 합니다.")
  static let answer = LocalizedText("Starred", "별표")

  let targets: [String]

  static func action(on ids: [UUID]) -> TodoAction { .setImportant(ids, true) }
}

struct UnstarCommand: ItemCommand {
  static let name = "unstar"
  static let aliases = ["별표해제"]
  static let example = "unstar 3"
  static let summary = LocalizedText("Removes stars.", "별표를 해제합니다.")
  static let answer = LocalizedText("Not starred", "별표 해제")

  let targets: [String]

  static func action(on ids: [UUID]) -> TodoAction { .setImportant(ids, false) }
}

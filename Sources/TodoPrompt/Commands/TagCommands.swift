import CroftFoundation
import TodoKit

struct TagCommand: ItemTextCommand {
  static let name = "tag"
  static let aliases = ["태그"]
  static let synopsis = "tag ITEM... WORD..."
  static let example = "tag 3 errands"
  static let summary = LocalizedText("Adds tags.", "할일에 태그를 붙입니다.")
  static let takesTags = true

  let words: TargetsAndText

  func action(of text: [String], in session: Session) -> ([UUID]) -> TodoAction {
    { .addTags($0, Self.tags(text)) }
  }

  /// The tags that words name, with their sign or without it.
  fileprivate static func tags(_ words: [String]) -> [String] { words.map { $0.after("#") ?? $0 } }

  /// All tags that an item has now.
  static func answer(about item: TodoItem) -> LocalizedText {
    if item.tags.isEmpty { return LocalizedText("No tags", "태그 없음") }
    let words = item.tags.map(\.asTag).joined(separator: " ")
    return LocalizedText("Tags \(words)", "태그 \(words)")
  }
}

struct UntagCommand: ItemTextCommand {
  static let name = "untag"
  static let aliases = ["태그해제"]
  static let synopsis = "untag ITEM... WORD..."
  static let example = "untag 3 errands"
  static let summary = LocalizedText("Removes tags.", "할일의 태그를 뗍니다.")
  static let takesTags = true

  let words: TargetsAndText

  func action(of text: [String], in session: Session) -> ([UUID]) -> TodoAction {
    { .removeTags($0, TagCommand.tags(text)) }
  }

  static func answer(about item: TodoItem) -> LocalizedText { TagCommand.answer(about: item) }
}

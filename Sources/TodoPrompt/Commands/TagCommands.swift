import TodoKit

/// `tag ITEM... WORD...`: adds tags to items.
struct TagCommand: Command {
  static let name = "tag"
  static let aliases = ["태그"]
  static let synopsis = "tag ITEM... WORD..."
  static let example = "tag 3 errands"
  static let summary = LocalizedText("Adds tags.", "할일에 태그를 붙입니다.")

  let words: TargetsAndText

  func run(in session: Session) throws {
    let (targets, text) = try words.split(for: Self.self, tags: true, in: session)
    try session.change(targets, by: { .addTags($0, Self.tags(text)) }, answer: Self.answer)
  }

  /// The tags that words name, with their sign or without it.
  fileprivate static func tags(_ words: [String]) -> [String] { words.map { $0.after("#") ?? $0 } }

  /// All tags that an item has now.
  fileprivate static func answer(_ label: String, _ item: TodoItem) -> LocalizedText {
    let title = item.title.visible
    if item.tags.isEmpty {
      return LocalizedText("No tags \(label): \(title)", "태그 없음 \(label): \(title)")
    }
    let words = item.tags.map(\.asTag).joined(separator: " ")
    return LocalizedText("Tags \(words) \(label): \(title)", "태그 \(words) \(label): \(title)")
  }
}

extension TagCommand {
  init(_ input: CommandInput) throws {
    words = try TargetsAndText(input, of: Self.self)
  }
}

/// `untag ITEM... WORD...`: removes tags from items.
struct UntagCommand: Command {
  static let name = "untag"
  static let aliases = ["태그해제"]
  static let synopsis = "untag ITEM... WORD..."
  static let example = "untag 3 errands"
  static let summary = LocalizedText("Removes tags.", "할일의 태그를 뗍니다.")

  let words: TargetsAndText

  func run(in session: Session) throws {
    let (targets, text) = try words.split(for: Self.self, tags: true, in: session)
    try session.change(
      targets, by: { .removeTags($0, TagCommand.tags(text)) }, answer: TagCommand.answer)
  }
}

extension UntagCommand {
  init(_ input: CommandInput) throws {
    words = try TargetsAndText(input, of: Self.self)
  }
}

import TodoKit

/// `edit ITEM TITLE...`: gives an item another title.
struct EditCommand: Command {
  static let name = "edit"
  static let synopsis = "edit ITEM TITLE..."
  static let example = "edit 3 buy oat milk"
  static let summary = LocalizedText("Gives an item another title.", "할일의 제목을 바꿉니다.")
  static let details = [
    LocalizedText(
      "  All words are the title; !h, @GROUP, due:DAY and #TAG are not read as signs here.",
      "  모든 낱말이 제목이 됩니다. !h, @GROUP, due:DAY, #TAG도 여기서는 제목입니다.")
  ]
  static let takesText = true

  /// The item, and the words of the title.
  let words: ItemWords

  func run(in session: Session) throws(CommandError) {
    let (target, text) = try words.splitOne(for: Self.self, in: session)
    let title = text.joined(separator: " ")
    let selected = try session.selectOne(target)
    let old = selected.item
    try session.send(.retitle(old.id, to: title), about: [selected]) { label, item in
      let titles = "\(old.title.visible) -> \(item.title.visible)"
      return LocalizedText("Changed \(label): \(titles)", "수정 \(label): \(titles)")
    }
  }
}

extension EditCommand {
  init(_ input: CommandInput) throws(CommandError) {
    words = try ItemWords(input, of: Self.self, needsText: false)
  }
}

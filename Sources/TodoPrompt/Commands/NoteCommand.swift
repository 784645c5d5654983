import TodoKit

/// `note ITEM... TEXT`: replaces the note of items.
struct NoteCommand: Command {
  static let name = "note"
  static let aliases = ["메모"]
  static let synopsis = """
    note ITEM... TEXT
    note ITEM... none
    """
  static let example = "note 3 ask for a receipt"
  static let summary = LocalizedText("Writes a note on items.", "할일에 메모를 적습니다.")
  static let takesText = true
  static let details = [
    LocalizedText(
      "  The text takes the place of the note so far; \"none\" takes it away. show prints it.",
      "  새 메모가 앞의 메모를 대신합니다. none이나 없음을 쓰면 지웁니다. show로 볼 수 있습니다.")
  ]

  let targets: [String]
  /// The note; empty to take it away.
  let text: String

  func run(in session: Session) throws(CommandError) {
    let isEmpty = text.isEmpty
    try session.change(targets, by: { .setNote($0, text) }) { label, item in
      let title = item.title.visible
      return isEmpty
        ? LocalizedText("No note \(label): \(title)", "메모 없음 \(label): \(title)")
        : LocalizedText("Noted \(label): \(title)", "메모 \(label): \(title)")
    }
  }
}

extension NoteCommand {
  init(_ input: CommandInput) throws(CommandError) {
    if input.literalWords.isEmpty {
      let (targets, words) = try Self.splitTargets(in: input.words)
      self.targets = targets
      let text = words.joined(separator: " ")
      self.text = ["none", "없음"].contains(text.lowercased()) ? "" : text
    } else {
      targets = try Self.targets(in: input.words)
      text = input.literalWords.joined(separator: " ")
    }
  }
}

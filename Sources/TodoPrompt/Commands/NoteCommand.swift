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
      "  The text replaces the note; \"none\" removes it. show prints it.",
      "  새 메모가 앞의 메모를 대신합니다. none이나 없음을 쓰면 지웁니다. show로 볼 수 있습니다.")
  ]

  /// The items, and the words of the note.
  let words: TargetsAndText

  func run(in session: Session) throws {
    let (targets, typed) = try words.split(for: Self.self, in: session)
    let takesAway = Self.takesAway(typed, literally: words.literalWords)
    let text = takesAway ? "" : typed.joined(separator: " ")
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
  init(_ input: CommandInput) throws {
    words = try TargetsAndText(input, of: Self.self)
  }

  /// Whether the text is the word for no note; after `--` it is text.
  private static func takesAway(_ text: [String], literally literalWords: [String]) -> Bool {
    literalWords.isEmpty && text.count == 1 && text[0].meansNone
  }
}

import CroftFoundation
import TodoKit

struct NoteCommand: ItemTextCommand {
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

  let words: TargetsAndText

  func action(of text: [String], in session: Session) -> ([UUID]) -> TodoAction {
    // After `--` the word for no note is text.
    let isNone = words.literalWords.isEmpty && text.count == 1 && text[0].meansNone
    let note = isNone ? "" : text.joined(separator: " ")
    return { .setNote($0, note) }
  }

  static func answer(about item: TodoItem) -> LocalizedText {
    item.note.isEmpty ? LocalizedText("No note", "메모 없음") : LocalizedText("Noted", "메모")
  }
}

import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// All of one item for people, a field a line.
struct ItemDetails {
  let item: TodoItem
  /// The name of its group; nil where it has none.
  let group: String?
  let clock: WallClock

  /// The lines, each with its newline.
  func text(in language: MessageLanguage) -> String {
    let rows = fields.map { ($0.text(in: language), $1.text(in: language)) }
    let width = rows.map(\.0.displayWidth).max() ?? 0
    return rows.map { "\($0.padded(to: width))  \($1)\n" }.joined()
  }

  private var fields: [(LocalizedText, LocalizedText)] {
    [
      (.titleField, same(item.title.visible)),
      (.doneField, done),
      (.priorityField, .priority(item.priority)),
      (.importantField, .yesOrNo(item.isImportant)),
      (.groupField, same(group?.visible)),
      (.dueField, item.due.map(LocalizedText.day) ?? same(nil)),
      (
        .tagsField, same(item.tags.isEmpty ? nil : item.tags.map(\.visible).joined(separator: ", "))
      ),
      (.noteField, same(item.note.isEmpty ? nil : item.note.visible)),
      (.createdField, same(clock.text(of: item.createdAt))),
      (.idField, same(item.id.uuidString.lowercased())),
    ]
  }

  private var done: LocalizedText {
    guard let doneAt = item.doneAt else { return .yesOrNo(item.isDone) }
    let yes = LocalizedText.yesOrNo(item.isDone)
    let time = clock.text(of: doneAt)
    return LocalizedText("\(yes.english), \(time)", "\(yes.korean), \(time)")
  }

  /// A value that every language writes alike; a dash where there is none.
  private func same(_ text: String?) -> LocalizedText { LocalizedText(text ?? "-", text ?? "-") }
}

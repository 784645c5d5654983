import TodoKit

/// A row of a printed list.
struct ListedRow {
  let number: Int
  let item: TodoItem
  let shortID: String
  /// The name of its group; nil where it has none, or where the list says it already.
  var group: String?
}

/// A list for people: open items first, then the done ones under a heading.
///
/// Number, box, priority and id have columns as wide as their widest cell, and stars
/// have one where an item has a star. The title comes last and takes the rest of the
/// line, with day, group and tags behind it, which never take more than half of it.
struct ItemTable {
  let rows: [ListedRow]
  let language: MessageLanguage
  let styler: ANSIStyler
  /// The width to fit; nil for lines as long as they are.
  let columns: Int?

  /// The lines of the list, each with its newline.
  ///
  /// - Complexity: O(n) in the rows.
  var text: String {
    let widths = Widths(rows: rows, language: language)
    var text = ""
    var isFirst = true
    var isInCompleted = false
    for row in rows {
      if row.item.isDone, !isInCompleted {
        text += isFirst ? "" : "\n"
        text += styler.styled(LocalizedText.completed.text(in: language), .bold) + "\n"
        isInCompleted = true
      }
      text += line(of: row, widths: widths) + "\n"
      isFirst = false
    }
    return text
  }

  private struct Widths {
    var number = 0
    var priority = 0
    var id = 0
    var star = 0

    init(rows: [ListedRow], language: MessageLanguage) {
      number = rows.last.map { String($0.number).count } ?? 0
      priority =
        Set(rows.map(\.item.priority)).map {
          LocalizedText.priority($0).text(in: language).displayWidth
        }.max() ?? 0
      id = rows.first?.shortID.count ?? 0
      star = rows.contains { $0.item.isImportant } ? 1 : 0
    }

    /// Everything before the title: the cells, `[x]` and two blanks after each.
    var lead: Int { number + priority + id + 3 + 4 * 2 + star * 3 }
  }

  private func line(of row: ListedRow, widths: Widths) -> String {
    let item = row.item
    let number = String(row.number).padded(to: widths.number, leading: true)
    let box = item.isDone ? "[x]" : "[ ]"
    let priority = LocalizedText.priority(item.priority).text(in: language).padded(
      to: widths.priority)
    let id = styler.styled(row.shortID, .dim)
    let star = widths.star == 0 ? "" : item.isImportant ? "*  " : "   "
    var title = item.title.visible
    var extras = ItemExtras(of: item, group: row.group).text
    if let columns {
      let room = max(8, columns - widths.lead)
      let extrasRoom = extras.isEmpty ? 0 : min(extras.displayWidth + 2, room / 2)
      title = title.truncated(to: room - extrasRoom)
      extras = extras.truncated(to: room - title.displayWidth - 2)
    }
    if item.isDone { title = styler.styled(title, .struck, .dim) }
    let tail = extras.isEmpty ? "" : "  " + styler.styled(extras, .dim)
    let cells = "\(number)  \(box)  \(star)\(paint(priority, by: item.priority))  \(id)"
    return "\(cells)  \(title)\(tail)"
  }

  private func paint(_ text: String, by priority: Priority) -> String {
    switch priority {
    case .high: styler.styled(text, .red)
    case .normal: styler.styled(text, .yellow)
    case .low: styler.styled(text, .green)
    case .none: text
    }
  }
}

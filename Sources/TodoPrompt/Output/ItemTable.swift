import TodoKit

/// A list for people: open items first, then the done ones under a heading.
///
/// Number, box, priority and id have columns as wide as their widest cell; there is a column for
/// stars if an item has one. The title takes the rest of the line; day, group and tags after it take
/// at most half of that.
struct ItemTable {
  /// A row of the list.
  struct Row {
    let number: Int
    let item: TodoItem
    let shortID: String
    /// The name of its group; nil without a group, and in the list of the group itself.
    var group: String?
  }

  let rows: [Row]
  let language: TextLanguage
  let styler: ANSIStyler
  /// The width that lines must fit; nil for lines of any length.
  let columns: Int?
  /// The day by which items are overdue.
  let today: CalendarDay
  /// How many more items there are, which are not shown.
  var hidden = Tally(total: 0, done: 0)

  private static let completed = LocalizedText("Completed", "완료됨")

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
        text += more(hidden.total - hidden.done, "ls --undone")
        text += isFirst ? "" : "\n"
        text += styler.styled(Self.completed.text(in: language), .bold) + "\n"
        isInCompleted = true
      }
      text += line(of: row, widths: widths) + "\n"
      isFirst = false
    }
    if !isInCompleted { text += more(hidden.total - hidden.done, "ls --undone") }
    return text + more(hidden.done, "ls --done")
  }

  /// The line that says how many more there are, and how they are shown; empty where there are none.
  private func more(_ count: Int, _ command: String) -> String {
    if count == 0 { return "" }
    let text = LocalizedText(
      "... \(count) more: \(command)", "... \(count)개 더 있음: \(command)")
    return styler.styled(text.text(in: language), .dim) + "\n"
  }

  private struct Widths {
    var number = 0
    var priority = 0
    var id = 0
    var star = 0

    init(rows: [Row], language: TextLanguage) {
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

  private func line(of row: Row, widths: Widths) -> String {
    let item = row.item
    let number = String(row.number).padded(to: widths.number, leading: true)
    let box = item.isDone ? "[x]" : "[ ]"
    let priority = LocalizedText.priority(item.priority).text(in: language).padded(
      to: widths.priority)
    let id = styler.styled(row.shortID, .dim)
    let star = widths.star == 0 ? "" : item.isImportant ? "*  " : "   "
    var title = item.title.visible
    var extras = ItemExtras(of: item, group: row.group).plainText
    let mark = mark(of: item)
    if let columns {
      let room = max(8, columns - widths.lead - (mark.isEmpty ? 0 : mark.displayWidth + 2))
      let extrasRoom = extras.isEmpty ? 0 : min(extras.displayWidth + 2, room / 2)
      title = title.truncated(to: room - extrasRoom)
      extras = extras.truncated(to: room - title.displayWidth - 2)
    }
    if item.isDone { title = styler.styled(title, .strikethrough, .dim) }
    let tail = extras.isEmpty ? "" : "  " + styler.styled(extras, .dim)
    let cells = "\(number)  \(box)  \(star)\(colored(priority, by: item.priority))  \(id)"
    let marked = mark.isEmpty ? "" : "  " + styler.styled(mark, .bold)
    return "\(cells)  \(title)\(marked)\(tail)"
  }

  /// The word for an open item whose day is here or has passed; empty for others.
  private func mark(of item: TodoItem) -> String {
    guard !item.isDone, let due = item.due, due <= today else { return "" }
    let word =
      due == today ? LocalizedText("today", "오늘") : LocalizedText("overdue", "지남")
    return word.text(in: language)
  }

  private func colored(_ text: String, by priority: Priority) -> String {
    switch priority {
    case .high: styler.styled(text, .red)
    case .normal: styler.styled(text, .yellow)
    case .low: styler.styled(text, .green)
    case .none: text
    }
  }
}

/// The day, group and tags of an item, written as they are typed.
struct ItemExtras {
  private let due: CalendarDay?
  private let rest: [String]

  /// - Parameters:
  ///   - group: The name of the item's group; nil if it is not shown.
  ///   - shortID: The ending of its id; nil if it is not shown.
  init(of item: TodoItem, group: String?, shortID: String? = nil) {
    due = item.due
    let rule = item.repeats.map { [$0.asSign] } ?? []
    let names = rule + (group.map { ["@" + $0.visible] } ?? []) + item.tags.map(\.asTag)
    rest = names + (shortID.map { ["id:" + $0] } ?? [])
  }

  /// The text behind a title in lists; empty if there is nothing to show.
  var plainText: String {
    ((due.map { ["due:\($0)"] } ?? []) + rest).joined(separator: " ")
  }

  /// The text behind a title in answers: two blanks, and the day with its day of the week.
  var text: LocalizedText {
    let day = due.map(LocalizedText.day)
    func words(_ day: String?) -> String {
      let words = (day.map { ["due:\($0)"] } ?? []) + rest
      return words.isEmpty ? "" : "  " + words.joined(separator: " ")
    }
    return LocalizedText(words(day?.english), words(day?.korean))
  }
}

extension String {
  /// The word as a tag is typed: in quotes if it contains white space.
  var asTag: String {
    contains(where: \.isWhitespace) ? "#\"\(visible)\"" : "#" + visible
  }
}

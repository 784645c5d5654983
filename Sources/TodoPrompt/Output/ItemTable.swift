import LineEditing
import Presentation
import TerminalText
import TodoKit

/// A list for people: open items first, then the done ones under a heading.
///
/// Number, box, priority and id have columns as wide as their widest cell; there is a column for
/// stars if an item has one. The title takes at least half of the line; day, group and tags after
/// it take what is left, and lose whole words. On a terminal of less than 60 columns they have a line of
/// their own, and on one of less than 40, or as cards, each item is a record of several lines, with its
/// whole title.
struct ItemTable {
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
  /// The time by which items of today are overdue.
  let time: TimeOfDay
  /// How the items are shown; cards are the records of narrow terminals.
  var view = ListView.table
  var glyphs = Glyphs()
  /// How many more items there are, which are not shown.
  var hidden = Tally(total: 0, done: 0)
  /// How many open items are hidden until a later day.
  var waiting = 0

  private static let completed = LocalizedText("Completed", "완료됨")

  /// The lines of the list, each with its newline.
  ///
  /// - Complexity: O(n) in the rows.
  var text: String {
    let isNarrow = columns.map { $0 < Self.narrowColumns } ?? false
    let widths = Widths(rows: rows, language: language, isNarrow: isNarrow, glyphs: glyphs)
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
      for line in lines(of: row, widths: widths) { text += line + "\n" }
      isFirst = false
    }
    if !isInCompleted { text += more(hidden.total - hidden.done, "ls --undone") }
    return text + more(hidden.done, "ls --done") + waitingLine
  }

  /// The line that says how many items are hidden until a later day; empty where there are none.
  private var waitingLine: String {
    if waiting == 0 { return "" }
    let text = LocalizedText(
      "... \(waiting) hidden until a day: ls is:waiting", "... \(waiting)개는 정한 날까지 숨김: ls is:대기")
    return styler.styled(text.text(in: language), .dim) + "\n"
  }

  /// The line that says how many more there are, and how they are shown; empty where there are none.
  private func more(_ count: Int, _ command: String) -> String {
    if count == 0 { return "" }
    let text = LocalizedText(
      "... \(count) more: \(command)", "... \(count)개 더 있음: \(command)")
    return styler.styled(text.text(in: language), .dim) + "\n"
  }

  /// How wide the columns are before the title, and how many blanks are between them.
  private struct Widths {
    var number = 0
    var priority = 0
    var id = 0
    var star = 0
    let box: Int
    let isNarrow: Bool

    init(rows: [Row], language: TextLanguage, isNarrow: Bool, glyphs: Glyphs) {
      self.isNarrow = isNarrow
      box = glyphs.box(isDone: false).displayWidth
      number = rows.last.map { String($0.number).count } ?? 0
      priority =
        Set(rows.map(\.item.priority)).map {
          ItemTable.name(of: $0, language, isNarrow: isNarrow).displayWidth
        }.max() ?? 0
      id = rows.first?.shortID.count ?? 0
      star = rows.contains { $0.item.isImportant } ? 1 : 0
    }

    var gap: String { isNarrow ? " " : "  " }

    /// Everything before the title: the cells, the box and the blanks after each.
    var lead: Int {
      let cells = number + priority + id + box
      return cells + 4 * gap.count + star * (1 + gap.count)
    }
  }

  /// The width below which a priority is its sign, and day, group and tags have a line of their own.
  private static let narrowColumns = 60
  /// The width below which an item is a record, and a group has several lines.
  static let recordColumns = 40

  private func lines(of row: Row, widths: Widths) -> [String] {
    let item = row.item
    let mark = mark(of: item)
    let marked = mark.isEmpty ? "" : widths.gap + styler.styled(mark, .bold)
    let cells = cells(of: row, widths: widths)
    let extras = ItemExtras(of: item, group: row.group).plainText.text(in: language)
    if isRecord { return record(of: item, cells.drop { $0 == " " } + marked, extras) }
    guard let columns else {
      return [cells + widths.gap + styled(item.title.visible, item) + marked + tail(extras)]
    }
    let room = columns - widths.lead - (mark.isEmpty ? 0 : mark.displayWidth + widths.gap.count)
    if widths.isNarrow {
      let title = styled(item.title.visible.truncated(to: room), item)
      let blanks = String(repeating: " ", count: widths.lead)
      let rest = extras.wholeWords(to: columns - widths.lead)
      let line = cells + widths.gap + title + marked
      return rest.isEmpty ? [line] : [line, blanks + styler.styled(rest, .dim)]
    }
    let wanted = extras.isEmpty ? 0 : extras.displayWidth + 2
    let title = item.title.visible.truncated(to: max(room - wanted, min(room, columns / 2)))
    let rest = extras.wholeWords(to: room - title.displayWidth - 2)
    return [cells + widths.gap + styled(title, item) + marked + tail(rest)]
  }

  private var isRecord: Bool {
    view == .cards || columns.map { $0 < Self.recordColumns } ?? false
  }

  /// The lines of an item with its whole title.
  private func record(of item: TodoItem, _ head: String, _ extras: String) -> [String] {
    func lines(_ text: String) -> [String] {
      if text.isEmpty { return [] }
      let indented = "  " + text
      guard let columns else { return [indented] }
      return indented.wrapped(to: columns).split(separator: "\n").map(String.init)
    }
    return [head] + lines(item.title.visible).map { styled($0, item) }
      + lines(extras).map { styler.styled($0, .dim) }
  }

  private func cells(of row: Row, widths: Widths) -> String {
    let item = row.item
    let priority = Self.name(of: item.priority, language, isNarrow: widths.isNarrow)
      .padded(to: widths.priority)
    var cells = [
      String(row.number).padded(to: widths.number, leading: true), glyphs.box(isDone: item.isDone),
    ]
    if widths.star > 0 { cells.append(item.isImportant ? "*" : " ") }
    cells += [colored(priority, by: item.priority), styler.styled(row.shortID, .dim)]
    return cells.joined(separator: widths.gap)
  }

  /// The name of a priority, or its sign where there is little room.
  private static func name(
    of priority: Priority, _ language: TextLanguage, isNarrow: Bool
  ) -> String {
    if !isNarrow { return LocalizedText.priority(priority).text(in: language) }
    return priority == .none ? "" : "!" + priority.word(in: .english).prefix(1)
  }

  private func tail(_ extras: String) -> String {
    extras.isEmpty ? "" : "  " + styler.styled(extras, .dim)
  }

  private func styled(_ title: String, _ item: TodoItem) -> String {
    item.isDone ? styler.styled(title, .strikethrough, .dim) : title
  }

  /// The word for an open item whose day is here or has passed; empty for others.
  private func mark(of item: TodoItem) -> String {
    guard !item.isDone, let due = item.due, due <= today else { return "" }
    let word =
      item.isOverdue(on: today, at: time)
      ? LocalizedText("overdue", "지남") : LocalizedText("today", "오늘")
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
  private let item: TodoItem
  private let names: [String]

  init(of item: TodoItem, group: String?, shortID: String? = nil) {
    self.item = item
    names =
      (group.map { ["@" + $0.asWord.visible] } ?? []) + item.tags.map(\.asTag)
      + (shortID.map { ["id:" + $0] } ?? [])
  }

  /// The text after a title in lists; empty if there is nothing to show.
  var plainText: LocalizedText { words(isAnswer: false) }

  /// The text after a title in answers: two blanks, and the day with its day of the week.
  var text: LocalizedText {
    let words = words(isAnswer: true)
    func indented(_ text: String) -> String { text.isEmpty ? "" : "  " + text }
    return LocalizedText(indented(words.english), indented(words.korean))
  }

  private func words(isAnswer: Bool) -> LocalizedText {
    let fields = ItemField.all.compactMap { field in
      field.listed(item, isAnswer).map { value in
        LocalizedText(
          field.sign.spellings[0] + value.english, field.sign.spellings[1] + value.korean)
      }
    }
    return LocalizedText(
      (fields.map(\.english) + names).joined(separator: " "),
      (fields.map(\.korean) + names).joined(separator: " "))
  }
}

extension String {
  /// The word as a tag is typed: in quotes where it needs them.
  var asTag: String { "#" + asWord.visible }
}

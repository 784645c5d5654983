import TodoKit

/// What stands behind a title: day, group and tags, written as they are typed.
struct ItemExtras {
  private let due: CalendarDay?
  private let rest: [String]

  /// - Parameter group: The name of the item's group; nil where it is not to be shown.
  init(of item: TodoItem, group: String?) {
    due = item.due
    rest = (group.map { ["@" + $0.visible] } ?? []) + item.tags.map(\.asTag)
  }

  /// What lists show; empty when there is nothing.
  var text: String {
    ((due.map { ["due:\($0)"] } ?? []) + rest).joined(separator: " ")
  }

  /// What answers show, with the day of the week, and set off from the title.
  var phrase: LocalizedText {
    let day = due.map(LocalizedText.day)
    func text(_ day: String?) -> String {
      let words = (day.map { ["due:\($0)"] } ?? []) + rest
      return words.isEmpty ? "" : "  " + words.joined(separator: " ")
    }
    return LocalizedText(text(day?.english), text(day?.korean))
  }
}

extension String {
  /// The word as a tag is typed: in quotes where it holds white space.
  var asTag: String {
    contains(where: \.isWhitespace) ? "#\"\(visible)\"" : "#" + visible
  }
}

/// The order in which a list is shown; open items come before done ones in each.
///
/// ``manual`` is the repository's own order, which users change by moving items. The others are for
/// reading: equal items keep the manual order.
public enum ItemSort: String, CaseIterable, Codable, Hashable, Sendable {
  /// As users have put them.
  case manual
  /// The newest first.
  case created
  /// The most urgent first.
  case priority
  /// By day, the earliest first; items of one day by priority, and then by time.
  ///
  /// Items without a day come last. Items without a time come last among the equally urgent ones.
  case due
  /// By title, without regard to case.
  case title

  /// The items in this order.
  ///
  /// - Parameter items: Items in the repository's order.
  /// - Complexity: O(*n* log *n*); O(1) for ``manual``.
  public func sorted(_ items: [TodoItem]) -> [TodoItem] {
    switch self {
    case .manual: items
    case .created: sorted(items) { $0.createdAt > $1.createdAt }
    case .priority: sorted(items) { $0.priority > $1.priority }
    case .due:
      sorted(items) { lhs, rhs in
        let (day, other) = (lhs.due ?? .last, rhs.due ?? .last)
        if day != other { return day < other }
        if lhs.priority != rhs.priority { return lhs.priority > rhs.priority }
        return (lhs.dueTime ?? .last) < (rhs.dueTime ?? .last)
      }
    case .title: sorted(items) { $0.title.lowercased() < $1.title.lowercased() }
    }
  }

  /// Sorts each part of a list; the standard library's sort is stable.
  private func sorted(
    _ items: [TodoItem], by precedes: (TodoItem, TodoItem) -> Bool
  ) -> [TodoItem] {
    let sections = ItemSections(items)
    return sections.open.sorted(by: precedes) + sections.completed.sorted(by: precedes)
  }
}

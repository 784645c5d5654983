public import Presentation

/// A list as screens show it: the open items, then the completed ones.
public struct ItemSections: Hashable, Sendable {
  /// The open items, in the list's order.
  public let open: [TodoItem]
  /// The completed items, in the list's order; screens leave the section out when empty.
  public let completed: [TodoItem]

  /// Splits a list.
  ///
  /// - Complexity: O(n) in the number of items.
  public init(_ items: [TodoItem]) {
    open = items.filter { !$0.isDone }
    completed = items.filter(\.isDone)
  }

  /// All items in the order in which a screen shows them.
  public var all: [TodoItem] { open + completed }
}

/// A part of a list as screens show it; its raw value is the section's name in a list's changes.
public enum ItemSection: String, CaseIterable, Sendable {
  /// The open items.
  case open
  /// The completed items.
  case completed

  /// The section of items that are done, or of those that are open.
  public init(isDone: Bool) {
    self = isDone ? .completed : .open
  }
}

extension ItemSections {
  /// The sections that are not empty as rows of a list view, named as ``ItemSection``.
  public var rows: SectionedRows<TodoItem> {
    let parts = [(ItemSection.open, open.count), (.completed, completed.count)]
    return SectionedRows(
      ListRows(all),
      sections: parts.filter { $0.1 > 0 }.map { ListSection(name: $0.rawValue, count: $1) })
  }
}

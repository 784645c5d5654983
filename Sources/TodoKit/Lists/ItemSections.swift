/// A list as screens show it: what is open first, what is completed below.
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

  /// All items in the order in which they stand on the screen.
  public var all: [TodoItem] { open + completed }
}

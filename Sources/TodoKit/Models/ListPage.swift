/// What a front end shows of a list at once: the first open items, then those that were completed last.
public struct ListPage: Hashable, Sendable {
  /// What is shown of which list.
  public struct Request: Hashable, Sendable {
    /// The list.
    public var list: ItemList
    /// What the items satisfy.
    public var conditions: [ItemCondition]
    /// The order of the open items, and of the completed ones after them.
    public var sort: ItemSort
    /// How many items there are at most; nil for all.
    public var limit: Int?
    /// How many of them are completed at most; nil for all.
    public var completedLimit: Int?
    /// The day on which open items that are hidden until a later one are left out; nil to show all.
    public var hidesWaitingOn: CalendarDay?

    /// Makes a request.
    public init(
      _ list: ItemList, meeting conditions: [ItemCondition] = [], sortedBy sort: ItemSort = .manual,
      limit: Int? = nil, completedLimit: Int? = nil, hidesWaitingOn today: CalendarDay? = nil
    ) {
      (self.list, self.conditions, self.sort) = (list, conditions, sort)
      (self.limit, self.completedLimit, hidesWaitingOn) = (limit, completedLimit, today)
    }
  }

  /// The items: open ones, then completed ones.
  public var items: [TodoItem]
  /// The groups of the items.
  public var groups: [TodoGroup]
  /// How many open items are left out because they are hidden until a later day.
  public var waiting: Int
  /// How many more items satisfy the conditions, and how many of them are done.
  public var hidden: Tally

  /// Makes a page of what was read.
  ///
  /// - Parameters:
  ///   - open: The first open items, in their order.
  ///   - completed: The items that were completed last, in any order.
  ///   - groups: The groups of the items.
  ///   - tally: How many items meet the conditions.
  package init(
    _ request: Request, open: [TodoItem], completed: [TodoItem], groups: [TodoGroup], tally: Tally,
    waiting: Int = 0
  ) {
    // The repository's own order, on which the others are built.
    let inOrder = completed.sorted { ($0.order, $0.createdAt) < ($1.order, $1.createdAt) }
    items = open + request.sort.sorted(inOrder)
    self.groups = groups
    self.waiting = waiting
    hidden = Tally(
      total: tally.total - waiting - items.count, done: tally.done - completed.count)
  }
}

extension ListPage.Request {
  /// The conditions of the open items.
  package var openConditions: [ItemCondition] {
    conditions + [.isDone(false)] + (hidesWaitingOn.map { [.not(.isWaiting($0))] } ?? [])
  }

  /// How many completed items there is room for.
  package func completedLimit(behind openCount: Int) -> Int {
    min(completedLimit ?? .max, limit.map { max(0, $0 - openCount) } ?? .max)
  }
}

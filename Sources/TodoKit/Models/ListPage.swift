/// The items that a front end shows of a list: first open ones, then completed ones.
public struct ListPage: Hashable, Sendable {
  /// The list to show, and which of its items in which order.
  public struct Request: Hashable, Sendable {
    /// The list.
    public var list: ItemList
    /// The conditions that the items satisfy.
    public var conditions: [ItemCondition]
    /// The order of the open items, and of the completed ones after them.
    public var sort: ItemSort
    /// How many items there are at most; nil for all.
    public var limit: Int?
    /// How many completed items there are at most; nil for all.
    public var completedLimit: Int?
    /// Today, to leave out open items that are hidden until a later day; nil to show all.
    public var hidesWaitingOn: CalendarDay?
    /// Which rows of the whole list there are, for a front end that scrolls; nil for the first ones.
    ///
    /// Rows are the open items and then all completed ones, both in the order; the limits do not count.
    public var rows: Range<Int>?

    /// Makes a request.
    public init(
      _ list: ItemList, meeting conditions: [ItemCondition] = [], sortedBy sort: ItemSort = .manual,
      limit: Int? = nil, completedLimit: Int? = nil, hidesWaitingOn today: CalendarDay? = nil
    ) {
      (self.list, self.conditions, self.sort) = (list, conditions, sort)
      (self.limit, self.completedLimit, hidesWaitingOn) = (limit, completedLimit, today)
    }

    /// Makes a request for some rows of a whole list.
    public init(_ list: ItemList, sortedBy sort: ItemSort = .manual, rows: Range<Int>) {
      self.init(list, sortedBy: sort)
      self.rows = rows
    }
  }

  /// The items: open ones, then completed ones.
  public var items: [TodoItem]
  /// The groups of the items, without their pictures.
  public var groups: [TodoGroup]
  /// How many open items are left out because they are hidden until a later day.
  public var waiting: Int
  /// How many more items satisfy the conditions, and how many of them are done.
  public var hidden: Tally

  /// Makes a page of the items that were read.
  ///
  /// - Parameters:
  ///   - open: The first open items, in their order.
  ///   - completed: The completed items, in any order.
  ///   - tally: How many items of the list satisfy the conditions.
  package init(
    _ request: Request, open: [TodoItem], completed: [TodoItem], groups: [TodoGroup], tally: Tally,
    waiting: Int = 0
  ) {
    // The repository's own order, on which the others are built.
    let inOrder = completed.sorted { ($0.order, $0.createdAt) < ($1.order, $1.createdAt) }
    items = open + request.sort.sorted(inOrder)
    self.groups = groups.map(\.withoutPicture)
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

  /// The number of completed items that fit in the page.
  package func completedLimit(behind openCount: Int) -> Int {
    min(completedLimit ?? .max, limit.map { max(0, $0 - openCount) } ?? .max)
  }

  /// The indices of the requested rows among the open items, and among the completed ones.
  package func split(
    _ rows: Range<Int>, of tally: Tally, waiting: Int
  ) -> (open: Range<Int>, completed: Range<Int>) {
    let open = tally.undone - waiting
    let completed = max(0, rows.lowerBound - open)..<max(0, rows.upperBound - open)
    return (rows.clamped(to: 0..<open), completed.clamped(to: 0..<tally.done))
  }
}

import Croft
import CroftFoundation

/// The queries of the lists that screens show.
enum TodoQueries {
  /// How many items are passed at once.
  static let portionMax = 1_000

  /// The items of a list: open before done, each part by order key, creation date and id.
  static func items(in list: ItemList, _ filter: ItemFilter) -> Query<TodoItem> {
    members(of: list, filter).order(by: \.isDone, \.order, \.createdAt)
  }

  /// The items of a list that satisfy all of some conditions, in a given order.
  ///
  /// Titles are put in order when they are read.
  static func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort = .manual,
    rows: Range<Int>? = nil
  ) -> Query<TodoItem> {
    let met = members(of: list, .all, meeting: conditions)
    let query =
      switch sort {
      case .manual, .title: met.order(by: \.isDone, \.order, \.createdAt)
      case .created:
        met.order { [$0.isDone.ascending, $0.createdAt.descending, $0.order.ascending] }
      case .priority:
        met.order {
          [
            $0.isDone.ascending, $0.priority.descending, $0.order.ascending,
            $0.createdAt.ascending,
          ]
        }
      case .due:
        met.order {
          [
            $0.isDone.ascending, ($0.due ?? .last).ascending, $0.priority.descending,
            ($0.dueTime ?? .last).ascending, $0.order.ascending,
          ]
        }
      }
    return rows.map { query.limit($0.count, offset: $0.lowerBound) } ?? query
  }

  /// The done items of a list that satisfy all of some conditions, the one that was completed last first.
  static func lastCompleted(
    in list: ItemList, meeting conditions: [ItemCondition], _ limit: Int
  ) -> Query<TodoItem> {
    members(of: list, .done, meeting: conditions)
      .order { [$0.doneAt.descending, $0.order.ascending, $0.createdAt.ascending] }.limit(limit)
  }

  /// The same items in their sections; live queries of both share one result.
  static func sections(
    of list: ItemList, _ filter: ItemFilter
  ) -> SectionedQuery<TodoItem, Bool> {
    members(of: list, filter).order(by: \.order, \.createdAt).sections(by: \.isDone)
  }

  private static func members(
    of list: ItemList, _ filter: ItemFilter, meeting conditions: [ItemCondition] = []
  ) -> Query<TodoItem> {
    let all =
      list == .all
      ? TodoItem.all : TodoItem.where { ItemCondition.list(list).condition(on: $0) }
    let members =
      switch filter {
      case .all: all
      case .undone: all.where { !$0.isDone }
      case .done: all.where { $0.isDone }
      }
    return conditions.reduce(members) { met, next in met.where { next.condition(on: $0) } }
  }
}

/// Gets the key and the error of an item that cannot be read; an error that it throws ends the reading.
typealias UnreadableReport = (_ key: String, _ error: StoreError) throws -> Void

/// What is read of to-dos in a transaction of either kind.
extension ReadableTransaction where Self: ~Copyable {
  /// The items of a list, in the repository's order.
  mutating func items(
    in list: ItemList, _ filter: ItemFilter, unreadable: UnreadableReport = { throw $1 }
  ) throws -> [TodoItem] {
    try fetch(TodoQueries.items(in: list, filter), unreadable: unreadable)
  }

  /// The items of a list that satisfy all of some conditions, in a given order.
  mutating func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    rows: Range<Int>? = nil, unreadable: UnreadableReport = { throw $1 }
  ) throws -> [TodoItem] {
    // Titles are sorted as Swift compares them, so that all of them are read.
    let isRead = sort == .title
    let query = TodoQueries.items(
      in: list, meeting: conditions, sortedBy: sort, rows: isRead ? nil : rows)
    let items = try fetch(query, unreadable: unreadable)
    guard isRead else { return items }
    let sorted = sort.sorted(items)
    return rows.map { Array(sorted[$0.clamped(to: sorted.indices)]) } ?? sorted
  }

  /// Passes the items of a list that satisfy all of some conditions, some at a time, with their groups.
  mutating func forEachPortion(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    unreadable: UnreadableReport,
    _ body: (_ items: [TodoItem], _ groups: [TodoGroup]) throws -> Void
  ) throws {
    var groups: [UUID: TodoGroup] = [:]
    for group in try fetch(TodoGroup.all) { groups[group.id] = group }
    func lend(_ items: [TodoItem]) throws {
      if items.isEmpty { return }
      try body(items, Set(items.compactMap(\.groupID)).compactMap { groups[$0] })
    }
    if sort == .title {
      return try lend(
        items(in: list, meeting: conditions, sortedBy: sort, unreadable: unreadable))
    }
    var portion: [TodoItem] = []
    let query = TodoQueries.items(in: list, meeting: conditions, sortedBy: sort)
    try forEach(query, unreadable: unreadable) { item in
      portion.append(item)
      guard portion.count == TodoQueries.portionMax else { return }
      try lend(portion)
      portion.removeAll(keepingCapacity: true)
    }
    try lend(portion)
  }

  /// What a front end shows of a list at once.
  mutating func page(
    _ request: ListPage.Request, unreadable: UnreadableReport = { throw $1 }
  ) throws -> ListPage {
    let tally = try tally(of: request.list, meeting: request.conditions)
    // Few items are waiting, and their days are indexed.
    let waiting = try request.hidesWaitingOn.map { today in
      try count(
        TodoQueries.items(
          in: request.list, meeting: request.conditions + [.isWaiting(today)]))
    }
    let window = request.rows.map { request.split($0, of: tally, waiting: waiting ?? 0) }
    let open = try items(
      in: request.list, meeting: request.openConditions, sortedBy: request.sort,
      rows: window?.open ?? request.limit.map { 0..<$0 }, unreadable: unreadable)
    let completed =
      if let window {
        try items(
          in: request.list, meeting: request.conditions + [.isDone(true)],
          sortedBy: request.sort, rows: window.completed, unreadable: unreadable)
      } else {
        try fetch(
          TodoQueries.lastCompleted(
            in: request.list, meeting: request.conditions,
            request.completedLimit(behind: open.count)), unreadable: unreadable)
      }
    let groups = try Set((open + completed).compactMap(\.groupID)).compactMap {
      try get(TodoGroup.self, $0)
    }
    return ListPage(
      request, open: open, completed: completed, groups: groups.sorted { $0.id < $1.id },
      tally: tally, waiting: waiting ?? 0)
  }

  /// What a front end shows of a list, and beside it.
  mutating func overview(
    _ request: ListPage.Request, unreadable: UnreadableReport = { throw $1 }
  ) throws -> TodoOverview {
    // One group at a time: the pictures of all may not fit into memory.
    var groups: [(TodoGroup, PictureMark?)] = []
    try forEach(TodoGroup.all.order(by: \.order)) {
      groups.append(($0.withoutPicture, $0.image?.mark))
    }
    return try TodoOverview(
      page: page(request, unreadable: unreadable),
      groups: groups.map { group, picture in
        GroupSummary(group: group, tally: try tally(of: .group(id: group.id)), picture: picture)
      },
      all: tally(of: .all), important: tally(of: .important), ungrouped: tally(of: .ungrouped),
      undo: first(LoggedCommand.nextUndo)?.step, redo: first(LoggedCommand.nextRedo)?.step)
  }

  /// The items whose ids end in some digits, by their ids.
  mutating func items(endingIn ending: ShortID) throws -> [TodoItem] {
    let endings = try fetch(ItemEnding.where { $0.reversed.in(ending.reversedIDs) })
    return try endings.map(\.reversed.reversed).sorted().compactMap { try get(TodoItem.self, $0) }
  }

  /// How many items of a list are open and done, of those that satisfy all of some conditions.
  mutating func tally(of list: ItemList, meeting conditions: [ItemCondition]) throws -> Tally {
    if conditions.isEmpty { return try tally(of: list) }
    let query = TodoQueries.items(in: list, meeting: conditions)
    return Tally(total: try count(query), done: try count(query.where { $0.isDone }))
  }

  /// All groups with their tallies, in their order.
  mutating func groupSummaries() throws -> [GroupSummary] {
    try fetch(TodoGroup.all.order(by: \.order)).map { group in
      GroupSummary(group: group, tally: try tally(of: .group(id: group.id)))
    }
  }

  mutating func tally(of list: ItemList) throws -> Tally {
    try Tally(get(ListTally.self, list.tallyKey))
  }

  mutating func commandHistory() throws -> CommandHistory {
    CommandHistory(
      undo: try first(LoggedCommand.nextUndo)?.command(),
      redo: try first(LoggedCommand.nextRedo)?.command())
  }

  /// The rows before a row or after it, the nearest first; of equal order keys the lower id comes first.
  ///
  /// Two machines that share a list may give one key to two rows.
  mutating func neighbors(
    of kind: OrderedKind, _ direction: OrderDirection, beside entry: OrderEntry?, limit: Int
  ) throws -> [OrderEntry] {
    guard let entry else { return try neighbors(of: kind, direction, nil, limit: limit) }
    let order = entry.order
    let same =
      switch kind {
      case .items:
        try entries(of: TodoItem.where { $0.order == order }.order(by: \.id), \.id, \.order)
      case .groups:
        try entries(of: TodoGroup.where { $0.order == order }.order(by: \.id), \.id, \.order)
      }
    let nearest = same.firstIndex(of: entry).map { place in
      direction == .before ? Array(same[..<place].reversed()) : Array(same[(place + 1)...])
    }
    return try (nearest ?? []) + neighbors(of: kind, direction, order, limit: limit)
  }

  /// The rows before an order key or after it, the nearest first.
  ///
  /// - Parameter order: The key, whose own rows are left out; nil for the end of all.
  mutating func neighbors(
    of kind: OrderedKind, _ direction: OrderDirection, _ order: Int64?, limit: Int
  ) throws -> [OrderEntry] {
    let isBefore = direction == .before
    switch kind {
    case .items:
      var rows = TodoItem.all
      if let order { rows = rows.where { isBefore ? $0.order < order : $0.order > order } }
      let nearest = isBefore ? rows.order(by: \.order.descending) : rows.order(by: \.order)
      return try entries(of: nearest.limit(limit), \.id, \.order)
    case .groups:
      var rows = TodoGroup.all
      if let order { rows = rows.where { isBefore ? $0.order < order : $0.order > order } }
      let nearest = isBefore ? rows.order(by: \.order.descending) : rows.order(by: \.order)
      return try entries(of: nearest.limit(limit), \.id, \.order)
    }
  }

  /// The ids and order keys of a query's rows, also of those whose other values cannot be read.
  private mutating func entries<M: Model>(
    of query: Query<M>, _ id: KeyPath<M, UUID>, _ order: KeyPath<M, Int64>
  ) throws -> [OrderEntry] {
    var entries: [OrderEntry] = []
    try forEachRow(query) { row in
      try entries.append(OrderEntry(id: row[id], order: row[order]))
    }
    return entries
  }
}

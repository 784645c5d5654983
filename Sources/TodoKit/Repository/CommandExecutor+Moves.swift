import Croft
import CroftFoundation
import Presentation

/// The order of items and of groups: moves, and the order keys of what is added.
extension CommandExecutor {
  /// Puts items side by side at a position.
  mutating func move(
    _ ids: [UUID], to position: Position, in tx: inout WriteTransaction
  ) throws -> [TodoItem] {
    let moved = try ids.unique.map { try knownItem($0, in: &tx).orderEntry }
    let anchor = try position.neighborID.map { try knownItem($0, in: &tx).orderEntry }
    let entries = try arrange(
      moved.map(\.id), from: moved, at: position, anchor, of: .items, in: &tx)
    for entry in entries { try setOrder(entry, of: .items, in: &tx) }
    return try moved.map { try knownItem($0.id, in: &tx) }
  }

  /// Puts a group at a position among the groups.
  mutating func moveGroup(
    _ id: UUID, to position: Position, in tx: inout WriteTransaction
  ) throws -> TodoGroup {
    let moved = try knownGroup(id, in: &tx).orderEntry
    let anchor = try position.neighborID.map { try knownGroup($0, in: &tx).orderEntry }
    let entries = try arrange([id], from: [moved], at: position, anchor, of: .groups, in: &tx)
    for entry in entries { try setOrder(entry, of: .groups, in: &tx) }
    return try knownGroup(id, in: &tx)
  }

  /// Order keys for new rows: the one each asks for if it is free, else the end.
  mutating func newOrders(
    _ wanted: [Int64], of kind: OrderedKind, in tx: inout WriteTransaction
  ) throws -> [Int64] {
    var taken: Set<Int64> = [0]
    var orders = wanted
    var atEnd: [Int] = []
    for (index, order) in wanted.enumerated() {
      if try taken.insert(order).inserted && isFree(order, of: kind, in: &tx) { continue }
      atEnd.append(index)
    }
    guard !atEnd.isEmpty else { return orders }
    let last = try tx.neighbors(of: kind, .before, nil, limit: 1).map(\.order)
    let isAtEnd = Set(atEnd)
    let kept = orders.indices.filter { !isAtEnd.contains($0) }.map { orders[$0] }
    if let free = OrderKeys.keys(atEnd.count, between: (last + kept).max(), and: nil) {
      for (index, order) in zip(atEnd, free) { orders[index] = order }
      return orders
    }
    // No greater number is left: the rows at the end get smaller ones together with the new ones.
    let ids = atEnd.map { _ in UUID() }
    for entry in try arrange(ids, at: .last, nil, of: kind, in: &tx) {
      if let index = ids.firstIndex(of: entry.id) {
        orders[atEnd[index]] = entry.order
      } else {
        try setOrder(entry, of: kind, in: &tx)
      }
    }
    return orders
  }

  private func isFree(
    _ order: Int64, of kind: OrderedKind, in tx: inout WriteTransaction
  ) throws -> Bool {
    guard order > .min else { return false }
    // Nothing is decoded, so that the key of an item that cannot be read is taken too.
    return switch kind {
    case .items: try tx.count(TodoItem.where { $0.order == order }) == 0
    case .groups: try tx.count(TodoGroup.where { $0.order == order }) == 0
    }
  }

  /// Finds new order keys for rows that are put side by side, and for those that make room.
  ///
  /// - Parameters:
  ///   - moved: The rows' present keys, in the same order; empty for new rows.
  ///   - anchor: The row that `position` names, if it names one.
  /// - Returns: Every row that gets another key, in their order; none where nothing has to change.
  private func arrange(
    _ ids: [UUID], from moved: [OrderEntry] = [], at position: Position, _ anchor: OrderEntry?,
    of kind: OrderedKind, in tx: inout WriteTransaction
  ) throws -> [OrderEntry] {
    let movedIDs = Set(ids)
    // How many neighbours on either side get new keys too: none, as long as there is room.
    var reach = 0
    while true {
      let limit = reach + 1 + ids.count
      var before =
        try position == .first
        ? [] : tx.neighbors(of: kind, .before, beside: anchor, limit: limit)
      var after =
        try position == .last ? [] : tx.neighbors(of: kind, .after, beside: anchor, limit: limit)
      if let anchor, case .before = position { after.insert(anchor, at: 0) }
      if let anchor, case .after = position { before.insert(anchor, at: 0) }
      before.removeAll { movedIDs.contains($0.id) }
      after.removeAll { movedIDs.contains($0.id) }
      let rows = before.prefix(reach).reversed().map(\.id) + ids + after.prefix(reach).map(\.id)
      let lower = before.count > reach ? before[reach].order : nil
      let upper = after.count > reach ? after[reach].order : nil
      if reach == 0 && moved.isInOrder(between: lower, and: upper) { return [] }
      let gapMin = reach == 0 ? 2 : OrderKeys.gapMin
      if let keys = OrderKeys.keys(rows.count, between: lower, and: upper, gap: gapMin) {
        return zip(rows, keys).map { OrderEntry(id: $0, order: $1) }
      }
      precondition(
        lower != nil || upper != nil, "There are order keys for two thousand million rows.")
      reach = max(32, reach * 2)
    }
  }

  /// Stores the order key of a row.
  ///
  /// That of an item that cannot be read is stored without a record of it: an undo leaves it as it is then.
  private mutating func setOrder(
    _ entry: OrderEntry, of kind: OrderedKind, in tx: inout WriteTransaction
  ) throws {
    switch kind {
    case .items:
      let item = TodoItem.where { $0.id == entry.id }
      guard let old = try tx.fetch(item, unreadable: { _, _ in }).first else {
        let count = try tx.update(item, set: \.order, to: entry.order)
        if count == 0 { throw TodoError.notFound(entry.id) }
        return
      }
      var new = old
      new.order = entry.order
      try replace(old, with: new, in: &tx)
    case .groups:
      let old = try knownGroup(entry.id, in: &tx)
      var new = old
      new.order = entry.order
      try replace(old, with: new, in: &tx)
    }
  }
}

extension [OrderEntry] {
  /// Whether the rows are in their order between two neighbours already; false for no rows.
  fileprivate func isInOrder(between lower: Int64?, and upper: Int64?) -> Bool {
    guard let first, let last else { return false }
    let isAscending = zip(self, dropFirst()).allSatisfy { $0.order < $1.order }
    return isAscending && lower.map { $0 < first.order } ?? true
      && upper.map { last.order < $0 } ?? true
  }
}

extension TodoItem {
  fileprivate var orderEntry: OrderEntry { OrderEntry(id: id, order: order) }
}

extension TodoGroup {
  fileprivate var orderEntry: OrderEntry { OrderEntry(id: id, order: order) }
}

extension Position {
  /// The row beside which something is put; nil for the ends.
  fileprivate var neighborID: UUID? {
    switch self {
    case .first, .last: nil
    case .before(let id), .after(let id): id
    }
  }
}

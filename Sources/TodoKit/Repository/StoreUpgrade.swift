import Croft

/// The upgrade of stores from before order keys, tallies and endings.
extension ReadableTransaction where Self: ~Copyable {
  /// Whether items have no order key or ending, or are not counted: another program wrote them.
  mutating func needsUpgrade() throws -> Bool {
    let count = try count(TodoItem.all)
    return try count != tally(of: .all).total || count != self.count(ItemEnding.all)
      || first(TodoItem.where { $0.order == 0 }.limit(1)) != nil
  }
}

extension WriteTransaction {
  /// Gives items without an order key one at the end, in the order of their creation, and counts.
  ///
  /// Tallies and endings are made again.
  mutating func upgrade() throws {
    guard try needsUpgrade() else { return }
    let unordered = try fetch(TodoItem.where { $0.order == 0 }.order(by: \.createdAt))
    let end = try neighbors(of: .items, .before, nil, limit: 1).first?.order
    let orders = OrderKeys.keys(unordered.count, between: end.map { $0 < 0 ? 0 : $0 }, and: nil)
    for (item, order) in zip(unordered, orders ?? []) {
      try update(TodoItem.self, item.id) { $0.order = order }
    }
    var added = ChangeSet()
    try deleteAll(ItemEnding.self)
    for item in try fetch(TodoItem.all) {
      try insert(ItemEnding(reversed: item.id.reversed))
      added.record(nil, item)
    }
    try deleteAll(ListTally.self)
    for (list, tally) in added.tallyChanges { try setTally(tally, of: list) }
  }
}

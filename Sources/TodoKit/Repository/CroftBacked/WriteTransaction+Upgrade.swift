import Croft

/// What the first program that keeps places and tallies does for a store made before it.
extension ReadableTransaction where Self: ~Copyable {
  /// Whether items have no place, or are not counted: another program wrote them.
  mutating func needsUpgrade() throws -> Bool {
    try count(TodoItem.all) != listTally(of: .all).total
      || first(TodoItem.where { $0.order == 0 }.limit(1)) != nil
  }
}

extension WriteTransaction {
  /// Gives items without a place one behind the others, in the order of their making, and counts.
  mutating func upgrade() throws {
    guard try needsUpgrade() else { return }
    let unplaced = try fetch(TodoItem.where { $0.order == 0 }.order(by: \.createdAt))
    let end = try neighbors(on: .items, .front, of: nil, limit: 1).first?.order
    let places = OrderLine.places(unplaced.count, between: end.map { $0 < 0 ? 0 : $0 }, and: nil)
    for (item, place) in zip(unplaced, places ?? []) {
      try update(TodoItem.self, item.id) { $0.order = place }
    }
    var tallies: [ItemList: Tally] = [:]
    for item in try fetch(TodoItem.all) {
      for list in ItemList.containing(item) {
        tallies[list, default: Tally()].total += 1
        tallies[list, default: Tally()].done += item.isDone ? 1 : 0
      }
    }
    try deleteAll(ListTally.self)
    for (list, tally) in tallies { try setTally(tally, of: list) }
  }
}

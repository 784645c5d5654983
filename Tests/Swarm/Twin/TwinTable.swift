/// The rows of one model.
struct TwinTable: Sendable {
  /// By their primary keys, of which -0 and 0 and the normal forms of a text are one.
  private(set) var rows: [Value: Fields] = [:]
  /// Who has the values of a list that must be unique, behind the list's name.
  var owners: [[Value]: Value] = [:]
  private var order = Order()

  /// The rows in order, worked out once for each state.
  private final class Order: @unchecked Sendable {
    // A twin is used by one thread at a time.
    var rows: [(key: Value, row: Fields)]?
  }

  /// Puts a row, or removes what is there; what was.
  mutating func put(_ row: Fields?, at key: Value) -> Fields? {
    // A copy of the table may know its own order.
    if order.rows != nil || !isKnownUniquelyReferenced(&order) { order = Order() }
    let old = rows[key]
    rows[key] = row
    return old
  }

  func sorted(_ shape: any Shape) -> [(key: Value, row: Fields)] {
    if let known = order.rows { return known }
    let sorted = rows.map { (shape.key(of: $0.value), $0.value) }
      .sorted { $0.0.order(to: $1.0) < 0 }
    order.rows = sorted
    return sorted
  }
}

/// The rows of one model.
struct TwinTable: Sendable {
  /// By their primary keys, of which -0 and 0 and the normal forms of a text are one.
  private(set) var rows: [Value: Fields] = [:]
  /// The objects that have the values of a unique list, by the list's name and the values.
  var owners: [[Value]: Value] = [:]
  private var order = Order()

  /// The rows in order, worked out when they are asked for and kept in order from then on.
  ///
  /// A table of thousands of rows that was sorted again for each statement took minutes to draw.
  private final class Order: @unchecked Sendable {
    // A twin is used by one thread at a time.
    var rows: [(key: Value, row: Fields)]?

    init(_ rows: [(key: Value, row: Fields)]? = nil) { self.rows = rows }

    func put(_ row: Fields?, at identity: Value, _ shape: any Shape) {
      guard var sorted = rows else { return }
      rows = nil
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle].key.order(to: identity) < 0 { low = middle + 1 } else { high = middle }
      }
      let isThere = low < sorted.count && sorted[low].key.order(to: identity) == 0
      sorted.replaceSubrange(
        low..<low + (isThere ? 1 : 0), with: row.map { [(shape.key(of: $0), $0)] } ?? [])
      rows = sorted
    }
  }

  /// Puts a row, or removes what is there; what was.
  ///
  /// - Parameter shape: Tells the row's key, so that the order stays known; nil where it is not to.
  mutating func put(_ row: Fields?, at key: Value, _ shape: (any Shape)? = nil) -> Fields? {
    // A copy of the table has the same order until it is changed.
    if !isKnownUniquelyReferenced(&order) { order = Order(shape.flatMap { _ in order.rows }) }
    if let shape { order.put(row, at: key, shape) } else { order.rows = nil }
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

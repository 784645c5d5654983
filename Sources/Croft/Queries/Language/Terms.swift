/// The terms of an `and` or an `or`, to which others can be joined cheaply.
///
/// A condition of many terms is made by joining one after the other, and each step is a value that
/// can be kept. So the terms stand in arrays of which each is less than half as long as the one
/// before it: joining *n* single terms copies O(*n* log *n*) of them.
@usableFromInline
struct Terms: Sendable {
  private var arrays: [[Expression]] = []
  /// How many terms there are.
  private(set) var count = 0
  /// How deep the deepest of the terms is.
  private(set) var depth = 0

  init(_ terms: [Expression]) {
    if terms.isEmpty { return }
    arrays = [terms]
    count = terms.count
    depth = terms.reduce(0) { Swift.max($0, $1.depth) }
  }

  /// The terms and others behind them.
  func joined(with others: Terms) -> Terms {
    var all = self
    for array in others.arrays { all.append(array) }
    all.count += others.count
    all.depth = Swift.max(depth, others.depth)
    return all
  }

  private mutating func append(_ array: [Expression]) {
    var last = array
    while let before = arrays.last, before.count <= last.count * 2 {
      last = before + last
      arrays.removeLast()
    }
    arrays.append(last)
  }

  /// The terms in their order, in one array.
  var list: [Expression] { arrays.count == 1 ? arrays[0] : arrays.flatMap { $0 } }
}

extension Terms: Sequence {
  @usableFromInline func makeIterator() -> FlattenSequence<[[Expression]]>.Iterator {
    arrays.joined().makeIterator()
  }

  @usableFromInline var underestimatedCount: Int { count }
}

extension Terms: Hashable {
  // How the terms came together is no part of what they say.

  @usableFromInline static func == (left: Terms, right: Terms) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for term in self { hasher.combine(term) }
  }
}

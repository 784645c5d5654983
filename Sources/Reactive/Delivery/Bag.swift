/// Values in insertion order, each removable by the key that its insertion returned.
///
/// The first value is stored inline, so a bag of one allocates nothing. Removal leaves a hole;
/// once there are more holes than values, the bag is compacted. Insertion and removal are thereby
/// O(log n) amortised and keep the order.
@usableFromInline
struct Bag<Value> {
  @usableFromInline
  struct Slot {
    @usableFromInline let key: UInt64
    @usableFromInline var value: Value?
  }

  @usableFromInline var first: Value?
  @usableFromInline var rest: ContiguousArray<Slot> = []
  private var firstKey: UInt64 = 0
  private var lastKey: UInt64 = 0
  private var holes = 0

  @usableFromInline
  init() {}

  var count: Int { (first == nil ? 0 : 1) + rest.count - holes }

  /// Appends a value and returns its key; keys ascend and are never zero.
  mutating func insert(_ value: Value) -> UInt64 {
    lastKey += 1
    if first == nil, rest.isEmpty {
      first = value
      firstKey = lastKey
    } else {
      rest.append(Slot(key: lastKey, value: value))
    }
    return lastKey
  }

  /// Removes and returns the value with this key; nil when there is none.
  mutating func remove(_ key: UInt64) -> Value? {
    if key == firstKey {
      defer { first = nil }
      return first
    }
    guard let index = index(of: key), let value = rest[index].value else { return nil }
    rest[index].value = nil
    holes += 1
    compactIfSparse()
    return value
  }

  /// Removes all values and returns them in a bag of their own; keys still ascend.
  mutating func removeAll() -> Bag {
    var removed = Bag()
    removed.lastKey = lastKey
    swap(&self, &removed)
    return removed
  }

  /// Calls a closure with every value, in insertion order.
  func forEach(_ body: (Value) -> Void) {
    if let first { body(first) }
    for slot in rest {
      if let value = slot.value { body(value) }
    }
  }

  private func index(of key: UInt64) -> Int? {
    var low = 0
    var high = rest.count
    while low < high {
      let middle = (low + high) / 2
      if rest[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < rest.count && rest[low].key == key ? low : nil
  }

  private mutating func compactIfSparse() {
    if holes == rest.count {
      rest.removeAll(keepingCapacity: true)
      holes = 0
    } else if holes > 16, holes > rest.count / 2 {
      rest.removeAll { $0.value == nil }
      holes = 0
    }
  }
}

/// A multiset of key codes whose first one is known: a priority queue with lazy deletion.
///
/// A code that is removed stays in the heap until it is its first, or until half of the heap is such.
struct OrderedCodes<Value> {
  private let isDescending: Bool
  /// How often each code is there, and the value of its first; 0 for one that is only in the heap.
  private var entries: [[UInt8]: (count: Int, value: Value?)] = [:]
  private var heap: [[UInt8]] = []
  private var removed = 0

  /// Makes an empty multiset; descending, its first code is the greatest.
  init(isDescending: Bool) { self.isDescending = isDescending }

  /// Inserts a code in O(log *n*), with its value where it is new.
  mutating func insert(_ code: [UInt8], _ value: () throws -> Value?) rethrows {
    if let entry = entries[code] {
      if entry.count == 0 { removed -= 1 }
      entries[code] = (entry.count + 1, entry.value)
      return
    }
    entries[code] = (1, try value())
    heap.append(code)
    var place = heap.count - 1
    while place > 0, precedes(heap[place], heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes a code once, in O(log *n*) on average over many removals.
  mutating func remove(_ code: [UInt8]) {
    guard let entry = entries[code], entry.count > 0 else { return }
    entries[code] = (entry.count - 1, entry.value)
    guard entry.count == 1 else { return }
    removed += 1
    while let first = heap.first, entries[first]?.count == 0 { removeFirst() }
    guard removed > heap.count / 2 else { return }
    entries = entries.filter { $0.value.count > 0 }
    // A sorted array is a heap.
    heap = entries.keys.sorted(by: precedes)
    removed = 0
  }

  /// How many codes are in the heap, those that were removed among them; for tests.
  var heapCount: Int { heap.count }

  /// The value of the first code; nil where there is none.
  var first: Value? { heap.first.flatMap { entries[$0]?.value } }

  private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    isDescending ? right.lexicographicallyPrecedes(left) : left.lexicographicallyPrecedes(right)
  }

  /// Removes the first code, which is there no more.
  private mutating func removeFirst() {
    let last = heap.removeLast()
    guard let first = heap.first else {
      entries[last] = nil
      removed -= 1
      return
    }
    entries[first] = nil
    removed -= 1
    heap[0] = last
    var place = 0
    while true {
      let (left, right) = (place * 2 + 1, place * 2 + 2)
      var least = place
      if left < heap.count, precedes(heap[left], heap[least]) { least = left }
      if right < heap.count, precedes(heap[right], heap[least]) { least = right }
      if least == place { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

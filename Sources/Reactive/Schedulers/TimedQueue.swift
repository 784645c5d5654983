/// Scheduled work, the earliest first, and in the order of scheduling where times are equal.
///
/// A binary heap: adding and taking are O(log n).
struct TimedQueue {
  private struct Entry {
    let time: Int
    let order: UInt64
    let item: ScheduledItem

    func precedes(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
  }

  private var entries: [Entry] = []
  private var lastOrder: UInt64 = 0

  /// When the earliest work is due; nil when there is none.
  var nextTime: Int? { entries.first?.time }

  mutating func insert(_ item: ScheduledItem, at time: Int) {
    lastOrder += 1
    entries.append(Entry(time: time, order: lastOrder, item: item))
    var child = entries.count - 1
    while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func popFirst() -> ScheduledItem? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if entries.isEmpty { return first.item }
    entries[0] = last
    var parent = 0
    while let child = earlierChild(of: parent), entries[child].precedes(entries[parent]) {
      entries.swapAt(child, parent)
      parent = child
    }
    return first.item
  }

  private func earlierChild(of parent: Int) -> Int? {
    let left = 2 * parent + 1
    guard left < entries.count else { return nil }
    let right = left + 1
    return right < entries.count && entries[right].precedes(entries[left]) ? right : left
  }
}

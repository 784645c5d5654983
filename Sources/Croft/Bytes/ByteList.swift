/// Byte strings in one block of memory, in the order in which they were added, or sorted.
///
/// While all items have one length, the list stores no end offsets: an item's place is a product.
/// The first item of another length makes the list store the end of each item.
@safe
struct ByteList: ~Copyable {
  /// The items' bytes, one item behind the other.
  ///
  /// Bytes appended here become an item with ``endItem(at:)``.
  var bytes: _ByteBuffer
  private(set) var count = 0
  /// The one length of all items so far; nil for an empty list, and where lengths differ.
  private(set) var width: Int?
  /// The offset in ``bytes`` at which each item ends; empty while all items have one length.
  private(set) var ends: [Int] = []
  /// The items' places in ascending order of their bytes; nil for the order of arrival.
  private var sorted: [UInt32]?

  /// Makes an empty list.
  ///
  /// - Parameter capacity: The bytes that there is room for at first.
  init(capacity: Int = 4096) { bytes = _ByteBuffer(capacity: capacity) }

  /// The bytes of all items.
  var byteCount: Int { bytes.count }

  /// Adds a copy of an item; the list is then in the order of arrival.
  mutating func append(_ item: UnsafeRawBufferPointer) {
    // Safety: the bytes are copied while the caller lends them.
    unsafe bytes.append(contentsOf: item)
    endItem(at: bytes.count)
  }

  /// Makes an item of the bytes between the last item's end and an offset in ``bytes``.
  mutating func endItem(at end: Int) {
    let length = end &- start(of: count)
    if length != width { noteLength(length) }
    count &+= 1
    if width == nil { ends.append(end) }
    if sorted != nil { sorted = nil }
  }

  /// Notes that the next item has another length than those before.
  private mutating func noteLength(_ length: Int) {
    if count == 0 {
      width = length
    } else if let width {
      ends.reserveCapacity(count + 1)
      for place in 1...count { ends.append(place * width) }
      self.width = nil
    }
  }

  /// Where an item's bytes start; for the place behind the last item, where those end.
  func start(of place: Int) -> Int {
    if let width { return place &* width }
    return place == 0 ? 0 : ends[place - 1]
  }

  /// An item by its place, lent until the list changes.
  subscript(place: Int) -> UnsafeRawBufferPointer {
    if let sorted { return unsafe item(Int(sorted[place])) }
    return unsafe item(place)
  }

  /// An item by the place of its arrival, lent until the list changes.
  private func item(_ place: Int) -> UnsafeRawBufferPointer {
    if let width {
      // Safety: every item has the width, and the place is below the count.
      return unsafe UnsafeRawBufferPointer(start: bytes.base + place &* width, count: width)
    }
    let start = place == 0 ? 0 : ends[place - 1]
    // Safety: ends ascend within the block.
    return unsafe UnsafeRawBufferPointer(start: bytes.base + start, count: ends[place] - start)
  }

  /// Removes the items from a place on; the list is then in the order of arrival.
  mutating func removeItems(from place: Int) {
    bytes.count = start(of: place)
    if width == nil { ends.removeLast(count - place) }
    count = place
    if place == 0 { width = nil }
    sorted = nil
  }

  /// Removes all items, and keeps the memory.
  mutating func removeAll() { removeItems(from: 0) }

  /// Puts the items in ascending order; equal ones stay in the order of their arrival.
  mutating func sort() { sorted = order() }

  /// The places of items in ascending order; equal ones stay in the order of their arrival.
  ///
  /// - Parameter first: The first item of those to be sorted; places are counted from it.
  /// - Complexity: O(*n*) for short items of one length, else O(*n* log *n*).
  func order(from first: Int = 0) -> [UInt32] {
    if let width, width <= KeySort.longestRadixKey {
      return unsafe KeySort.radix(
        bytes.base + first * width, count: count - first, width: width)
    }
    let (base, ends, width) = unsafe (bytes.base, ends, width ?? 0)
    return unsafe KeySort.comparison(count: count - first) { place in
      let place = first &+ place
      // Safety: items are within the block, which does not change while they are sorted.
      if width > 0 {
        return unsafe UnsafeRawBufferPointer(start: base + place &* width, count: width)
      }
      let start = place == 0 ? 0 : ends[place &- 1]
      return unsafe UnsafeRawBufferPointer(start: base + start, count: ends[place] &- start)
    }
  }
}

/// Different byte strings, in the order in which they came.
///
/// Beside its bytes, and its end where lengths differ, an item takes eight to sixteen bytes.
/// Confined to the call or the transaction that made it.
final class ByteSet {
  private var items = ByteList(capacity: 1024)
  /// For each hash, modulo the table's size, one more than an item's place; 0 where there is none.
  private var table = [UInt32](repeating: 0, count: 64)

  var count: Int { items.count }

  /// An item by its place, lent until the set changes.
  subscript(place: Int) -> UnsafeRawBufferPointer {
    // Safety: the caller leaves the set alone while it uses the item.
    unsafe items[place]
  }

  /// Whether the set holds an item.
  func contains(_ item: UnsafeRawBufferPointer) -> Bool { unsafe table[slot(of: item)] != 0 }

  /// Adds a copy of an item.
  ///
  /// - Returns: Whether the set lacked it.
  @discardableResult
  func insert(_ item: UnsafeRawBufferPointer) -> Bool {
    let slot = unsafe slot(of: item)
    guard table[slot] == 0 else { return false }
    unsafe items.append(item)
    table[slot] = UInt32(count)
    if count * 2 > table.count { grow() }
    return true
  }

  func removeAll() {
    guard count > 0 else { return }
    items.removeAll()
    table = [UInt32](repeating: 0, count: 64)
  }

  /// The items in ascending order.
  func sorted() -> ByteList {
    var list = ByteList()
    for place in 0..<count { unsafe list.append(self[place]) }
    list.sort()
    return list
  }

  /// Where the table has an item, or would have it.
  private func slot(of item: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: item)
    var slot = hasher.finalize() & (table.count - 1)
    while table[slot] != 0, unsafe KeySort.compare(self[Int(table[slot]) - 1], item) != 0 {
      slot = (slot + 1) & (table.count - 1)
    }
    return slot
  }

  private func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for place in 0..<count { unsafe table[slot(of: self[place])] = UInt32(place + 1) }
  }
}

import CroftLibc

/// Byte strings in one block of memory, in the order in which they were added, or sorted.
///
/// While all items have one length, the list stores no end offsets: an item's place is a product.
/// The first item of another length makes the list store the end of each item.
@safe
struct ByteList: ~Copyable {
  /// The items' bytes, one item after the other.
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

  /// Makes an empty list, with room for some bytes at first.
  init(capacity: Int = 4096) { bytes = _ByteBuffer(capacity: capacity) }

  var byteCount: Int { bytes.count }

  /// Adds a copy of an item; the list is then in the order of arrival.
  mutating func append(_ item: UnsafeRawBufferPointer) {
    // Safety: the bytes are copied during the call.
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

  /// Where an item's bytes start; for the place after the last item, where those end.
  func start(of place: Int) -> Int {
    if let width { return place &* width }
    return place == 0 ? 0 : ends[place - 1]
  }

  /// An item by its place, borrowed until the list changes.
  subscript(place: Int) -> UnsafeRawBufferPointer {
    if let sorted { return unsafe item(Int(sorted[place])) }
    return unsafe item(place)
  }

  /// An item by the place of its arrival, borrowed until the list changes.
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

  mutating func removeAll() { removeItems(from: 0) }

  /// Puts the items in ascending order; equal ones stay in the order of their arrival.
  mutating func sort() { sorted = order() }

  /// Whether items are sorted byte by byte, which takes memory for each value of each byte.
  func isRadixSorted(from first: Int) -> Bool {
    guard let width, width <= Threshold.radixKeyBytes.value else { return false }
    return count - first >= Threshold.radixKeys.value
  }

  /// The places of items in ascending order; equal ones stay in the order of their arrival.
  ///
  /// - Parameter first: The first item of those to be sorted; places are counted from it.
  /// - Complexity: O(*n*) for short items of one length, else O(*n* log *n*).
  func order(from first: Int = 0) -> [UInt32] {
    if count - first == 1 { return [0] }
    if let width, isRadixSorted(from: first) {
      return unsafe ByteList.radix(
        bytes.base + first * width, count: count - first, width: width)
    }
    let (base, ends, width) = unsafe (bytes.base, ends, width ?? 0)
    return unsafe ByteList.comparison(count: count - first) { place in
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

// MARK: - Comparing and sorting

extension ByteList {
  /// Compares bytes as LMDB does: memcmp, then length.
  @inline(__always)
  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let l = left.baseAddress, let r = right.baseAddress {
      // Safety: both buffers hold `shared` bytes.
      let order = unsafe memcmp(l, r, shared)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  /// Sorts contiguous keys of one width by a radix sort, least significant byte first.
  ///
  /// A byte that all keys share costs one counting pass. The last eight bytes cost one pass if they
  /// ascend already, as in index entries of rows that were inserted in the order of their keys.
  ///
  /// - Complexity: O(*n* · *width*), of which one read of each byte always.
  static func radix(_ keys: UnsafeMutableRawPointer, count: Int, width: Int) -> [UInt32] {
    var order = (0..<UInt32(count)).map { $0 }
    let digits = unsafe endsAscend(keys, count, width) ? width - 8 : width
    if digits == 0 { return order }
    var scratch = [UInt32](repeating: 0, count: count)
    var counts = [UInt32](repeating: 0, count: digits * 256)
    // Safety: `keys` holds `count * width` bytes.
    let bytes = unsafe keys.assumingMemoryBound(to: UInt8.self)
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      for place in 0..<count {
        let key = unsafe bytes + place &* width
        for digit in 0..<digits { unsafe counts[digit &* 256 &+ Int(key[digit])] &+= 1 }
      }
    }
    for digit in (0..<digits).reversed() {
      let range = digit * 256..<(digit + 1) * 256
      if counts[range].contains(UInt32(count)) { continue }
      var starts = [UInt32](repeating: 0, count: 256)
      var next: UInt32 = 0
      for value in 0..<256 {
        starts[value] = next
        next += counts[range.lowerBound + value]
      }
      unsafe starts.withUnsafeMutableBufferPointer { starts in
        unsafe scratch.withUnsafeMutableBufferPointer { scratch in
          for place in order {
            let value = unsafe Int(bytes[Int(place) &* width &+ digit])
            unsafe scratch[Int(starts[value])] = place
            unsafe starts[value] &+= 1
          }
        }
      }
      swap(&order, &scratch)
    }
    return order
  }

  /// Whether the keys' last eight bytes ascend in the order of the keys.
  private static func endsAscend(
    _ keys: UnsafeMutableRawPointer, _ count: Int, _ width: Int
  ) -> Bool {
    guard width >= 8 else { return false }
    var last: UInt64 = 0
    for place in 0..<count {
      // Safety: `keys` holds `count * width` bytes.
      let end = unsafe keys.loadUnaligned(
        fromByteOffset: (place &+ 1) &* width &- 8, as: UInt64.self)
      let word = UInt64(bigEndian: end)
      if word < last { return false }
      last = word
    }
    return true
  }

  /// Sorts keys of any length by comparing their first eight bytes as a word, then the rest.
  @inline(__always)
  static func comparison(
    count: Int, key: (Int) -> UnsafeRawBufferPointer
  ) -> [UInt32] {
    var entries = (0..<count).map { unsafe (prefix: prefix(key($0)), place: UInt32($0)) }
    entries.sort { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let order = unsafe compare(key(Int(left.place)), key(Int(right.place)))
      return order == 0 ? left.place < right.place : order < 0
    }
    return entries.map(\.place)
  }

  /// The first eight bytes as a big-endian word; a shorter key is padded with zeroes.
  static func prefix(_ key: UnsafeRawBufferPointer) -> UInt64 {
    if key.count >= 8 {
      // Safety: the key holds eight bytes.
      return UInt64(bigEndian: unsafe key.loadUnaligned(as: UInt64.self))
    }
    var word: UInt64 = 0
    for place in 0..<8 {
      word = word << 8 | (unsafe place < key.count ? UInt64(key[place]) : 0)
    }
    return word
  }
}

extension Range<Int> {
  /// The first number for which a test holds that holds for all greater ones too; else the end.
  func partitionPoint(where isReached: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isReached(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// MARK: - Repeated items

extension ByteList {
  /// How many different items there are in a sorted list.
  func countDifferent() -> Int {
    var different = 0
    for place in 0..<count where place == 0 || !isRepeated(place) { different += 1 }
    return different
  }

  /// Keeps the items that another list has too; both lists are sorted.
  mutating func formIntersection(_ other: borrowing ByteList) {
    var (own, others) = (0, 0)
    var common = ByteList()
    while own < count, others < other.count {
      // Safety: the items are compared and copied while neither list changes.
      let order = unsafe ByteList.compare(self[own], other[others])
      if order == 0 { unsafe common.append(self[own]) }
      if order <= 0 { own += 1 }
      if order >= 0 { others += 1 }
    }
    self = common
  }

  /// Whether an item of a sorted list is the one before it.
  func isRepeated(_ place: Int) -> Bool {
    // Safety: both items are borrowed while the list stays as it is.
    unsafe place > 0 && ByteList.compare(self[place], self[place - 1]) == 0
  }
}

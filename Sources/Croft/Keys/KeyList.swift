/// Many keys' bytes in one block of memory.
@safe
struct KeyList: ~Copyable {
  private var bytes = _ByteBuffer(capacity: 4096)
  private var ends: [Int] = []
  private var order: [UInt32]?
  /// The keys' one length, where it is known beforehand.
  private let width: Int?

  /// Makes an empty list.
  ///
  /// - Parameter width: The length that every key will have, or nil.
  init(width: Int?) { self.width = width }

  var count: Int { ends.count }
  var byteCount: Int { bytes.count }

  /// Adds a copy of a key; the list is then in the order of arrival.
  mutating func append(_ key: UnsafeRawBufferPointer) {
    unsafe bytes.append(contentsOf: key)
    ends.append(bytes.count)
    order = nil
  }

  mutating func clear() {
    bytes.count = 0
    ends.removeAll(keepingCapacity: true)
    order = nil
  }

  /// Puts the keys in ascending order.
  mutating func sort() {
    if let width, width <= KeySort.longestRadixKey {
      order = unsafe KeySort.radix(bytes.base, count: count, width: width)
    } else {
      let base = unsafe bytes.base
      let ends = ends
      order = unsafe KeySort.comparison(count: ends.count) { place in
        let start = place == 0 ? 0 : ends[place - 1]
        // Safety: ends ascend within the buffer, which is not changed while it is sorted.
        return unsafe UnsafeRawBufferPointer(start: base + start, count: ends[place] - start)
      }
    }
  }

  /// One key, lent until the list changes.
  subscript(position: Int) -> UnsafeRawBufferPointer {
    let place = order.map { Int($0[position]) } ?? position
    let start = place == 0 ? 0 : ends[place - 1]
    // Safety: ends ascend within the buffer.
    return unsafe UnsafeRawBufferPointer(start: bytes.base + start, count: ends[place] - start)
  }
}

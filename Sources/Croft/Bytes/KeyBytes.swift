/// Keys' bytes in one block of memory, one behind the other.
///
/// Where all keys have one length that is known beforehand, nothing is kept beside the bytes.
@safe
struct KeyBytes: ~Copyable {
  private var bytes: _ByteBuffer
  /// Where each key ends; empty while ``width`` tells it.
  private(set) var ends: [Int] = []
  /// The one length of all keys so far.
  private(set) var width: Int?
  private(set) var count = 0

  /// Makes an empty block.
  ///
  /// - Parameters:
  ///   - width: The length that every key will have, or nil.
  ///   - capacity: The bytes that there is room for at first.
  init(width: Int?, capacity: Int) {
    self.width = width
    bytes = _ByteBuffer(capacity: capacity)
  }

  var byteCount: Int { bytes.count }

  /// Adds a copy of a key.
  mutating func append(_ key: UnsafeRawBufferPointer) {
    if let width, key.count != width {
      // A damaged file's, which is no key of the model: its length is kept like all others'.
      ends = (0..<count).map { ($0 + 1) * width }
      self.width = nil
    }
    unsafe bytes.append(contentsOf: key)
    count += 1
    if width == nil { ends.append(bytes.count) }
  }

  mutating func removeAll() {
    bytes.count = 0
    ends.removeAll(keepingCapacity: true)
    count = 0
  }

  /// One key by its place, lent until the block changes.
  subscript(place: Int) -> UnsafeRawBufferPointer {
    if let width {
      // Safety: every key has the width, and the place lies below the count.
      return unsafe UnsafeRawBufferPointer(start: bytes.base + place * width, count: width)
    }
    let start = place == 0 ? 0 : ends[place - 1]
    // Safety: ends ascend within the block.
    return unsafe UnsafeRawBufferPointer(start: bytes.base + start, count: ends[place] - start)
  }

  /// The places of the keys in ascending order; equal ones stay in the order of their arrival.
  func order() -> [UInt32] {
    if let width, width <= KeySort.longestRadixKey {
      return unsafe KeySort.radix(bytes.base, count: count, width: width)
    }
    return unsafe KeySort.comparison(count: count) { unsafe self[$0] }
  }
}

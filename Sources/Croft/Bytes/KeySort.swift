#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Stable sorts of byte keys in memcmp order.
enum KeySort {
  /// The longest keys that a radix sort orders faster than comparisons do.
  static var longestRadixKey: Int { Threshold.radixKeyBytes.value }

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

/// The checksum of a key and its value, which shows that stored bytes were damaged.
///
/// 64-bit words are folded by a multiplication to 128 bits whose halves are combined, sixteen
/// bytes at a time, and the result is folded to 32 bits; the article "Record format" has the steps.
/// It does not protect against deliberate changes.
enum Checksum {
  /// The length of a checksum in bytes.
  static let size = 4

  private static let first: UInt64 = 0xA076_1D64_78BD_642F
  private static let second: UInt64 = 0xE703_7ED1_A0B4_28DB
  private static let third: UInt64 = 0x8EBC_6AF0_9C88_C6E3

  /// The checksum of a value under a key.
  @inline(__always)
  static func of(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> UInt32 {
    // Safety: both are the caller's, and read within their bounds.
    var state = unsafe fold(key, from: first)
    state = unsafe fold(value, from: state)
    let counts = UInt64(truncatingIfNeeded: key.count) &<< 40 ^ UInt64(value.count)
    let sum = mix(state ^ second, counts ^ third)
    return UInt32(truncatingIfNeeded: sum ^ sum &>> 32)
  }

  /// The checksum of a value under a key, as four little-endian bytes.
  static func bytes(_ key: [UInt8], _ value: [UInt8]) -> [UInt8] {
    // Safety: the arrays outlive the calls.
    let sum = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { unsafe of(key, $0) }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
  }

  /// A value with its checksum after it, as the file has it.
  static func appended(to value: [UInt8], under key: [UInt8]) -> [UInt8] {
    value + bytes(key, value)
  }

  /// The value before a checksum; nil where the checksum is another one, or missing.
  static func value(of stored: [UInt8], under key: [UInt8]) -> [UInt8]? {
    guard stored.count >= size else { return nil }
    let value = Array(stored.dropLast(size))
    return bytes(key, value).elementsEqual(stored.suffix(size)) ? value : nil
  }

  /// Whether the four bytes after a value are its checksum.
  @inline(__always)
  static func holds(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    guard let start = value.baseAddress else { return false }
    // Safety: the caller has found four bytes after the value.
    let stored = unsafe (start + value.count).loadUnaligned(as: UInt32.self)
    return unsafe UInt32(littleEndian: stored) == of(key, value)
  }

  @inline(__always)
  private static func fold(_ bytes: UnsafeRawBufferPointer, from seed: UInt64) -> UInt64 {
    guard let start = bytes.baseAddress else { return mix(first, seed) }
    var state = seed
    var offset = 0
    let count = bytes.count
    // Safety: the offsets stay within the bytes.
    while count &- offset > 16 {
      state = unsafe mix(word(start + offset) ^ first, word(start + offset + 8) ^ state)
      offset &+= 16
    }
    let rest = count &- offset
    let low: UInt64
    let high: UInt64
    if rest >= 8 {
      low = unsafe word(start + offset)
      high = unsafe word(start + count - 8)
    } else if rest >= 4 {
      low = unsafe half(start + offset)
      high = unsafe half(start + count - 4)
    } else {
      low = unsafe few(start + offset, rest)
      high = 0
    }
    return mix(low ^ first, high ^ state)
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  @inline(__always)
  private static func word(_ start: UnsafeRawPointer) -> UInt64 {
    // Safety: the caller has found eight bytes there.
    UInt64(littleEndian: unsafe start.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func half(_ start: UnsafeRawPointer) -> UInt64 {
    // Safety: the caller has found four bytes there.
    UInt64(UInt32(littleEndian: unsafe start.loadUnaligned(as: UInt32.self)))
  }

  /// Up to three bytes as a number.
  @inline(__always)
  private static func few(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var word: UInt64 = 0
    // Safety: the caller has found that many bytes there.
    for place in 0..<count {
      word |=
        UInt64(unsafe start.load(fromByteOffset: place, as: UInt8.self)) &<< (8 &* UInt64(place))
    }
    return word
  }

  /// FNV-1a with 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
  ///
  /// It is part of truncated key codes, whose rows are compared on a hit, and makes schemas' fingerprints.
  enum FNV1a {
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
      var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
      for place in 0..<bytes.count {
        hash ^= unsafe UInt128(bytes[place])
        hash = hash &* 0x0000_0000_0100_0000_0000_0000_0000_013B
      }
      return hash
    }
  }
}

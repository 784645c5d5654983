internal import CroftLibc

/// The order of a tree's keys.
enum KeyComparison: Sendable {
  /// By their bytes, from the first to the last.
  case plain
  /// As machine words.
  case numbers

  /// Compares two keys: negative, zero or positive when the first is less, equal or greater.
  @inline(__always)
  func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    switch self {
    // Safety: both are the caller's.
    case .plain: unsafe Self.plainOrder(left, right)
    case .numbers: unsafe Self.numberOrder(left, right)
    }
  }

  /// The first eight bytes of a key as a number that ascends with keys; 0 where it does not tell.
  @inline(__always)
  func word(_ key: UnsafeRawBufferPointer) -> UInt64 {
    guard self == .plain, key.count >= 8 else { return 0 }
    // Safety: the key has eight bytes.
    return UInt64(bigEndian: unsafe key.loadUnaligned(as: UInt64.self))
  }

  /// Compares a key with one that is compared with many, of which the caller keeps the ``word(_:)``.
  @inline(__always)
  func order(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ word: UInt64
  ) -> Int32 {
    if word != 0, left.count >= 8 {
      // Safety: the key has eight bytes. Most keys differ in these.
      let own = UInt64(bigEndian: unsafe left.loadUnaligned(as: UInt64.self))
      if own != word { return own < word ? -1 : 1 }
      if left.count == 8, right.count == 8 { return 0 }
    }
    return unsafe order(left, right)
  }

  @inline(__always)
  private static func plainOrder(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int32 {
    let shorter = min(left.count, right.count)
    guard shorter > 0, let first = left.baseAddress, let second = right.baseAddress
    else { return sign(left.count, right.count) }
    var place = 0
    while shorter &- place >= 8 {
      // Safety: both have eight bytes there. Most keys differ in the first words.
      let (one, other) = unsafe (
        UInt64(bigEndian: first.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
        UInt64(bigEndian: second.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      )
      if one != other { return one < other ? -1 : 1 }
      place &+= 8
    }
    let rest = shorter &- place
    let order = rest == 0 ? 0 : unsafe compareBytes(first + place, second + place, rest)
    return order != 0 ? order : sign(left.count, right.count)
  }

  private static func numberOrder(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int32 {
    guard left.count == MetaPage.wordBytes, right.count == MetaPage.wordBytes else {
      return sign(left.count, right.count)
    }
    // Safety: both are a word.
    let (one, other) = unsafe (
      left.loadUnaligned(as: UInt.self), right.loadUnaligned(as: UInt.self)
    )
    return one == other ? 0 : one < other ? -1 : 1
  }

  @inline(__always)
  private static func sign(_ left: Int, _ right: Int) -> Int32 {
    left == right ? 0 : left < right ? -1 : 1
  }
}

/// Compares two byte strings of the same length; the corresponding C function is `memcmp`.
@inline(__always)
func compareBytes(
  _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int
) -> Int32 {
  // Safety: both hold as many bytes as the caller says.
  unsafe memcmp(left, right, count)
}

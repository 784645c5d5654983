/// What the file says of a tree: how large it is, and where it begins.
struct TreeRecord: Equatable {
  /// The deepest tree that the C library reads.
  static let deepest = 32

  let order: KeyComparison
  let depth: Int
  let branchPages: UInt
  let leafPages: UInt
  let overflowPages: UInt
  let entries: UInt
  let root: UInt

  /// How a tree orders its keys, by its record; nil where it is of a kind that is not offered.
  static func order(_ start: UnsafeRawPointer) -> Database.KeyOrder? {
    // Safety: the caller has found the record's bytes.
    Database.KeyOrder(
      flags: UInt32(unsafe start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)))
  }

  /// Reads a record; nil where it contradicts itself, or is of a kind that is not offered here.
  ///
  /// - Parameters:
  ///   - start: As many bytes as a record has.
  ///   - isOfFreePages: Whether the keys are numbers, as of the list of free pages alone.
  init?(_ start: UnsafeRawPointer, isOfFreePages: Bool = false) {
    // Safety: the caller has found the record's bytes, which need not be aligned.
    func word(_ place: Int) -> UInt {
      unsafe start.loadUnaligned(fromByteOffset: 8 + place * MetaPage.wordBytes, as: UInt.self)
    }
    if isOfFreePages {
      // Its flags say the same in every file: keys are numbers, and each has one value.
      // Safety: as above.
      let flags = unsafe start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
      guard flags & 0x7E == 0x08 else { return nil }
      order = .numbers
    } else {
      guard let order = unsafe Self.order(start) else { return nil }
      self.order = KeyComparison(order)
    }
    depth = Int(unsafe start.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    branchPages = word(0)
    leafPages = word(1)
    overflowPages = word(2)
    entries = word(3)
    root = word(4)
    guard depth <= Self.deepest, (depth == 0) == (root == MetaPage.noPage),
      (depth == 0) == (entries == 0), entries <= UInt(Int.max)
    else { return nil }
  }
}

/// How a tree orders its keys.
enum KeyComparison: Sendable {
  /// By their bytes from the first on.
  case plain
  /// By their bytes from the last on.
  case reversed
  /// By the machine words that they are.
  case numbers

  init(_ order: Database.KeyOrder) {
    self =
      switch order {
      case .ascending: .plain
      case .reversed: .reversed
      }
  }

  /// Less than zero, zero or more, as the first key comes before the second one, is it, or follows.
  @inline(__always)
  func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    switch self {
    // Safety: both are the caller's.
    case .plain: unsafe Self.plainOrder(left, right)
    case .reversed: unsafe Self.reversedOrder(left, right)
    case .numbers: unsafe Self.numberOrder(left, right)
    }
  }

  @inline(__always)
  private static func plainOrder(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int32 {
    let shorter = min(left.count, right.count)
    guard shorter > 0, let first = left.baseAddress, let second = right.baseAddress
    else { return sign(left.count, right.count) }
    if shorter >= 8 {
      // Safety: both have eight bytes, most of which differ in these.
      let (one, other) = unsafe (
        UInt64(bigEndian: first.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: second.loadUnaligned(as: UInt64.self))
      )
      if one != other { return one < other ? -1 : 1 }
      if left.count == 8, right.count == 8 { return 0 }
    }
    let order = unsafe compareBytes(first, second, shorter)
    return order != 0 ? order : sign(left.count, right.count)
  }

  private static func reversedOrder(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int32 {
    // Safety: the places lie within both.
    for place in 1..<min(left.count, right.count) + 1 {
      let (one, other) = unsafe (left[left.count - place], right[right.count - place])
      if one != other { return one < other ? -1 : 1 }
    }
    return sign(left.count, right.count)
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

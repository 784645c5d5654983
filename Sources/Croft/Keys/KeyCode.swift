/// The lengths and limits of key codes.
enum KeyCode {
  /// LMDB's longest key (the C constant is compiled into the library).
  static let longestKey = 511
  /// The longest primary key's code, in bytes: an index entry holds one beside its columns.
  static let longestPrimaryKey = 200

  /// The most columns of an index: so many of the longest code that is never cut fit, which is an
  /// optional decimal's of 25 bytes.
  static let mostColumns = 12

  /// The most bytes an index keeps of one variable value's code, of `columns` columns.
  ///
  /// Beside them a column needs a nil byte, a two-byte mark and a 16-byte hash.
  static func longestKept(columns: Int) -> Int {
    (longestKey - longestPrimaryKey) / columns - 19
  }

  /// Writes the value of a key's code as it lies in a row.
  ///
  /// - Parameters:
  ///   - code: The code of a key that rows leave out.
  ///   - kind: The key's kind.
  ///   - place: Room for a value of `target`.
  ///   - target: The same kind or a wider one.
  static func storeValue(
    of code: UnsafeRawBufferPointer, _ kind: StorageType.Kind, at place: UnsafeMutableRawPointer,
    _ target: StorageType.Kind
  ) {
    guard let source = code.baseAddress, kind.keyWidth == code.count else { return }
    // Safety: the guard found the code of the kind; the place has room for the target's width.
    switch kind {
    case .bool, .uuid: unsafe place.copyMemory(from: source, byteCount: code.count)
    default:
      var word = UInt64(bigEndian: unsafe source.loadUnaligned(as: UInt64.self))
      if kind.isSigned { word ^= 1 << 63 }
      if kind == .date { word = Double(orderedBits: word).bitPattern }
      unsafe withUnsafeBytes(of: word.littleEndian) { bytes in
        guard let start = bytes.baseAddress else { return }
        unsafe place.copyMemory(from: start, byteCount: target.width)
      }
    }
  }

  /// The length of one column's code at the start of `bytes`, or nil where it is none.
  ///
  /// - Parameter isDescending: Whether every byte of the code is inverted.
  static func length(
    of storage: StorageType, in bytes: UnsafeRawBufferPointer, isDescending: Bool = false
  ) -> Int? {
    let mask: UInt8 = isDescending ? 0xFF : 0
    var start = 0
    if storage.isOptional {
      // Safety: the caller lends the bytes for the call, and every index is checked.
      guard let mark = unsafe bytes.first else { return nil }
      if mark ^ mask == 0 { return 1 }
      start = 1
    }
    if let width = storage.kind.keyWidth {
      return start + width <= bytes.count ? start + width : nil
    }
    if storage.kind == .decimal {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      return unsafe DecimalCode.length(in: rest, mask).map { start + $0 }
    }
    return unsafe variableLength(in: bytes, from: start, mask)
  }

  private static func variableLength(
    in bytes: UnsafeRawBufferPointer, from start: Int, _ mask: UInt8
  ) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      guard unsafe bytes[index] ^ mask == 0 else {
        index += 1
        continue
      }
      switch unsafe bytes[index + 1] ^ mask {
      case 0: return index + 2
      case 1: return index + 18 <= bytes.count ? index + 18 : nil
      case 0xFF: index += 2
      default: return nil
      }
    }
    return nil
  }
}

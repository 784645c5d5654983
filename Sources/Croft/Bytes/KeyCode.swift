/// The lengths and limits of key codes.
///
/// The codes themselves are made by `appendKey` of each ``Storable`` type.
enum KeyCode {
  /// LMDB's longest key in bytes, which is compiled into the library.
  static let longestKey = 511
  /// The longest primary key's code in bytes; an index entry contains it beside its columns.
  static let longestPrimaryKey = 200

  /// The most columns of an index.
  ///
  /// So many columns fit even if each has the longest code that is never truncated, which is the 25 bytes
  /// of an optional decimal.
  static let mostColumns = 12

  /// The most bytes an index keeps of one variable value's code.
  ///
  /// Beside these bytes a column needs a nil byte, a two-byte mark and a 16-byte hash. Compound keys,
  /// which references may be, are not truncated; the other columns share the rest of the key.
  static func longestKept(_ columns: [StorageType]) -> Int { share(columns) - 19 }

  /// Whether entries over columns of these types fit into a key of the tree.
  static func fits(_ columns: [StorageType]) -> Bool {
    // No column of another kind needs more than a nil byte and a decimal number's 24.
    share(columns) >= (columns.allSatisfy { $0.kind == .compound } ? 0 : 25)
  }

  /// The bytes of a key that are available to each column other than compound keys.
  private static func share(_ columns: [StorageType]) -> Int {
    let compounds = columns.filter { $0.kind == .compound }
    let room = compounds.reduce(longestKey - longestPrimaryKey) { room, column in
      room - 1 - min(column.codeWidth ?? longestPrimaryKey, longestPrimaryKey)
    }
    return room / max(1, columns.count - compounds.count)
  }

  /// Writes a key's value in the format of rows, given its code.
  ///
  /// - Parameters:
  ///   - place: Room for a value of `target`.
  ///   - target: The kind of the value that is written, the same or a wider one.
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

  /// The length of one column's code at the start of `bytes`; nil if they are no such code.
  ///
  /// - Parameter isDescending: Whether every byte of the code is inverted.
  static func length(
    of storage: StorageType, in bytes: UnsafeRawBufferPointer, isDescending: Bool = false
  ) -> Int? {
    let mask: UInt8 = isDescending ? 0xFF : 0
    var start = 0
    if storage.isOptional {
      // Safety: the caller keeps the bytes valid for the call, and every index is checked.
      guard let mark = unsafe bytes.first else { return nil }
      if mark ^ mask == 0 { return 1 }
      start = 1
    }
    guard storage.kind == .compound else {
      return unsafe end(of: storage.kind, in: bytes, from: start, mask)
    }
    for kind in storage.parts.kinds {
      guard let end = unsafe end(of: kind, in: bytes, from: start, mask) else { return nil }
      start = end
    }
    return start
  }

  /// The offset after the code of a kind that begins at `start`.
  private static func end(
    of kind: StorageType.Kind, in bytes: UnsafeRawBufferPointer, from start: Int, _ mask: UInt8
  ) -> Int? {
    if let width = kind.keyWidth { return start + width <= bytes.count ? start + width : nil }
    if kind == .decimal {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      return unsafe DecimalCode.length(in: rest, mask).map { start + $0 }
    }
    return unsafe variableLength(in: bytes, from: start, mask)
  }

  /// The bytes of an escaped code, without its end mark.
  static func unescaped(_ code: UnsafeRawBufferPointer) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(code.count)
    var index = 0
    while index < code.count - 2 {
      // Safety: the index is below the count.
      let byte = unsafe code[index]
      bytes.append(byte)
      index += byte == 0 ? 2 : 1
    }
    return bytes
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

// Key codes as text, for error messages.

extension KeyCode {
  /// A key's value as text; its bytes if they are no code of the type.
  static func describe(_ bytes: UnsafeRawBufferPointer, as storage: StorageType) -> String {
    guard storage.kind == .compound else {
      return unsafe describe(bytes, kind: storage.kind)
    }
    return unsafe describe(bytes, parts: storage.parts.kinds.map { StorageType($0) })
  }

  /// The values of a compound key's parts as text.
  static func describe(_ bytes: UnsafeRawBufferPointer, parts: [StorageType]) -> String {
    var rest = unsafe bytes
    var texts: [String] = []
    for storage in parts {
      guard let length = unsafe KeyCode.length(of: storage, in: rest) else { break }
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest[..<length])
      texts.append(unsafe describe(part, as: storage))
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[length...])
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  /// A key's value as text; its bytes if they are no code of the kind.
  static func describe(_ bytes: UnsafeRawBufferPointer, kind: StorageType.Kind) -> String {
    switch unsafe StoredValue(code: bytes, kind: kind) {
    case .string(let text)?: return "\"\(text)\""
    case let value?: return value.text
    case nil:
      let digits = Array("0123456789abcdef")
      return "0x" + String(unsafe bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
  }
}

extension StoredValue {
  /// The value of a key's code; nil for bytes of other codes, and for codes without a text.
  init?(code: UnsafeRawBufferPointer, kind: StorageType.Kind) {
    // Safety: the offsets are those of the words that the count tells.
    func word(_ offset: Int = 0) -> UInt64 {
      UInt64(bigEndian: unsafe code.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    if let width = kind.keyWidth, width != code.count { return nil }
    switch kind {
    case .int8, .int16, .int32, .int64: self = .int(Int64(bitPattern: word() ^ (1 << 63)))
    case .uint8, .uint16, .uint32, .uint64: self = .uint(word())
    case .double: self = .double(Double(orderedBits: word()))
    case .date: self = .date(Double(orderedBits: word()))
    case .uuid: self = .uuid(word(), word(8))
    case .string:
      guard let end = unsafe KeyCode.length(of: StorageType(.data), in: code) else { return nil }
      // Safety: the code ends within the bytes.
      let text = unsafe KeyCode.unescaped(UnsafeRawBufferPointer(rebasing: code[..<end]))
      self = .string(String(decoding: text, as: UTF8.self))
    case .decimal:
      guard let number = unsafe DecimalCode.value(of: code) else { return nil }
      self = .decimal(number)
    case .bool, .float, .data, .coded, .compound: return nil
    }
  }
}

enum KeyOrder {
  static func ascendingUnique(_ codes: [[UInt8]]) -> [[UInt8]] {
    if codes.count < 2 { return codes }
    var result: [[UInt8]] = []
    for code in codes.sorted(by: { $0.lexicographicallyPrecedes($1) }) where code != result.last {
      result.append(code)
    }
    return result
  }

  static func inverted(_ code: [UInt8]) -> [UInt8] { code.map { ~$0 } }
}

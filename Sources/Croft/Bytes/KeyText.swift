/// Key codes as a person reads them.
enum KeyText {
  /// A primary key's value, or its bytes where they are no code of the type.
  static func describe(_ bytes: UnsafeRawBufferPointer, as storage: StorageType) -> String {
    guard storage.kind == .compound else {
      return unsafe describe(bytes, kind: storage.kind)
    }
    return unsafe describe(bytes, parts: storage.parts.kinds.map { StorageType($0) })
  }

  /// The values of a compound key's parts.
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

  /// A primary key's value, or its bytes where they are no code of the kind.
  static func describe(_ bytes: UnsafeRawBufferPointer, kind: StorageType.Kind) -> String {
    switch kind {
    case .int8, .int16, .int32, .int64:
      if let word = unsafe word(bytes) { return "\(Int64(bitPattern: word ^ (1 << 63)))" }
    case .uint8, .uint16, .uint32, .uint64:
      if let word = unsafe word(bytes) { return "\(word)" }
    case .double, .date:
      if let word = unsafe word(bytes) { return "\(Double(orderedBits: word))" }
    case .uuid where bytes.count == 16:
      return unsafe uuid(bytes)
    case .string:
      if let text = unsafe unescaped(bytes) {
        return "\"\(String(decoding: text, as: UTF8.self))\""
      }
    case .decimal:
      if let value = unsafe DecimalCode.value(of: bytes) { return "\(value)" }
    default: break
    }
    return unsafe "0x" + hex(bytes)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard bytes.count == 8 else { return nil }
    // Safety: the guard found eight bytes.
    return UInt64(bigEndian: unsafe bytes.loadUnaligned(as: UInt64.self))
  }

  private static func uuid(_ bytes: UnsafeRawBufferPointer) -> String {
    let digits = unsafe Array(hex(bytes).uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }

  private static func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    let digits = Array("0123456789abcdef")
    return unsafe String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private static func unescaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let end = unsafe KeyCode.length(of: StorageType(.data), in: bytes) else { return nil }
    // Safety: the code ends within the bytes.
    return unsafe KeyCode.unescaped(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
  }
}

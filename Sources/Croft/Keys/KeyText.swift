/// Key codes as a person reads them.
enum KeyText {
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
    var text: [UInt8] = []
    var index = 0
    while index + 1 < bytes.count {
      let byte = unsafe bytes[index]
      guard byte == 0 else {
        text.append(byte)
        index += 1
        continue
      }
      guard unsafe bytes[index + 1] == 0xFF else {
        return unsafe bytes[index + 1] == 0 ? text : nil
      }
      text.append(0)
      index += 2
    }
    return nil
  }
}

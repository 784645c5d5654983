public import CroftFoundation

extension Decimal: OrderedStorable {
  /// Bytes of variable length, which compare as the numbers do.
  @inlinable public static var storage: StorageType { StorageType(.decimal) }

  /// Writes the number's key code.
  public func store(into row: inout _RecordEncoder) {
    var code = _ByteBuffer()
    DecimalCode.append(self, to: &code)
    // Safety: the bytes are copied while the buffer lives.
    unsafe row.storeVariable(code.bytes)
  }

  /// Reads the number; trailing zeroes are not stored.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the bytes are no number.
  public static func load(from row: inout _RecordDecoder) throws -> Decimal {
    // Safety: the bytes are read while the row is borrowed.
    let value = try unsafe row.withVariable { unsafe DecimalCode.value(of: $0) }
    guard let value else { throw row.badValue("a decimal number") }
    return value
  }

  /// The value as conditions compare it.
  public var stored: StoredValue { .decimal(self) }

  /// Appends the number's key code: NaN sorts after all numbers.
  public func appendKey(to key: inout _ByteBuffer) { DecimalCode.append(self, to: &key) }
}

extension URL: OrderedStorable {
  /// The text of the whole URL.
  @inlinable public static var storage: StorageType { StorageType(.string) }
  /// Writes the absolute text: a base that the URL is relative to is resolved.
  public func store(into row: inout _RecordEncoder) { absoluteString.store(into: &row) }

  /// Reads the URL.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where the text is no URL.
  public static func load(from row: inout _RecordDecoder) throws -> URL {
    let text = try String.load(from: &row)
    guard let url = URL(string: text) else { throw row.noURL(text) }
    return url
  }

  /// The text as conditions compare it.
  public var stored: StoredValue { .string(absoluteString) }

  /// The value that conditions compare as `stored`; nil where there is none.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    guard case .string(let text) = stored, let value = URL(string: text) else { return nil }
    return value
  }
  /// Appends the text's key code.
  public func appendKey(to key: inout _ByteBuffer) { absoluteString.appendKey(to: &key) }
}

/// The code of a decimal number in rows and keys; codes compare as the numbers do.
///
/// The first two bytes are the sign and the power of a hundred, each further byte is two digits plus
/// one, and the last is an end mark. Equal numbers have equal codes, whatever their trailing zeroes.
enum DecimalCode {
  private static let zero: UInt16 = 0x8000
  private static let notANumber: UInt16 = 0xFFFF
  /// Added to exponents, so that the first two bytes of a positive number are above ``zero``.
  private static let bias = 0x2000

  /// Appends a number's code; it has at most 24 bytes.
  static func append(_ value: Decimal, to code: inout _ByteBuffer) {
    guard !value.isNaN else { return code.append(bigEndian: notANumber) }
    var digits = value.significand.description.utf8.map { $0 &- 0x30 }
    while digits.last == 0 { digits.removeLast() }
    let trimmed = value.significand.description.utf8.count - digits.count
    guard !digits.isEmpty else { return code.append(bigEndian: zero) }
    // The number is 0.ddd... times ten to this power, which must be even for pairs of digits.
    let power = value.exponent + trimmed + digits.count
    if !power.isMultiple(of: 2) { digits.insert(0, at: 0) }
    if !digits.count.isMultiple(of: 2) { digits.append(0) }
    let hundreds = (power + (power.isMultiple(of: 2) ? 0 : 1)) / 2
    let start = code.count
    code.append(bigEndian: zero + UInt16(bias + hundreds))
    for place in stride(from: 0, to: digits.count, by: 2) {
      code.append(digits[place] * 10 + digits[place + 1] + 1)
    }
    code.append(0)
    if value.isSignMinus { code.invert(from: start) }
  }

  /// The number of a code, or nil where the bytes are none.
  static func value(of code: UnsafeRawBufferPointer) -> Decimal? {
    // Safety: the bytes are borrowed for the call, and every index is checked.
    guard unsafe length(in: code) == code.count else { return nil }
    let head = unsafe UInt16(code[0]) << 8 | UInt16(code[1])
    if head == notANumber { return .nan }
    if head == zero { return 0 }
    let isNegative = head < zero
    let hundreds = Int((isNegative ? ~head : head) - zero) - bias
    var digits: [UInt8] = []
    for place in 2..<code.count - 1 {
      let byte = unsafe code[place]
      let pair = (isNegative ? ~byte : byte) &- 1
      guard pair < 100 else { return nil }
      digits += [pair / 10, pair % 10]
    }
    guard digits.count <= 42 else { return nil }
    var exponent = hundreds * 2 - digits.count
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    return decimal(digits, exponent, isNegative: isNegative)
  }

  /// The length of the code at the start of `bytes`, or nil where there is none.
  ///
  /// - Parameter mask: What every byte is xored with: FF where the code is descending.
  static func length(in bytes: UnsafeRawBufferPointer, _ mask: UInt8 = 0) -> Int? {
    // Safety: the bytes are borrowed for the call, and every index is checked.
    guard bytes.count >= 2 else { return nil }
    let head = unsafe UInt16(bytes[0] ^ mask) << 8 | UInt16(bytes[1] ^ mask)
    if head == zero || head == notANumber { return 2 }
    let end: UInt8 = (head < zero ? 0xFF : 0) ^ mask
    return unsafe bytes[2...].firstIndex(of: end).map { $0 + 1 }
  }

  /// The number of some digits; exact, because no sum has more digits than a `Decimal`.
  private static func decimal(
    _ digits: [UInt8], _ exponent: Int, isNegative: Bool
  ) -> Decimal? {
    var digits = digits
    var exponent = exponent
    while exponent > 127 {
      digits.append(0)
      exponent -= 1
    }
    var significand = Decimal(0)
    for start in stride(from: 0, to: digits.count, by: 13) {
      let part = digits[start..<min(start + 13, digits.count)]
      let number = part.reduce(0 as UInt64) { $0 * 10 + UInt64($1) }
      let scale = part.reduce(1 as UInt64) { scale, _ in scale * 10 }
      significand = significand * Decimal(scale) + Decimal(number)
    }
    let value = Decimal(
      sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    return value.isNaN ? nil : value
  }
}

/// A text to compare with, with what makes the common case fast.
struct TextTest {
  let text: String
  let utf8: [UInt8]
  let isASCII: Bool
  /// The bytes of the normalised form.
  private let normal: [UInt8]

  init(_ text: String) {
    self.text = text
    utf8 = Array(text.utf8)
    isASCII = utf8.allSatisfy { $0 < 0x80 }
    normal = isASCII ? utf8 : Array(TextKey.canonicalComposition(of: text).utf8)
  }

  /// Whether a row's text equals this one, by Swift's rules.
  func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
    if unsafe utf8.withUnsafeBytes({ unsafe KeySort.compare(bytes, $0) }) == 0 { return true }
    // ASCII needs no normalisation.
    if isASCII, unsafe TextKey.isASCII(bytes) { return false }
    return unsafe String(decoding: bytes, as: UTF8.self) == text
  }

  /// The order of a row's text and this one, as keys have it: negative, zero, positive.
  ///
  /// Not by Swift's `<`, which is no order where a text is not normalised: neither of
  /// U+212B and U+00C5 U+007F is less than the other, and they are not equal (Swift 6.3).
  func order(of bytes: UnsafeRawBufferPointer) -> Int {
    let order = unsafe utf8.withUnsafeBytes { unsafe KeySort.compare(bytes, $0) }
    // Equal bytes are equal texts, and ASCII needs no normalisation.
    if order == 0 { return 0 }
    if isASCII, unsafe TextKey.isASCII(bytes) { return order }
    var other = unsafe TextKey.canonicalComposition(
      of: String(decoding: bytes, as: UTF8.self))
    return unsafe normal.withUnsafeBytes { normal in
      other.withUTF8 { unsafe KeySort.compare(UnsafeRawBufferPointer($0), normal) }
    }
  }
}

extension Comparison {
  /// Whether a value whose order to the constant is `order` passes.
  @inline(__always)
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension ColumnLayout {
  func keepBytes(
    _ batch: inout RowBatch, _ comparison: Comparison, _ value: [UInt8], isNot: Bool
  ) throws {
    let layout = batch.layout
    try unsafe value.withUnsafeBytes { value in
      try batch.keep { row in
        guard isPresent(in: row) else { return isNot }
        return comparison.holds(unsafe KeySort.compare(try bytes(in: row, layout), value)) != isNot
      }
    }
  }

  func keepText(
    _ batch: inout RowBatch, _ comparison: Comparison, _ test: TextTest, isNot: Bool
  ) throws {
    let layout = batch.layout
    try batch.keep { row in
      guard isPresent(in: row) else { return isNot }
      let text = try unsafe bytes(in: row, layout)
      if comparison == .equal { return unsafe test.isEqual(to: text) != isNot }
      return comparison.holds(unsafe test.order(of: text)) != isNot
    }
  }

  func keepMatches(_ batch: inout RowBatch, _ matcher: TextMatcher, isNot: Bool) throws {
    let layout = batch.layout
    try batch.keep { row in
      guard isPresent(in: row) else { return isNot }
      return unsafe matcher.matches(try bytes(in: row, layout)) != isNot
    }
  }

  /// Whether the column holds a value; a required one always does.
  @inline(__always)
  func isPresent(in row: RowView) -> Bool {
    presenceBit.map { row.isPresent($0) } ?? true
  }

  /// The column's bytes as they lie: a key's code, a fixed-width value, or variable bytes.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's ends lie.
  @inline(__always)
  func bytes(in row: RowView, _ layout: RowLayout) throws -> UnsafeRawBufferPointer {
    switch place {
    case .key: return unsafe row.keyBytes
    case .fixed(let offset):
      // Safety: a checked row holds its whole fixed-width area.
      return unsafe UnsafeRawBufferPointer(
        start: row.row.advanced(by: offset), count: storage.width)
    case .variable(let slot):
      guard let bytes = unsafe row.variable(slot, layout) else {
        throw unsafe StoreError.corrupt(
          model: layout.schema.name, key: layout.schema.describe(key: row.keyBytes),
          reason: "its end offsets do not fit its length")
      }
      return unsafe bytes
    }
  }

  /// The column's value as conditions hold it.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's ends lie.
  func value(in row: RowView, _ layout: RowLayout) throws -> StoredValue {
    guard isPresent(in: row) else { return .none }
    let bytes = try unsafe bytes(in: row, layout)
    if case .key = place { return unsafe keyValue(bytes) }
    guard let value = unsafe StoredValue(bytes, as: storage) else {
      throw unsafe StoreError.corrupt(
        model: layout.schema.name, key: layout.schema.describe(key: row.keyBytes),
        reason: "\(layout.names[index]) holds bytes that are no such value")
    }
    return value
  }

  /// A primary key's value from its code; only kinds whose code restores the value come here.
  private func keyValue(_ code: UnsafeRawBufferPointer) -> StoredValue {
    switch kind {
    case .int8, .int16, .int32, .int64:
      .int(Int64(bitPattern: unsafe Self.word(code, 0) ^ (1 << 63)))
    case .date: .date(Double(orderedBits: unsafe Self.word(code, 0)))
    case .uuid: unsafe .uuid(Self.word(code, 0), Self.word(code, 8))
    default: .uint(unsafe Self.word(code, 0))
    }
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    // Safety: checked rows hold whole codes and whole fixed-width values.
    UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

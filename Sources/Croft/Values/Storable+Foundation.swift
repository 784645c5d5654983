public import CroftFoundation

extension Date: StorableKey {
  /// Seconds since 2001-01-01 00:00 UTC as a Double.
  @inlinable public static var storage: StorageType { StorageType(.date) }
  /// Writes the seconds.
  @inlinable
  public func store(into row: inout _RecordEncoder) {
    timeIntervalSinceReferenceDate.store(into: &row)
  }
  /// Reads the seconds.
  @inlinable
  public static func load(from row: inout _RecordDecoder) -> Date {
    Date(timeIntervalSinceReferenceDate: Double.load(from: &row))
  }
  /// The value as conditions compare it.
  public var stored: StoredValue { .date(timeIntervalSinceReferenceDate) }
  /// Appends the seconds' key code.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) {
    timeIntervalSinceReferenceDate.appendKey(to: &key)
  }
  /// True: the code gives the date back; a negative zero becomes zero, which is the same instant.
  @inlinable public static var keyRestoresValue: Bool { true }
  /// Reads the date back from its eight bytes.
  @inlinable
  public static func loadKey(from row: inout _RecordDecoder) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(orderedBits: row.loadKeyWord()))
  }
}

extension Double {
  /// The date of this many seconds since 2001, as people read it: in UTC, with milliseconds if any.
  ///
  /// A date before the year 1 or after 9999 stays a number of seconds: no format has its year.
  var textOfDate: String {
    guard self >= -63_113_904_000, self < 252_423_993_600 else { return "\(self) s since 2001" }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: self != rounded(.down))
    return Date(timeIntervalSinceReferenceDate: self).formatted(style)
  }
}

extension UUID: StorableKey {
  /// Sixteen bytes, in the order of the text form.
  @inlinable public static var storage: StorageType { StorageType(.uuid) }
  /// Writes the sixteen bytes.
  @inlinable public func store(into row: inout _RecordEncoder) { row.storeFixed(uuid) }
  /// Reads the sixteen bytes.
  @inlinable
  public static func load(from row: inout _RecordDecoder) -> UUID {
    UUID(uuid: row.loadFixed(uuid_t.self))
  }
  /// The value as conditions compare it.
  public var stored: StoredValue { .uuid(words.0, words.1) }
  /// Appends the sixteen bytes, whose order is the order of the text.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) {
    let words = words
    key.append(bigEndian: words.0)
    key.append(bigEndian: words.1)
  }
  /// True: the code gives the value back, and the row does not repeat it.
  @inlinable public static var keyRestoresValue: Bool { true }
  /// Reads the value back from its sixteen bytes.
  @inlinable
  public static func loadKey(from row: inout _RecordDecoder) -> UUID {
    UUID(words: (row.loadKeyWord(), row.loadKeyWord()))
  }

  /// The sixteen bytes as two big-endian words.
  @inlinable var words: (UInt64, UInt64) {
    // Safety: a UUID's bytes are a tuple of sixteen UInt8, laid out without padding.
    unsafe withUnsafeBytes(of: uuid) { bytes in
      unsafe (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The UUID of two big-endian words.
  @inlinable init(words: (UInt64, UInt64)) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    // Safety: both words are within the tuple's sixteen bytes.
    unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
      unsafe bytes.storeBytes(of: words.0.bigEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: bytes)
  }
}

extension Data: StorableKey {
  /// Bytes of variable length.
  @inlinable public static var storage: StorageType { StorageType(.data) }
  /// Writes the bytes.
  public func store(into row: inout _RecordEncoder) {
    // Safety: the bytes are copied before the buffer is given back.
    unsafe withUnsafeBytes { unsafe row.storeVariable($0) }
  }
  /// Reads the bytes.
  public static func load(from row: inout _RecordDecoder) throws -> Data {
    // Safety: the bytes are copied while the row is borrowed.
    try unsafe row.withVariable { unsafe Data($0) }
  }
  /// The value as conditions compare it.
  public var stored: StoredValue { .data([UInt8](self)) }
  /// Reads the bytes.
  public static func loadKey(from row: inout _RecordDecoder) -> Data { Data(row.loadEscaped()) }

  /// Appends the escaped bytes and their end mark.
  public func appendKey(to key: inout _ByteBuffer) {
    // Safety: the bytes are copied before the buffer is given back.
    unsafe withUnsafeBytes { unsafe key.appendEscaped($0) }
  }
}

/// A value of any Codable type, stored as JSON.
///
/// An optional one is stored as a column that may be nil.
public struct _Coded<Value: Codable & Sendable>: Storable {
  @usableFromInline let value: Value
  private let name: String

  /// Wraps the value of a property.
  public init(_ value: Value, _ name: String) {
    self.value = value
    self.name = name
  }

  private static var isOptional: Bool { Value.self is any StorableOptional.Type }

  /// JSON of variable length.
  public static var storage: StorageType { StorageType(.coded, isOptional: isOptional) }

  /// Writes the JSON; a value that cannot be encoded makes the statement fail.
  public func store(into row: inout _RecordEncoder) {
    guard Self.isOptional else { return storeJSON(into: &row) }
    if let value = value as? any StorableOptional, value.isNil {
      row.storePresence(false)
      row.storeNothing(Self.storage)
    } else {
      row.storePresence(true)
      storeJSON(into: &row)
    }
  }

  private func storeJSON(into row: inout _RecordEncoder) {
    let encoder = JSONEncoder()
    // With sorted keys, equal values have equal bytes unless their own encoding differs.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(value).store(into: &row)
    } catch {
      row.fail(name, "\(error)")
      Data().store(into: &row)
    }
  }

  /// Reads the JSON.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where it is not such a value.
  public static func load(from row: inout _RecordDecoder) throws -> Self {
    if isOptional {
      guard row.loadPresence() else {
        row.skip(storage)
        return Self(try decode(Data("null".utf8), in: row), "")
      }
    }
    return Self(try decode(try Data.load(from: &row), in: row), "")
  }

  private static func decode(_ json: Data, in row: borrowing _RecordDecoder) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch {
      throw row.undecodable(as: "\(Value.self)", "\(error)")
    }
  }

  /// Always none, because conditions cannot compare JSON.
  public var stored: StoredValue { .none }

  /// Writes a property of a struct that may be absent.
  public static func _store(_ value: Self?, into row: inout _RecordEncoder) {
    guard let value else {
      row.storePresence(false)
      return row.storeNothing(storage)
    }
    if !isOptional { row.storePresence(true) }
    value.store(into: &row)
  }

  /// Reads a property of a struct that may be absent.
  public static func _loadOptional(from row: inout _RecordDecoder) throws -> Self? {
    if isOptional { return try load(from: &row) }
    guard row.loadPresence() else {
      row.skip(storage)
      return nil
    }
    return try load(from: &row)
  }
}

/// What the log tells of one commit: the keys of each model that it changed.
///
/// The record of a commit begins with its version (1 byte, 2) and holds, for each model that
/// changed, ascending by number: the model's number (u32), the number of keys (u32), and each key,
/// ascending, as its length (u8) and its bytes. Integers are little-endian. No keys stand for any
/// number of them: the commit changed too many to list, or did not note them. At its end stands
/// the checksum of the record's key and the bytes before it, which records of version 1 lack.
struct LogRecord: Equatable, Sendable {
  /// What a commit changed of one model.
  struct ModelKeys: Equatable, Sendable {
    /// The catalog's number of the model.
    let model: Int
    /// The primary keys' codes, ascending; empty where any object may have changed.
    let keys: [[UInt8]]
  }

  /// The version of records that are written.
  static let version: UInt8 = 2
  /// The version before, whose records have no checksum.
  static let versionWithoutChecksum: UInt8 = 1

  let sequence: UInt64
  /// Ascending by model.
  let models: [ModelKeys]

  /// Reads a record.
  ///
  /// - Returns: The commit; nil where the bytes are no record of a version that is known.
  init?(sequence: UInt64, _ bytes: RawSpan) {
    guard let body = Self.body(of: bytes, at: sequence) else { return nil }
    var reader = RecordReader(bytes.extracting(0..<body))
    _ = reader.byte()
    var models: [ModelKeys] = []
    while !reader.isAtEnd {
      guard let entry = reader.model(), entry.model > models.last?.model ?? -1 else { return nil }
      models.append(entry)
    }
    self.init(sequence: sequence, models: models)
  }

  /// How many bytes come before the checksum; nil where that does not fit.
  private static func body(of bytes: RawSpan, at sequence: UInt64) -> Int? {
    guard bytes.byteCount > 0 else { return nil }
    if bytes.byte(at: 0) == versionWithoutChecksum { return bytes.byteCount }
    guard bytes.byte(at: 0) == version, bytes.byteCount > Checksum.size else { return nil }
    let count = bytes.byteCount - Checksum.size
    let checksum = bytes.extracting(count..<bytes.byteCount).copied()
    guard checksum == Checksum.bytes(CommitLog.key(sequence), bytes.extracting(0..<count).copied())
    else { return nil }
    return count
  }

  init(sequence: UInt64, models: [ModelKeys]) {
    self.sequence = sequence
    self.models = models
  }
}

/// Reads a record from its front; what does not lie inside is nil.
private struct RecordReader: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.byteCount }

  mutating func byte() -> UInt8? {
    guard offset < bytes.byteCount else { return nil }
    defer { offset += 1 }
    return bytes.byte(at: offset)
  }

  /// The keys of one model; nil where they are cut off, too long or out of order.
  mutating func model() -> LogRecord.ModelKeys? {
    guard let model = number(), let count = number() else { return nil }
    var keys: [[UInt8]] = []
    for _ in 0..<count {
      guard let length = byte(), let key = key(Int(length)) else { return nil }
      if let last = keys.last, !last.lexicographicallyPrecedes(key) { return nil }
      keys.append(key)
    }
    return LogRecord.ModelKeys(model: model, keys: keys)
  }

  private mutating func number() -> Int? {
    guard bytes.byteCount - offset >= 4 else { return nil }
    defer { offset += 4 }
    return (0..<4).reduce(0) { $0 | Int(bytes.byte(at: offset + $1)) << (8 * $1) }
  }

  private mutating func key(_ count: Int) -> [UInt8]? {
    guard count > 0, bytes.byteCount - offset >= count else { return nil }
    defer { offset += count }
    return bytes.extracting(offset..<offset + count).copied()
  }
}

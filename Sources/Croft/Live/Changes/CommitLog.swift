import LMDB

/// The log of commits in a store's file, which tells observers of other stores' commits.
///
/// A record's key is the commit's sequence (8 bytes, big-endian), and ``LogRecord`` describes its
/// value. A commit of a program that does not log leaves no record, so that the next reader finds
/// a gap. The log keeps a limited number of records, and a later commit deletes the oldest ones.
struct CommitLog {
  static let treeName = "log"

  let tree: Database

  init(tree: Database) { self.tree = tree }

  /// The log of a file; nil where the file has none.
  init?(in transaction: borrowing some Transaction & ~Copyable) throws {
    guard let tree = try transaction.database(named: Self.treeName) else { return nil }
    self.init(tree: tree)
  }

  /// The log of a file, created where the file has none.
  init(creatingIn transaction: inout LMDB.WriteTransaction) throws {
    self.init(tree: try transaction.openDatabase(named: Self.treeName))
  }

  /// Writes the record of a commit, and deletes old records when there are too many.
  ///
  /// - Parameter sequence: The commit's sequence, greater than any in the log.
  /// - Complexity: O(1) pages; one commit of some hundreds deletes an eighth of the log.
  func append(
    _ record: borrowing _ByteBuffer, of sequence: UInt64,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let key = Self.key(sequence)
    // Safety: the bytes are copied while the record is borrowed.
    let body = unsafe [UInt8](record.bytes)
    let value = Checksum.appended(to: body, under: key)
    try unsafe transaction.put(value.span.bytes, at: key.span.bytes, in: tree)
    let statistics = try transaction.statistics(of: tree)
    guard
      statistics.entries > Threshold.loggedCommits.value
        || statistics.bytes > Threshold.loggedBytes.value
    else { return }
    CoverageMark.hit(.logTrimmed)
    // Many at a time, because each commit that deletes any writes the log's first pages again.
    let kept = UInt64(statistics.entries - (statistics.entries + 7) / 8)
    try transaction.deleteRange(
      KeyRange(upper: .inclusive(Self.key(sequence - min(kept, sequence)))), in: tree)
  }

  /// The records of the commits in a range, in order; nil where the log lacks one of them.
  ///
  /// - Parameters:
  ///   - known: The sequence before the first wanted commit.
  ///   - last: The sequence of the last wanted commit.
  ///   - others: The sequences in the range that are not wanted.
  ///   - transaction: A transaction that sees the last commit.
  /// - Complexity: O(records in the range).
  func commits(
    after known: UInt64, through last: UInt64, except others: Set<UInt64> = [],
    in transaction: borrowing some Transaction & ~Copyable
  ) throws -> [LogRecord]? {
    guard last >= known, last - known <= UInt64(Threshold.loggedCommits.value) else { return nil }
    var commits: [LogRecord] = []
    let range = KeyRange(lower: .exclusive(Self.key(known)), upper: .inclusive(Self.key(last)))
    try transaction.forEachBlock(of: tree, in: range) { block in
      for place in 0..<block.count {
        let key = block.key(at: place)
        guard key.byteCount == 8, !others.contains(Self.sequence(key)) else { continue }
        // A record that cannot be read counts as missing.
        guard let commit = LogRecord(sequence: Self.sequence(key), block.value(at: place))
        else { return false }
        commits.append(commit)
      }
      return true
    }
    return UInt64(commits.count + others.count) == last - known ? commits : nil
  }

  /// The newest records, the oldest of them first; nil for one that cannot be read.
  ///
  /// - Complexity: O(*limit*).
  func newest(
    _ limit: Int, in transaction: borrowing some Transaction & ~Copyable
  ) throws -> [(sequence: UInt64, record: LogRecord?)] {
    var records: [(sequence: UInt64, record: LogRecord?)] = []
    if limit == 0 { return records }
    try transaction.forEachBlock(of: tree, in: .all, direction: .backward) { block in
      for place in 0..<block.count where records.count < limit {
        let key = block.key(at: place)
        guard key.byteCount == 8 else { continue }
        let sequence = Self.sequence(key)
        records.append((sequence, LogRecord(sequence: sequence, block.value(at: place))))
      }
      return records.count < limit
    }
    return records.reversed()
  }

  /// Checks that every record of the log can be read.
  func verify(
    in transaction: borrowing some Transaction & ~Copyable, _ result: inout Verification
  ) throws {
    try transaction.forEachBlock(of: tree) { block in
      for place in 0..<block.count {
        let key = block.key(at: place)
        guard key.byteCount == 8 else {
          result.report("the log has a record under \(key.copied())")
          continue
        }
        let sequence = Self.sequence(key)
        if LogRecord(sequence: sequence, block.value(at: place)) == nil {
          result.report("the log's record of commit \(sequence) cannot be read")
        }
      }
      return true
    }
  }

  /// The sequence of the commit whose record has a key of eight bytes.
  static func sequence(_ key: RawSpan) -> UInt64 { key.word(at: 0).byteSwapped }

  static func key(_ sequence: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
  }
}

/// The log's record of one commit: the keys of each model that the commit changed.
///
/// A record starts with its version (1 byte, 2). For each model that changed, ascending by number,
/// follow the model's number (u32), the number of keys (u32), and each key, ascending, as its
/// length (u8) and its bytes. Integers are little-endian. A model without keys changed in an
/// unknown way: the commit changed too many rows to list, or did not capture them. The record ends
/// with the checksum of its key and the bytes before; records of version 1 have no checksum.
struct LogRecord: Equatable, Sendable {
  /// What a commit changed of one model.
  struct ModelKeys: Equatable, Sendable {
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
}

extension LogRecord {
  /// Reads a record; nil where the bytes are no record of a known version.
  init?(sequence: UInt64, _ bytes: RawSpan) {
    guard let body = Self.body(of: bytes, at: sequence) else { return nil }
    var reader = LogRecordReader(bytes.extracting(0..<body))
    _ = reader.byte()
    var models: [ModelKeys] = []
    while !reader.isAtEnd {
      guard let entry = reader.model(), entry.model > models.last?.model ?? -1 else { return nil }
      models.append(entry)
    }
    self.init(sequence: sequence, models: models)
  }

  /// How many bytes come before the checksum; nil where the checksum is wrong.
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
}

/// Reads the bytes of a record in order; a read past the end gives nil.
private struct LogRecordReader: ~Escapable {
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

  /// The keys of one model; nil where they are incomplete or out of order.
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

/// Encodes a record model by model, in the format of ``LogRecord``.
struct LogRecordEncoder: ~Copyable {
  private(set) var bytes = _ByteBuffer()
  /// The limit of keys' bytes in the record; past it, a model is only said to have changed.
  private let largestKeyBytes: Int
  /// The offset of the current model's first key.
  private var start = 0
  private var count: UInt32 = 0
  /// Whether keys of the current model were left out.
  private var isTruncated = false

  init(largestKeyBytes: Int = Threshold.loggedKeyBytes.value) {
    self.largestKeyBytes = largestKeyBytes
    bytes.append(LogRecord.version)
  }

  /// Begins a model, whose number is greater than those before it.
  ///
  /// Without a key after it, the record says that any object of the model may have changed.
  mutating func beginModel(_ number: Int) {
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: number))
    bytes.append(littleEndian: 0 as UInt32)
    (start, count, isTruncated) = (bytes.count, 0, false)
  }

  /// Appends a key of the current model, greater than those before it, of at most 200 bytes.
  mutating func append(key: UnsafeRawBufferPointer) {
    isTruncated = isTruncated || bytes.count + key.count > largestKeyBytes
    if isTruncated {
      bytes.count = start
      count = 0
    } else {
      bytes.append(UInt8(truncatingIfNeeded: key.count))
      unsafe bytes.append(contentsOf: key)
      count += 1
    }
    // Safety: `beginModel` put the number of keys in the four bytes before the first.
    unsafe bytes.base.storeBytes(
      of: count.littleEndian, toByteOffset: start - 4, as: UInt32.self)
  }
}

import LMDB

/// The tree of a model's rows, in which every row has its checksum.
///
/// The tree itself is private to this file: every function that puts a row is below, and writes the
/// checksum over key and row into the four bytes behind the row.
struct RowTable: Sendable, Hashable {
  fileprivate let tree: Database

  init(_ tree: Database) { self.tree = tree }

  /// A table that is open nowhere.
  static let nowhere = RowTable(.nowhere)

  /// Steps that delete rows by their keys.
  var deletions: SortedBatch { SortedBatch(tree) }
}

extension LMDB.WriteTransaction {
  /// Writes the encoder's row, unless its key exists.
  ///
  /// - Returns: Whether the key was free.
  mutating func insert(
    _ encoder: inout _RowEncoder, into rows: RowTable
  ) throws(LMDBError) -> Bool {
    encoder.appendChecksum()
    defer { encoder.removeChecksum() }
    // Safety: the encoder's bytes do not change during the call.
    return try unsafe put(
      RawSpan(_unsafeBytes: encoder.row.bytes), at: RawSpan(_unsafeBytes: encoder.key.bytes),
      in: rows.tree, mode: .insert)
  }

  /// Writes the encoder's row in the place of the one that was found last.
  mutating func replace(
    _ encoder: inout _RowEncoder, in rows: RowTable
  ) throws(LMDBError) {
    encoder.appendChecksum()
    defer { encoder.removeChecksum() }
    // Safety: the encoder's bytes do not change during the call.
    try unsafe replace(
      RawSpan(_unsafeBytes: encoder.row.bytes), at: RawSpan(_unsafeBytes: encoder.key.bytes),
      in: rows.tree)
  }

  /// Writes many rows, up to the first whose key exists.
  ///
  /// - Parameters:
  ///   - steps: The rows, ascending by key; the last four bytes of each are room of the caller's
  ///     for the checksum.
  ///   - rows: The table.
  /// - Returns: The place of the row whose key exists; nil when all are written.
  mutating func insert(
    _ steps: UnsafeBufferPointer<SortedChange>, into rows: RowTable
  ) throws(LMDBError) -> Int? {
    for place in 0..<steps.count {
      // Safety: each step lends a key and a row, with four bytes of its own behind that.
      let step = unsafe steps[place]
      guard let start = unsafe step.valueStart else { continue }
      let count = unsafe step.valueCount - Checksum.size
      let sum = unsafe Checksum.of(
        UnsafeRawBufferPointer(start: step.keyStart, count: step.keyCount),
        UnsafeRawBufferPointer(start: start, count: count))
      unsafe UnsafeMutableRawPointer(mutating: start + count)
        .storeBytes(of: sum.littleEndian, as: UInt32.self)
    }
    return try unsafe insert(steps, into: rows.tree)
  }

  /// Finds a row for ``replace(_:in:)``; see the engine's method of this name.
  @_lifetime(borrow self)
  func find(_ key: RawSpan, in rows: RowTable) throws(LMDBError) -> RawSpan? {
    try find(key, in: rows.tree)
  }

  /// Deletes one row; false when there is none.
  @discardableResult
  mutating func delete(_ key: RawSpan, in rows: RowTable) throws(LMDBError) -> Bool {
    try delete(key, in: rows.tree)
  }

  /// Deletes all rows.
  mutating func empty(_ rows: RowTable) throws(LMDBError) { try empty(rows.tree) }
}

extension LMDB.Transaction where Self: ~Copyable {
  /// A row of the table, with its checksum.
  @_lifetime(borrow self)
  func get(_ key: RawSpan, in rows: RowTable) throws(LMDBError) -> RawSpan? {
    try get(key, in: rows.tree)
  }

  /// Lends the rows of a range to a closure, with their checksums, a block at a time.
  func forEachBlock(
    of rows: RowTable, in range: KeyRange = .all, direction: Direction = .forward,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    try forEachBlock(of: rows.tree, in: range, direction: direction, body)
  }

  /// How many rows there are.
  func count(of rows: RowTable) throws(LMDBError) -> Int { try count(of: rows.tree) }

  /// How many rows of a range there are, or a number past `bound`.
  func count(
    of rows: RowTable, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int {
    try count(of: rows.tree, in: range, upTo: bound)
  }

  /// How large the table is.
  func statistics(of rows: RowTable) throws(LMDBError) -> TreeStatistics {
    try statistics(of: rows.tree)
  }
}

extension _RowEncoder {
  /// Writes the checksum of key and row behind the row.
  @inline(__always)
  fileprivate mutating func appendChecksum() {
    let sum = unsafe Checksum.of(key.bytes, row.bytes)
    // Safety: a buffer has room behind its capacity. Views of the row must not lose it by growing.
    unsafe (row.base + row.count).storeBytes(of: sum.littleEndian, as: UInt32.self)
    row.count += Checksum.size
  }

  /// Takes the checksum off again: in memory a row has none.
  @inline(__always)
  fileprivate mutating func removeChecksum() { row.count -= Checksum.size }
}

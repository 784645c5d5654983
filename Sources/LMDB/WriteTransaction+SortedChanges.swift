/// One change of a sorted batch: a row to write, or a key to delete.
@unsafe package struct SortedChange {
  /// The address of the key.
  package var keyStart: UnsafeRawPointer
  /// The number of bytes of the key.
  package var keyCount: Int
  /// The address of the value; nil for an empty one.
  package var valueStart: UnsafeRawPointer?
  /// The number of bytes of the value.
  package var valueCount: Int
  /// Whether the row of the key is deleted.
  package var isDelete: Bool

  /// A change whose bytes must outlive the batch.
  package init(
    keyStart: UnsafeRawPointer, keyCount: Int, valueStart: UnsafeRawPointer?, valueCount: Int,
    isDelete: Bool
  ) {
    unsafe self.keyStart = keyStart
    unsafe self.keyCount = keyCount
    unsafe self.valueStart = valueStart
    unsafe self.valueCount = valueCount
    unsafe self.isDelete = isDelete
  }
}

extension WriteTransaction {
  /// Makes many changes of one database in one call.
  ///
  /// In the order of keys, each page is changed once. Puts past the last key are appended; deleting
  /// a missing key does nothing.
  /// - Parameter changes: Ascending by key; another order is slower and not wrong.
  /// - Returns: How many rows were deleted.
  /// - Throws: As a put does; the changes before the failing one have been made.
  /// - Complexity: O(*m* + log *n*) for *m* neighbouring changes.
  package mutating func apply(
    _ changes: UnsafeBufferPointer<SortedChange>, to database: Database
  ) throws(LMDBError) -> Int {
    let databases = environment.core.writerDatabases
    let slot = try databases.slot(of: database, in: handle, for: .apply)
    let cursor = try databases.cursor(in: slot, of: handle, for: .apply)
    var run = AscendingRun(databases, slot, cursor)
    defer { run.finish() }
    var deleted = 0
    // Safety: the bytes outlive the batch, as the caller has promised.
    for index in 0..<changes.count {
      let change = unsafe changes[index]
      let key = unsafe UnsafeRawBufferPointer(start: change.keyStart, count: change.keyCount)
      let code: Int32
      if unsafe change.isDelete {
        run.finish()
        code = unsafe cursor.delete(key)
        if code == LMDBError.Code.notFound.rawValue { continue }
        deleted += 1
      } else {
        var value = unsafe Bytes(
          UnsafeRawBufferPointer(start: change.valueStart, count: change.valueCount))
        code = unsafe run.put(key, &value, .upsert)
      }
      guard code == 0 else { throw environment.core.failure(.apply, code) }
    }
    return deleted
  }

  /// Inserts many rows of one database in one call, up to the first whose key exists.
  ///
  /// - Parameter rows: Ascending by key; another order is slower and not wrong.
  /// - Returns: The index of the row whose key exists, before which all are written; nil when all are.
  /// - Throws: As a put does; the rows before the failing one are written.
  /// - Complexity: O(*m* + log *n*) for *m* neighbouring rows.
  package mutating func insert(
    _ rows: UnsafeBufferPointer<SortedChange>, into database: Database
  ) throws(LMDBError) -> Int? {
    let databases = environment.core.writerDatabases
    let slot = try databases.slot(of: database, in: handle, for: .apply)
    let cursor = try databases.cursor(in: slot, of: handle, for: .apply)
    var run = AscendingRun(databases, slot, cursor)
    defer { run.finish() }
    // Safety: the bytes outlive the batch, as the caller has promised.
    for index in 0..<rows.count {
      let row = unsafe rows[index]
      let key = unsafe UnsafeRawBufferPointer(start: row.keyStart, count: row.keyCount)
      var value = unsafe Bytes(
        UnsafeRawBufferPointer(start: row.valueStart, count: row.valueCount))
      let code = unsafe run.put(key, &value, .insert)
      if code == LMDBError.Code.keyExists.rawValue { return index }
      guard code == 0 else { throw environment.core.failure(.apply, code) }
    }
    return nil
  }
}

/// A sequence of puts: after a row was appended, the next is appended without comparing keys.
@safe private struct AscendingRun {
  private let databases: WriterDatabases
  private let slot: UInt32
  private let cursor: CursorHandle
  /// The tree's last key, where the run has just appended it.
  private var last: UnsafeRawBufferPointer?

  init(_ databases: WriterDatabases, _ slot: UInt32, _ cursor: CursorHandle) {
    self.databases = databases
    self.slot = slot
    self.cursor = cursor
    unsafe last = nil
  }

  /// Writes a row whose key's bytes outlive the sequence of puts.
  @inline(__always)
  mutating func put(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, _ mode: WriteTransaction.PutMode
  ) -> Int32 {
    // Safety: key and value are the caller's.
    if unsafe last != nil || databases.isPastLast(key, in: slot) {
      let code = unsafe cursor.append(key, &value)
      if code == 0 { unsafe last = key }
      guard code == LMDBError.Code.keyExists.rawValue else { return code }
      // The caller's order was another, or the tree's last key has changed.
      unsafe last = nil
      let refreshed = databases.refreshLast(in: slot, with: cursor)
      guard refreshed == 0 else { return refreshed }
    }
    return unsafe cursor.put(key, &value, mode)
  }

  /// Copies the last key for later puts.
  @inline(__always)
  mutating func finish() {
    // Safety: the key's bytes outlive the run.
    guard let key = unsafe last else { return }
    unsafe databases.setLast(key, in: slot)
    unsafe last = nil
  }
}

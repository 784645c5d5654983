/// One step of a sorted batch: a row to write, or a key to delete.
@unsafe package struct SortedChange {
  /// Where the key lies.
  package var keyStart: UnsafeRawPointer
  /// The number of bytes of the key.
  package var keyCount: Int
  /// Where the value lies; nil for one of no bytes.
  package var valueStart: UnsafeRawPointer?
  /// The number of bytes of the value.
  package var valueCount: Int
  /// Whether the row of the key is deleted.
  package var isDelete: Bool

  /// A step whose bytes must outlive the batch.
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
  /// Writing in the order of keys keeps to one page after the other. Puts past the last key are
  /// appended; a delete of a missing key is harmless.
  /// - Parameter changes: Ascending by key; another order is slower and not wrong.
  /// - Returns: How many rows were deleted.
  /// - Throws: As a put does; what came before the failing change has happened then.
  /// - Complexity: O(*m* + log *n*) for *m* neighbouring changes.
  package mutating func apply(
    _ changes: UnsafeBufferPointer<SortedChange>, to database: Database
  ) throws(LMDBError) -> Int {
    let slots = environment.core.writeSlots
    let slot = try environment.core.databases.slot(of: database, for: .apply)
    let cursor = try slots.cursor(in: slot, of: handle, for: .apply)
    var deleted = 0
    // Safety: the bytes outlive the batch, as the caller has promised.
    for place in 0..<changes.count {
      let change = unsafe changes[place]
      let key = unsafe UnsafeRawBufferPointer(start: change.keyStart, count: change.keyCount)
      let code: Int32
      if unsafe change.isDelete {
        code = unsafe cursor.delete(key)
        if code == LMDBError.Code.notFound.rawValue { continue }
        deleted += 1
      } else {
        var value = unsafe Bytes(
          UnsafeRawBufferPointer(start: change.valueStart, count: change.valueCount))
        code = unsafe slots.put(key, &value, .upsert, in: slot, with: cursor)
      }
      guard code == 0 else { throw environment.core.failure(.apply, code) }
    }
    return deleted
  }

  /// Inserts many rows of one database in one call, up to the first whose key exists.
  ///
  /// - Parameter rows: Ascending by key; another order is slower and not wrong.
  /// - Returns: The place of the row whose key exists already: rows before it are written; nil
  ///   when all are.
  /// - Throws: As a put does; what came before the failing row has happened then.
  /// - Complexity: O(*m* + log *n*) for *m* neighbouring rows.
  package mutating func insert(
    _ rows: UnsafeBufferPointer<SortedChange>, into database: Database
  ) throws(LMDBError) -> Int? {
    let slots = environment.core.writeSlots
    let slot = try environment.core.databases.slot(of: database, for: .apply)
    let cursor = try slots.cursor(in: slot, of: handle, for: .apply)
    // Safety: the bytes outlive the batch, as the caller has promised.
    for place in 0..<rows.count {
      let row = unsafe rows[place]
      let key = unsafe UnsafeRawBufferPointer(start: row.keyStart, count: row.keyCount)
      var value = unsafe Bytes(
        UnsafeRawBufferPointer(start: row.valueStart, count: row.valueCount))
      let code = unsafe slots.put(key, &value, .insert, in: slot, with: cursor)
      if code == LMDBError.Code.keyExists.rawValue { return place }
      guard code == 0 else { throw environment.core.failure(.apply, code) }
    }
    return nil
  }
}

extension WriteTransaction {
  /// Opens a named database, and creates it when there is none.
  ///
  /// The database serves all later transactions once this one has committed; when it aborts, a
  /// database that it created is gone. The corresponding C function is `mdb_dbi_open`.
  /// - Throws: ``LMDBError/Code/incompatible`` when it orders its keys in another way,
  ///   ``LMDBError/Code/databasesFull``, or what a write can throw.
  public mutating func openDatabase(
    named name: String, order: Database.KeyOrder = .ascending
  ) throws(LMDBError) -> Database {
    let database = try environment.core.openForWriting(name, order, handle, creates: true)
    guard let database else { throw LMDBError(.openDatabase, .notFound, name) }
    return database
  }

  /// Writes a row; false when the mode is ``PutMode/insert`` and the key exists.
  ///
  /// A key past the last one is appended without a search. The corresponding C function is
  /// `mdb_cursor_put`.
  /// - Parameters:
  ///   - value: Up to 4 GiB; what does not fit into half a page is kept on pages of its own.
  ///   - key: 1 to ``Environment/maxKeyBytes`` bytes.
  ///   - mode: What to do about a key that exists.
  /// - Throws: ``LMDBError/Code/badLength``, ``LMDBError/Code/mapFull``,
  ///   ``LMDBError/Code/transactionFull``, and ``LMDBError/Code/keyExists`` when the mode is
  ///   ``PutMode/append`` and the key is not past the last one.
  /// - Complexity: O(1) past the last key, else O(log *n*).
  @discardableResult
  public mutating func put(
    _ value: RawSpan, at key: RawSpan, in database: Database, mode: PutMode = .upsert
  ) throws(LMDBError) -> Bool {
    // Safety: both buffers outlive the call.
    let code = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      unsafe try value.withUnsafeBytes { value throws(LMDBError) in
        var bytes = unsafe Bytes(value)
        return unsafe try write(key, &bytes, in: database, mode)
      }
    }
    return try isWritten(code, mode)
  }

  /// The value of a key, as ``get(_:in:)`` has it, for a ``replace(_:at:in:)`` to come.
  ///
  /// The writer's cursor finds it and stays there; for keys that ascend it has a short way.
  @_lifetime(borrow self)
  package func find(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    let core = environment.core
    let slot = try core.slot(of: database, in: handle, for: .get)
    let cursor = try core.writeSlots.cursor(in: slot, of: handle, for: .get)
    var value = unsafe Bytes.none
    // Safety: the key outlives the call.
    let code = unsafe key.withUnsafeBytes { key in
      var bytes = unsafe Bytes(key)
      return unsafe cursor.get(&bytes, &value, .to)
    }
    if code == LMDBError.Code.notFound.rawValue { return nil }
    guard code == 0 else { throw LMDBError(.get, database: code) }
    // Safety: the bytes stay where they are until the next write, which the borrow excludes.
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: value.buffer), borrowing: self)
  }

  /// Writes a row in the place of the one that ``find(_:in:)`` has just found, without a search.
  ///
  /// Where the writer's cursor stands elsewhere, it is put as any other.
  package mutating func replace(
    _ value: RawSpan, at key: RawSpan, in database: Database
  ) throws(LMDBError) {
    let core = environment.core
    let slot = try core.slot(of: database, in: handle, for: .put)
    let cursor = try core.writeSlots.cursor(in: slot, of: handle, for: .put)
    // Safety: both buffers outlive the call.
    let code = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var (bytes, new) = unsafe (Bytes(key), Bytes(value))
        switch unsafe cursor.stands(on: key) {
        case .success(true): return unsafe cursor.put(&bytes, &new, WriteFlag.current)
        case .success(false):
          return unsafe core.writeSlots.put(key, &new, .upsert, in: slot, with: cursor)
        case .failure(let error): return error.code.rawValue
        }
      }
    }
    guard code == 0 else { throw core.failure(.put, code) }
  }

  /// Makes room for a row of a known size and lets a closure fill it in place.
  ///
  /// Bytes that the closure leaves out are zero. The corresponding C flag is `MDB_RESERVE`.
  /// - Parameters:
  ///   - count: The number of bytes of the value.
  ///   - fill: Appends the value's bytes; not called when the row is not written.
  /// - Returns: False when the mode is ``PutMode/insert`` and the key exists.
  /// - Throws: As a put does.
  @discardableResult
  public mutating func reserve(
    _ count: Int, at key: RawSpan, in database: Database, mode: PutMode = .upsert,
    _ fill: (inout OutputRawSpan) -> Void
  ) throws(LMDBError) -> Bool {
    precondition(count >= 0, "The size of a value cannot be negative.")
    var room = unsafe Bytes.room(count)
    // Safety: the key outlives the call, which answers with room for the value.
    let code = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      unsafe try write(key, &room, in: database, mode, flags: WriteFlag.reserve)
    }
    guard try isWritten(code, mode) else { return false }
    // Safety: the room is ours until the next call; all of it is initialised before that.
    let buffer = unsafe room.mutableBuffer
    var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
    fill(&output)
    let filled = unsafe output.finalize(for: buffer)
    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return true
  }

  /// Deletes a row; false when there is none.
  ///
  /// The corresponding C function is `mdb_cursor_del`.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func delete(
    _ key: RawSpan, in database: Database
  ) throws(LMDBError) -> Bool {
    let slot = try environment.core.slot(of: database, in: handle, for: .delete)
    let cursor = try environment.core.writeSlots.cursor(in: slot, of: handle, for: .delete)
    // Safety: the key outlives the call.
    let code = unsafe key.withUnsafeBytes { unsafe cursor.delete($0) }
    if code == LMDBError.Code.notFound.rawValue { return false }
    guard code == 0 else { throw environment.core.failure(.delete, code) }
    return true
  }

  /// Deletes the rows of a range; returns how many there were.
  ///
  /// - Complexity: O(log *n*) and the rows deleted; all rows go in O(pages).
  @discardableResult
  public mutating func deleteRange(
    _ range: KeyRange, in database: Database
  ) throws(LMDBError) -> Int {
    if range == .all {
      let count = try count(of: database)
      try empty(database)
      return count
    }
    let slot = try environment.core.slot(of: database, in: handle, for: .delete)
    let engine = try environment.core.writeSlots.cursor(in: slot, of: handle, for: .delete)
    var cursor = EngineCursor(handle: engine, order: environment.core.databases.order(of: database))
    let seeker = RangeSeeker(range: range, direction: .forward, order: cursor.order)
    var row = unsafe (Bytes.none, Bytes.none)
    var deleted = 0
    // Safety: the row is a local variable; its key is read before the next call moves the page.
    let code = unsafe withUnsafeMutablePointer(to: &row) { pair in
      let row = unsafe UnsafeMutableRawPointer(pair).assumingMemoryBound(to: Bytes.self)
      var code = unsafe seeker.seekStart(&cursor, row)
      while code == 0, unsafe seeker.contains(row.pointee) {
        code = engine.delete()
        guard code == 0 else { return code }
        deleted += 1
        code = unsafe cursor.get(into: row, .next)
      }
      return code == LMDBError.Code.notFound.rawValue ? 0 : code
    }
    guard code == 0 else { throw environment.core.failure(.delete, code) }
    return deleted
  }

  /// Deletes all rows of a database, which itself remains.
  ///
  /// The corresponding C function is `mdb_drop`.
  /// - Complexity: O(pages).
  public mutating func empty(_ database: Database) throws(LMDBError) {
    let slot = try environment.core.slot(of: database, in: handle, for: .empty)
    environment.core.writeSlots.close(slot)
    let code = handle.empty(slot)
    guard code == 0 else { throw environment.core.failure(.empty, code) }
  }

  @inline(__always)
  private func write(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, in database: Database, _ mode: PutMode,
    flags: UInt32 = 0
  ) throws(LMDBError) -> Int32 {
    let slots = environment.core.writeSlots
    let slot = try environment.core.slot(of: database, in: handle, for: .put)
    let cursor = try slots.cursor(in: slot, of: handle, for: .put)
    // Safety: key and value are the caller's, which outlive the call.
    return unsafe slots.put(key, &value, mode, in: slot, with: cursor, flags: flags)
  }

  private func isWritten(_ code: Int32, _ mode: PutMode) throws(LMDBError) -> Bool {
    if code == 0 { return true }
    if code == LMDBError.Code.keyExists.rawValue, mode == .insert { return false }
    throw environment.core.failure(.put, code)
  }
}

extension CursorHandle {
  /// Whether the cursor stands on the row of a key.
  @inline(__always)
  fileprivate func stands(on key: UnsafeRawBufferPointer) -> Result<Bool, LMDBError> {
    var (found, value) = unsafe (Bytes.none, Bytes.none)
    // Safety: the key found lies in the map while it is compared.
    let code = unsafe get(&found, &value, .current)
    // One that was never moved answers with an invalid argument, one behind all rows with nothing.
    if code == LMDBError.Code.invalidArgument.rawValue
      || code == LMDBError.Code.notFound.rawValue
    {
      return .success(false)
    }
    guard code == 0 else { return .failure(LMDBError(.put, code)) }
    guard unsafe found.buffer.count == key.count, let left = unsafe found.buffer.baseAddress,
      let right = key.baseAddress
    else { return .success(false) }
    return .success(unsafe compareBytes(left, right, key.count) == 0)
  }

  /// Deletes the row of a key; `notFound` when there is none.
  @inline(__always)
  func delete(_ key: UnsafeRawBufferPointer) -> Int32 {
    // Safety: the key is the caller's.
    var (bytes, value) = unsafe (Bytes(key), Bytes.none)
    let code = unsafe get(&bytes, &value, .to)
    return code == 0 ? delete() : code
  }
}

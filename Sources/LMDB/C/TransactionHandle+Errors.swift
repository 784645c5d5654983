// Calls of a transaction whose codes are turned into errors.
extension TransactionHandle {
  /// The slot of the tree of names.
  static let namesSlot: UInt32 = 1

  /// The value of a key; nil when there is no such key.
  @inline(__always)
  func value(
    of key: RawSpan, in slot: UInt32
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var value = unsafe Bytes.none
    // Safety: the key's bytes outlive the call.
    let code = unsafe key.withUnsafeBytes { buffer in
      var key = unsafe Bytes(buffer)
      return unsafe get(&key, &value, in: slot)
    }
    if code == 0 { return unsafe value.buffer }
    if code == LMDBError.Code.notFound.rawValue { return nil }
    throw LMDBError(.get, database: code)
  }

  /// Whether the transaction sees a database of a name.
  func hasDatabase(named name: String) throws(LMDBError) -> Bool {
    try unsafe value(of: name.utf8Span.span.bytes, in: Self.namesSlot) != nil
  }

  /// The number of rows of a database.
  func countOrThrow(of slot: UInt32) throws(LMDBError) -> Int {
    let (entries, code) = count(of: slot)
    guard code == 0 else { throw LMDBError(.count, database: code) }
    return entries
  }

  /// Opens or creates a tree; the order is nil when it is one that is not supported.
  func openTree(
    named name: String, flags: UInt32
  ) throws(LMDBError) -> (slot: UInt32, order: Database.KeyOrder?) {
    let (slot, code) = openDatabase(name, flags: flags)
    guard code == 0 else { throw LMDBError(.openDatabase, code, name) }
    let (found, flagsCode) = self.flags(of: slot)
    guard flagsCode == 0 else { throw LMDBError(.openDatabase, flagsCode, name) }
    return (slot, Database.KeyOrder(flags: found))
  }

  /// The size of a database.
  func statisticsOrThrow(of slot: UInt32) throws(LMDBError) -> TreeStatistics {
    let (tree, code) = statistics(of: slot)
    guard code == 0 else { throw LMDBError(.count, database: code) }
    return tree
  }
}

extension LMDBError {
  /// An error with a code of the C library.
  init(_ operation: Operation, _ code: Int32, _ detail: String = "") {
    self.init(operation, Code(rawValue: code), detail)
  }

  /// An error of a call with a database, the only argument that can be invalid.
  init(_ operation: Operation, database code: Int32) {
    self.init(
      operation, code == Code.invalidArgument.rawValue ? .badDatabase : Code(rawValue: code))
  }
}

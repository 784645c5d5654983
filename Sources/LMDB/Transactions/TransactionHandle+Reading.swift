// What reading and writing transactions share: the calls that do not change anything.
extension TransactionHandle {
  /// The slot of the tree in which the C library keeps the names of all others.
  static let namesSlot: UInt32 = 1
  /// The slot of the tree in which the C library keeps the numbers of free pages.
  static let freePagesSlot: UInt32 = 0

  /// Where the value of a key lies; nil when there is no such key.
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

  /// Whether a name is among the databases that the transaction sees.
  func hasDatabase(named name: String) throws(LMDBError) -> Bool {
    try unsafe value(of: name.utf8Span.span.bytes, in: Self.namesSlot) != nil
  }

  /// The number of rows of a database.
  func countOrThrow(of slot: UInt32) throws(LMDBError) -> Int {
    let (entries, code) = count(of: slot)
    guard code == 0 else { throw LMDBError(.count, database: code) }
    return entries
  }

  /// How large a database is.
  func statisticsOrThrow(of slot: UInt32) throws(LMDBError) -> TreeStatistics {
    let (tree, code) = statistics(of: slot)
    guard code == 0 else { throw LMDBError(.count, database: code) }
    return tree
  }
}

extension LMDBError {
  /// An error with a code as the C library returned it.
  init(_ operation: Operation, _ code: Int32, _ detail: String = "") {
    self.init(operation, Code(rawValue: code), detail)
  }

  /// An error of a call that names a database: an invalid argument can only be that.
  init(_ operation: Operation, database code: Int32) {
    self.init(
      operation, code == Code.invalidArgument.rawValue ? .badDatabase : Code(rawValue: code))
  }
}

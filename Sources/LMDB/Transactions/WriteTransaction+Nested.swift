extension WriteTransaction {
  /// Runs a closure in a transaction inside this one, whose changes are taken back alone when
  /// it throws.
  ///
  /// The corresponding C function is `mdb_txn_begin` with a parent.
  /// - Throws: What the closure throws, or what kept the inner transaction from its end;
  ///   ``LMDBError/Code/transactionFull`` where the two together change more pages than the C
  ///   library holds at a time.
  @discardableResult
  public mutating func nested<R: ~Copyable>(
    _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    var inner = try beginNested()
    let result = try body(&inner)
    try inner.commit()
    return result
  }

  /// A transaction inside this one, of one's own, which aborts when the value goes without a
  /// commit.
  ///
  /// Until it has ended, nothing can be done in this one: the C library answers
  /// ``LMDBError/Code/badTransaction``. One that cannot begin leaves this one as it was.
  package mutating func beginNested() throws(LMDBError) -> WriteTransaction {
    try environment.core.checkUsable(for: .beginWrite)
    // The C library lets nobody use the outer transaction's cursors meanwhile.
    environment.core.writeSlots.closeAll()
    let (begun, code) = environment.core.handle.begin(parent: handle, isReadOnly: false)
    guard let begun else { throw environment.core.failure(.beginWrite, code) }
    environment.core.openings.enter()
    return WriteTransaction(environment, begun, depth: environment.core.openings.depth)
  }
}

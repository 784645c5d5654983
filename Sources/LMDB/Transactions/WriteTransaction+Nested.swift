extension WriteTransaction {
  /// Runs a closure in a transaction inside this one, whose changes are taken back alone when
  /// it throws.
  ///
  /// The corresponding C function is `mdb_txn_begin` with a parent.
  /// - Throws: What the closure throws, or what kept the inner transaction from its end.
  @discardableResult
  public mutating func nested<R: ~Copyable>(
    _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    // The C library lets nobody use the outer transaction's cursors meanwhile.
    environment.core.writeSlots.closeAll()
    let (begun, code) = environment.core.handle.begin(parent: handle, isReadOnly: false)
    guard let begun else { throw environment.core.failure(.beginWrite, code) }
    environment.core.openings.enter()
    var inner = WriteTransaction(environment, begun, depth: environment.core.openings.depth)
    let result = try body(&inner)
    try inner.commit()
    return result
  }
}

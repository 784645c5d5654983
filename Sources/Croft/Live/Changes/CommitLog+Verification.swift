import LMDB

extension CommitLog {
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
}

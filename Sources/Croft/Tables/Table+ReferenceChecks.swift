import LMDB

extension Table {
  /// Checks that what a row refers to exists.
  func verifyReferences(
    of row: RowView, _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ result: inout Verification
  ) throws {
    for reference in references {
      try unsafe forEachTarget(of: reference, in: row) { _, target in
        // Safety: the key does not change during the call.
        let exists =
          try unsafe target.count <= KeyCode.longestPrimaryKey
          && transaction.get(RawSpan(_unsafeBytes: target), in: reference.targetRows) != nil
        if exists { return }
        let name = "\(schema.name).\(layout.names[reference.column])"
        let storage = layout.columns[reference.column].storage
        unsafe result.report(
          "\(name) of \(schema.describe(key: row.keyBytes)) refers to "
            + "\(KeyCode.describe(target, as: storage)), which does not exist")
      }
    }
  }
}

/// The C library's number of the unnamed tree that holds the named ones; the C constant is `MAIN_DBI`.
private let mainTree: UInt32 = 1

extension ReadTransaction {
  /// Whether the file holds no database at all, as a new one does.
  public func isEmpty() throws(LMDBError) -> Bool {
    try reader.handle.countOrThrow(of: mainTree) == 0
  }
}

extension WriteTransaction {
  /// Whether the file holds no database at all, as a new one does.
  public func isEmpty() throws(LMDBError) -> Bool {
    try handle.countOrThrow(of: mainTree) == 0
  }
}

/// The row by which a program knows its own files, before it changes one.
package struct IdentifyingRow {
  /// The tree that the row is in.
  let tree: String
  /// The key of the row.
  let key: [UInt8]
  /// Whether a file is the program's own.
  let accepts: (_ value: [UInt8]?, _ isEmpty: Bool) -> Bool

  /// The row of a tree.
  ///
  /// - Parameters:
  ///   - tree: The name of the tree.
  ///   - key: The key of the row.
  ///   - accepts: Whether a file is the program's own: receives the row's value, nil without one, and whether
  ///     the file has no tree at all.
  package init(
    tree: String, key: [UInt8], accepts: @escaping (_ value: [UInt8]?, _ isEmpty: Bool) -> Bool
  ) {
    (self.tree, self.key, self.accepts) = (tree, key, accepts)
  }

  /// Whether the last commit of a valid file says that it is the program's own.
  ///
  /// The caller sees to it that no process writes to the file.
  func identifies(_ file: DataFile, _ options: Environment.Options) throws(LMDBError) -> Bool {
    let handle = try EnvironmentHandle.openAlone(file, options)
    defer { handle.close() }
    return try identifies(try CommitPages(lastOf: file, handle))
  }

  /// Whether a commit says that its file is the program's own.
  func identifies(_ pages: CommitPages) throws(LMDBError) -> Bool {
    accepts(try value(in: pages), pages.namesTree?.record.entries == 0)
  }

  /// The value of the row; nil without it.
  private func value(in pages: CommitPages) throws(LMDBError) -> [UInt8]? {
    let record: TreeRecord?
    do throws(LMDBError) {
      record = try pages.record(of: tree)
    } catch {
      // A tree of another kind is another program's.
      guard error.code == .incompatible else { throw error }
      return nil
    }
    guard let record else { return nil }
    // Safety: the key outlives the call, and the value is copied out of the map.
    return unsafe try key.span.bytes.withUnsafeBytes { key throws(LMDBError) in
      guard let (row, isTree) = unsafe try pages.tree(record).row(of: key), !isTree else {
        return nil
      }
      return unsafe [UInt8](row)
    }
  }
}

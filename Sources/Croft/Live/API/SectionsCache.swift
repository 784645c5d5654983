import Synchronization

/// The sections that were told last, so that the next change need not find them.
///
/// Threads: any; they have a lock. Where several observe with one of these, some find the sections anew.
final class SectionsCache: Sendable {
  private let last = Mutex<SectionedRows?>(nil)

  /// The sections of rows, where these are the rows told last.
  func sections(of rows: ResultRows) -> SectionedRows? {
    guard let last = last.withLock({ $0 }), last.rows.isIdentical(to: rows) else { return nil }
    return last
  }

  func set(_ sections: SectionedRows) { last.withLock { $0 = sections } }
}

extension ResultRows {
  /// Whether both are the very same version.
  fileprivate func isIdentical(to other: ResultRows) -> Bool {
    tree.root === other.tree.root && window == other.window
  }
}

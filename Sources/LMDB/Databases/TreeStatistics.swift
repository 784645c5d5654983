/// How large a tree is.
public struct TreeStatistics: Sendable, Hashable {
  /// The number of rows.
  public let entries: Int
  /// The number of pages between the root and a row, both included; 0 for an empty tree.
  public let depth: Int
  /// The number of pages that only lead to others.
  public let branchPages: Int
  /// The number of pages that hold rows.
  public let leafPages: Int
  /// The number of pages that hold values too long for a leaf.
  public let overflowPages: Int
  /// The size of a page.
  public let pageBytes: Int

  init(
    entries: Int, depth: Int, branchPages: Int, leafPages: Int, overflowPages: Int, pageBytes: Int
  ) {
    self.entries = entries
    self.depth = depth
    self.branchPages = branchPages
    self.leafPages = leafPages
    self.overflowPages = overflowPages
    self.pageBytes = pageBytes
  }

  /// What a tree's record says.
  init(_ tree: PageTree) {
    self.init(
      entries: Int(tree.record.entries), depth: tree.record.depth,
      branchPages: Int(truncatingIfNeeded: tree.record.branchPages),
      leafPages: Int(truncatingIfNeeded: tree.record.leafPages),
      overflowPages: Int(truncatingIfNeeded: tree.record.overflowPages),
      pageBytes: tree.map.pageBytes)
  }

  /// The number of pages of all kinds.
  public var pages: Int { branchPages + leafPages + overflowPages }
  /// The bytes that the tree takes in the file.
  public var bytes: Int { pages * pageBytes }
}

/// The size of a tree.
public struct TreeStatistics: Sendable, Hashable {
  /// The number of rows.
  public let entries: Int
  /// The number of pages on the path from the root to a row; 0 for an empty tree.
  public let depth: Int
  /// The number of pages that refer to other pages.
  public let branchPages: Int
  /// The number of pages that hold rows.
  public let leafPages: Int
  /// The number of pages with values that are too long for a leaf.
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

  /// The sizes in a tree's record.
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
  /// The size of the tree in the file.
  public var bytes: Int { pages * pageBytes }
}

extension TreeStatistics {
  /// Adds the pages and rows of another tree of the same file.
  static func += (sum: inout TreeStatistics, tree: TreeStatistics) {
    sum = TreeStatistics(
      entries: sum.entries + tree.entries, depth: max(sum.depth, tree.depth),
      branchPages: sum.branchPages + tree.branchPages, leafPages: sum.leafPages + tree.leafPages,
      overflowPages: sum.overflowPages + tree.overflowPages, pageBytes: sum.pageBytes)
  }

  /// A tree from its record in the tree of names, laid out as in a ``MetaPage``; nil for other rows.
  init?(record: [UInt8], pageBytes: Int) {
    guard record.count == MetaPage.treeBytes, let depth = record.number(at: 6, UInt16.self) else {
      return nil
    }
    let words = (0..<4).compactMap {
      record.number(at: 8 + $0 * MetaPage.wordBytes, UInt.self).map { Int($0) }
    }
    guard words.count == 4 else { return nil }
    self.init(
      entries: words[3], depth: Int(depth), branchPages: words[0], leafPages: words[1],
      overflowPages: words[2], pageBytes: pageBytes)
  }
}

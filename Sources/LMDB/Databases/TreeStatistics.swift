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

  /// The number of pages of all kinds.
  public var pages: Int { branchPages + leafPages + overflowPages }
  /// The bytes that the tree takes in the file.
  public var bytes: Int { pages * pageBytes }
}

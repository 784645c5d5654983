internal import Synchronization

/// The sizes of a file and its trees, and the readers that keep old pages from being reused.
package struct FileStatistics: Sendable, Hashable {
  /// A running read transaction, of any process.
  package struct Reader: Sendable, Hashable {
    /// The process that reads.
    package let process: Int
    /// The number of the commit that it sees.
    package let version: Int
  }

  /// The size of a page.
  package let pageBytes: Int
  /// The size of the file.
  package let fileBytes: Int
  /// The address space that is reserved for the file.
  package let mapBytes: Int
  /// This process.
  package let process: Int
  /// The number of the commit that the figures describe.
  package let version: Int
  /// The sum of the named trees, the tree of names and the list of free pages.
  package let trees: TreeStatistics
  /// The number of pages that each commit has freed for later ones, by the commit's number.
  package let freedPages: [Int: Int]
  /// The running read transactions of all processes, without the one that reads the figures.
  package let readers: [Reader]

  /// The number of free pages.
  package var freePages: Int { freedPages.values.reduce(0, +) }

  /// The number of pages that a reader of an old commit keeps from being reused.
  ///
  /// They belong to that commit, and a later one has freed them.
  package func pagesFreed(since version: Int) -> Int {
    freedPages.reduce(0) { $0 + ($1.key > version ? $1.value : 0) }
  }
}

extension EnvironmentCore {
  /// Reads the figures: O(trees and rows of the list of free pages).
  func statistics(for reader: Reader) throws -> FileStatistics {
    guard let free = reader.pages.freeTree, let names = reader.pages.namesTree else {
      throw PageTree.damage
    }
    let freed = try reader.pages.freedPages()
    let usage = growth.usage
    return FileStatistics(
      pageBytes: pages.pageBytes,
      fileBytes: try file.size, mapBytes: usage.mapBytes,
      process: ProcessIdentity.current, version: reader.handle.id,
      trees: try Self.allTrees(names, free), freedPages: freed,
      readers: try otherReaders(than: reader))
  }

  /// The readers of the lock table, without one of this process that sees the same commit.
  private func otherReaders(than reader: Reader) throws(LMDBError) -> [FileStatistics.Reader] {
    let (lines, code) = handle.readerLines()
    guard code >= 0 else { throw LMDBError(.count, code, path) }
    var readers = lines.compactMap(FileStatistics.Reader.init(line:))
    let own = readers.firstIndex {
      $0.process == ProcessIdentity.current && $0.version == reader.handle.id
    }
    if let own { readers.remove(at: own) }
    // The journal's pin is let go of when this process has not written for a while.
    let pin = readers.firstIndex {
      $0.process == ProcessIdentity.current
        && $0.version == journal?.pinnedVersion.load(ordering: .relaxed)
    }
    if let pin { readers.remove(at: pin) }
    return readers
  }
}

extension FileStatistics.Reader {
  /// A reader from a line of three words, process, thread and version; nil for an idle one.
  init?(line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let process = Int(words[0]), let version = Int(words[2]) else {
      return nil
    }
    self.init(process: process, version: version)
  }
}

extension CommitPages {
  /// The number of pages that each commit has freed, by the commit's number.
  func freedPages() throws -> [Int: Int] {
    guard let freeTree else { throw PageTree.damage }
    var freed: [Int: Int] = [:]
    // A row is the number of a commit, then how many pages it freed, then their numbers.
    try PageCursor(freeTree).forEachBlock(in: .all, .forward) { block in
      for index in 0..<block.count {
        let version = Int(block.key(at: index).leadingWord)
        freed[version, default: 0] += Int(block.value(at: index).leadingWord)
      }
      return true
    }
    return freed
  }
}

extension EnvironmentCore {
  /// The sum of the named trees, the tree of names and the list of free pages.
  private static func allTrees(_ names: PageTree, _ free: PageTree) throws -> TreeStatistics {
    var sum = TreeStatistics(names)
    sum += TreeStatistics(free)
    try PageCursor(names).forEachBlock(in: .all, .forward) { block in
      for index in 0..<block.count {
        let record = block.value(at: index).copied
        if let tree = TreeStatistics(record: record, pageBytes: sum.pageBytes) { sum += tree }
      }
      return true
    }
    return sum
  }
}

extension RawSpan {
  /// The first bytes as a number, in the machine's order; 0 when there are too few.
  fileprivate var leadingWord: UInt {
    extracting(first: MetaPage.wordBytes).copied.number(at: 0, UInt.self) ?? 0
  }

  /// The bytes, in an array of their own.
  fileprivate var copied: [UInt8] {
    // Safety: the bytes are copied while the span is borrowed.
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }
}

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

  /// The number of pages of all kinds.
  public var pages: Int { branchPages + leafPages + overflowPages }
  /// The size of the tree in the file.
  public var bytes: Int { pages * pageBytes }
}

extension TreeStatistics {
  /// The sizes in a tree's record.
  init(_ tree: PageTree) {
    self.init(
      entries: Int(tree.record.entries), depth: tree.record.depth,
      branchPages: Int(truncatingIfNeeded: tree.record.branchPages),
      leafPages: Int(truncatingIfNeeded: tree.record.leafPages),
      overflowPages: Int(truncatingIfNeeded: tree.record.overflowPages),
      pageBytes: tree.pageBytes)
  }

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

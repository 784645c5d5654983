/// How full a file is, and who keeps old pages from being used again.
package struct FileStatistics: Sendable, Hashable {
  /// A read transaction that is at work, of whatever process.
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
  /// The process that asks.
  package let process: Int
  /// The number of the commit that the figures are about.
  package let version: Int
  /// The named trees, the tree of their names and the list of free pages, taken together.
  package let trees: TreeStatistics
  /// The pages that later commits may use: how many each commit has freed, by its number.
  package let freedPages: [Int: Int]
  /// The read transactions that are at work, of all processes; without the one that asks.
  package let readers: [Reader]

  /// How many pages are free.
  package var freePages: Int { freedPages.values.reduce(0, +) }

  /// How many pages the reader of an old version keeps from being used again.
  ///
  /// They belong to its version, and a later commit has freed them.
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
    let usage = usage
    return FileStatistics(
      pageBytes: pages.pageBytes,
      fileBytes: try file.size, mapBytes: usage.mapBytes,
      process: ProcessIdentity.current, version: reader.handle.id,
      trees: try Self.allTrees(names, free), freedPages: freed,
      readers: try otherReaders(than: reader))
  }

  /// The readers of the lock table, except one place that sees what a reader sees.
  private func otherReaders(than reader: Reader) throws(LMDBError) -> [FileStatistics.Reader] {
    let (lines, code) = handle.readerLines()
    guard code >= 0 else { throw LMDBError(.count, code, path) }
    var readers = lines.compactMap(FileStatistics.Reader.init(line:))
    let own = readers.firstIndex {
      $0.process == ProcessIdentity.current && $0.version == reader.handle.id
    }
    if let own { readers.remove(at: own) }
    return readers
  }
}

extension FileStatistics.Reader {
  /// A reader from a line of three words, process, thread and version; nil for one that rests.
  init?(line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let process = Int(words[0]), let version = Int(words[2]) else {
      return nil
    }
    self.init(process: process, version: version)
  }
}

extension CommitPages {
  /// How many pages each commit has freed, by its number.
  func freedPages() throws -> [Int: Int] {
    guard let freeTree else { throw PageTree.damage }
    var freed: [Int: Int] = [:]
    // A row is the number of a commit, then how many pages it freed, then their numbers.
    try PageCursor(freeTree).forEachBlock(in: .all, .forward) { block in
      for place in 0..<block.count {
        let version = Int(block.key(at: place).leadingWord)
        freed[version, default: 0] += Int(block.value(at: place).leadingWord)
      }
      return true
    }
    return freed
  }
}

extension EnvironmentCore {
  /// The named trees, the tree of their names and that of free pages, added up.
  private static func allTrees(_ names: PageTree, _ free: PageTree) throws -> TreeStatistics {
    var sum = TreeStatistics(names)
    sum += TreeStatistics(free)
    try PageCursor(names).forEachBlock(in: .all, .forward) { block in
      for place in 0..<block.count {
        let record = block.value(at: place).copied
        if let tree = TreeStatistics(record: record, pageBytes: sum.pageBytes) { sum += tree }
      }
      return true
    }
    return sum
  }
}

extension TreeStatistics {
  /// Adds the pages and rows of another tree of the same file.
  fileprivate static func += (sum: inout TreeStatistics, tree: TreeStatistics) {
    sum = TreeStatistics(
      entries: sum.entries + tree.entries, depth: max(sum.depth, tree.depth),
      branchPages: sum.branchPages + tree.branchPages, leafPages: sum.leafPages + tree.leafPages,
      overflowPages: sum.overflowPages + tree.overflowPages, pageBytes: sum.pageBytes)
  }

  /// A tree from its record in the tree of names, laid out as in a ``MetaPage``; nil for other rows.
  fileprivate init?(record: [UInt8], pageBytes: Int) {
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

extension RawSpan {
  /// The number that the bytes begin with, in the machine's order; 0 when there are too few.
  fileprivate var leadingWord: UInt {
    extracting(first: MetaPage.wordBytes).copied.number(at: 0, UInt.self) ?? 0
  }

  /// The bytes, in an array of their own.
  fileprivate var copied: [UInt8] {
    // Safety: the bytes are copied while the span is borrowed.
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }
}

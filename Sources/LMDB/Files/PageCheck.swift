internal import Synchronization

/// Checks all pages of a commit, which the C library trusts.
///
/// Each tree must have the depth, the pages and the rows of its record, keys in order, and rows
/// that fill their pages without a gap; no page may be used twice, by trees or the list of free
/// pages. The C library checks none of this, and a damaged page ends the process. The check ends
/// whatever the pages contain, because it uses none twice.
///
/// The leaves of named trees, which are nearly all pages, may be left out, or be read later, tree by
/// tree: ``readLeaves(of:)``.
@safe struct PageCheck {
  /// The first problems, a sentence each.
  private(set) var problems: [String] = []
  /// The number of problems.
  private(set) var problemCount = 0

  private let pages: CommitPages
  private let limit: Int
  /// Which pages are read of the named trees that have branches.
  private var part: Part
  /// The trees whose leaves have not been read, by name.
  private(set) var unread: [String: TreeRecord] = [:]
  /// A bit for each page, set when it is used.
  private var used: [UInt64]
  /// The name of the current tree, for messages.
  private var name = ""
  /// Whether the current tree is the tree of names.
  private var isNames = false
  private var tally = Tally()

  private enum Part {
    case all
    /// The branches, which number the leaves, and the first leaf, which `mdb_drop` reads.
    case branches
    /// The leaves, after the branches.
    case leaves
  }

  @safe private struct Tally {
    var branchPages: UInt = 0
    var leafPages: UInt = 0
    var overflowPages: UInt = 0
    var entries: UInt = 0
    /// The last key; the next one must be greater.
    var last: UnsafeRawBufferPointer?
    /// The key of the branch's row; the keys of its subtree must not be less.
    var least: UnsafeRawBufferPointer?

    init() {
      unsafe last = nil
      unsafe least = nil
    }
  }

  /// A check of a commit's pages.
  ///
  /// - Parameters:
  ///   - pages: The commit.
  ///   - limit: The most problems that are described.
  ///   - readsLeaves: Whether the leaves of named trees are read too.
  init(_ pages: CommitPages, keeping limit: Int, readsLeaves: Bool = true) {
    self.pages = pages
    self.limit = limit
    part = readsLeaves ? .all : .branches
    // A file that is far shorter than its meta page says cannot have so many pages.
    let count = min(pages.lastPage, UInt(pages.map.byteCount / pages.map.pageBytes)) + 1
    used = Array(repeating: 0, count: Int(count) / 64 + 1)
  }

  /// Checks all trees and the list of free pages.
  mutating func run() {
    guard UInt(used.count) * 64 > pages.lastPage else {
      return report("the meta page counts more pages than the file could have")
    }
    guard let free = pages.freeTree, let names = pages.namesTree else {
      return report("the meta page cannot be read")
    }
    isNames = true
    // Safety: the pages outlive the closure.
    unsafe visit(names, named: "the tree of names") { check, key, value in
      // Safety: the record was found by its flag, and its length is checked.
      guard let value = unsafe value, value.count == MetaPage.treeBytes,
        let start = value.baseAddress,
        let record = unsafe TreeRecord(start)
      else { return check.report("the tree of names holds a row that does not name a tree") }
      let outer = (check.name, check.tally)
      let name = unsafe String(decoding: key, as: UTF8.self)
      let part = check.part
      if part == .branches, record.depth > 1 {
        // Of two names that are the same text in other bytes, one is read at once.
        if check.unread[name] == nil { check.unread[name] = record } else { check.part = .all }
      }
      check.isNames = false
      unsafe check.visit(check.pages.tree(record), named: "tree \(name)")
      (check.isNames, check.part) = (true, part)
      (check.name, check.tally) = outer
    }
    isNames = false
    unsafe visit(free, named: "the list of free pages") { check, key, value in
      unsafe check.enter(freePages: value, of: key)
    }
  }

  /// Checks the tree of names alone.
  mutating func runOverNames() {
    guard let names = pages.namesTree else { return report("the meta page cannot be read") }
    isNames = true
    unsafe visit(names, named: "the tree of names")
  }

  /// Reads the leaves of a named tree, unless that was done before.
  mutating func readLeaves(of name: String) {
    guard let record = unread.removeValue(forKey: name) else { return }
    part = .leaves
    unsafe visit(pages.tree(record), named: "tree \(name)")
    part = .branches
  }

  private typealias RowVisit = (
    inout PageCheck, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?
  ) -> Void

  private mutating func visit(_ tree: PageTree, named name: String, _ body: RowVisit? = nil) {
    self.name = name
    tally = Tally()
    let record = tree.record
    guard record.depth > 0 else { return }
    guard unsafe visit(record.root, of: tree, depth: 0, body) else { return }
    expect(tally.branchPages, record.branchPages, "branch pages")
    expect(tally.leafPages, record.leafPages, "leaf pages")
    if leavesOut(record.depth - 1, of: tree) { return }
    expect(tally.overflowPages, record.overflowPages, "pages of long values")
    expect(tally.entries, record.entries, "rows")
  }

  /// Whether pages at a depth are leaves that are not read now.
  private func leavesOut(_ depth: Int, of tree: PageTree) -> Bool {
    part == .branches && !isNames && tree.order != .numbers && depth > 0
      && depth == tree.record.depth - 1
  }

  /// Checks a page and its subtree; false where it cannot be read.
  private mutating func visit(
    _ number: UInt, of tree: PageTree, depth: Int, _ body: RowVisit?
  ) -> Bool {
    if leavesOut(depth, of: tree), tally.leafPages > 0 {
      tally.leafPages += 1
      return use(number, count: 1)
    }
    guard let page = tree.page(number, depth: depth) else {
      report("page \(number) of \(name) is none of its pages")
      return false
    }
    guard part == .leaves || use(number, count: 1) else { return false }
    guard page.isLeaf else {
      tally.branchPages += 1
      return unsafe checkRows(page, number) && visitChildren(of: page, number, tree, depth, body)
    }
    tally.leafPages += 1
    tally.entries += UInt(page.count)
    if leavesOut(depth, of: tree) { return true }
    if unsafe body == nil, passes(page, tree) { return true }
    return unsafe checkRows(page, number) && visitRows(of: page, number, tree, body)
  }

  private mutating func visitChildren(
    of page: Page, _ number: UInt, _ tree: PageTree, _ depth: Int, _ body: RowVisit?
  ) -> Bool {
    guard page.count > 1 || tree.order == .numbers else {
      report("page \(number) of \(name) leads to a single page")
      return false
    }
    var isSound = true
    for index in 0..<page.count {
      guard let child = page.child(index), let key = unsafe page.key(index) else { return false }
      if index > 0 {
        if let last = unsafe tally.last, unsafe tree.order.order(last, key) >= 0 {
          report("page \(number) of \(name) has keys out of order")
          isSound = false
        }
        unsafe tally.least = key
      }
      if unsafe !visit(child, of: tree, depth: depth + 1, body) { isSound = false }
    }
    return isSound
  }

  /// Whether the rows of a leaf are sound, of the kind that nearly all are, and after the last key.
  private mutating func passes(_ page: Page, _ tree: PageTree) -> Bool {
    guard tree.order == .plain, page.hasSoundRows, let first = unsafe page.key(0),
      unsafe tally.last.map({ unsafe tree.order.order($0, first) < 0 }) ?? true,
      unsafe tally.least.map({ unsafe tree.order.order($0, first) <= 0 }) ?? true
    else { return false }
    unsafe (tally.least, tally.last) = (nil, page.key(page.count - 1))
    return true
  }

  private mutating func visitRows(
    of page: Page, _ number: UInt, _ tree: PageTree, _ body: RowVisit?
  ) -> Bool {
    for index in 0..<page.count {
      guard let offset = page.rowStart(index), let key = unsafe page.key(index),
        unsafe !key.isEmpty
      else {
        report("page \(number) of \(name) has a row without a key")
        return false
      }
      let isBehind = unsafe tally.last.map { unsafe tree.order.order($0, key) < 0 } ?? true
      let isBelow = unsafe tally.least.map { unsafe tree.order.order($0, key) <= 0 } ?? true
      guard isBehind, isBelow else {
        report("page \(number) of \(name) has keys out of order")
        return false
      }
      unsafe tally.least = nil
      unsafe tally.last = key
      let header = page.header(at: offset)
      guard let value = unsafe tree.value(index, on: page) else {
        report("page \(number) of \(name) has a value that cannot be read")
        return false
      }
      if header.flags == Page.RowHeader.longValue {
        // Safety: `value` found the first page's number there.
        let first = unsafe page.start.loadUnaligned(
          fromByteOffset: offset + Page.rowHeaderBytes + header.key, as: UInt.self)
        guard let pages = unsafe tree.longValue(first)?.pages, use(first, count: pages) else {
          return false
        }
        tally.overflowPages += pages
      }
      // Other programs may have rows of their own in the tree of names.
      let isTree = header.flags == Page.RowHeader.tree
      guard !isTree || isNames else {
        report("page \(number) of \(name) has a row of another kind")
        return false
      }
      if isTree || !isNames { unsafe body?(&self, key, value) }
    }
    return true
  }

  /// Whether the rows fill the end of their page without a gap.
  private mutating func checkRows(_ page: Page, _ number: UInt) -> Bool {
    var bytes = 0
    var isInside = true
    for index in 0..<page.count where isInside {
      guard let offset = page.rowStart(index) else {
        isInside = false
        break
      }
      let header = page.header(at: offset)
      var count = Page.rowHeaderBytes + header.key
      if page.isLeaf {
        count += header.flags & Page.RowHeader.longValue != 0 ? MetaPage.wordBytes : header.value
      }
      // Each row begins at an even offset.
      count += count & 1
      isInside = offset + count <= page.byteCount
      bytes += count
    }
    if isInside, bytes == page.byteCount - page.rowsStart { return true }
    report("page \(number) of \(name) has rows that do not fill it as they should")
    return false
  }

  /// Marks the pages that a commit has freed.
  private mutating func enter(
    freePages value: UnsafeRawBufferPointer?, of key: UnsafeRawBufferPointer
  ) {
    let word = MetaPage.wordBytes
    // Safety: the lengths are checked before the words are read.
    guard let value = unsafe value, key.count == word, value.count >= word, value.count % word == 0,
      let version = pages.version,
      unsafe key.loadUnaligned(as: UInt.self) <= UInt(version)
    else { return report("the list of free pages has an invalid row") }
    let count = unsafe value.loadUnaligned(as: UInt.self)
    guard count <= UInt(value.count / word - 1) else {
      return report("the list of free pages has a truncated row")
    }
    var last = UInt.max
    for index in 0..<Int(count) {
      let number = unsafe value.loadUnaligned(fromByteOffset: (index + 1) * word, as: UInt.self)
      guard number < last else { return report("the list of free pages is out of order") }
      last = number
      guard use(number, count: 1) else { return }
    }
  }

  /// Marks pages as used; false where they do not exist or are marked already.
  private mutating func use(_ first: UInt, count: UInt) -> Bool {
    guard first > 1, count > 0, first <= pages.lastPage, count - 1 <= pages.lastPage - first else {
      report("\(name) uses page \(first), which does not exist")
      return false
    }
    for number in first..<first + count {
      let (index, bit) = (Int(number / 64), UInt64(1) << UInt64(number % 64))
      if used[index] & bit != 0 {
        report("\(name) uses page \(number), which is used elsewhere")
        return false
      }
      used[index] |= bit
    }
    return true
  }

  private mutating func expect(_ found: UInt, _ told: UInt, _ what: String) {
    if found != told { report("\(name) has \(found) \(what) and says \(told)") }
  }

  private mutating func report(_ problem: String) {
    problemCount += 1
    if problems.count < limit { problems.append(problem) }
  }
}

extension PageCheck {
  /// Reads the leaves of a tree that the C library will read for an operation.
  ///
  /// The number of its rows is in its record, and where no value is long, emptying it reads its branches
  /// and its first leaf.
  ///
  /// - Throws: ``LMDBError/Code/corrupted`` with the first problem.
  mutating func readLeaves(
    of name: String, _ operation: LMDBError.Operation
  ) throws(LMDBError) {
    if operation == .count || operation == .empty && unread[name]?.overflowPages == 0 { return }
    readLeaves(of: name)
    try throwProblem(operation)
  }

  /// Throws ``LMDBError/Code/corrupted`` with the first problem of a file.
  func throwProblem(_ operation: LMDBError.Operation) throws(LMDBError) {
    guard let first = problems.first else { return }
    throw LMDBError(operation, .corrupted, "\(pages.map.path); \(first)")
  }

  /// Throws where a file that has no writer has a damaged page.
  ///
  /// - Parameter pages: The last commit.
  static func check(_ pages: CommitPages) throws(LMDBError) {
    var check = PageCheck(pages, keeping: 1)
    check.run()
    try check.throwProblem(.copy)
  }
}

extension CommitPages {
  /// The pages of the last commit of a file that has no writer.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - handle: An environment of it, opened for reading.
  init(lastOf file: DataFile, _ handle: EnvironmentHandle) throws(LMDBError) {
    self.init(PageMap(file, pageBytes: handle.pageBytes))
    guard map.map(handle.usage.mapBytes) else { throw LMDBError(.copy, .outOfMemory, file.path) }
    guard load(handle.lastTransaction) else {
      throw LMDBError(.copy, .corrupted, "\(file.path); its meta page")
    }
  }
}

extension ReadTransaction {
  /// Checks all pages of the file.
  ///
  /// - Parameter limit: The most problems that are described.
  /// - Returns: The number of problems, and a sentence for each that is described.
  /// - Complexity: O(pages).
  package func checkPages(keeping limit: Int) -> (count: Int, problems: [String]) {
    var check = PageCheck(commit, keeping: limit)
    check.run()
    return (check.problemCount, check.problems)
  }
}

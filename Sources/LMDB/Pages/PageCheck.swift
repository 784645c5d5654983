internal import Synchronization

/// A visit to all pages of a commit, which finds out whether they are what the C library takes them
/// for.
///
/// Each tree must have the depth, the pages and the rows that its record says, keys in order, rows
/// that fill their pages without a gap, and no page may be used twice: by a tree, or by the list of
/// free pages. The C library checks none of this, and a page that is not as it should be ends the
/// process. The visit ends, whatever the pages hold: none is entered twice.
@safe struct PageCheck {
  /// What is wrong, a sentence each, as many as were asked for.
  private(set) var problems: [String] = []
  /// How many problems there are.
  private(set) var problemCount = 0
  /// How many pages were looked at.
  private(set) var pageCount = 0

  private let pages: CommitPages
  private let limit: Int
  /// Whether the leaves of named trees are looked at too; without them a hundredth is left to read.
  private let readsLeaves: Bool
  /// A bit for each page that is used.
  private var used: [UInt64]
  /// The tree that is being looked at, in messages.
  private var name = ""
  /// Whether that is the tree of names.
  private var isNames = false
  private var tally = Tally()

  @safe private struct Tally {
    var branchPages: UInt = 0
    var leafPages: UInt = 0
    var overflowPages: UInt = 0
    var entries: UInt = 0
    /// The last key seen; the next one follows it.
    var last: UnsafeRawBufferPointer?
    /// The key in a branch that the next leaf's keys must not precede.
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
  ///   - limit: The most problems that are told in words.
  ///   - readsLeaves: Whether the leaves of named trees are looked at too.
  init(_ pages: CommitPages, keeping limit: Int, readsLeaves: Bool = true) {
    self.pages = pages
    self.limit = limit
    self.readsLeaves = readsLeaves
    // A file that is far shorter than its front page says cannot have so many pages.
    let count = min(pages.lastPage, UInt(pages.map.byteCount / pages.map.pageBytes)) + 1
    used = Array(repeating: 0, count: Int(count) / 64 + 1)
  }

  /// Looks at all trees and the list of free pages.
  mutating func run() {
    guard UInt(used.count) * 64 > pages.lastPage else {
      return report("the front page counts more pages than the file could have")
    }
    guard let free = pages.freeTree, let names = pages.namesTree else {
      return report("the front page cannot be read")
    }
    isNames = true
    // Safety: rows are lent to the closure while the pages stay.
    unsafe visit(names, named: "the tree of names") { check, key, value in
      // Safety: the record was found by its flag, and its length is checked.
      guard let value = unsafe value, value.count == MetaPage.treeBytes,
        let start = value.baseAddress,
        let record = unsafe TreeRecord(start)
      else { return check.report("the tree of names holds a row that is no tree's") }
      let outer = (check.name, check.tally)
      check.isNames = false
      unsafe check.visit(
        check.pages.tree(record), named: "tree \(String(decoding: key, as: UTF8.self))")
      check.isNames = true
      (check.name, check.tally) = outer
    }
    isNames = false
    unsafe visit(free, named: "the list of free pages") { check, key, value in
      unsafe check.enter(freePages: value, of: key)
    }
  }

  /// Looks at the tree of names alone.
  mutating func runOverNames() {
    guard let names = pages.namesTree else { return report("the front page cannot be read") }
    isNames = true
    unsafe visit(names, named: "the tree of names")
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
    guard readsLeaves || isNames || tree.order == .numbers || record.depth == 1 else { return }
    expect(tally.overflowPages, record.overflowPages, "pages of long values")
    expect(tally.entries, record.entries, "rows")
  }

  /// Looks at a page and all below it; false where it cannot be read.
  private mutating func visit(
    _ number: UInt, of tree: PageTree, depth: Int, _ body: RowVisit?
  ) -> Bool {
    if !readsLeaves, !isNames, tree.order != .numbers, depth > 0, depth == tree.record.depth - 1 {
      tally.leafPages += 1
      return use(number, count: 1)
    }
    pageCount += 1
    guard let page = tree.page(number, depth: depth) else {
      report("page \(number) of \(name) is none of its pages")
      return false
    }
    guard use(number, count: 1), checkRows(page, number) else { return false }
    guard page.isLeaf else {
      tally.branchPages += 1
      return unsafe visitChildren(of: page, number, tree, depth, body)
    }
    tally.leafPages += 1
    tally.entries += UInt(page.count)
    return unsafe visitRows(of: page, number, tree, body)
  }

  private mutating func visitChildren(
    of page: Page, _ number: UInt, _ tree: PageTree, _ depth: Int, _ body: RowVisit?
  ) -> Bool {
    guard page.count > 1 || tree.order == .numbers else {
      report("page \(number) of \(name) leads to a single page")
      return false
    }
    var isSound = true
    for place in 0..<page.count {
      guard let child = page.child(place), let key = unsafe page.key(place) else { return false }
      if place > 0 {
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

  private mutating func visitRows(
    of page: Page, _ number: UInt, _ tree: PageTree, _ body: RowVisit?
  ) -> Bool {
    for place in 0..<page.count {
      guard let offset = page.rowStart(place), let key = unsafe page.key(place),
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
      guard let value = unsafe tree.value(place, on: page) else {
        report("page \(number) of \(name) has a value that cannot be read")
        return false
      }
      if header.flags == RowHeader.longValue {
        // Safety: `value` found the first page's number there.
        let first = unsafe page.start.loadUnaligned(
          fromByteOffset: offset + Page.rowHeaderBytes + header.key, as: UInt.self)
        guard let pages = unsafe tree.longValue(first)?.pages, use(first, count: pages) else {
          return false
        }
        tally.overflowPages += pages
      }
      // Beside trees, a program that is not ours may keep rows of its own among the names.
      let isTree = header.flags == RowHeader.tree
      guard !isTree || isNames else {
        report("page \(number) of \(name) has a row of another kind")
        return false
      }
      if isTree || !isNames { unsafe body?(&self, key, value) }
    }
    return true
  }

  /// Whether the rows fill the end of their page, one beside the other.
  private mutating func checkRows(_ page: Page, _ number: UInt) -> Bool {
    let rowsStart = page.rowsStart
    var bytes = 0
    var isInside = rowsStart >= Page.listStart + 2 * page.count && rowsStart <= page.byteCount
    for place in 0..<page.count where isInside {
      guard let offset = page.rowStart(place), offset >= rowsStart else {
        isInside = false
        break
      }
      let header = page.header(at: offset)
      var count = Page.rowHeaderBytes + header.key
      if page.isLeaf {
        count += header.flags & RowHeader.longValue != 0 ? MetaPage.wordBytes : header.value
      }
      // Each row begins at an even place.
      count += count & 1
      isInside = offset + count <= page.byteCount
      bytes += count
    }
    if isInside, bytes == page.byteCount - rowsStart { return true }
    report("page \(number) of \(name) has rows that do not fill it as they should")
    return false
  }

  /// Enters the pages that a commit has freed.
  private mutating func enter(
    freePages value: UnsafeRawBufferPointer?, of key: UnsafeRawBufferPointer
  ) {
    let word = MetaPage.wordBytes
    // Safety: the lengths are checked before the words are read.
    guard let value = unsafe value, key.count == word, value.count >= word, value.count % word == 0,
      let version = pages.version,
      unsafe key.loadUnaligned(as: UInt.self) <= UInt(version)
    else { return report("the list of free pages has a row that is none") }
    let count = unsafe value.loadUnaligned(as: UInt.self)
    guard count <= UInt(value.count / word - 1) else {
      return report("the list of free pages has a row that is cut short")
    }
    var last = UInt.max
    for place in 0..<Int(count) {
      let number = unsafe value.loadUnaligned(fromByteOffset: (place + 1) * word, as: UInt.self)
      guard number < last else { return report("the list of free pages is out of order") }
      last = number
      guard use(number, count: 1) else { return }
    }
  }

  /// Notes that pages are used; false where they cannot be, or are already.
  private mutating func use(_ first: UInt, count: UInt) -> Bool {
    guard first > 1, count > 0, first <= pages.lastPage, count - 1 <= pages.lastPage - first else {
      report("\(name) uses page \(first), which does not exist")
      return false
    }
    for number in first..<first + count {
      let (place, bit) = (Int(number / 64), UInt64(1) << UInt64(number % 64))
      if used[place] & bit != 0 {
        report("\(name) uses page \(number), which is used elsewhere")
        return false
      }
      used[place] |= bit
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

  /// How many pages nobody uses.
  var unusedCount: Int {
    let all = pages.lastPage < 2 ? 0 : Int(pages.lastPage) - 1
    return all - used.reduce(0) { $0 + $1.nonzeroBitCount }
  }
}

extension PageCheck {
  /// Throws ``LMDBError/Code/corrupted`` with the first problem of a file.
  func throwProblem(
    _ operation: LMDBError.Operation, _ path: String
  ) throws(LMDBError) {
    guard let first = problems.first else { return }
    throw LMDBError(operation, .corrupted, "\(path); \(first)")
  }

  /// Throws where a file that nobody writes to has a damaged page.
  ///
  /// - Parameters:
  ///   - pages: The last commit.
  ///   - file: The file.
  static func check(_ pages: CommitPages, of file: DataFile) throws(LMDBError) {
    var check = PageCheck(pages, keeping: 1)
    check.run()
    try check.throwProblem(.copy, file.path)
  }
}

extension CommitPages {
  /// The pages of the last commit of a file to which nobody writes.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - handle: An environment of it, opened for reading.
  init(lastOf file: DataFile, _ handle: EnvironmentHandle) throws(LMDBError) {
    self.init(PageMap(file, pageBytes: handle.pageBytes))
    guard map.map(handle.usage.mapBytes) else { throw LMDBError(.copy, .outOfMemory, file.path) }
    guard look(at: handle.lastTransaction) else {
      throw LMDBError(.copy, .corrupted, "\(file.path); its front page")
    }
  }
}

extension EnvironmentCore {
  /// Throws where the front pages are not those of two commits, one after the other.
  ///
  /// The C library takes the one of the greater number: where the older one's is damaged, that is an
  /// earlier state of the file, whose pages may have been used again.
  func checkFrontPages() throws(LMDBError) {
    for _ in 0..<100 where CommitPages.hasFrontPagesInOrder(pages) {
      return
    }
    throw LMDBError(.open, .corrupted, "\(path); its front pages are not of two commits in a row")
  }

  /// Throws where the tree of names is damaged, which the C library reads to open a tree.
  func checkNames() throws(LMDBError) {
    for _ in 0..<100 {
      let (begun, code) = handle.begin(isReadOnly: true)
      guard let transaction = begun else { throw LMDBError(.open, code, path) }
      defer { transaction.abort() }
      var commit = CommitPages(pages)
      // Others may commit meanwhile.
      guard commit.look(at: transaction.id) else { continue }
      var check = PageCheck(commit, keeping: 1)
      check.runOverNames()
      return try check.throwProblem(.open, path)
    }
    throw LMDBError(.open, .corrupted, "\(path); its front page")
  }

  /// Throws where pages are damaged that a writer could come across; it looks once in a process.
  ///
  /// Of a file of 65,536 pages and more (256 MiB, usually), the leaves of named trees are left out.
  ///
  /// - Parameter transaction: The write transaction, which has changed nothing yet.
  func checkPagesOnce(before transaction: TransactionHandle) throws(LMDBError) {
    guard !hasCheckedPages.load(ordering: .relaxed) else { return }
    var commit = CommitPages(pages)
    // The writer is alone, so that nobody replaces the front page.
    guard commit.look(at: transaction.id - 1) else {
      throw LMDBError(.beginWrite, .corrupted, "\(path); its front page")
    }
    var check = PageCheck(
      commit, keeping: 1, readsLeaves: commit.lastPage < UInt(Threshold.pagesOfLargeFile.value))
    check.run()
    try check.throwProblem(.beginWrite, path)
    hasCheckedPages.store(true, ordering: .relaxed)
  }
}

extension ReadTransaction {
  /// Looks at all pages of the file, and says what is wrong with them.
  ///
  /// - Parameter limit: The most problems that are told in words.
  /// - Returns: How many problems there are, and a sentence each.
  /// - Complexity: O(pages).
  package func checkPages(keeping limit: Int) -> (count: Int, problems: [String]) {
    var check = PageCheck(commit, keeping: limit)
    check.run()
    return (check.problemCount, check.problems)
  }
}

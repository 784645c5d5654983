/// Looks at a data file before it is mapped.
///
/// The C library trusts what it maps: a page that the file has lost ends the process with
/// SIGBUS. So the front pages are read and checked first, and, when the file is shorter than
/// they say, every page that the trees refer to is looked for. (A file may rightly be shorter:
/// pages that were taken and given back in one transaction are counted, but never written.)
struct Preflight {
  private let file: DataFile

  /// Throws what is wrong with a file; one of no bytes is new, and fine unless it is only to be
  /// read.
  ///
  /// - Parameter timeout: How long to wait for a writer, where all pages have to be looked for.
  static func check(
    _ file: DataFile, isReadOnly: Bool, within timeout: Duration = .seconds(10)
  ) throws(LMDBError) {
    let preflight = Preflight(file: file)
    if try file.size == 0 {
      guard isReadOnly else { return }
      throw LMDBError(.open, .notAnEnvironment, "\(file.path) is empty")
    }
    guard try preflight.shortage() != nil else { return }
    // A writer uses pages again that were just read, and makes the file longer than it was just
    // found to be: whether something is missing can be told only while there is none.
    guard try file.lock(isShared: true, before: Deadline(after: timeout)) else {
      throw preflight.error(.busy)
    }
    defer { file.unlock() }
    guard let (newest, size) = try preflight.shortage() else { return }
    var walk = TreeWalk(file: file, fileBytes: size, meta: newest)
    try walk.visit(newest.freeRoot)
    try walk.visit(newest.namesRoot)
  }

  /// How many named trees a file has that was checked: none when it is new.
  static func treeCount(of file: DataFile) throws(LMDBError) -> Int {
    if try file.size == 0 { return 0 }
    let (first, second) = try Preflight(file: file).metaPages()
    let newest = second.transaction > first.transaction ? second : first
    return Int(min(newest.nameCount, UInt(Environment.Options.mostDatabases)))
  }

  /// The newest front page and the size of a file that is shorter than the page says.
  private func shortage() throws(LMDBError) -> (newest: MetaPage, size: Int)? {
    let (first, second) = try metaPages()
    let newest = second.transaction > first.transaction ? second : first
    // The size is asked for last: a file grows before a page says so.
    let size = try file.size
    return size < (Int(newest.lastPage) + 1) * newest.pageBytes ? (newest, size) : nil
  }

  private func metaPages() throws(LMDBError) -> (MetaPage, MetaPage) {
    let first = try metaPage(at: 0)
    guard try file.size >= 2 * first.pageBytes else { throw error(.truncated) }
    let second = try metaPage(at: first.pageBytes)
    guard second.pageBytes == first.pageBytes else { throw error(.corrupted) }
    return (first, second)
  }

  /// Whether nothing was ever committed to a file.
  static func isUnwritten(_ file: DataFile) throws(LMDBError) -> Bool {
    let (first, second) = try Preflight(file: file).metaPages()
    return max(first.transaction, second.transaction) == 0
  }

  private func metaPage(at offset: Int) throws(LMDBError) -> MetaPage {
    let bytes = try file.read(at: offset, count: MetaPage.byteCount)
    do throws(LMDBError) {
      return try MetaPage(bytes, of: file.path)
    } catch {
      // Beside a good first page, a bad second one is damage and not somebody else's file.
      throw offset > 0 && error.code == .notAnEnvironment ? self.error(.corrupted) : error
    }
  }

  private func error(_ code: LMDBError.Code) -> LMDBError {
    LMDBError(.open, code, file.path)
  }
}

/// A visit to all pages of a tree, read and not mapped, which finds out whether the file has them.
private struct TreeWalk {
  private let file: DataFile
  private let fileBytes: Int
  private let pageBytes: Int
  private let lastPage: UInt
  private var visited: UInt = 0

  private enum PageFlag {
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let fixedSizeLeaf: UInt16 = 0x20
  }
  private enum NodeFlag {
    static let onOwnPages: UInt16 = 0x01
    static let subtree: UInt16 = 0x02
  }

  init(file: DataFile, fileBytes: Int, meta: MetaPage) {
    self.file = file
    self.fileBytes = fileBytes
    pageBytes = meta.pageBytes
    lastPage = meta.lastPage
  }

  /// Visits a page and all below it.
  mutating func visit(_ number: UInt) throws(LMDBError) {
    if number == MetaPage.noPage { return }
    visited += 1
    // More visits than pages mean a circle.
    guard visited <= lastPage + 1 else { throw error(.corrupted) }
    let page = try read(number)
    let flags = page.number(at: MetaPage.wordBytes + 2, UInt16.self) ?? 0
    if flags & PageFlag.fixedSizeLeaf != 0 { return }
    guard flags & (PageFlag.branch | PageFlag.leaf) != 0 else { throw error(.corrupted) }
    let lower = Int(page.number(at: MetaPage.wordBytes + 4, UInt16.self) ?? 0)
    for slot in stride(from: MetaPage.headerBytes, to: lower, by: 2) {
      let node = Int(page.number(at: slot, UInt16.self) ?? 0)
      if flags & PageFlag.branch != 0 {
        try visitChild(of: node, in: page)
      } else {
        try visitData(of: node, in: page)
      }
    }
  }

  private mutating func visitChild(of node: Int, in page: [UInt8]) throws(LMDBError) {
    guard let low = page.number(at: node, UInt32.self),
      let high = page.number(at: node + 4, UInt16.self)
    else { throw error(.corrupted) }
    // Where a word has 64 bits, a branch keeps the rest of the page number in the place of the
    // flags.
    try visit(MetaPage.wordBytes == 8 ? UInt(low) | UInt(high) << 32 : UInt(low))
  }

  private mutating func visitData(of node: Int, in page: [UInt8]) throws(LMDBError) {
    guard let flags = page.number(at: node + 4, UInt16.self),
      let keyBytes = page.number(at: node + 6, UInt16.self)
    else { throw error(.corrupted) }
    let data = node + 8 + Int(keyBytes)
    if flags & NodeFlag.subtree != 0 {
      guard let root = page.number(at: data + MetaPage.rootOffset, UInt.self) else {
        throw error(.corrupted)
      }
      try visit(root)
    } else if flags & NodeFlag.onOwnPages != 0 {
      guard let first = page.number(at: data, UInt.self) else { throw error(.corrupted) }
      let header = try read(first)
      let count = header.number(at: MetaPage.wordBytes + 4, UInt32.self) ?? 0
      try require(first, count: UInt(count))
    }
  }

  private func read(_ number: UInt) throws(LMDBError) -> [UInt8] {
    try require(number, count: 1)
    return try file.read(at: Int(number) * pageBytes, count: pageBytes)
  }

  private func require(_ number: UInt, count: UInt) throws(LMDBError) {
    guard number > 1, number <= lastPage, count > 0, count <= lastPage else {
      throw error(.corrupted)
    }
    guard (Int(number) + Int(count)) * pageBytes <= fileBytes else { throw error(.truncated) }
  }

  private func error(_ code: LMDBError.Code) -> LMDBError {
    LMDBError(.open, code, file.path)
  }
}

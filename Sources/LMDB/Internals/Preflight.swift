/// Looks at a data file before it is mapped.
///
/// The C library trusts what it maps: a page that the file has lost ends the process with
/// SIGBUS. So the front pages are read and checked first, and, when the file is shorter than
/// they say, every page that the trees refer to is looked for. (A file may rightly be shorter:
/// pages that were taken and given back in one transaction are counted, but never written.)
///
/// Other processes may write meanwhile, and use pages again that have just been looked at: nobody
/// knows of this look. So what is wrong with a file counts when the file has stayed as it was.
struct Preflight {
  /// How often a file is looked at while it changes, before writers are kept out of it.
  static let looksWithoutLock = 3

  private let file: DataFile
  private let look: () -> Void

  /// Throws what is wrong with a file; one of no bytes is new, and fine unless it is only to be
  /// read.
  ///
  /// - Parameters:
  ///   - timeout: How long a writer is waited for, if the file never stays as it is.
  ///   - look: Is called when the front of the file was read, for tests that change the rest.
  static func check(
    _ file: DataFile, isReadOnly: Bool, within timeout: Duration,
    afterFront look: () -> Void = {}
  ) throws(LMDBError) {
    try withoutActuallyEscaping(look) { look throws(LMDBError) in
      let preflight = Preflight(file: file, look: look)
      for _ in 0..<looksWithoutLock {
        guard try !preflight.checkUnlessChanging(isReadOnly) else { return }
      }
      guard try file.lock(isShared: true, before: Deadline(after: timeout)) else {
        throw LMDBError(.open, .busy, file.path)
      }
      defer { file.unlock() }
      try preflight.check(isReadOnly)
    }
  }

  /// Whether the file was found to be good; false when something is wrong with it that may come
  /// from a change meanwhile.
  private func checkUnlessChanging(_ isReadOnly: Bool) throws(LMDBError) -> Bool {
    let before = try front
    do throws(LMDBError) {
      try check(isReadOnly)
      return true
    } catch {
      guard try before == front else { return false }
      throw error
    }
  }

  /// What changes with each commit: one of the front pages, however large they are.
  private var front: Front {
    get throws(LMDBError) {
      Front(bytes: try file.read(at: 0, count: 2 * MetaPage.mostPageBytes), size: try file.size)
    }
  }

  private struct Front: Equatable {
    let bytes: [UInt8]
    let size: Int
  }

  private func check(_ isReadOnly: Bool) throws(LMDBError) {
    if try file.size == 0 {
      guard isReadOnly else { return }
      throw LMDBError(.open, .notAnEnvironment, "\(file.path) is empty")
    }
    let (first, second) = try metaPages()
    let newest = second.transaction > first.transaction ? second : first
    look()
    // The size is asked for after the pages, because a commit makes the file longer before it says
    // so in them.
    let size = try file.size
    guard size < (Int(newest.lastPage) + 1) * newest.pageBytes else { return }
    var walk = TreeWalk(file: file, fileBytes: size, meta: newest)
    try walk.visit(newest.freeRoot)
    try walk.visit(newest.namesRoot)
  }

  /// How many named trees a file has that was checked: none when it is new.
  static func treeCount(of file: DataFile) throws(LMDBError) -> Int {
    if try file.size == 0 { return 0 }
    let (first, second) = try Preflight(file: file, look: {}).metaPages()
    let newest = second.transaction > first.transaction ? second : first
    return Int(min(newest.nameCount, UInt(Environment.Options.mostDatabases)))
  }

  private func metaPages() throws(LMDBError) -> (MetaPage, MetaPage) {
    let first = try metaPage(at: 0)
    guard try file.size >= 2 * first.pageBytes else { throw error(.truncated) }
    let second = try metaPage(at: first.pageBytes)
    guard second.pageBytes == first.pageBytes else { throw error(.corrupted) }
    return (first, second)
  }

  private func metaPage(at offset: Int) throws(LMDBError) -> MetaPage {
    let bytes = try file.read(at: offset, count: MetaPage.byteCount)
    do throws(LMDBError) {
      return try MetaPage(bytes, of: file.path)
    } catch {
      // Beside one good front page, a bad one is damage and not somebody else's file.
      guard error.code == .notAnEnvironment, offset > 0 || hasSecondMetaPage else { throw error }
      throw self.error(.corrupted)
    }
  }

  /// Whether the second front page is one, at the place where pages of some size put it.
  private var hasSecondMetaPage: Bool {
    var pageBytes = MetaPage.leastPageBytes
    while pageBytes <= MetaPage.mostPageBytes {
      // What cannot be read is no such page.
      if let bytes = try? file.read(at: pageBytes, count: MetaPage.byteCount),
        (try? MetaPage(bytes, of: file.path))?.pageBytes == pageBytes
      {
        return true
      }
      pageBytes *= 2
    }
    return false
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
  private var visited = 0

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
  mutating func visit(_ number: UInt, depth: Int = 0) throws(LMDBError) {
    if number == MetaPage.noPage { return }
    visited += 1
    // More visits than the file has pages mean that some have several parents; a chain of pages
    // would take up the stack. A tree may lie in the names' tree, and a row's duplicates, another
    // program's, in that one.
    guard visited <= fileBytes / pageBytes, depth < 3 * TreeRecord.deepest else {
      throw error(.corrupted)
    }
    let page = try read(number)
    let flags = page.number(at: MetaPage.wordBytes + 2, UInt16.self) ?? 0
    if flags & PageFlag.fixedSizeLeaf != 0 { return }
    guard flags & (PageFlag.branch | PageFlag.leaf) != 0 else { throw error(.corrupted) }
    let lower = Int(page.number(at: MetaPage.wordBytes + 4, UInt16.self) ?? 0)
    for slot in stride(from: MetaPage.headerBytes, to: lower, by: 2) {
      let node = Int(page.number(at: slot, UInt16.self) ?? 0)
      if flags & PageFlag.branch != 0 {
        try visitChild(of: node, in: page, depth)
      } else {
        try visitData(of: node, in: page, depth)
      }
    }
  }

  private mutating func visitChild(
    of node: Int, in page: [UInt8], _ depth: Int
  ) throws(LMDBError) {
    guard let low = page.number(at: node, UInt32.self),
      let high = page.number(at: node + 4, UInt16.self)
    else { throw error(.corrupted) }
    // Where a word has 64 bits, a branch keeps the rest of the page number in the place of the
    // flags.
    try visit(
      MetaPage.wordBytes == 8 ? UInt(low) | UInt(high) << 32 : UInt(low), depth: depth + 1)
  }

  private mutating func visitData(
    of node: Int, in page: [UInt8], _ depth: Int
  ) throws(LMDBError) {
    guard let flags = page.number(at: node + 4, UInt16.self),
      let keyBytes = page.number(at: node + 6, UInt16.self)
    else { throw error(.corrupted) }
    let data = node + 8 + Int(keyBytes)
    if flags & NodeFlag.subtree != 0 {
      guard let root = page.number(at: data + MetaPage.rootOffset, UInt.self) else {
        throw error(.corrupted)
      }
      try visit(root, depth: depth + 1)
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

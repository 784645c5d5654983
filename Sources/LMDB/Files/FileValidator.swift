/// Validates a data file before it is mapped.
///
/// The C library trusts what it maps: reading a page past the end of the file ends the process with
/// SIGBUS. So the meta pages are read and checked first, and, when the file is shorter than
/// they say, every page that the trees refer to is checked. (A file may be shorter without damage:
/// pages that were allocated and freed in one transaction are counted, but never written.)
///
/// Other processes may write meanwhile and reuse pages that are being checked, because validation
/// is no read transaction. So an error counts only when the meta pages have not changed.
struct FileValidator {
  /// How often a changing file is validated before writers are kept out.
  static let attemptsWithoutLock = 3

  private let file: DataFile
  private let afterMetaPages: () -> Void

  /// Throws when a file is not valid; an empty one is new, and valid unless it is only to be read.
  ///
  /// - Parameters:
  ///   - timeout: How long a writer is waited for, when the file keeps changing.
  ///   - body: Is called after the meta pages were read, for tests that change the file then.
  /// - Returns: The number of named trees: 0 when the file is new.
  @discardableResult
  static func check(
    _ file: DataFile, isReadOnly: Bool, within timeout: Duration,
    afterMetaPages body: () -> Void = {}
  ) throws(LMDBError) -> Int {
    try withoutActuallyEscaping(body) { body throws(LMDBError) in
      let validator = FileValidator(file: file, afterMetaPages: body)
      for _ in 0..<attemptsWithoutLock {
        if let treeCount = try validator.checkUnlessChanging(isReadOnly) { return treeCount }
      }
      guard try file.lock(isShared: true, before: Deadline(after: timeout)) else {
        throw LMDBError(.open, .busy, file.path)
      }
      defer { file.unlock() }
      return try validator.check(isReadOnly)
    }
  }

  /// The number of trees of a valid file; nil when an error may be due to a change meanwhile.
  private func checkUnlessChanging(_ isReadOnly: Bool) throws(LMDBError) -> Int? {
    let before = try front
    do throws(LMDBError) {
      return try check(isReadOnly)
    } catch {
      guard try before == front else { return nil }
      throw error
    }
  }

  /// What each commit changes: one of the meta pages, whatever their size.
  private var front: Front {
    get throws(LMDBError) {
      Front(bytes: try file.read(at: 0, count: 2 * MetaPage.mostPageBytes), size: try file.size)
    }
  }

  private struct Front: Equatable {
    let bytes: [UInt8]
    let size: Int
  }

  private func check(_ isReadOnly: Bool) throws(LMDBError) -> Int {
    if try file.size == 0 {
      guard isReadOnly else { return 0 }
      throw LMDBError(.open, .notAnEnvironment, "\(file.path) is empty")
    }
    let (first, second) = try metaPages()
    let newest = second.transaction > first.transaction ? second : first
    afterMetaPages()
    // The size is read after the pages, because a commit makes the file longer before it writes a
    // meta page.
    let size = try file.size
    if size < (Int(newest.lastPage) + 1) * newest.pageBytes {
      var walk = TreeWalk(file: file, fileBytes: size, meta: newest)
      try walk.visit(newest.freeRoot)
      try walk.visit(newest.namesRoot)
    }
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
      // Beside one valid meta page, an invalid one is damage, and not another program's file.
      guard error.code == .notAnEnvironment, offset > 0 || hasSecondMetaPage else { throw error }
      throw self.error(.corrupted)
    }
  }

  /// Whether there is a valid second meta page, at the offset of any page size.
  private var hasSecondMetaPage: Bool {
    var pageBytes = MetaPage.leastPageBytes
    while pageBytes <= MetaPage.mostPageBytes {
      // What cannot be read is no meta page.
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

/// Visits all pages of a tree, without mapping them, and checks that the file has them.
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
    // More visits than the file has pages mean that a page has several parents. The depth is limited
    // because the visit is recursive: a tree may be in the tree of names, and the duplicates of a row,
    // which other programs write, in that one.
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
    // Where a word has 64 bits, a branch has the page number's high bits in the place of the flags.
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

/// A commit whose pages are on the disk, and from which the journal's records continue.
struct Checkpoint: Equatable {
  /// The session that the journal belongs to.
  let session: JournalMarker.Session
  /// The number of the checkpoint; records name it.
  let generation: UInt64
  /// The meta page of the commit, from the end of the page's header on.
  let meta: [UInt8]
  /// Whether commits after it may be in the data file without a record on the disk.
  ///
  /// A process of ``Environment/Durability/relaxed`` does not wait for its records.
  let isRelaxed: Bool

  /// The number of the commit.
  let transaction: Int

  /// The number of the last page at the commit.
  var lastPage: UInt {
    meta.number(at: meta.count - 2 * MetaPage.wordBytes, UInt.self) ?? 0
  }

  /// The bytes of a meta page that are kept.
  static let metaRange = MetaPage.headerBytes..<MetaPage.byteCount
  /// Magic number (8), session (16), generation (8), meta page, check (4).
  static let byteCount = 32 + metaRange.count + 4

  private static let magic: UInt64 = 0x3148_4C4A_464F_5243
  private static let relaxedMagic: UInt64 = 0x3152_4C4A_464F_5243

  /// The checkpoint of a commit.
  ///
  /// - Parameter metaPage: The first bytes of the commit's meta page.
  /// - Throws: ``LMDBError/Code/corrupted`` where the page is none.
  init(
    _ session: JournalMarker.Session, _ generation: UInt64, isRelaxed: Bool,
    _ metaPage: [UInt8], of path: String
  ) throws(LMDBError) {
    self.session = session
    self.generation = generation
    self.isRelaxed = isRelaxed
    transaction = Int(try MetaPage(metaPage, of: path).transaction)
    meta = Array(metaPage[Self.metaRange])
  }

  /// The bytes that are stored, less than a sector.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: isRelaxed ? Self.relaxedMagic : Self.magic)
    bytes.append(session)
    bytes.append(number: generation)
    bytes += meta
    bytes.append(number: CRC32C.of(bytes[...]))
    return bytes
  }

  /// Whether bytes begin as those of a checkpoint do.
  static func isMagic(_ bytes: ArraySlice<UInt8>) -> Bool {
    Array(bytes.prefix(8)).number(at: 0, UInt64.self).map([magic, relaxedMagic].contains) ?? false
  }

  /// Reads a checkpoint; nil where there is none, or it was not written as a whole.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes.prefix(Self.byteCount))
    let checkOffset = Self.byteCount - 4
    guard let magic = bytes.number(at: 0, UInt64.self),
      [Self.magic, Self.relaxedMagic].contains(magic), bytes.count == Self.byteCount,
      bytes.number(at: checkOffset, UInt32.self) == CRC32C.of(bytes[..<checkOffset]),
      let session = bytes.session(at: 8), let generation = bytes.number(at: 24, UInt64.self),
      let transaction = bytes.number(at: checkOffset - MetaPage.wordBytes, UInt.self)
    else { return nil }
    self.session = session
    self.generation = generation
    self.transaction = Int(transaction)
    isRelaxed = magic == Self.relaxedMagic
    meta = Array(bytes[32..<checkOffset])
  }
}

extension DataFile {
  /// The first bytes of the meta page of the last commit, and what they say.
  var newestMetaPage: (bytes: [UInt8], page: MetaPage) {
    get throws(LMDBError) {
      let first = try read(at: 0, count: MetaPage.byteCount)
      let page = try MetaPage(first, of: path)
      let second = try read(at: page.pageBytes, count: MetaPage.byteCount)
      let other = try MetaPage(second, of: path)
      return page.transaction > other.transaction ? (first, page) : (second, other)
    }
  }

  /// Writes the first bytes of a transaction's meta page, without the header, which no transaction changes.
  ///
  /// LMDB puts the meta pages of even transactions on the first page, and of odd ones on the second.
  func write(_ metaPage: [UInt8], ofTransaction number: Int) throws(LMDBError) {
    let page = try MetaPage(metaPage, of: path)
    try write(
      Array(metaPage[Checkpoint.metaRange]),
      at: number % 2 * page.pageBytes + Checkpoint.metaRange.lowerBound)
  }
}

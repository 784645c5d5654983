/// What a data file says of its journal, in a sector of its first meta page that LMDB never writes.
///
/// A data file without it has no journal. While a session is open, the journal holds commits whose pages may not
/// be on the disk.
struct JournalMarker: Equatable {
  /// Names a period between two times at which the data file was complete without its journal.
  struct Session: Equatable {
    let high: UInt64
    let low: UInt64

    /// A session that no other has the name of.
    static var random: Session {
      Session(high: .random(in: 1 ... .max), low: .random(in: 0 ... .max))
    }
    /// None: the data file is complete without its journal.
    static let none = Session(high: 0, low: 0)
  }

  /// The session whose journal belongs to the data file; ``Session/none`` when the file is complete.
  var session: Session

  /// Whether the data file is complete only together with its journal.
  var isOpen: Bool { session != .none }

  /// The offset in the data file: a sector after that of LMDB's meta page, which fills 152 bytes.
  static let offset = 512
  /// Magic number (8 bytes), session (16), check (4).
  static let byteCount = 28

  private static let magic: UInt64 = 0x314D_4C4A_464F_5243  // "CROFJLM1" in little-endian order

  /// The bytes that are stored.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: Self.magic)
    bytes.append(session)
    bytes.append(number: CRC32C.of(bytes[...]))
    return bytes
  }

  /// A file's marker.
  init(session: Session) { self.session = session }

  /// Reads a marker; nil where there is none.
  ///
  /// - Throws: ``LMDBError/Code/corrupted``.
  init?(_ bytes: [UInt8], of path: String) throws(LMDBError) {
    guard bytes.number(at: 0, UInt64.self) == Self.magic else { return nil }
    guard let session = bytes.session(at: 8),
      bytes.number(at: 24, UInt32.self) == CRC32C.of(bytes[..<24])
    else { throw LMDBError(.open, .corrupted, "\(path); what it says of its journal") }
    self.session = session
  }
}

extension [UInt8] {
  /// Appends the name of a session.
  mutating func append(_ session: JournalMarker.Session) {
    append(number: session.high)
    append(number: session.low)
  }

  /// The name of a session at an offset.
  func session(at offset: Int) -> JournalMarker.Session? {
    guard let high = number(at: offset, UInt64.self), let low = number(at: offset + 8, UInt64.self)
    else { return nil }
    return JournalMarker.Session(high: high, low: low)
  }
}

extension DataFile {
  /// What the file says of its journal; nil where it has none.
  var journalMarker: JournalMarker? {
    get throws(LMDBError) {
      try JournalMarker(
        try read(at: JournalMarker.offset, count: JournalMarker.byteCount), of: path)
    }
  }

  /// Says what the journal is, on the disk before the function returns, with all that was written to the file.
  func setJournalMarker(_ marker: JournalMarker) throws(LMDBError) {
    try write(marker.bytes, at: JournalMarker.offset)
    try synchronize()
  }

  /// Says that the file is complete without its journal, on the disk before the function returns.
  ///
  /// Where that fails, the file says as before that the session is open. The disk may not: a replay writes it
  /// once more before it changes a page.
  func closeJournalSession(_ session: JournalMarker.Session) throws(LMDBError) {
    do throws(LMDBError) {
      try setJournalMarker(JournalMarker(session: .none))
    } catch {
      // Where this fails as well, the disk refuses every write.
      try? write(JournalMarker(session: session).bytes, at: JournalMarker.offset)
      throw error
    }
  }
}

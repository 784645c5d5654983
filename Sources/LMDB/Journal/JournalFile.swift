internal import CroftLibc

/// The file of a redo journal: two checkpoints, of which the later one counts, and the records since.
///
/// Numbers are in the machine's byte order, as in the data file. Each of the following has sectors of its own:
/// - at 0 and at 4,096: a ``Checkpoint``, by turns;
/// - at 2,048: the session in which a sync failed, if one did;
/// - from 8,192 on: records, one after another, each in whole blocks of 512 bytes. After a checkpoint they
///   begin at the start again.
///
/// Threads: any; the descriptor never changes. Only the holder of the writer's lock writes.
final class JournalFile: Sendable {
  /// The size of a journal that holds records.
  static let fullBytes = 1 << 20
  /// The size of one that has held none yet.
  static let leastBytes = 8192
  /// The offset of the first record.
  static let recordsOffset = 8192
  /// The size of which records have a multiple: what a disk writes as a whole.
  static let blockBytes = 512

  private static let checkpointOffsets = [0, 4096]
  private static let failureOffset = 2048
  /// The byte whose lock, shared, each process has that has the journal open.
  private static let usersByte = 1 << 62
  /// The byte whose lock, shared, each of them has that may write.
  private static let writersByte = usersByte + 1
  /// The shortest timeout for another process's opening or closing, also where writers are not waited for.
  static let leastTimeout = Duration.seconds(2)

  let path: String
  let identity: FileIdentity
  private let descriptor: Int32

  /// The path of the journal that belongs to a data file.
  static func path(of dataFile: DataFile) -> String { dataFile.realPath + suffix }
  /// What follows the name of the data file in that of its journal.
  static let suffix = "-journal"

  /// Opens the journal of a data file; nil where there is none.
  ///
  /// - Throws: ``LMDBError/Code/notAJournal`` where something else is in its place, or a code of the system.
  convenience init?(openingFor dataFile: DataFile, isReadOnly: Bool) throws(LMDBError) {
    let path = Self.path(of: dataFile)
    let flags = (isReadOnly ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let (descriptor, code) = FileCalls.open(path, flags)
    if code == ENOENT { return nil }
    try self.init(descriptor, code, path)
  }

  /// Creates the journal of a data file that has none, on the disk before the function returns.
  ///
  /// One that is there already, of an earlier session, is used again.
  convenience init(creatingFor dataFile: DataFile) throws(LMDBError) {
    let path = Self.path(of: dataFile)
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let (descriptor, code) = FileCalls.open(path, flags, mode: dataFile.mode)
    try self.init(descriptor, code, path)
    // The users who may open the data file may open its journal; where that is refused, this one may.
    if FileCalls.setOwner(of: descriptor, dataFile.owner, dataFile.group) != 0 {
      _ = FileCalls.setOwner(of: descriptor, .max, dataFile.group)
    }
    _ = FileCalls.setMode(of: descriptor, dataFile.mode)
    if try size < Self.leastBytes { try extend(to: Self.leastBytes) }
    try Folder(of: path).synchronize(path)
  }

  private init(_ descriptor: Int32, _ code: Int32, _ path: String) throws(LMDBError) {
    self.path = path
    self.descriptor = descriptor
    let (status, statusCode) = code == 0 ? FileCalls.status(of: descriptor) : (stat(), code)
    identity = FileIdentity(status)
    switch statusCode {
    case 0: break
    case ELOOP: throw LMDBError(.open, .notAJournal, "\(path) is a link")
    case EISDIR: throw LMDBError(.open, .notAJournal, "\(path) is a folder")
    case let code: throw LMDBError(.open, code, path)
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
      throw LMDBError(.open, .notAJournal, "\(path) is no plain file, or has another name as well")
    }
    guard try isJournal else {
      throw LMDBError(.open, .notAJournal, "\(path) is another program's")
    }
  }

  /// Whether the file is empty, or has what precedes the records of a journal.
  private var isJournal: Bool {
    get throws(LMDBError) {
      let bytes = try read(at: 0, count: Self.recordsOffset)
      return bytes.allSatisfy { $0 == 0 }
        || Self.checkpointOffsets.contains { Checkpoint.isMagic(bytes.dropFirst($0)) }
    }
  }

  deinit {
    if descriptor >= 0 { FileCalls.close(descriptor) }
  }

  private var size: Int {
    get throws(LMDBError) {
      let (status, code) = FileCalls.status(of: descriptor)
      guard code == 0 else { throw failure(code) }
      return Int(status.st_size)
    }
  }

  /// All bytes, for a copy.
  var bytes: [UInt8] {
    get throws(LMDBError) { try read(at: 0, count: try size) }
  }

  /// Makes room for records, as zeros on the disk: a later write changes no metadata.
  func makeRoom() throws(LMDBError) {
    guard try size < Self.fullBytes else { return }
    // The process that created the file may have died before its name was on the disk.
    try Folder(of: path).synchronize(path)
    try extend(to: Self.fullBytes)
  }

  private func extend(to bytes: Int) throws(LMDBError) {
    let before = try size
    do throws(LMDBError) {
      try write([UInt8](repeating: 0, count: bytes - before), at: before)
      try synchronize()
    } catch {
      // On a full disk, room that is of no use here is given back.
      _ = FileCalls.resize(descriptor, to: before)
      throw error
    }
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(LMDBError) {
    // Safety: the array outlives the call.
    let code = unsafe bytes.withUnsafeBytes { unsafe FileCalls.write(descriptor, $0, at: offset) }
    guard code == 0 else { throw failure(code) }
  }

  private func read(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
    let (bytes, code) = FileCalls.read(descriptor, at: offset, count: count)
    guard code == 0 else { throw failure(code) }
    return bytes
  }

  /// Waits until all that was written is on the disk.
  func synchronize() throws(LMDBError) {
    let code = FileCalls.synchronizeData(descriptor)
    guard code == 0 else { throw failure(code) }
  }

  /// Writes what the file has up to an offset once more, and waits until it is on the disk.
  ///
  /// Where a sync of another process has failed, what it was to write may be in the system's cache alone, and the
  /// next sync would leave it there and succeed.
  func synchronizeAgain(upTo end: Int) throws(LMDBError) {
    try write(try read(at: 0, count: end), at: 0)
    try synchronize()
  }

  private func failure(_ code: Int32) -> LMDBError { LMDBError(.commit, code, path) }
}

// Who has the journal open.
extension JournalFile {
  /// Whether the system has the locks by which processes know of each other.
  static var isSupported: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Runs a body while no other process opens or closes the journal.
  ///
  /// - Throws: ``LMDBError/Code/busy`` when another process takes longer than the timeout.
  func whileUsersStay<R>(
    within timeout: Duration, _ body: () throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    let deadline = Deadline(after: timeout)
    while true {
      let code = FileCalls.lock(descriptor, isShared: false)
      if code == 0 { break }
      guard code == EWOULDBLOCK else { throw LMDBError(.open, code, path) }
      guard deadline.sleep(atMostNanoseconds: 1_000_000) else {
        throw LMDBError(.open, .busy, "another process is opening or closing \(path)")
      }
    }
    defer { FileCalls.unlock(descriptor) }
    return try body()
  }

  /// Makes this process a user, until the journal is closed; false where the system has no such locks.
  func use(isWriting: Bool) throws(LMDBError) -> Bool {
    for byte in isWriting ? [Self.usersByte, Self.writersByte] : [Self.usersByte] {
      let code = FileCalls.share(descriptor, byteAt: byte)
      if [EINVAL, EOPNOTSUPP].contains(code) { return false }
      guard code == 0 else { throw LMDBError(.open, code, path) }
    }
    return true
  }

  /// Whether another process is a user.
  ///
  /// - Parameter areWriting: Whether only those count that may write.
  func hasOtherUsers(areWriting: Bool) throws(LMDBError) -> Bool {
    let byte = areWriting ? Self.writersByte : Self.usersByte
    let (isShared, code) = FileCalls.isShared(descriptor, bytes: byte..<byte + 1)
    guard code == 0 else { throw LMDBError(.open, code, path) }
    return isShared
  }
}

// Checkpoints.
extension JournalFile {
  /// What precedes the records.
  struct Front {
    fileprivate let bytes: [UInt8]
    /// The last checkpoint; nil where there is none that was written as a whole.
    let checkpoint: Checkpoint?
    /// The session in which a sync failed, so that nothing may be committed before all have closed the file.
    let failedSession: JournalMarker.Session?
  }

  /// Reads what precedes the records.
  var front: Front {
    get throws(LMDBError) { try front(since: nil) }
  }

  /// Reads what precedes the records; it costs less where it is what it was before.
  func front(since last: Front?) throws(LMDBError) -> Front {
    let bytes = try read(at: 0, count: Self.recordsOffset)
    if let last, Self.areSame(last.bytes, bytes) { return last }
    let found = Self.checkpointOffsets.compactMap { Checkpoint(bytes.dropFirst($0)) }
    let failure = Array(bytes.dropFirst(Self.failureOffset).prefix(JournalMarker.byteCount))
    return Front(
      bytes: bytes, checkpoint: found.max { $0.generation < $1.generation },
      failedSession: try JournalMarker(failure, of: path)?.session)
  }

  /// Whether two arrays are the same, without comparing element by element.
  private static func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    // Safety: both arrays outlive the call.
    unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        guard left.count == right.count, let first = left.baseAddress, let other = right.baseAddress
        else { return false }
        return unsafe compareBytes(first, other, left.count) == 0
      }
    }
  }

  /// Writes a checkpoint over the one before the last, on the disk before the function returns.
  func write(_ checkpoint: Checkpoint) throws(LMDBError) {
    try write(checkpoint.bytes, at: Self.checkpointOffsets[Int(checkpoint.generation % 2)])
    try synchronize()
  }

  /// Records that a sync failed, for other processes.
  ///
  /// It need not reach the disk: after a power cut the journal is replayed, whatever had failed.
  func recordFailure(in session: JournalMarker.Session) {
    // When this fails as well, this process stops all the same.
    try? write(JournalMarker(session: session).bytes, at: Self.failureOffset)
  }
}

// Records.
extension JournalFile {
  /// Where the next record is, and what it must continue.
  struct Position {
    /// The checkpoint that the records continue from.
    let generation: UInt64
    /// The offset of the next record.
    var offset = JournalFile.recordsOffset
    /// The check of the record before.
    var previousCheck: UInt32
    /// The number of the transaction whose record is before it.
    var transaction: Int
    /// Whether the record before says that its operations are not there.
    var isAfterPartialRecord = false

    /// The position after a checkpoint.
    init(after checkpoint: Checkpoint) {
      generation = checkpoint.generation
      previousCheck = CRC32C.of(checkpoint.bytes[...])
      transaction = checkpoint.transaction
    }

    /// Moves past a record.
    mutating func advance(past record: Record) {
      offset += record.blockBytes
      previousCheck = record.check
      transaction = record.transaction
      isAfterPartialRecord = record.isPartial
    }
  }

  /// The record of one transaction.
  struct Record {
    /// The transaction.
    let transaction: Int
    /// Whether the operations are left out, and the transaction's pages were to be synced.
    let isPartial: Bool
    /// The operations of a ``RedoRecord``.
    let operations: [UInt8]
    /// The check of the record.
    let check: UInt32
    /// The bytes that it has in the file, in whole blocks.
    var blockBytes: Int { Self.blockBytes(operations: operations.count) }

    private static let magic: UInt32 = 0x3152_4C4A
    /// Magic number (4), length of the operations (4), generation (8), transaction (8), whether partial (4), previous
    /// check (4), check (4).
    static let headBytes = 36
    private static let checkOffset = 32

    static func blockBytes(operations: Int) -> Int {
      (headBytes + operations + JournalFile.blockBytes - 1) / JournalFile.blockBytes
        * JournalFile.blockBytes
    }

    /// The bytes of a record at a position, and its check.
    static func bytes(
      _ operations: [UInt8], of transaction: Int, isPartial: Bool, at position: Position
    ) -> (bytes: [UInt8], record: Record) {
      var bytes: [UInt8] = []
      let count = blockBytes(operations: operations.count)
      bytes.reserveCapacity(count)
      bytes.append(number: magic)
      bytes.append(number: UInt32(operations.count))
      bytes.append(number: position.generation)
      bytes.append(number: UInt64(transaction))
      bytes.append(number: UInt32(isPartial ? 1 : 0))
      bytes.append(number: position.previousCheck)
      let check = Self.check(bytes[...], operations)
      bytes.append(number: check)
      bytes += operations
      bytes += repeatElement(0, count: count - bytes.count)
      return (
        bytes,
        Record(
          transaction: transaction, isPartial: isPartial, operations: operations, check: check)
      )
    }

    private static func check(_ head: ArraySlice<UInt8>, _ operations: [UInt8]) -> UInt32 {
      var check = CRC32C()
      // Safety: both outlive the calls.
      unsafe check.add(head.span.bytes)
      unsafe check.add(operations.span.bytes)
      return check.value
    }

    /// Reads a record; nil where there is none at the position, or it was not written as a whole.
    ///
    /// - Parameter rest: Reads so many bytes after the head.
    init?(
      _ head: [UInt8], at position: Position, rest: (Int) throws(LMDBError) -> [UInt8]
    ) throws(LMDBError) {
      guard head.number(at: 0, UInt32.self) == Self.magic,
        let count = head.number(at: 4, UInt32.self), count <= JournalFile.fullBytes,
        head.number(at: 8, UInt64.self) == position.generation,
        let transaction = head.number(at: 16, UInt64.self),
        Int(truncatingIfNeeded: transaction) == position.transaction + 1,
        let partial = head.number(at: 24, UInt32.self),
        head.number(at: 28, UInt32.self) == position.previousCheck,
        let check = head.number(at: Self.checkOffset, UInt32.self)
      else { return nil }
      let operations = try rest(Int(count))
      guard operations.count == Int(count),
        Self.check(head[..<Self.checkOffset], operations) == check
      else { return nil }
      self.init(
        transaction: Int(transaction), isPartial: partial != 0, operations: operations, check: check
      )
    }

    private init(transaction: Int, isPartial: Bool, operations: [UInt8], check: UInt32) {
      self.transaction = transaction
      self.isPartial = isPartial
      self.operations = operations
      self.check = check
    }
  }

  /// The record at a position; nil where there is none, or it was not written as a whole.
  func record(at position: Position) throws(LMDBError) -> Record? {
    let head = try read(at: position.offset, count: Record.headBytes)
    return try Record(head, at: position) { count throws(LMDBError) in
      try read(at: position.offset + Record.headBytes, count: count)
    }
  }

  /// Moves a position past the records up to the last commit.
  ///
  /// A record after that is of a writer that died before its commit: it counts for nobody, and is erased.
  ///
  /// - Returns: Whether a record was erased, which is not synced.
  func skipRecords(to last: Int, from position: inout Position) throws(LMDBError) -> Bool {
    while let record = try record(at: position) {
      guard record.transaction <= last else {
        try erase(at: position)
        return true
      }
      position.advance(past: record)
    }
    return false
  }

  /// Whether a record of so many bytes of operations fits at a position.
  func hasRoom(for operations: Int, at position: Position) -> Bool {
    position.offset + Record.blockBytes(operations: operations) <= Self.fullBytes
  }

  /// Writes a record.
  ///
  /// - Parameter waits: Whether it is on the disk before the function returns.
  func write(
    _ operations: [UInt8], of transaction: Int, isPartial: Bool, at position: Position,
    waits: Bool
  ) throws(LMDBError) -> Record {
    let (bytes, record) = Record.bytes(
      operations, of: transaction, isPartial: isPartial, at: position)
    try write(bytes, at: position.offset)
    if waits { try synchronize() }
    return record
  }

  /// Makes what is at a position no record.
  func erase(at position: Position) throws(LMDBError) {
    try write([UInt8](repeating: 0, count: Self.blockBytes), at: position.offset)
  }
}

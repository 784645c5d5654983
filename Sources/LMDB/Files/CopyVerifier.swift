/// Verifies a copy of a file before it replaces another file.
///
/// Version 0.9.24 of the C library is known to make compacted copies that lack pages when the
/// original has lost some. So each row is read, the rows of each tree are counted, and, where the
/// original has not changed since, each row is compared with the original's.
struct CopyVerifier {
  private let copy: TransactionHandle
  private let source: TransactionHandle?
  private let path: String

  /// Throws ``LMDBError/Code/corrupted`` when a copy differs from its original, or is damaged.
  ///
  /// - Parameter source: The original, if it has not changed since.
  static func check(
    _ path: String, against source: EnvironmentHandle?, _ options: Environment.Options
  ) throws(LMDBError) {
    var reading = options
    reading.isReadOnly = true
    let file = try DataFile(openingAt: path, reading)
    try FileValidator.check(file, isReadOnly: true, within: options.writerTimeout)
    let handle = try EnvironmentHandle.openAlone(path, bytes: try file.size, options)
    defer { handle.close() }
    try PageCheck.check(CommitPages(lastOf: file, handle), of: file)
    let copy = try handle.beginReading()
    defer { copy.abort() }
    let original = try source?.beginReading()
    defer { original?.abort() }
    try CopyVerifier(copy: copy, source: original, path: path).run()
  }

  private func run() throws(LMDBError) {
    try compare(TransactionHandle.namesSlot, source.map { _ in TransactionHandle.namesSlot })
    let names: [String]
    do {
      _ = copy.openDatabase(nil, flags: 0)
      _ = source?.openDatabase(nil, flags: 0)
      names = try copy.databaseNames()
    } catch {
      throw (error as? LMDBError) ?? failure("its list of trees cannot be read")
    }
    for name in names {
      let slot = try copy.openTree(named: name, flags: 0).slot
      var other: UInt32?
      if let source { other = try source.openTree(named: name, flags: 0).slot }
      try compare(slot, other)
    }
  }

  /// Reads all rows of a tree, and compares them with the original's.
  private func compare(_ slot: UInt32, _ other: UInt32?) throws(LMDBError) {
    let expected = try copy.countOrThrow(of: slot)
    let rows = try RowReader(copy, slot)
    defer { rows.close() }
    var original: RowReader?
    if let source, let other {
      guard try source.countOrThrow(of: other) == expected else {
        throw failure("a tree has lost rows")
      }
      // The rows of the tree of names are records of trees, whose pages differ.
      if slot != TransactionHandle.namesSlot { original = try RowReader(source, other) }
    }
    defer { original?.close() }
    var count = 0
    while try rows.next() {
      count += 1
      guard let original else { continue }
      guard try original.next(), rows.isSame(as: original) else {
        throw failure("a row differs")
      }
    }
    guard count == expected else { throw failure("a tree has lost rows") }
  }

  private func failure(_ what: String) -> LMDBError {
    LMDBError(.copy, .corrupted, "\(path), a copy; \(what)")
  }
}

/// The rows of a tree, one after another.
///
/// Threads: one.
@safe private final class RowReader {
  private let cursor: CursorHandle
  private var key = unsafe Bytes.none
  private var value = unsafe Bytes.none

  init(_ transaction: TransactionHandle, _ slot: UInt32) throws(LMDBError) {
    let (cursor, code) = transaction.openCursor(in: slot)
    guard let cursor else { throw LMDBError(.copy, code) }
    self.cursor = cursor
  }

  func close() { cursor.close() }

  func next() throws(LMDBError) -> Bool {
    // Safety: key and value are written by the call, and are in the map until the environment closes.
    let code = unsafe cursor.get(&key, &value, .next)
    if code == LMDBError.Code.notFound.rawValue { return false }
    guard code == 0 else { throw LMDBError(.copy, code) }
    return true
  }

  func isSame(as other: RowReader) -> Bool {
    // Safety: both rows are current, and the lengths are compared before the bytes.
    unsafe key.isSame(as: other.key) && value.isSame(as: other.value)
  }
}

extension Bytes {
  fileprivate func isSame(as other: Bytes) -> Bool {
    // Safety: both buffers hold as many bytes as they say.
    guard unsafe buffer.count == other.buffer.count else { return false }
    guard let left = unsafe buffer.baseAddress, let right = unsafe other.buffer.baseAddress else {
      return true
    }
    return unsafe compareBytes(left, right, buffer.count) == 0
  }
}

extension TransactionHandle {
  /// The keys of the tree of names.
  fileprivate func databaseNames() throws -> [String] {
    var names: [String] = []
    try forEachBlock(in: Self.namesSlot, range: .all, direction: .forward, order: .plain) { block in
      for index in 0..<block.count {
        let key = block.key(at: index)
        // Safety: the bytes are copied at once.
        let name = unsafe key.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        if let name, !name.utf8.contains(0) { names.append(name) }
      }
      return true
    }
    return names
  }
}

extension EnvironmentHandle {
  /// Opens a file for reading without its lock table, while no process writes to it.
  static func openAlone(
    _ path: String, bytes: Int, _ options: Environment.Options
  ) throws(LMDBError) -> EnvironmentHandle {
    var options = options
    options.isReadOnly = true
    options.mapSizeBytes = max(bytes, 1 << 20)
    return try open(path, options, isWithoutLockTable: true)
  }

  /// A transaction for reading.
  fileprivate func beginReading() throws(LMDBError) -> TransactionHandle {
    let (begun, code) = begin(isReadOnly: true)
    guard let begun else { throw LMDBError(.copy, code) }
    return begun
  }
}

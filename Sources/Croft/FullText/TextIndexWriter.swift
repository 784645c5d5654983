import LMDB

/// Keeps a search index up to date in a write transaction.
///
/// It keeps the keys of changed rows. A flush notes in the tree that these rows wait, or gives them numbers
/// and writes their terms where they are many. Keys of a savepoint that is rolled back may stay: a row that
/// waits without need gets a new number, and nothing else.
///
/// Confined to its transaction.
final class TextIndexWriter: IndexWriter {
  let index: TextIndex
  private let table: Table
  /// The keys of changed rows, in the order of the changes.
  private var keys = ByteList(capacity: 256)
  /// The bytes of the texts of each.
  private var bytes: [Int] = []
  /// How many keys, counted from the first, are in the tree already.
  private var flushed = 0
  /// What the keys have that are not.
  private var pendingBytes = 0
  /// The savepoints that have yet to end, the outermost first: how many keys there were, and in the tree.
  private var marks: [(count: Int, flushed: Int)] = []
  /// Whether rows are about to be removed, which a flush would still find and give terms.
  private var isRemoving = false
  /// Whether the rows are those of a step of a build.
  private var isBuilding = false
  private let arena = RecordArena()
  private let longestBufferBytes: Int

  /// How many bytes a byte of a text counts in a step of a build.
  ///
  /// Its terms take about eight in memory. A step is a segment, though, of which each has its own
  /// list of a term: fewer and longer ones take less of the file.
  private static let termBytesPerByte = 2

  init(_ index: TextIndex, of table: Table) {
    self.index = index
    self.table = table
    longestBufferBytes = index.tree.bounds.keptBytes
  }

  /// Not before the end of a statement that removes rows, which keeps their keys itself, too.
  var isFull: Bool { !isRemoving && pendingBytes > longestBufferBytes }

  func check(
    _ row: RecordView, replacing old: RecordView?, in transaction: borrowing LMDB.WriteTransaction,
    _ arena: RecordArena
  ) {}

  func put(
    _ row: RecordView, replacing old: RecordView?, in transaction: inout LMDB.WriteTransaction
  ) throws {
    guard unsafe index.covers(row.keyBytes) else { return }
    if let old, try index.hasSameTexts(old, row) { return }
    unsafe append(row.keyBytes, try index.textBytes(of: row))
    if isFull { try flush(to: &transaction) }
  }

  func remove(_ row: RecordView) {
    isRemoving = true
    // Safety: the key is copied while the row is borrowed.
    if unsafe index.covers(row.keyBytes) { unsafe append(row.keyBytes, 0) }
  }

  func endStatement(in transaction: inout LMDB.WriteTransaction) throws {
    isRemoving = false
    if isFull { try flush(to: &transaction) }
  }

  func build(_ row: RecordView) throws -> Int {
    isBuilding = true
    unsafe append(row.keyBytes, try index.textBytes(of: row))
    return pendingBytes * Self.termBytesPerByte
  }

  private func append(_ key: UnsafeRawBufferPointer, _ textBytes: Int) {
    // Safety: the key is copied during the call.
    unsafe keys.append(key)
    bytes.append(textBytes)
    pendingBytes += key.count + textBytes
  }

  // MARK: - Writing

  func flush(to transaction: inout LMDB.WriteTransaction) throws {
    guard keys.count > flushed else { return }
    var changed = ByteList()
    for place in keys.order(from: flushed) {
      // Safety: the keys are compared and copied while neither list changes.
      let key = unsafe keys[flushed + Int(place)]
      if changed.count > 0, unsafe ByteList.compare(changed[changed.count - 1], key) == 0 {
        continue
      }
      unsafe changed.append(key)
    }
    if isBuilding {
      try index.tree.build(changed, in: &transaction, terms)
    } else {
      let bytes = bytes[flushed...].reduce(0, +)
      try index.tree.write(changed, bytes: bytes, in: &transaction, terms)
    }
    discard()
  }

  /// Adds the terms of the row of a key.
  private func terms(
    _ key: RawSpan, _ transaction: borrowing LMDB.WriteTransaction,
    _ postings: inout PendingPostings
  ) throws -> Bool {
    arena.clear()
    do {
      // Safety: the row is used before anything is written.
      let row = try unsafe key.withUnsafeBytes { key in
        try unsafe table.row(key, in: transaction, arena)
      }
      guard let row else { return false }
      try index.add(row, to: &postings)
    } catch StoreError.corrupt(_, .some, _) {
      // A damaged row has no terms: it must not keep others from being committed, and `verify()` names it.
    }
    return true
  }

  func removeAll(in transaction: inout LMDB.WriteTransaction) throws {
    discard()
    try transaction.empty(index.tree.tree)
  }

  func removeEntries(of keys: ByteSet, in transaction: inout LMDB.WriteTransaction) {
    isRemoving = true
    for place in 0..<keys.count where unsafe index.covers(keys[place]) {
      unsafe append(keys[place], 0)
    }
  }

  // MARK: - Savepoints

  func beginSavepoint() { marks.append((keys.count, flushed)) }

  func releaseSavepoint() {
    marks.removeLast()
    if flushed == keys.count { discard() }
  }

  func rollBackToSavepoint() {
    isRemoving = false
    let mark = marks.removeLast()
    removeKeys(from: mark.count)
    flushed = mark.flushed
    countPending()
  }

  /// Forgets the keys that no mark needs, because the tree has all, or was emptied.
  private func discard() {
    removeKeys(from: marks.last?.count ?? 0)
    flushed = keys.count
    pendingBytes = 0
  }

  private func removeKeys(from first: Int) {
    keys.removeItems(from: first)
    bytes.removeLast(bytes.count - first)
  }

  private func countPending() {
    pendingBytes = keys.byteCount - keys.start(of: flushed) + bytes[flushed...].reduce(0, +)
  }
}

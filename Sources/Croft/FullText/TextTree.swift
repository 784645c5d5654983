import LMDB

/// The tree of a search index: rows that wait for a number, and segments of postings by number.
///
/// A row gets a number when waiting rows are flushed, ascending, and no number is used again. An update
/// leaves a row waiting with its old number, which queries leave out from then on; the next flush marks
/// it as dead, and gives the row a new one. A flush writes the terms of its rows as a segment. Segments
/// have ascending numbers, so that the list of a term is those of all segments in a row. Neighbouring
/// segments become one, in steps: each flush moves a few terms.
///
/// The postings of a number that is neither dead nor the old one of a waiting row are the terms of its
/// row, and each row has a number or waits.
struct TextTree: Sendable {
  let tree: Database
  /// The name of the model, for errors.
  let model: String
  /// How many properties the index is over.
  let properties: Int
  let bounds: TextIndexBounds

  init(
    _ tree: Database, of model: String, properties: Int,
    _ bounds: TextIndexBounds = TextIndexBounds()
  ) {
    self.tree = tree
    self.model = model
    self.properties = properties
    self.bounds = bounds
  }

  /// Adds the terms of a row's texts; false where there is no such row.
  typealias Terms = (
    _ key: RawSpan, borrowing LMDB.WriteTransaction, inout PendingPostings
  ) throws -> Bool

  // MARK: - Reading

  /// The head; that of an empty index where there is none.
  func head(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> TextIndexHead {
    guard let record = try value(of: TextIndexKey.head.prefix, in: transaction) else {
      return TextIndexHead(properties: properties)
    }
    guard let head = TextIndexHead(record, properties: properties) else {
      throw damage("its head")
    }
    return head
  }

  /// A copy of the value of a key; nil where there is none.
  func value(
    of key: [UInt8], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws(LMDBError) -> [UInt8]? {
    // Safety: the key outlives the call, and the value is copied while the transaction is borrowed.
    try unsafe transaction.get(key.span.bytes, in: tree)?.copied()
  }

  /// The number of a row; nil where it has none.
  func number(
    of row: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> UInt32? {
    // Safety: the key is copied while the caller borrows it.
    let key = unsafe TextIndexKey.number.key(of: row)
    guard let value = try value(of: key, in: transaction) else { return nil }
    var reader = ByteReader(value[...])
    guard let number: UInt32 = reader.integer(), reader.rest.isEmpty else {
      throw damage("the number of a row")
    }
    return number
  }

  /// The rows that wait, ascending by their keys, each with its old number.
  func waiting(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> WaitingRows {
    var waiting = WaitingRows()
    var isDamaged = false
    try transaction.forEachBlock(of: tree, in: .prefix(TextIndexKey.waiting.prefix)) { block in
      for place in 0..<block.count {
        let key = block.key(at: place)
        guard let row = WaitingRows.Row(block.value(at: place)) else {
          isDamaged = true
          return false
        }
        // Safety: the key is copied while the block is borrowed.
        unsafe key.withUnsafeBytes {
          unsafe waiting.append(UnsafeRawBufferPointer(rebasing: $0.dropFirst()), row)
        }
      }
      return true
    }
    if isDamaged { throw damage("a row that waits") }
    return waiting
  }

  /// The error of a part that cannot be read.
  func damage(_ part: String) -> StoreError {
    .corrupt(
      model: model, key: nil,
      reason: "the index for searches is damaged: \(part); `store.rebuildIndexes()` builds it again"
    )
  }

  // MARK: - Writing

  func put(_ head: TextIndexHead, in transaction: inout LMDB.WriteTransaction) throws {
    // Safety: both arrays outlive the call.
    try unsafe transaction.put(
      head.record.span.bytes, at: TextIndexKey.head.prefix.span.bytes, in: tree)
  }

  /// Writes what a commit has of changed rows: that they wait, or with their terms where they are many.
  ///
  /// - Parameters:
  ///   - rows: The keys of rows that were inserted, replaced or deleted, ascending, each once.
  ///   - bytes: The bytes of their texts.
  ///   - transaction: The transaction, which has the rows.
  ///   - terms: Adds the terms of a row.
  func write(
    _ rows: borrowing ByteList, bytes: Int, in transaction: inout LMDB.WriteTransaction,
    _ terms: Terms
  ) throws {
    if rows.count == 0 { return }
    var head = try head(in: transaction)
    if rows.count + Int(head.waitingRows) > bounds.waitingRows
      || bytes + Int(clamping: head.waitingBytes) > bounds.waitingBytes
    {
      try flush(rows, in: &transaction, &head, terms)
    } else {
      try wait(rows, bytes: bytes, in: &transaction, &head)
    }
    try put(head, in: &transaction)
  }

  /// Notes that rows wait.
  private func wait(
    _ rows: borrowing ByteList, bytes: Int, in transaction: inout LMDB.WriteTransaction,
    _ head: inout TextIndexHead
  ) throws {
    var changes = TreeChanges()
    for place in 0..<rows.count {
      // Safety: the key is copied while the list stays unchanged.
      let key = unsafe TextIndexKey.waiting.key(of: rows[place])
      if try value(of: key, in: transaction) != nil { continue }
      let old = try unsafe number(of: rows[place], in: transaction)
      changes.put(WaitingRows.Row(old: old).record, at: key)
      head.waitingRows += 1
    }
    // A row that waits already counts again: its texts may be longer than before.
    head.waitingBytes += UInt64(bytes)
    try changes.apply(to: tree, in: &transaction)
  }
}

import LMDB

/// Entries of a unique index that is built, on their way into its tree in the order of their keys.
@safe
struct UniqueRun: ~Copyable {
  /// Entries whose key is the columns' code alone, as the code and the primary key behind it.
  private var alone = ByteList()
  /// Entries that clash with nothing.
  private var shared = ByteList()
  /// The primary keys of rows with cut codes, which must be compared with others' rows.
  private var cut = ByteList()
  private var bytes = _ByteBuffer()
  private var entries: [IndexEntry] = []

  /// The bytes of the entries that wait.
  var byteCount: Int { alone.byteCount + shared.byteCount + cut.byteCount }

  /// Takes a row's entries.
  mutating func take(_ row: RowView, _ index: TableIndex, _ layout: RowLayout) throws {
    bytes.count = 0
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    for place in entries.indices {
      let start = place == 0 ? 0 : entries[place - 1].end
      // Safety: the list's ends ascend within the buffer.
      let key = unsafe UnsafeRawBufferPointer(rebasing: bytes.bytes[start..<entries[place].end])
      switch entries[place].form {
      case .shared: unsafe shared.append(key)
      case .cut: unsafe cut.append(row.keyBytes)
      case .alone:
        var entry = _ByteBuffer(capacity: key.count + row.keyCount)
        unsafe entry.append(contentsOf: key)
        unsafe entry.append(contentsOf: row.keyBytes)
        unsafe alone.append(entry.bytes)
      }
    }
  }

  /// Puts the entries into the index's tree, and forgets them.
  ///
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``.
  mutating func apply(
    to index: TableIndex, of model: Table, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    alone.sort()
    for place in 0..<alone.count {
      try unsafe Self.put(alone[place], index, model, &transaction)
    }
    shared.sort()
    var batch = SortedBatch(index.entries)
    for place in 0..<shared.count {
      try unsafe batch.append(shared[place], isDelete: false, to: &transaction)
    }
    try batch.finish(&transaction)
    for place in 0..<cut.count { try putCut(at: place, index, model, &transaction) }
    alone.removeAll()
    shared.removeAll()
    cut.removeAll()
  }

  /// Puts a code with a primary key as its value; a code that another object has is a violation.
  private static func put(
    _ entry: UnsafeRawBufferPointer, _ index: TableIndex, _ model: Table,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let key = try unsafe model.primaryKey(ofKey: entry, value: nothing, in: index)
    // Safety: the entry does not change during the calls.
    let code = unsafe RawSpan(
      _unsafeBytes: UnsafeRawBufferPointer(rebasing: entry.dropLast(key.count)))
    let isNew = try unsafe transaction.put(
      RawSpan(_unsafeBytes: key), at: code, in: index.entries, mode: .insert)
    guard !isNew, let owner = try transaction.get(code, in: index.entries)?.copied() else { return }
    try unsafe owner.withUnsafeBytes { owner in
      // An element that a list holds twice gives its entry twice.
      if unsafe KeySort.compare(owner, key) != 0 {
        throw unsafe model.violation(of: index, key, owner)
      }
    }
  }

  /// Puts the entries of a row with cut codes, of which the others' rows must be unlike.
  private mutating func putCut(
    at place: Int, _ index: TableIndex, _ model: Table,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let arena = RowArena()
    bytes.count = 0
    entries.removeAll(keepingCapacity: true)
    guard let row = try unsafe model.row(cut[place], in: transaction, arena) else { return }
    try model.checkUnique(row, in: index, transaction, arena)
    try index.appendEntries(of: row, model.layout, to: &bytes, &entries)
    for place in entries.indices where entries[place].form == .cut {
      let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      // Safety: the entry does not change during the call.
      _ = try unsafe transaction.put(
        RawSpan(_unsafeBytes: nothing),
        at: RawSpan(_unsafeBytes: bytes.key(at: place, of: entries)), in: index.entries)
    }
  }
}

/// The writers of entries of a transaction, made for a table when its first row is written.
///
/// A program has many tables, and a transaction writes to a few of them.
///
/// Threads: used by its transaction alone.
@safe final class EntryWriters {
  /// The writers by their indexes' slots, each retained; nil where there is none yet.
  private let slots: UnsafeMutablePointer<Unmanaged<EntryWriter>?>
  /// The slots that have one, in the order in which they were made.
  @safe @exclusivity(unchecked) private var made: [Int] = []
  /// How many savepoints are open.
  private var savepoints = 0
  /// The bytes of keys that each later writer buffers at most; smaller in tests.
  var longestBufferBytes = Threshold.pendingEntryBytes.value

  init(slotCount: Int) {
    // Safety: every element is initialised here and lives until deinit.
    unsafe slots = .allocate(capacity: slotCount)
    unsafe slots.initialize(repeating: nil, count: slotCount)
  }

  deinit {
    // Safety: the elements are trivial once what they retain is released.
    for slot in made { unsafe slots[slot]?.release() }
    unsafe slots.deallocate()
  }

  /// Calls a closure with the writer of each of a table's indexes.
  @inline(__always)
  func forEach(of table: Table, _ body: (EntryWriter) throws -> Void) rethrows {
    for slot in table.writers.entries {
      if unsafe slots[slot] == nil { makeWriters(of: table) }
      // Safety: the object retains the writer. Counting references takes longer than its work.
      try unsafe slots[slot]?._withUnsafeGuaranteedRef { try body($0) }
    }
  }

  @inline(never)
  private func makeWriters(of table: Table) {
    for index in table.entryIndexes {
      let writer = EntryWriter(index, of: table, longestBufferBytes: longestBufferBytes)
      for _ in 0..<savepoints { writer.beginSavepoint() }
      // Safety: the catalog that counted the slots has the index.
      unsafe slots[index.status.slot] = .passRetained(writer)
      made.append(index.status.slot)
    }
  }

  /// Calls a closure with all writers that were made.
  func forEach(_ body: (EntryWriter) throws -> Void) rethrows {
    // Safety: as above.
    for slot in made { try unsafe slots[slot]?._withUnsafeGuaranteedRef { try body($0) } }
  }

  /// The writer of an index; nil where it has nothing to write.
  func writer(of index: EntryIndex) -> EntryWriter? {
    // Safety: as above.
    unsafe slots[index.status.slot]?.takeUnretainedValue()
  }

  /// Begins a savepoint, which later writers begin too when they are made.
  func beginSavepoint() {
    savepoints += 1
    forEach { $0.beginSavepoint() }
  }

  func releaseSavepoint() {
    savepoints -= 1
    forEach { $0.releaseSavepoint() }
  }

  func rollBackToSavepoint() {
    savepoints -= 1
    forEach { $0.rollBackToSavepoint() }
  }
}

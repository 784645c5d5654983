import LMDB

extension WriteTransaction {
  /// What a transaction keeps for its writes beside its trees: index writers and captured changes.
  ///
  /// ``Table`` writes with it; see ``Table/write(_:replacing:in:_:)``.
  @safe
  struct Context: ~Copyable {
    /// Nil for a migration, which writes rows alone: it builds indexes and checks references later.
    let catalog: Catalog?
    let entryWriters: EntryWriters
    /// The writers of other kinds of index, each at its index's slot.
    let otherWriters: [any IndexWriter]
    /// Passes on changes of rows, where a sink needs any.
    var changes: ChangeStream? {
      didSet { unsafe unretainedChanges = changes.map { unsafe .passUnretained($0) } }
    }
    private var unretainedChanges: Unmanaged<ChangeStream>?
    /// Collects the keys that the rows of a statement refer to, where they are looked up at its end.
    var targets: ForeignKey.PendingTargets?
    /// Rows of other layouts that a statement looks at; cleared where one begins.
    let arena = RecordArena()

    init(_ catalog: Catalog, _ changes: ChangeStream?) {
      self.catalog = catalog
      self.changes = changes
      unsafe unretainedChanges = changes.map { unsafe .passUnretained($0) }
      entryWriters = EntryWriters(slotCount: catalog.entryIndexSlots)
      otherWriters = catalog.all.filter { !$0.writers.others.isEmpty }.flatMap { table in
        table.indexes.filter { !($0 is EntryIndex) }.map {
          (slot: $0.status.slot, writer: $0.makeWriter(of: table))
        }
      }.sorted { $0.slot < $1.slot }.map(\.writer)
    }

    init(migrating changes: ChangeStream?) {
      catalog = nil
      self.changes = changes
      unsafe unretainedChanges = changes.map { unsafe .passUnretained($0) }
      entryWriters = EntryWriters(slotCount: 0)
      otherWriters = []
    }

    /// Whether a statement has to read a row of a table in order to remove it.
    func readsRemovedRows(of table: Table) -> Bool {
      !table.indexes.isEmpty || changes?.takesOldRows(of: table) == true
    }

    /// Calls a closure with the writer of each of a table's indexes.
    ///
    /// It is inlined, so that writers of entries, which most rows have, are called without an
    /// existential's indirections.
    @inline(__always)
    func forEachWriter(
      of table: Table, exceptOfEntries: Bool = false, _ body: (any IndexWriter) throws -> Void
    ) rethrows {
      if !exceptOfEntries { try entryWriters.forEach(of: table, body) }
      for slot in table.writers.others { try body(otherWriters[slot]) }
    }

    /// Whether a writer of a table, or a sink, should be flushed before more rows come.
    func isFull(for table: Table) -> Bool {
      var isFull = changes?.isFull ?? false
      forEachWriter(of: table) { isFull = isFull || $0.isFull }
      return isFull
    }

    /// Flushes the full writers of a table, and full sinks.
    func flushFull(for table: Table, to transaction: inout LMDB.WriteTransaction) throws {
      try forEachWriter(of: table) { if $0.isFull { try $0.flush(to: &transaction) } }
      try flushFullSinks(to: &transaction)
    }

    /// Calls a closure with the stream of changes, if there is one, without counting references.
    @inline(__always)
    func withChanges(_ body: (ChangeStream) throws -> Void) rethrows {
      // Safety: the context holds the stream.
      try unsafe unretainedChanges?._withUnsafeGuaranteedRef(body)
    }

    @inline(__always)
    func flushFullSinks(to transaction: inout LMDB.WriteTransaction) throws {
      if let changes, changes.isFull { try changes.flush(to: &transaction) }
    }

    /// Calls a closure with all writers that may have something to write.
    func forEachWriter(_ body: (any IndexWriter) throws -> Void) rethrows {
      try entryWriters.forEach(body)
      for writer in otherWriters { try body(writer) }
    }

    /// The writer of an index; nil where it has nothing to write.
    func writer(of index: any TableIndex) -> (any IndexWriter)? {
      if let index = index as? EntryIndex { return entryWriters.writer(of: index) }
      return otherWriters[index.status.slot]
    }

    /// Begins a savepoint: later changes can be rolled back alone.
    func beginSavepoint() {
      entryWriters.beginSavepoint()
      for writer in otherWriters { writer.beginSavepoint() }
      changes?.beginSavepoint()
    }

    func releaseSavepoint() {
      entryWriters.releaseSavepoint()
      for writer in otherWriters { writer.releaseSavepoint() }
      changes?.releaseSavepoint()
    }

    /// Rolls back the innermost savepoint, which the trees have done already.
    func rollBackToSavepoint() {
      entryWriters.rollBackToSavepoint()
      for writer in otherWriters { writer.rollBackToSavepoint() }
      changes?.rollBackToSavepoint()
    }
  }
}

// MARK: - Writers of entries

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

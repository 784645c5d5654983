import LMDB

extension EntryWriter {
  /// Changes of one index that its tree does not have yet, in the order in which they were made.
  ///
  /// Of several changes of one key only the last is applied, because each change states whether the
  /// tree has the key afterwards. A savepoint sets a mark. Changes from before the mark that were
  /// applied inside the savepoint are kept, because undoing the savepoint removes them from the tree.
  @safe
  struct PendingEntries: ~Copyable {
    enum Change: UInt8 {
      /// Puts a key that holds its owner's primary key.
      case put
      case remove
      /// Puts an entry of a unique index that is being built, after a look for a clash.
      case build
    }

    private struct Mark {
      let count: Int
      let applied: Int
    }

    /// The changes' keys, in the order of the changes; where one is built, with its owner's key.
    private var keys = ByteList(capacity: 1024)
    /// For each change what it does, and the form of its entry.
    private var changes: [(change: Change, form: IndexEntry.Form)] = []
    /// Where the keys of the row at hand end, while its changes are appended.
    private var entries: [IndexEntry] = []
    /// How many changes, counted from the first, are in the tree already.
    private var applied = 0
    /// The savepoints that have yet to end, the outermost first.
    private var marks: [Mark] = []

    /// The bytes of the keys that have yet to be applied.
    var byteCount: Int { keys.byteCount - keys.start(of: applied) }

    mutating func beginSavepoint() {
      marks.append(Mark(count: keys.count, applied: applied))
    }

    mutating func releaseSavepoint() {
      marks.removeLast()
      if applied == keys.count { discard() }
    }

    /// Rolls back the innermost savepoint, which the tree has done already.
    mutating func rollBackToSavepoint() {
      let mark = marks.removeLast()
      removeChanges(from: mark.count)
      if applied > mark.applied { CoverageMark.hit(.appliedChangesUndone) }
      applied = mark.applied
    }

    /// Appends a change for each of a row's entries.
    ///
    /// - Precondition: An entry that is put without a look holds its owner's primary key in its key;
    ///   one of a unique index has it as its value, which a buffer does not keep.
    mutating func append(
      _ row: RecordView, _ index: borrowing EntryIndex, _ change: Change
    ) throws {
      assert(change != .put || !index.isUnique, "A unique entry is put with its owner, or built.")
      entries.removeAll(keepingCapacity: true)
      try index.appendEntries(
        of: row, to: &keys.bytes, &entries, for: change == .build ? .build : .tree)
      for entry in entries { append(entry, change) }
    }

    /// Appends the removal of old entries and the insertion of new ones, unless they are the same.
    ///
    /// An entry that both rows have is removed and inserted: of changes of one key the last counts.
    mutating func replace(
      _ old: RecordView, by new: RecordView, _ index: borrowing EntryIndex
    ) throws {
      let start = keys.byteCount
      entries.removeAll(keepingCapacity: true)
      try index.appendEntries(of: old, to: &keys.bytes, &entries)
      let (middle, count) = (keys.byteCount, entries.count)
      try index.appendEntries(of: new, to: &keys.bytes, &entries)
      // Safety: the bytes are compared before the list changes.
      let (before, after) = unsafe (keys.bytes.bytes[start..<middle], keys.bytes.bytes[middle...])
      guard
        unsafe ByteList.compare(
          UnsafeRawBufferPointer(rebasing: before), UnsafeRawBufferPointer(rebasing: after)) != 0
      else {
        keys.bytes.count = start
        return
      }
      for ordinal in entries.indices {
        append(entries[ordinal], ordinal < count ? .remove : .put)
      }
    }

    /// Makes a change of the key's bytes after the last change's key.
    private mutating func append(_ entry: IndexEntry, _ change: Change) {
      keys.endItem(at: entry.end)
      changes.append((change, entry.form))
    }

    /// Forgets the changes that no mark needs, because the tree has all, or was emptied.
    mutating func discard() {
      removeChanges(from: marks.last?.count ?? 0)
      applied = keys.count
    }

    private mutating func removeChanges(from first: Int) {
      keys.removeItems(from: first)
      changes.removeLast(changes.count - first)
      guard first == 0, keys.bytes.capacity > Threshold.keptPendingEntryBytes.value else { return }
      // Another index's changes, or the pages of the commit, need the memory now.
      keys = ByteList(capacity: 1024)
      changes = []
    }

    /// Applies the changes to a tree, in the order of their keys.
    mutating func flush(
      to index: EntryIndex, of table: Table, _ transaction: inout LMDB.WriteTransaction
    ) throws {
      guard keys.count > applied else { return }
      let isRadix = keys.isRadixSorted(from: applied)
      CoverageMark.hit(isRadix ? .indexKeysRadixSorted : .indexKeysCompared)
      let order = keys.order(from: applied)
      // To build an entry of a unique index, the tree is searched for a clash.
      let isBuilding = changes[applied...].contains { $0.change == .build }
      let removals = isBuilding ? 0 : changes[applied...].count { $0.change == .remove }
      var batch = try index.entries.beginBatch(deleting: removals, in: &transaction)
      // Safety: the list does not change until the batch is finished.
      var key = unsafe keys[applied + Int(order[0])]
      for position in order.indices {
        let current = unsafe key
        if position + 1 < order.count {
          unsafe key = keys[applied + Int(order[position + 1])]
          // Of several changes of one key the last counts; the order is stable.
          if unsafe ByteList.compare(current, key) == 0 { continue }
        }
        let (change, form) = changes[applied + Int(order[position])]
        if change == .build, form != .nonUnique {
          try unsafe table.build(current, form, in: index, &transaction)
        } else {
          try unsafe batch.append(current, isDelete: change == .remove, to: &transaction)
        }
      }
      try batch.finish(&transaction)
      discard()
    }
  }
}

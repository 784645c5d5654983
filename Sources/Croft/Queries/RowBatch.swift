import LMDB

/// A block of checked rows and the places of those still in question.
///
/// Conditions run a term at a time over a batch: each term's loop touches one column
/// and keeps the places that pass.
@safe
struct RowBatch {
  /// The most rows in a batch.
  static let capacity = 256

  private(set) var rows: [RowView] = []
  /// Places in ``rows`` that passed so far, ascending.
  var selection: [UInt16] = []
  private let storage: ModelStorage
  /// Holds the rows that lie in the tree in another layout.
  let arena: RowArena

  init(_ storage: ModelStorage, _ arena: RowArena) {
    self.storage = storage
    self.arena = arena
    rows.reserveCapacity(Self.capacity)
    selection.reserveCapacity(Self.capacity)
  }

  var layout: RowLayout { storage.layout }

  /// Replaces the rows by a block's, all of them selected.
  mutating func fill(_ entries: UnsafeBufferPointer<RowBlock.Entry>) throws {
    rows.removeAll(keepingCapacity: true)
    for place in 0..<entries.count {
      let entry = unsafe entries[place]
      rows.append(try unsafe storage.view(key: entry.key, row: entry.value, arena))
    }
    selectAll()
  }

  /// Starts an empty batch.
  mutating func clear() {
    rows.removeAll(keepingCapacity: true)
    selection.removeAll(keepingCapacity: true)
  }

  /// Adds one row, selected.
  mutating func append(_ row: RowView) {
    selection.append(UInt16(rows.count))
    rows.append(row)
  }

  private mutating func selectAll() {
    selection.removeAll(keepingCapacity: true)
    for place in 0..<rows.count { selection.append(UInt16(truncatingIfNeeded: place)) }
  }

  /// Keeps the selected rows that pass a test.
  @inline(__always)
  mutating func keep(_ test: (RowView) throws -> Bool) rethrows {
    var kept = 0
    try unsafe rows.withUnsafeBufferPointer { rows in
      try unsafe selection.withUnsafeMutableBufferPointer { selection in
        for index in selection.indices {
          let place = unsafe selection[index]
          // Safety: places are below the number of rows, and `kept` never passes `index`.
          unsafe selection[kept] = place
          kept &+= try unsafe test(rows[Int(place)]) ? 1 : 0
        }
      }
    }
    selection.removeLast(selection.count - kept)
  }
}

import LMDB

/// One index's changes of a transaction, kept until a query needs them or the commit comes.
///
/// Entries applied in key order meet each page of the tree once, and at the end of the
/// tree they append: that is what makes bulk writes fast. For one key the last change
/// wins, because each entry says what the tree must hold in the end.
///
/// Confined to its transaction, which is used by one thread at a time.
final class IndexBuffer {
  /// The bytes of keys after which the buffer is applied without waiting for the end.
  static var longestRunBytes: Int { Threshold.indexBufferBytes.value }

  let index: TableIndex
  private let layout: RowLayout
  private var run = IndexRun()

  init(_ index: TableIndex, _ layout: RowLayout) {
    self.index = index
    self.layout = layout
  }

  /// The bytes of this buffer's bound; smaller in tests.
  var longestRunBytes = IndexBuffer.longestRunBytes

  var isFull: Bool {
    guard run.byteCount > longestRunBytes else { return false }
    CoverageMark.hit(.indexBufferFull)
    return true
  }

  /// Takes the entry that a new row has, or that a row to be deleted had.
  ///
  /// Of an index that is being built, rows that it does not cover are passed over.
  func take(_ row: RowView, isDelete: Bool) throws {
    // Safety: the key is compared while the row is lent.
    guard unsafe index.covers(row.keyBytes) else { return }
    try run.take(row, index, layout, isDelete: isDelete)
  }

  /// Takes an old entry's removal and a new one's insertion, unless they are the same.
  func replace(_ old: RowView, by new: RowView) throws {
    try run.replace(old, by: new, index, layout)
  }

  /// Forgets all changes, because the tree was emptied behind them.
  func clear() { run.settle() }

  /// A savepoint starts: what comes now can be taken back alone.
  func mark() { run.mark() }

  /// The innermost savepoint has taken effect.
  func keep() { run.keep() }

  /// The innermost savepoint was undone, in the tree as well.
  ///
  /// Changes from before it that were applied inside it wait again.
  func undo() { run.undo() }

  /// Applies the changes to the tree, in key order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changes; O(*n*) for keys of one short length.
  func apply(to transaction: inout LMDB.WriteTransaction) throws {
    try run.apply(to: index.entries, &transaction)
  }
}

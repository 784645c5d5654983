/// One row, as those who observe an object know it.
///
/// Confined to the hub's queue.
final class LiveObject {
  private(set) var row: StoredRow?
  /// The commit that it was read at; earlier ones are in it.
  private(set) var sequence: UInt64 = 0
  var observers: [Int: any ValueObserver<StoredRow?>] = [:]

  /// Reads the row.
  func read(
    _ key: [UInt8], of schema: Schema, in transaction: borrowing ReadTransaction,
    at sequence: UInt64
  ) throws {
    let catalog = transaction.catalog
    let table = try catalog.table(of: schema)
    row = try table.storedRow(key, in: transaction.base)
    self.sequence = sequence
  }

  /// Takes the row that a commit left.
  func apply(_ new: StoredRow?, skipped: Set<Int>) {
    let old = row
    row = new
    for number in skipped { observers[number]?.skip(from: old, to: new) }
  }

  /// Hands the row to the observers.
  func publish(_ sequence: UInt64) {
    for observer in observers.values { observer.update(row, max(sequence, self.sequence)) }
  }
}

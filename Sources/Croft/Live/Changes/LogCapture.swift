import LMDB

/// The keys that a write transaction changes, for its record in the log of commits.
///
/// Past a limit of bytes it keeps no more of a model than that it changed.
final class LogCapture: ChangeSink {
  /// What is kept of one model.
  private struct Model {
    var keyBytes = 0
    /// Whether it had changes that are not kept.
    var isUnknown = false
    var isChanged: Bool { isUnknown || keyBytes > 0 }
  }

  private struct Savepoint {
    let count: Int
    let models: [Model]
  }

  /// The log; nil where the file has none yet.
  private let log: CommitLog?
  /// The models' numbers, each with a key after it.
  private var keys = ByteList(capacity: 256)
  /// The models, by their numbers in the catalog.
  private var models: [Model]
  private var savepoints: [Savepoint] = []

  init(of catalog: Catalog) {
    log = catalog.log
    models = Array(repeating: Model(), count: catalog.capturedModels.count)
  }

  func detail(of table: Table) -> ChangeDetail { models[table.id].isUnknown ? .nothing : .keys }

  func take(
    _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, of table: Table
  ) {
    if models[table.id].isUnknown { return }
    models[table.id].keyBytes += key.count
    guard models[table.id].keyBytes <= Threshold.loggedKeyBytes.value else {
      return takeRemovalOfAll(of: table)
    }
    keys.bytes.append(bigEndian: UInt32(truncatingIfNeeded: table.id))
    // Safety: the key is copied during the call.
    unsafe keys.append(key)
  }

  func takeRemovalOfAll(of table: Table) { models[table.id].isUnknown = true }

  func beginSavepoint() {
    savepoints.append(Savepoint(count: keys.count, models: models))
  }

  func releaseSavepoint() { savepoints.removeLast() }

  func rollBackToSavepoint() {
    let savepoint = savepoints.removeLast()
    keys.removeItems(from: savepoint.count)
    models = savepoint.models
  }

  /// Appends the record to the log, which is made where the file has none.
  func finish(_ sequence: UInt64, in transaction: inout LMDB.WriteTransaction) throws {
    let log = try log ?? CommitLog(creatingIn: &transaction)
    try log.append(record().bytes, of: sequence, &transaction)
  }

  /// The keys of each model, or only that the model changed.
  ///
  /// - Complexity: O(*n* log *n*) for *n* keys that are kept.
  func record() -> LogRecordEncoder {
    keys.sort()
    var encoder = LogRecordEncoder()
    var ordinal = 0
    for (number, model) in models.enumerated() where model.isChanged {
      encoder.beginModel(number)
      while ordinal < keys.count {
        // Safety: the key is copied; the list does not change meanwhile.
        let item = unsafe keys[ordinal]
        guard unsafe UInt32(bigEndian: item.loadUnaligned(as: UInt32.self)) == number else { break }
        if !model.isUnknown, !keys.isRepeated(ordinal) {
          unsafe encoder.append(key: UnsafeRawBufferPointer(rebasing: item[4...]))
        }
        ordinal += 1
      }
    }
    return encoder
  }
}

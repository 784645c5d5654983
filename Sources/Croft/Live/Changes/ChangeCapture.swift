import LMDB

/// The changes that one write transaction makes to rows, in their order, for this store's observers.
///
/// After the commit ``CommitDelta`` reads it for the live queries.
///
/// Each model is captured at one level of detail for the whole transaction: whole rows where an
/// observer depends on the model's own columns, keys where it needs no more. Past a limit of bytes the
/// capture keeps no more of a model than that it changed. The same holds for a model captured by keys
/// whose rows are all deleted.
///
/// `@unchecked Sendable`: used by its transaction alone until the commit, and constant afterwards.
@safe
final class ChangeCapture: ChangeSink, @unchecked Sendable {
  /// What is captured of one model.
  struct Model: Sendable {
    /// The layout of its rows.
    let layout: RecordLayout?
    var detail = ChangeDetail.nothing
    /// Whether it had changes that were not captured.
    var isUnknown = false
    /// The bytes of its keys, where it is captured by keys.
    var keyByteCount = 0
  }

  /// The state at the start of a savepoint, to which a rollback returns.
  private struct Savepoint {
    let byteCount: Int
    let models: [Model]
  }

  /// The entries, one after the other; see ``Entry``.
  var bytes = _ByteBuffer(capacity: 256)
  /// The models, by their numbers in the catalog.
  private(set) var models: [Model]
  private var savepoints: [Savepoint] = []
  /// The limit of bytes; smaller in tests.
  var longestBytes = Threshold.capturedChangeBytes.value

  /// Makes an empty capture, with a detail for each model, by its number.
  init(of catalog: Catalog, _ detail: (Int) -> ChangeDetail) {
    models = catalog.capturedModels
    for number in models.indices where models[number].layout != nil {
      models[number].detail = detail(number)
    }
  }

  func detail(of table: Table) -> ChangeDetail { models[table.id].detail }

  func take(
    _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, of table: Table
  ) {
    switch models[table.id].detail {
    case .nothing: return
    // Safety: the key and the rows are copied during the calls.
    case .keys, .newRows: unsafe appendKey(key, table.id)
    // Nobody knows what a damaged row was.
    case .rows where old == nil && new == nil: markUnknown(table.id)
    case .rows: unsafe append(key, old: old, new: new, table.id)
    }
  }

  func takeRemovalOfAll(of table: Table) {
    if models[table.id].detail != .nothing { markUnknown(table.id) }
  }

  /// Writes nothing: observers receive the changes after the commit.
  func finish(_ sequence: UInt64, in transaction: inout LMDB.WriteTransaction) {}

  private func markUnknown(_ model: Int) {
    CoverageMark.hit(.captureOverflowed)
    models[model].isUnknown = true
    models[model].detail = .nothing
  }

  func beginSavepoint() {
    savepoints.append(Savepoint(byteCount: bytes.count, models: models))
  }

  func releaseSavepoint() { savepoints.removeLast() }

  /// Ends the innermost savepoint and drops what was captured since its start.
  func rollBackToSavepoint() {
    let savepoint = savepoints.removeLast()
    bytes.count = savepoint.byteCount
    models = savepoint.models
  }

  private func append(
    _ key: UnsafeRawBufferPointer, old: RecordView?, new: RecordView?, _ model: Int
  ) {
    let size = key.count + (old?.rowCount ?? 0) + (new?.rowCount ?? 0)
    guard bytes.count + size <= longestBytes else { return markUnknown(model) }
    appendHeader(model, key.count, old: old?.rowCount, new: new?.rowCount)
    // Safety: keys and rows are copied during the call.
    unsafe bytes.append(contentsOf: key)
    if let old { unsafe bytes.append(contentsOf: old.rowBytes) }
    if let new { unsafe bytes.append(contentsOf: new.rowBytes) }
  }

  private func appendKey(_ key: UnsafeRawBufferPointer, _ model: Int) {
    guard models[model].keyByteCount + key.count <= Threshold.loggedKeyBytes.value else {
      return markUnknown(model)
    }
    models[model].keyByteCount += key.count
    appendHeader(model, key.count, old: nil, new: nil)
    // Safety: the key is copied during the call.
    unsafe bytes.append(contentsOf: key)
  }

  private func appendHeader(_ model: Int, _ keyCount: Int, old: Int?, new: Int?) {
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: model))
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: keyCount))
    bytes.append(bigEndian: Entry.code(old))
    bytes.append(bigEndian: Entry.code(new))
  }

  /// The offsets of one captured change: a header of four counts, the key, the old row, the new.
  struct Entry {
    static let headerCount = 16
    /// The byte count of a row that does not exist.
    private static let absent = UInt32.max

    let start: Int
    let model: Int
    let keyCount: Int
    let oldCount: Int?
    let newCount: Int?

    /// A row's count as a header holds it.
    static func code(_ count: Int?) -> UInt32 { count.map { UInt32($0) } ?? absent }

    init(at start: Int, in bytes: borrowing _ByteBuffer) {
      self.start = start
      // Safety: a whole entry starts at the offset.
      let words = unsafe bytes.base + start
      func word(_ place: Int) -> UInt32 {
        UInt32(bigEndian: unsafe words.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self))
      }
      model = Int(word(0))
      keyCount = Int(word(1))
      oldCount = word(2) == Self.absent ? nil : Int(word(2))
      newCount = word(3) == Self.absent ? nil : Int(word(3))
    }

    var keyStart: Int { start + Self.headerCount }
    var oldStart: Int { keyStart + keyCount }
    var newStart: Int { oldStart + (oldCount ?? 0) }
    var end: Int { newStart + (newCount ?? 0) }
  }

  func key(_ entry: Entry) -> UnsafeRawBufferPointer {
    // Safety: entries are within the capture, which is constant while it is read.
    unsafe UnsafeRawBufferPointer(start: bytes.base + entry.keyStart, count: entry.keyCount)
  }

  /// The old or the new row of an entry, by its offset and count.
  func row(of entry: Entry, at start: Int, _ count: Int) -> RecordView {
    // Safety: entries are within the capture, which is constant while it is read. The second byte
    // of a row holds its flags.
    let row = unsafe UnsafeRawPointer(bytes.base + start)
    let flags = unsafe row.load(fromByteOffset: 1, as: UInt8.self)
    return unsafe RecordView(
      key: UnsafeRawPointer(bytes.base + entry.keyStart), keyCount: entry.keyCount, row: row,
      rowCount: count, isWide: flags & RecordLayout.wideFlag != 0)
  }
}

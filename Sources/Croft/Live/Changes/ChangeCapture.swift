/// The changes that one write transaction makes to rows, in the order in which it makes them.
///
/// `Table` and `WriteTransaction` append to it wherever they write or delete a row. After the
/// commit ``CommitDelta`` reads it for the live queries, and ``logRecord()`` for the log.
///
/// Each model is captured at one level of detail for the whole transaction: whole rows where this
/// store observes the model, keys where only the log needs them. Past a limit of bytes the capture
/// keeps no more of a model than that it changed. The same holds for a model captured by keys whose
/// rows are all deleted.
///
/// `@unchecked Sendable`: used by its transaction alone until the commit, and constant afterwards.
@safe
final class ChangeCapture: @unchecked Sendable {
  /// How much is captured of a model's changes.
  enum Detail: UInt8, Comparable, Sendable {
    case nothing
    case keys
    case rows

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The limit of bytes for rows; a model that exceeds it is only known to have changed.
  static var longestBytes: Int { Threshold.capturedChangeBytes.value }
  /// The limit of bytes for the keys of one model; past it the model is only known to have changed.
  static var longestKeyBytes: Int { CommitLog.largestKeyBytes }

  /// What is captured of one model.
  struct Model: Sendable {
    /// The layout of its rows.
    let layout: RecordLayout?
    var detail = Detail.nothing
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
  /// The limits; smaller in tests.
  var longestBytes = ChangeCapture.longestBytes
  var longestKeyBytes = ChangeCapture.longestKeyBytes

  /// Makes an empty capture.
  ///
  /// - Parameters:
  ///   - catalog: The models that the transaction can change.
  ///   - detail: How much to capture of each model, by its number.
  convenience init(of catalog: Catalog, _ detail: (Int) -> Detail) {
    var models = catalog.capturedModels
    for number in models.indices where models[number].layout != nil {
      models[number].detail = detail(number)
    }
    self.init(models)
  }

  /// Makes an empty capture of models whose detail is set.
  init(_ models: [Model]) { self.models = models }

  /// Whether anything of a model's changes is captured.
  func captures(_ table: Table) -> Bool { models[table.id].detail != .nothing }

  /// Whether a statement must read the rows that it deletes.
  func capturesRows(of table: Table) -> Bool { models[table.id].detail == .rows }

  /// Captures the writing of a row, and the row that it replaces.
  @inline(__always)
  func write(_ new: RecordView, replacing old: RecordView?, of table: Table) {
    guard models[table.id].detail != .nothing else { return }
    append(new, old: old, new: new, table.id)
  }

  /// Captures the deletion of a row.
  @inline(__always)
  func remove(_ old: RecordView, of table: Table) {
    guard models[table.id].detail != .nothing else { return }
    append(old, old: old, new: nil, table.id)
  }

  /// Captures the deletion of a row by its key, where the statement did not read the row.
  func remove(_ key: UnsafeRawBufferPointer, of table: Table) {
    guard models[table.id].detail == .keys else { return }
    // Safety: the key is copied during the call.
    unsafe appendKey(key, table.id)
  }

  /// Notes that a model's rows changed in an unknown way.
  func markUnknown(_ table: Table) {
    if models[table.id].detail != .nothing { markUnknown(table.id) }
  }

  /// Stops capturing a model.
  private func markUnknown(_ model: Int) {
    CoverageMark.hit(.captureOverflowed)
    models[model].isUnknown = true
    models[model].detail = .nothing
  }

  /// Starts a savepoint.
  func beginSavepoint() {
    savepoints.append(Savepoint(byteCount: bytes.count, models: models))
  }

  /// Ends the innermost savepoint and keeps its changes.
  func releaseSavepoint() { savepoints.removeLast() }

  /// Ends the innermost savepoint and drops what was captured since its start.
  func rollBackToSavepoint() {
    let savepoint = savepoints.removeLast()
    bytes.count = savepoint.byteCount
    models = savepoint.models
  }

  private func append(_ row: RecordView, old: RecordView?, new: RecordView?, _ model: Int) {
    // Safety: keys and rows are copied during the call.
    guard models[model].detail == .rows else { return unsafe appendKey(row.keyBytes, model) }
    let size = row.keyCount + (old?.rowCount ?? 0) + (new?.rowCount ?? 0)
    guard bytes.count + size <= longestBytes else { return markUnknown(model) }
    appendHeader(model, row.keyCount, old: old?.rowCount, new: new?.rowCount)
    unsafe bytes.append(contentsOf: row.keyBytes)
    if let old { unsafe bytes.append(contentsOf: old.rowBytes) }
    if let new { unsafe bytes.append(contentsOf: new.rowBytes) }
  }

  private func appendKey(_ key: UnsafeRawBufferPointer, _ model: Int) {
    guard models[model].keyByteCount + key.count <= longestKeyBytes else {
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
}

extension ChangeCapture {
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

  /// The key of an entry.
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

// The record of the log.

extension ChangeCapture {
  /// The log's record of the changes: the keys of each model, or only that the model changed.
  ///
  /// - Complexity: O(*n*) for *n* changes, beside sorting those whose keys fit into a record.
  func logRecord() -> LogRecordEncoder {
    let keyBytes = keyBytes()
    let entries = entries { keyBytes[$0] <= CommitLog.largestKeyBytes }
    var encoder = LogRecordEncoder()
    var place = 0
    for (number, model) in models.enumerated() where model.isUnknown || keyBytes[number] > 0 {
      encoder.beginModel(number)
      let start = place
      while place < entries.count, entries[place].model == number {
        if place == start || !haveSameKey(entries[place - 1], entries[place]) {
          // Safety: the key is copied; the capture does not change meanwhile.
          unsafe encoder.append(key: key(entries[place]))
        }
        place += 1
      }
    }
    return encoder
  }

  /// The bytes of each model's keys.
  private func keyBytes() -> [Int] {
    var counts = Array(repeating: 0, count: models.count)
    var start = 0
    while start < bytes.count {
      let entry = Entry(at: start, in: bytes)
      counts[entry.model] += entry.keyCount
      start = entry.end
    }
    return counts
  }

  /// The entries of the wanted models whose changes are all captured, ascending by model and key.
  private func entries(of isWanted: (Int) -> Bool) -> [Entry] {
    var entries: [Entry] = []
    var start = 0
    while start < bytes.count {
      let entry = Entry(at: start, in: bytes)
      if isWanted(entry.model), !models[entry.model].isUnknown { entries.append(entry) }
      start = entry.end
    }
    entries.sort { left, right in
      if left.model != right.model { return left.model < right.model }
      return unsafe ByteList.compare(key(left), key(right)) < 0
    }
    return entries
  }

  private func haveSameKey(_ left: Entry, _ right: Entry) -> Bool {
    unsafe ByteList.compare(key(left), key(right)) == 0
  }
}

/// The changes of rows that a write transaction makes, in the order in which it makes them.
///
/// It is written where rows are written, and has a mark where each savepoint starts: undoing one
/// cuts back to its mark. A model is captured in one of two details, which stays the same for the
/// whole transaction: whole rows for those who observe it, or keys for other processes.
/// Past a bound a model is only known to have changed, and so is one of which only keys are
/// captured in the part of the transaction that empties it.
///
/// `@unchecked Sendable`: confined to its transaction until that is committed, and not changed
/// afterwards.
@safe
final class ChangeCapture: @unchecked Sendable {
  /// How much of a model's changes is kept.
  enum Detail: UInt8, Comparable, Sendable {
    case nothing
    case keys
    case rows

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The bytes after which a model whose rows are captured is only known to have changed.
  static var longestBytes: Int { Threshold.journalBytes.value }
  /// The bytes of keys after which a model captured by its keys is only known to have changed.
  static var longestKeyBytes: Int { CommitLog.largestKeyBytes }

  /// A model's part in the capture.
  struct Model: Sendable {
    /// The layout of its rows.
    let layout: RowLayout?
    var detail = Detail.nothing
    /// The parts of the transaction, by their numbers, in which it may have changed in ways that
    /// are not in the capture; nil where there are none.
    var unknownParts: ClosedRange<Int>?
    /// The detail in which it is captured again when the next part begins.
    var nextDetail = Detail.nothing
    /// Whether it changed in a way that is not in the capture.
    var isUnknown: Bool { unknownParts != nil }
    /// The bytes of its keys, where it is captured by them.
    var keyByteCount = 0
  }

  /// Where the capture stood when a savepoint began.
  private struct Mark {
    let byteCount: Int
    let models: [Model]
    let segments: [Segment]
  }

  /// The entries, one behind the other; see ``Entry``.
  var bytes = _ByteBuffer(capacity: 256)
  /// The models, by their numbers in the catalog.
  private(set) var models: [Model]
  /// The parts of the transaction that chosen observers need not hear, where there are any.
  private(set) var segments: [Segment] = []
  private var marks: [Mark] = []
  /// The bounds; smaller in tests.
  var longestBytes = ChangeCapture.longestBytes
  var longestKeyBytes = ChangeCapture.longestKeyBytes

  /// A part of the transaction, which goes as far as the next one's start.
  struct Segment: Sendable {
    /// How many bytes of the capture come before it.
    let start: Int
    /// The observers that need not hear of it, by their numbers.
    let skipped: Set<Int>
  }

  /// Makes an empty capture.
  ///
  /// - Parameters:
  ///   - catalog: The models that the transaction can change.
  ///   - detail: How much is kept of each, by its number.
  convenience init(of catalog: Catalog, _ detail: (Int) -> Detail) {
    var models = catalog.capturedModels
    for number in models.indices where models[number].layout != nil {
      models[number].detail = detail(number)
    }
    self.init(models)
  }

  /// Makes an empty capture of models that are captured as they say.
  init(_ models: [Model]) { self.models = models }

  /// Whether anything is kept of a model's changes.
  func captures(_ table: Table) -> Bool { models[table.id].detail != .nothing }

  /// Whether a statement has to read the rows that it removes.
  func capturesRows(of table: Table) -> Bool { models[table.id].detail == .rows }

  /// A row is written, in the place of an old one where there is one.
  @inline(__always)
  func write(_ new: RowView, replacing old: RowView?, of table: Table) {
    guard models[table.id].detail != .nothing else { return }
    append(new, old: old, new: new, table.id)
  }

  /// A row is removed.
  @inline(__always)
  func remove(_ old: RowView, of table: Table) {
    guard models[table.id].detail != .nothing else { return }
    append(old, old: old, new: nil, table.id)
  }

  /// A row is removed that a statement did not read, because only keys are captured.
  func remove(_ key: UnsafeRawBufferPointer, of table: Table) {
    guard models[table.id].detail == .keys else { return }
    // Safety: the key is copied while the caller lends it.
    unsafe appendKey(key, table.id)
  }

  /// A model's rows changed in this part of the transaction, and the capture does not say how.
  func markUnknown(_ table: Table) {
    let detail = models[table.id].detail
    guard detail != .nothing else { return }
    markUnknown(table.id, through: segments.count)
    models[table.id].nextDetail = detail
  }

  /// Gives up on a model, from this part of the transaction to another.
  private func markUnknown(_ model: Int, through last: Int = .max) {
    CoverageMark.hit(.journalForgot)
    let first = models[model].unknownParts?.lowerBound ?? segments.count
    models[model].unknownParts = first...last
    models[model].detail = .nothing
  }

  /// What comes now is not for some observers, until the next part begins.
  func beginPart(skipping observers: Set<Int>) {
    guard segments.last.map({ $0.skipped != observers }) ?? !observers.isEmpty else { return }
    segments.append(Segment(start: bytes.count, skipped: observers))
    for model in models.indices where models[model].nextDetail != .nothing {
      models[model].detail = models[model].nextDetail
      models[model].nextDetail = .nothing
    }
  }

  /// A savepoint starts: what comes now can be taken back alone.
  func beginSavepoint() {
    marks.append(Mark(byteCount: bytes.count, models: models, segments: segments))
  }

  /// The innermost savepoint has taken effect.
  func releaseSavepoint() { marks.removeLast() }

  /// The innermost savepoint was undone.
  func rollBackToSavepoint() {
    let mark = marks.removeLast()
    bytes.count = mark.byteCount
    models = mark.models
    segments = mark.segments
  }

  private func append(_ row: RowView, old: RowView?, new: RowView?, _ model: Int) {
    // Safety: keys and rows are copied while the caller lends them.
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
    // Safety: the key is copied while the caller lends it.
    unsafe bytes.append(contentsOf: key)
  }

  private func appendHeader(_ model: Int, _ keyCount: Int, old: Int?, new: Int?) {
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: model))
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: keyCount))
    bytes.append(bigEndian: Entry.code(old))
    bytes.append(bigEndian: Entry.code(new))
  }
}

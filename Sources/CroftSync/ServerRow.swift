import Croft

/// An object as the server has it: its version, its incarnation, and each field with its stamp.
///
/// It also names the objects that had its key before and were deleted: a store that has yet to send one of them, or
/// does not know that it was sent, does not insert it again.
struct ServerRow: Equatable, Sendable {
  /// The version of the push that wrote it.
  var version: UInt64
  /// Whether it is a tombstone: the object was deleted, and nothing is left but its incarnation.
  var isDeleted: Bool
  /// The stamp of its insertion, which tells two objects under one key apart.
  var born: Stamp
  /// The stamps of fields that were changed since.
  var stamps: [UInt16: Stamp] = [:]
  var fields: ObjectFields = [:]
  /// The stamps of the insertions of earlier objects under the key, which were deleted; ascending.
  ///
  /// There are ``mostPriorInsertions`` of them at most, which are the latest ones.
  private(set) var priorInsertions: [Stamp] = []

  /// The most earlier objects that a row names.
  static let mostPriorInsertions = 32

  init(version: UInt64, isDeleted: Bool = false, born: Stamp) {
    (self.version, self.isDeleted, self.born) = (version, isDeleted, born)
  }

  /// When a field was written.
  func stamp(of field: UInt16) -> Stamp { stamps[field] ?? born }

  /// Names earlier objects, by the stamps of their insertions.
  mutating func addPriorInsertions(_ stamps: some Sequence<Stamp>) {
    if priorInsertions.isEmpty, stamps.allSatisfy({ $0 == born }) { return }
    let all = Set(priorInsertions).union(stamps).subtracting([born])
    priorInsertions = all.sorted().suffix(Self.mostPriorInsertions)
  }

  /// Whether it says that an object was deleted.
  func isDeletion(of insertion: Stamp) -> Bool {
    (isDeleted && born == insertion) || priorInsertions.contains(insertion)
  }

  /// Whether it need not be told that an object was deleted: it says so, or names so many later ones that it cannot.
  func isTold(of insertion: Stamp) -> Bool {
    isDeletion(of: insertion)
      || (priorInsertions.count >= Self.mostPriorInsertions && insertion < priorInsertions[0])
  }

  /// The latest of all its stamps.
  var latest: Stamp { stamps.values.max().map { max($0, born) } ?? born }
}

// MARK: - On the way

extension ServerRow {
  /// No clock gives a stamp of this time or later.
  private static let latestTime: UInt64 = 1 << 63
  /// The version of the bytes of stamps.
  private static let format: UInt8 = 1
  /// That of those that name earlier objects.
  private static let formatWithPrior: UInt8 = 2

  /// The format (1 byte, 1), `born` (10), and the stamps of fields that were changed since.
  ///
  /// Where it names earlier objects the format is 2, and the stamps of their insertions follow.
  private var stampBytes: [UInt8] {
    var bytes = [priorInsertions.isEmpty ? Self.format : Self.formatWithPrior]
    born.append(to: &bytes)
    stamps.append(to: &bytes)
    if !priorInsertions.isEmpty { priorInsertions.append(to: &bytes) }
    return bytes
  }

  private var fieldBytes: [UInt8] {
    var bytes: [UInt8] = []
    fields.append(to: &bytes)
    return bytes
  }

  /// Reads a row of the server; nil for bytes that are not one.
  init?(_ row: SyncRow) {
    self.init(row.version, row.isDeleted, row.stamps, row.fields)
  }

  private init?(_ version: UInt64, _ isDeleted: Bool, _ stamps: [UInt8], _ fields: [UInt8]?) {
    var reader = ByteReader(stamps[...])
    guard let format: UInt8 = reader.integer(),
      format == Self.format || format == Self.formatWithPrior, let born = Stamp(&reader),
      let stamps = [UInt16: Stamp](&reader),
      let prior = format == Self.formatWithPrior ? [Stamp](&reader) : [], reader.rest.isEmpty,
      isDeleted == (fields == nil),
      // A later stamp than any that a clock gives would leave no room for others.
      (stamps.values.max() ?? born).time < Self.latestTime, born.time < Self.latestTime,
      // So many or such late ones would leave no room for the deletions of others.
      prior.count <= Self.mostPriorInsertions,
      prior.allSatisfy({ $0.time < Self.latestTime })
    else { return nil }
    self.init(version: version, isDeleted: isDeleted, born: born)
    self.stamps = stamps
    addPriorInsertions(prior)
    guard let fields else { return }
    reader = ByteReader(fields[...])
    guard let fields = ObjectFields(&reader), reader.rest.isEmpty else { return nil }
    self.fields = fields
  }

  /// The row as one of a push.
  func pushed(as object: SyncObject, over base: UInt64) -> SyncPush.Row {
    SyncPush.Row(
      object: object, base: base, isDeleted: isDeleted, stamps: stampBytes,
      fields: isDeleted ? nil : fieldBytes)
  }
}

// MARK: - In the store

extension SyncRow {
  init(_ row: SyncPush.Row, version: UInt64) {
    self.init(
      object: row.object, version: version, isDeleted: row.isDeleted, stamps: row.stamps,
      fields: row.fields)
  }

  /// The key under which the row is staged: the object's.
  var key: [UInt8] { object.bytes }

  /// The version (u64), the stamps after their count (u32), and the values after a byte that is 1, or 0 of a
  /// deletion.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: version)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: stamps.count))
    return bytes + stamps + [fields == nil ? 0 : 1] + (fields ?? [])
  }

  /// Reads a staged row; nil for other bytes.
  init?(key: [UInt8], _ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let object = SyncObject(key), let version: UInt64 = reader.integer(),
      let count: UInt32 = reader.integer(), let stamps = reader.bytes(Int(count)),
      let hasFields: UInt8 = reader.integer()
    else { return nil }
    self.init(
      object: object, version: version, isDeleted: hasFields == 0, stamps: Array(stamps),
      fields: hasFields == 0 ? nil : Array(reader.rest))
  }
}

extension SyncObject {
  /// The model's number (u32), and the primary key's code.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: model)
    return bytes + key
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let model: UInt32 = reader.integer() else { return nil }
    self.init(model: model, key: Array(reader.rest))
  }
}

extension ServerRow {
  /// Set in the flags of a record of a deletion, and of one that names earlier objects.
  private static let deletedFlag: UInt8 = 1
  private static let priorFlag: UInt8 = 2

  /// What is remembered of it: the version (u64), flags (1 byte), `born` (10), and the stamps.
  ///
  /// Bit 0 of the flags is set where it is deleted. Where it names earlier objects, bit 1 is, and the stamps of their
  /// insertions follow.
  var recordBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: version)
    bytes.append(
      (isDeleted ? Self.deletedFlag : 0) | (priorInsertions.isEmpty ? 0 : Self.priorFlag))
    born.append(to: &bytes)
    stamps.append(to: &bytes)
    if !priorInsertions.isEmpty { priorInsertions.append(to: &bytes) }
    return bytes
  }

  /// Reads a record; nil for other bytes.
  init?(record bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let version: UInt64 = reader.integer(), let flags: UInt8 = reader.integer(),
      flags <= Self.deletedFlag | Self.priorFlag, let born = Stamp(&reader),
      let stamps = [UInt16: Stamp](&reader),
      let prior = flags & Self.priorFlag > 0 ? [Stamp](&reader) : [], reader.rest.isEmpty
    else { return nil }
    self.init(version: version, isDeleted: flags & Self.deletedFlag > 0, born: born)
    self.stamps = stamps
    addPriorInsertions(prior)
  }
}

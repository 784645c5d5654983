import Croft

/// An object as the server has it: its version, its incarnation, and each field with its stamp.
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

  init(version: UInt64, isDeleted: Bool = false, born: Stamp) {
    (self.version, self.isDeleted, self.born) = (version, isDeleted, born)
  }

  /// When a field was written.
  func stamp(of field: UInt16) -> Stamp { stamps[field] ?? born }

  /// The latest of all its stamps.
  var latest: Stamp { stamps.values.max().map { max($0, born) } ?? born }

  /// The same without values, as a replica remembers it.
  var record: ServerRow {
    var record = self
    record.fields = [:]
    return record
  }
}

// MARK: - On the way

extension ServerRow {
  /// The version of the bytes of stamps.
  private static let format: UInt8 = 1

  /// The format (1 byte, 1), `born` (10), and the stamps of fields that were changed since.
  private var stampBytes: [UInt8] {
    var bytes = [Self.format]
    born.append(to: &bytes)
    stamps.append(to: &bytes)
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

  /// Reads a row that was pushed, as it is when it was written.
  init?(_ row: SyncPush.Row, version: UInt64) {
    self.init(version, row.isDeleted, row.stamps, row.fields)
  }

  private init?(_ version: UInt64, _ isDeleted: Bool, _ stamps: [UInt8], _ fields: [UInt8]?) {
    var reader = ByteReader(stamps[...])
    guard reader.integer() == Self.format, let born = Stamp(&reader),
      let stamps = [UInt16: Stamp](&reader), reader.rest.isEmpty, isDeleted == (fields == nil)
    else { return nil }
    self.init(version: version, isDeleted: isDeleted, born: born)
    self.stamps = stamps
    guard let fields else { return }
    reader = ByteReader(fields[...])
    guard let fields = ObjectFields(&reader), reader.rest.isEmpty else { return nil }
    self.fields = fields
  }

  /// The row as one of a push.
  func pushed(as object: ObjectKey, over base: UInt64) -> SyncPush.Row {
    SyncPush.Row(
      object: SyncObject(object), base: base, isDeleted: isDeleted, stamps: stampBytes,
      fields: isDeleted ? nil : fieldBytes)
  }
}

extension SyncObject {
  init(_ object: ObjectKey) {
    self.init(model: UInt32(truncatingIfNeeded: object.model), key: object.key)
  }
}

extension ObjectKey {
  init(_ object: SyncObject) { self.init(model: Int(object.model), key: object.key) }
}

// MARK: - In the store

extension ServerRow {
  /// The version (u64), whether it is deleted (1 byte), `born` (10), the stamps of fields, and the values.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: version)
    bytes.append(isDeleted ? 1 : 0)
    born.append(to: &bytes)
    stamps.append(to: &bytes)
    fields.append(to: &bytes)
    return bytes
  }

  /// Reads a row; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let version: UInt64 = reader.integer(), let deleted: UInt8 = reader.integer(),
      deleted < 2, let born = Stamp(&reader), let stamps = [UInt16: Stamp](&reader),
      let fields = ObjectFields(&reader), reader.rest.isEmpty
    else { return nil }
    self.init(version: version, isDeleted: deleted == 1, born: born)
    (self.stamps, self.fields) = (stamps, fields)
  }
}

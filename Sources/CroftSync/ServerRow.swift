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

// MARK: - As bytes

extension ServerRow {
  /// The version (u64), whether it is deleted (1 byte), `born` (10), the count of stamps (u16), each with its
  /// field (u16) before it, and the values.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: version)
    bytes.append(isDeleted ? 1 : 0)
    born.append(to: &bytes)
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: stamps.count))
    for (field, stamp) in stamps.sorted(by: { $0.key < $1.key }) {
      bytes.append(bigEndian: field)
      stamp.append(to: &bytes)
    }
    fields.append(to: &bytes)
    return bytes
  }

  /// Reads a row; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let version: UInt64 = reader.integer(), let deleted: UInt8 = reader.integer(),
      deleted < 2, let born = Stamp(&reader), let count: UInt16 = reader.integer()
    else { return nil }
    self.init(version: version, isDeleted: deleted == 1, born: born)
    for _ in 0..<count {
      guard let field: UInt16 = reader.integer(), let stamp = Stamp(&reader) else { return nil }
      stamps[field] = stamp
    }
    guard let fields = ObjectFields(&reader), reader.rest.isEmpty else { return nil }
    self.fields = fields
  }
}

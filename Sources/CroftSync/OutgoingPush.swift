import Croft
import CroftFoundation

/// A push that is too long for one message is sent in parts, which the server writes together.
///
/// All parts but the last one are in a file of the replica until the push is answered.
struct OutgoingPush {
  /// The push with its last part, which most often is the only one.
  private(set) var push: SyncPush
  private let stored: StoredParts?

  init(_ push: SyncPush) { (self.push, stored) = (push, nil) }

  fileprivate init(_ push: SyncPush, _ stored: StoredParts?) {
    var push = push
    push.uploadedParts = stored?.count ?? 0
    (self.push, self.stored) = (push, stored)
  }

  /// The same push of a replica that knows a later version, where nothing of it has changed.
  func moved(to cursor: UInt64) -> OutgoingPush {
    var moved = self
    moved.push.cursor = cursor
    return moved
  }

  /// A part that has to be uploaded.
  ///
  /// - Throws: `StoreError` where it cannot be read.
  func part(_ number: Int) throws -> SyncPush.Part {
    guard let part = try stored?.part(number) else {
      throw SyncError.storeFailed(reason: "a part of a push cannot be read back")
    }
    return part
  }
}

/// Puts the rows of a push into parts of few rows and few bytes.
struct PushWriter {
  /// The most rows of a part, and the most references.
  let limit: Int
  /// The most bytes of a part, unless one row has more.
  let bytes: Int
  let store: Store
  var isStrict = false
  private var part = SyncPush.Part(rows: [], references: [])
  private var references: Set<SyncObject> = []
  private var size = 0
  private var stored: StoredParts?

  init(limit: Int, bytes: Int, of store: Store) {
    (self.limit, self.bytes, self.store) = (limit, bytes, store)
  }

  /// Adds a row and what it refers to; rows come ascending by object.
  mutating func add(_ row: SyncPush.Row, referringTo targets: [SyncObject]) throws {
    let own = Set(targets)
    var added = own.subtracting(references)
    func more() -> Int { row.byteCount + added.reduce(0) { $0 + $1.byteCount } }
    if !part.rows.isEmpty,
      part.rows.count >= limit || references.count + added.count > limit || size + more() > bytes
    {
      try endPart()
      // The next part has none of the references yet.
      added = own
    }
    part.rows.append(row)
    references.formUnion(added)
    size += more()
  }

  private mutating func endPart() throws {
    let stored = try stored ?? StoredParts(store.scratchFile())
    part.references = references.sorted()
    try stored.append(part)
    self.stored = stored
    (part, references, size) = (SyncPush.Part(rows: [], references: []), [], 0)
  }

  /// The push; nil without rows.
  func push(_ id: UUID = UUID(), of replica: UUID, at cursor: UInt64) -> OutgoingPush? {
    if part.rows.isEmpty { return nil }
    var last = part
    last.references = references.sorted()
    return OutgoingPush(
      SyncPush(id: id, replica: replica, cursor: cursor, isStrict: isStrict, last: last),
      stored)
  }
}

/// Parts of a push in a file.
private final class StoredParts {
  private let file: ScratchFile
  /// Where each part is.
  private var places: [(offset: Int, count: Int)] = []

  init(_ file: ScratchFile) { self.file = file }

  var count: Int { places.count }

  func append(_ part: SyncPush.Part) throws {
    let bytes = part.bytes
    places.append((try file.append(bytes), bytes.count))
  }

  func part(_ number: Int) throws -> SyncPush.Part? {
    let place = places[number]
    return SyncPush.Part(try file.bytes(at: place.offset, count: place.count))
  }
}

// MARK: - As bytes

extension SyncObject {
  fileprivate var byteCount: Int { key.count }
}

extension SyncPush.Row {
  fileprivate var byteCount: Int { object.key.count + stamps.count + (fields?.count ?? 0) }
}

extension SyncPush.Part {
  /// The rows after their count (u32), and the references after theirs.
  ///
  /// Of a row: the object, the base (u64), the stamps, and the values after a byte that is 1, or 0 of a deletion.
  /// Objects, stamps and values each come after the count of their bytes (u32).
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ part: [UInt8]) {
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: part.count))
      bytes += part
    }
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: rows.count))
    for row in rows {
      append(row.object.bytes)
      bytes.append(bigEndian: row.base)
      append(row.stamps)
      bytes.append(row.fields == nil ? 0 : 1)
      if let fields = row.fields { append(fields) }
    }
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: references.count))
    for object in references { append(object.bytes) }
    return bytes
  }

  /// Reads a part; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    self.init(rows: [], references: [])
    var reader = ByteReader(bytes[...])
    func part() -> [UInt8]? {
      guard let count: UInt32 = reader.integer() else { return nil }
      return reader.bytes(Int(count)).map { Array($0) }
    }
    guard let rowCount: UInt32 = reader.integer() else { return nil }
    for _ in 0..<rowCount {
      guard let object = part().flatMap({ SyncObject($0) }), let base: UInt64 = reader.integer(),
        let stamps = part(), let hasFields: UInt8 = reader.integer()
      else { return nil }
      var row = SyncPush.Row(
        object: object, base: base, isDeleted: hasFields == 0, stamps: stamps, fields: nil)
      if hasFields > 0 {
        guard let fields = part() else { return nil }
        row.fields = fields
      }
      rows.append(row)
    }
    guard let count: UInt32 = reader.integer() else { return nil }
    for _ in 0..<count {
      guard let object = part().flatMap({ SyncObject($0) }) else { return nil }
      references.append(object)
    }
    guard reader.rest.isEmpty else { return nil }
  }
}

import Croft

/// An object that is out of sight, because the server's row of it is not valid here.
///
/// Its unsent change waits with it, and is merged as soon as a row of it can be read.
struct Aside: Equatable {
  /// The server's row, where its bytes are none; nil where it was read, and violates a rule.
  var row: SyncRow?
  /// The unsent change of the object.
  var entry: OutboxEntry?
  /// The values that the object had here, or has where the row was read.
  var local: ObjectFields?
}

// MARK: - As bytes

extension Aside {
  /// Flags (1 byte), the row's key and bytes, and the entry's, each after their count (u32), and the values.
  var bytes: [UInt8] {
    var bytes: [UInt8] = [(row == nil ? 0 : 1) | (entry == nil ? 0 : 2) | (local == nil ? 0 : 4)]
    for part in [row?.key, row?.bytes, entry?.bytes] {
      guard let part else { continue }
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: part.count))
      bytes += part
    }
    local?.append(to: &bytes)
    return bytes
  }

  /// Reads what is kept; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    func part() -> ArraySlice<UInt8>? {
      guard let count: UInt32 = reader.integer() else { return nil }
      return reader.bytes(Int(count))
    }
    guard let flags: UInt8 = reader.integer() else { return nil }
    if flags & 1 > 0 {
      guard let key = part(), let value = part(), let row = SyncRow(key: Array(key), Array(value))
      else { return nil }
      self.row = row
    }
    if flags & 2 > 0 {
      guard let entry = part().flatMap({ OutboxEntry($0) }) else { return nil }
      self.entry = entry
    }
    if flags & 4 > 0 {
      guard let local = ObjectFields(&reader) else { return nil }
      self.local = local
    }
    guard reader.rest.isEmpty else { return nil }
  }
}

// MARK: - In the store

extension WriteTransaction {
  private static let objects: UInt8 = 0
  private static let strangers: UInt8 = 1

  /// The objects that are out of sight.
  func asides() throws -> [ObjectKey: Aside] {
    var asides: [ObjectKey: Aside] = [:]
    for (key, value) in try values(in: .aside) where key.first == Self.objects {
      guard let object = ObjectKey(Array(key.dropFirst())), let aside = Aside(value) else {
        throw StoreError.damaged(key, in: .aside)
      }
      asides[object] = aside
    }
    return asides
  }

  mutating func setAside(_ aside: Aside?, of object: ObjectKey) throws {
    try setValue(aside?.bytes, at: [Self.objects] + object.bytes, in: .aside)
  }

  /// Rows of models that this program does not have.
  func strangers() throws -> [SyncObject: SyncRow] {
    var rows: [SyncObject: SyncRow] = [:]
    for (key, value) in try values(in: .aside) where key.first == Self.strangers {
      guard let row = SyncRow(key: Array(key.dropFirst()), value) else {
        throw StoreError.damaged(key, in: .aside)
      }
      rows[row.object] = row
    }
    return rows
  }

  mutating func setStranger(_ row: SyncRow?, of object: SyncObject) throws {
    try setValue(row?.bytes, at: [Self.strangers] + object.bytes, in: .aside)
  }
}

extension StoreError {
  /// The error of a record that a replica wrote and that cannot be read.
  static func damaged(_ key: [UInt8], in tree: ReplicaTree) -> StoreError {
    .corrupt(
      model: nil, key: nil,
      reason: "the tree \(tree.rawValue) has a record under \(key) that cannot be read")
  }
}

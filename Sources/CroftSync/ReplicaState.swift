import Croft
import CroftFoundation

/// What a replica remembers of its space, in the tree `replica` under the key `state`.
struct ReplicaState: Equatable {
  /// The space; nil until the replica has one.
  var space: UUID?
  /// The replica's identity in its last session.
  var replica = UUID()
  /// The identity that it has told in a session whose answer has yet to come.
  var next: UUID?
  /// The version of the server of which everything is applied.
  var cursor: UInt64 = 0
  /// Up to where rows are staged after that; nil for none.
  var staged: SyncPosition?
  /// The version of the server of which the last of them came, and its push.
  var stagedAt: Lineage.Entry?
  /// Whether all rows that there are get staged, because deletions are missing.
  var isFull = false
  /// The server's floor when the first of them came.
  var stagedFloor: UInt64 = 0
  /// The floor up to which deletions are forgotten here.
  var floor: UInt64 = 0
  /// Whether the clock was set by the server's.
  var isTimed = false
  /// The last push, until what the server made of it is applied.
  var sent: SentPush?
  /// The number of the last event.
  var lastEvent: UInt64 = 0
  /// The pushes that made the versions which the replica has seen.
  var lineage = Lineage()

  /// A push of all unsent changes that there were.
  struct SentPush: Equatable {
    var id: UUID
    /// The time of the last stamp of those changes.
    var last: UInt64
    /// Whether the server is known to have written it.
    var hasArrived = false
  }

  /// The time up to which the server had all insertions that it has no row of; 0 where none is known.
  var arrived: UInt64 { sent.map { $0.hasArrived ? $0.last : 0 } ?? 0 }

  /// The position after which the next pull begins.
  var position: SyncPosition { staged ?? SyncPosition(cursor) }

  /// Forgets what is staged.
  mutating func endStaging() {
    (staged, stagedAt, isFull, stagedFloor) = (nil, nil, false, 0)
  }

  /// Forgets what is staged, where the server has not what it is of.
  ///
  /// - Returns: Whether it was forgotten.
  mutating func checkStaging(_ pushes: [UInt64: UUID]) -> Bool {
    guard let stagedAt, pushes[stagedAt.version] != stagedAt.push else { return false }
    self.stagedAt = nil
    staged = isFull ? SyncPosition(0) : nil
    return true
  }
}

// MARK: - As bytes

extension ReplicaState {
  private static let key = Array("state".utf8)
  private static let version: UInt8 = 1

  /// The record of a store; a new one where there is none.
  init(in tx: borrowing WriteTransaction) throws {
    guard let bytes = try tx.value(at: Self.key, in: .replica) else { return }
    guard let state = Self(bytes) else {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "the replica's state cannot be read")
    }
    self = state
  }

  func write(_ tx: inout WriteTransaction) throws {
    try tx.setValue(bytes, at: Self.key, in: .replica)
  }

  private init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard reader.integer() == Self.version, let replica = UUID(&reader),
      let flags: UInt8 = reader.integer(), let count: UInt16 = reader.integer()
    else { return nil }
    self.replica = replica
    (isFull, isTimed) = (flags & 1 > 0, flags & 2 > 0)
    guard let later = reader.bytes(Int(count) * MemoryLayout<UInt16>.size) else { return nil }
    if flags & 64 > 0 {
      var reader = ByteReader(later)
      guard let id = UUID(&reader), let last: UInt64 = reader.integer(),
        let hasArrived: UInt16 = reader.integer()
      else { return nil }
      sent = SentPush(id: id, last: last, hasArrived: hasArrived > 0)
    }
    if flags & 4 > 0 {
      guard let next = UUID(&reader) else { return nil }
      self.next = next
    }
    if flags & 16 > 0 {
      guard let space = UUID(&reader) else { return nil }
      self.space = space
    }
    guard let cursor: UInt64 = reader.integer(), let stagedFloor: UInt64 = reader.integer(),
      let floor: UInt64 = reader.integer(), let lastEvent: UInt64 = reader.integer(),
      let lineage = Lineage(&reader)
    else { return nil }
    (self.cursor, self.stagedFloor, self.floor) = (cursor, stagedFloor, floor)
    (self.lineage, self.lastEvent) = (lineage, lastEvent)
    if flags & 32 > 0 {
      guard let version: UInt64 = reader.integer(), let push = UUID(&reader) else { return nil }
      stagedAt = Lineage.Entry(version: version, push: push)
    }
    guard flags & 8 > 0 else { return }
    guard let version: UInt64 = reader.integer() else { return nil }
    staged = SyncPosition(version)
    staged?.object = SyncObject(Array(reader.rest))
  }

  /// The format (1 byte), the identity (16), flags (1), a count (u16) and twice as many bytes, the next identity,
  /// the space, cursor, floors and last event, the lineage, and what is staged.
  ///
  /// With bit 6 of the flags the counted bytes are the last push (16), the time of its last stamp (u64), and a number
  /// (u16) that is 1 where the server has it. Older programs skip them; without the bit they mean nothing.
  private var bytes: [UInt8] {
    var bytes = [Self.version] + replica.bytes
    var later: [UInt8] = []
    if let sent {
      later = sent.id.bytes
      later.append(bigEndian: sent.last)
      later.append(bigEndian: UInt16(sent.hasArrived ? 1 : 0))
    }
    bytes.append(
      (isFull ? 1 : 0) | (isTimed ? 2 : 0) | (next == nil ? 0 : 4) | (staged == nil ? 0 : 8)
        | (space == nil ? 0 : 16) | (stagedAt == nil ? 0 : 32) | (later.isEmpty ? 0 : 64))
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: later.count / MemoryLayout<UInt16>.size))
    bytes += later + (next?.bytes ?? []) + (space?.bytes ?? [])
    for number in [cursor, stagedFloor, floor, lastEvent] { bytes.append(bigEndian: number) }
    lineage.append(to: &bytes)
    if let stagedAt {
      bytes.append(bigEndian: stagedAt.version)
      bytes += stagedAt.push.bytes
    }
    guard let staged else { return bytes }
    bytes.append(bigEndian: staged.version)
    return bytes + (staged.object?.bytes ?? [])
  }
}

extension UUID {
  init?(_ reader: inout ByteReader) {
    guard let bytes = reader.bytes(MemoryLayout<uuid_t>.size).map(Array.init) else { return nil }
    self.init(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }

  var bytes: [UInt8] {
    let uuid = uuid
    return [
      uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5, uuid.6, uuid.7,
      uuid.8, uuid.9, uuid.10, uuid.11, uuid.12, uuid.13, uuid.14, uuid.15,
    ]
  }
}

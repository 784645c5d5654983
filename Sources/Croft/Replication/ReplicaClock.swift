import CroftFoundation
import LMDB

/// What the writers of a replicated store share: its number in the space, and its clock.
///
/// In the tree `meta` under the key `replication`, integers big-endian: the version of the record
/// (1 byte, 1), the replica's number (u16), what is added to the local clock in milliseconds (i64), the
/// last time of a stamp that was given or seen (u64), and the last time that may have been sent (u64);
/// the checksum of the key and these bytes follows.
package struct ReplicaClock: Equatable, Sendable {
  static let key = Array("replication".utf8)
  static let version: UInt8 = 1
  /// The bits of a time that count stamps within a millisecond.
  package static let counterBits: UInt64 = 16

  /// The number of the replica in its space.
  package var replica: UInt16
  /// What is added to the local clock to get the server's, in milliseconds.
  package var offset: Int64 = 0
  /// The last time of a stamp that was given, or seen in another replica's change.
  package var last: UInt64 = 0
  /// The last time of changes that may have reached the server.
  ///
  /// An insertion that is not later leaves a trace in the outbox when its object is deleted.
  package var sent: UInt64 = 0

  /// The clock of a replica that has given no stamp.
  package init(replica: UInt16) { self.replica = replica }

  /// A stamp that is later than all that were given or seen.
  package mutating func tick(_ milliseconds: UInt64) -> Stamp {
    let (now, isOver) = Int64(clamping: milliseconds).addingReportingOverflow(offset)
    last = max(isOver ? 0 : UInt64(max(0, now)) &<< Self.counterBits, last + 1)
    return Stamp(time: last, replica: replica)
  }

  /// Milliseconds since 1970, by the system's clock.
  package static func systemMilliseconds() -> UInt64 {
    UInt64(max(0, Date.now.timeIntervalSince1970 * 1_000))
  }
}

// MARK: - As bytes

extension ReplicaClock {
  /// Reads the record of a store that is replicated.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where it is missing or damaged.
  init(
    in meta: Database, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let key = Self.key
    let stored = try unsafe transaction.get(key.span.bytes, in: meta)?.copied()
    guard let clock = stored.flatMap({ Self($0) }) else {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "the record of the store's replica cannot be read")
    }
    self = clock
  }

  init?(_ bytes: [UInt8]) {
    guard let body = Checksum.value(of: bytes, under: Self.key) else { return nil }
    var reader = ByteReader(body[...])
    guard reader.integer() == Self.version, let replica: UInt16 = reader.integer(),
      let offset: Int64 = reader.integer(), let last: UInt64 = reader.integer(),
      let sent: UInt64 = reader.integer(), reader.rest.isEmpty
    else { return nil }
    self.init(replica: replica)
    (self.offset, self.last, self.sent) = (offset, last, sent)
  }

  var bytes: [UInt8] {
    var bytes = [Self.version]
    bytes.append(bigEndian: replica)
    bytes.append(bigEndian: offset)
    bytes.append(bigEndian: last)
    bytes.append(bigEndian: sent)
    return Checksum.appended(to: bytes, under: Self.key)
  }

  func write(to meta: Database, _ transaction: inout LMDB.WriteTransaction) throws {
    let (key, value) = (Self.key, bytes)
    // Safety: neither array changes during the call.
    _ = try unsafe transaction.put(value.span.bytes, at: key.span.bytes, in: meta)
  }
}

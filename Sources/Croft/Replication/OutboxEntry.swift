/// What a store has changed of an object since the server's state of it, which it knows.
///
/// It holds no new values: the row has them. It holds the server's values, so that a change that is taken
/// back is one no more, and one that the space refuses can be undone.
package struct OutboxEntry: Equatable, Sendable {
  /// What became of the object.
  package enum Kind: UInt8, Sendable {
    /// The server never had such an object.
    case insertion = 1
    /// Fields of the object that the server has were changed.
    case update
    /// The object that the server has, or may have, was deleted.
    case deletion
    /// The object was deleted, and another one with its key was inserted: one operation for others.
    case replacement
  }

  /// A value as the bytes of its column in a row.
  package struct Field: Hashable, Sendable {
    /// The bytes; nil for nil.
    package var bytes: [UInt8]?

    /// Makes a value of its bytes.
    package init(_ bytes: [UInt8]?) { self.bytes = bytes }
  }

  /// What became of the object.
  package var kind: Kind
  /// When the object was inserted, deleted, or changed first.
  package var stamp: Stamp
  /// When fields were changed, by their numbers; inserted ones only if they were changed later.
  package var stamps: [UInt16: Stamp] = [:]
  /// The server's values: of an update those of the changed fields, else all.
  ///
  /// There are none of an insertion, nor of the deletion of an object whose row could not be read, or
  /// of which it is not known whether the server has it.
  package var server: [UInt16: Field] = [:]
  /// The insertions of earlier objects under the key that are deleted here, by their stamps.
  ///
  /// The server may not know that they are.
  /// They were inserted and sent, and nothing was heard of them; or the server has lost their deletion. Whichever of
  /// them the server has, or gets from a copy of the store, is deleted. An update without values only tells of them.
  package var priorInsertions: [Stamp] = []

  /// Makes an entry without fields.
  package init(_ kind: Kind, at stamp: Stamp) { (self.kind, self.stamp) = (kind, stamp) }
}

// MARK: - Changes

/// One change of a row, with what an entry needs of its values.
enum OutboxChange {
  case insertion
  /// The changed fields with their values before and after.
  case update([UInt16: (old: OutboxEntry.Field, new: OutboxEntry.Field)])
  /// The values that there were; none where the row could not be read.
  case removal([UInt16: OutboxEntry.Field])
}

extension OutboxChange {
  /// The entry of an object after a change of it.
  ///
  /// - Parameters:
  ///   - entry: The one before; nil for an object that is as the server has it.
  ///   - stamp: The stamp of the change.
  ///   - sent: The last time of changes that may have reached the server.
  /// - Returns: The entry; nil if the object is now as the server has it.
  func applied(to entry: OutboxEntry?, at stamp: Stamp, sent: UInt64) -> OutboxEntry? {
    switch self {
    case .insertion:
      var next = OutboxEntry(entry == nil ? .insertion : .replacement, at: stamp)
      next.server = entry?.server ?? [:]
      next.priorInsertions = entry?.priorInsertions ?? []
      return next
    case .update(let fields):
      var next = entry ?? OutboxEntry(.update, at: stamp)
      for (field, values) in fields {
        next.note(field, values.old, values.new, at: stamp, sent: sent)
      }
      return next.isChange ? next : nil
    case .removal(let values):
      // Nobody has to hear of an object that was never sent.
      if let entry, entry.kind == .insertion, entry.stamp.time > sent,
        entry.priorInsertions.isEmpty
      {
        return nil
      }
      var next = OutboxEntry(.deletion, at: stamp)
      next.priorInsertions = entry?.insertions(sentUntil: sent) ?? []
      switch entry?.kind {
      case nil: next.server = values
      case .update: next.server = values.merging(entry?.server ?? [:]) { $1 }
      default: next.server = entry?.server ?? [:]
      }
      return next
    }
  }
}

extension OutboxEntry {
  /// The stamps of the objects that the server may have from this store, once the present one is deleted too.
  fileprivate func insertions(sentUntil sent: UInt64) -> [Stamp] {
    let isInserted = kind == .insertion || kind == .replacement
    return isInserted && stamp.time <= sent ? priorInsertions + [stamp] : priorInsertions
  }

  /// Whether there is something to send: an update may have lost all that it changes.
  package var isChange: Bool {
    kind != .update || !server.isEmpty || !priorInsertions.isEmpty
  }

  /// Notes the change of one field.
  ///
  /// A field that has the server's value again is no change, unless another value may be on its way there.
  fileprivate mutating func note(
    _ field: UInt16, _ old: Field, _ new: Field, at stamp: Stamp, sent: UInt64
  ) {
    guard kind == .update else {
      stamps[field] = stamp == self.stamp ? nil : stamp
      return
    }
    if server[field] == new, let noted = stamps[field], noted.time > sent {
      server[field] = nil
      stamps[field] = nil
    } else {
      if server[field] == nil { server[field] = old }
      stamps[field] = stamp
    }
  }
}

// MARK: - As bytes

extension OutboxEntry {
  /// Set in the kind of an entry that has the stamps of earlier insertions.
  private static let priorFlag: UInt8 = 1 << 7

  /// Reads an entry; nil for other bytes.
  package init?(_ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let first: UInt8 = reader.integer(), let kind = Kind(rawValue: first & ~Self.priorFlag),
      let stamp = Stamp(&reader), let stamps = [UInt16: Stamp](&reader),
      let values = [UInt16: Field](&reader)
    else { return nil }
    self.init(kind, at: stamp)
    (self.stamps, server) = (stamps, values)
    if first & Self.priorFlag > 0 {
      guard let prior = [Stamp](&reader) else { return nil }
      priorInsertions = prior
    }
    guard reader.rest.isEmpty else { return nil }
  }

  /// The kind (1 byte), the stamp (10), the stamps of fields, and the server's values.
  ///
  /// Where there are stamps of earlier insertions, bit 7 of the kind is set, and they follow.
  package var bytes: [UInt8] {
    var bytes = [kind.rawValue | (priorInsertions.isEmpty ? 0 : Self.priorFlag)]
    stamp.append(to: &bytes)
    stamps.append(to: &bytes)
    server.append(to: &bytes)
    if !priorInsertions.isEmpty { priorInsertions.append(to: &bytes) }
    return bytes
  }
}

extension [UInt16: OutboxEntry.Field] {
  /// Reads values; nil where the bytes end too early.
  package init?(_ reader: inout ByteReader) {
    self.init()
    guard let count: UInt16 = reader.integer() else { return nil }
    for _ in 0..<count {
      guard let number: UInt16 = reader.integer(), let field = OutboxEntry.Field(&reader) else {
        return nil
      }
      self[number] = field
    }
  }

  /// The count of the values (u16), and each with its field's number (u16) before it, ascending.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: count))
    for (number, field) in sorted(by: { $0.key < $1.key }) {
      bytes.append(bigEndian: number)
      field.append(to: &bytes)
    }
  }
}

extension OutboxEntry.Field {
  /// The length of the bytes of nil.
  private static let absent = UInt32.max

  init?(_ reader: inout ByteReader) {
    guard let count: UInt32 = reader.integer() else { return nil }
    if count == Self.absent {
      self.init(nil)
      return
    }
    guard let bytes = reader.bytes(Int(count)) else { return nil }
    self.init(Array(bytes))
  }

  /// The count of the bytes (u32), FFFFFFFF for nil, and the bytes.
  func append(to all: inout [UInt8]) {
    all.append(bigEndian: bytes.map { UInt32(truncatingIfNeeded: $0.count) } ?? Self.absent)
    all += bytes ?? []
  }
}

import Croft
import CroftFoundation

/// What became of an unsent change that another replica's change excludes.
struct ReplicaEvent: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// Another replica wrote the field later.
    case overwritten(field: UInt16)
    /// The object was deleted, or replaced by another one, so that an edit of it means nothing.
    case objectGone
    /// A deletion was withdrawn: an object that another replica wrote denies it.
    case denied
    /// A new object has a unique value of another one, which took its place.
    case adopted(by: ObjectKey)
    /// A unique value or a reference is the server's again.
    case reverted
    /// A new object was dropped with the one that it belongs to.
    case dropped
    /// An object that another replica deleted is there again, because an unsent change needs it.
    case restored
    /// A deletion took an object along that another replica wrote.
    case cascaded
    /// The server has lost objects, or deletions of some, which this replica knows and gives back.
    case gaveBack(Int)
    /// The server's row of the object, or of some of unknown models, cannot be an object of this program.
    case setAside(Int)
  }

  var kind: Kind
  /// The object; nil for an event of many.
  var object: ObjectKey?
  /// The values of an overwritten field, and when the other one was written.
  var mine: OutboxEntry.Field?
  var theirs: OutboxEntry.Field?
  var time: UInt64 = 0
}

// MARK: - In the store

/// An event as the tree `replica` has it, under `event/` and its number, in JSON.
private struct StoredEvent: Codable {
  var kind: SyncEvent.Kind
  var model: Int?
  var key: [UInt8]?
  var field: UInt16?
  var mine: [UInt8]?
  var theirs: [UInt8]?
  var time: UInt64?
  var count: Int?

  init(_ json: [UInt8], _ number: UInt64) throws {
    do { self = try JSONDecoder().decode(Self.self, from: Data(json)) } catch {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "event \(number) of the replica cannot be read")
    }
  }

  init(_ event: ReplicaEvent) {
    (model, key) = (event.object?.model, event.object?.key)
    switch event.kind {
    case .overwritten(let field):
      (kind, self.field) = (.overwritten, field)
      (mine, theirs, time) = (event.mine?.bytes, event.theirs?.bytes, event.time)
    case .objectGone: kind = .objectGone
    case .denied: kind = .denied
    case .adopted: kind = .adopted
    case .reverted: kind = .reverted
    case .dropped: kind = .dropped
    case .restored: kind = .restored
    case .cascaded: kind = .cascaded
    case .gaveBack(let count): (kind, self.count) = (.gaveBack, count)
    case .setAside(let count): (kind, self.count) = (.setAside, count)
    }
  }
}

extension ReplicaEvent {
  fileprivate static let prefix = Array("event/".utf8)

  fileprivate static func key(_ number: UInt64) -> [UInt8] {
    var key = prefix
    key.append(bigEndian: number)
    return key
  }
}

extension WriteTransaction {
  /// Keeps events until they are read.
  mutating func keep(_ events: [ReplicaEvent], _ state: inout ReplicaState) throws {
    for event in events {
      state.lastEvent += 1
      try setValue(
        Array(try JSONEncoder().encode(StoredEvent(event))), at: ReplicaEvent.key(state.lastEvent),
        in: .replica)
    }
  }
}

extension Replica {
  /// The first event that was not read, with its number.
  func firstEvent() throws -> (number: UInt64, event: SyncEvent)? {
    try store.writeRemote { tx -> (number: UInt64, event: SyncEvent)? in
      guard let (key, json) = try tx.first(from: ReplicaEvent.prefix, in: .replica),
        key.starts(with: ReplicaEvent.prefix)
      else { return nil }
      var reader = ByteReader(key.dropFirst(ReplicaEvent.prefix.count))
      let number: UInt64 = reader.integer() ?? 0
      let stored = try StoredEvent(json, number)
      let model = schema.local.first { $0.number == stored.model }
      func value(_ bytes: [UInt8]?) throws -> StoredValue? {
        guard let field = stored.field, let model else { return nil }
        return try tx.value(
          of: OutboxEntry.Field(bytes), number: field, ofModel: model.number)
      }
      return (
        number,
        SyncEvent(
          kind: stored.kind, model: model?.name,
          field: model?.fields.first { $0.number == stored.field }?.name,
          mine: try value(stored.mine), theirs: try value(stored.theirs),
          time: stored.time.map {
            Date(timeIntervalSince1970: Double($0 >> ReplicaClock.counterBits) / 1_000)
          },
          count: stored.count ?? 1, key: stored.key)
      )
    }
  }

  func forgetEvent(_ number: UInt64) throws {
    try store.writeRemote { try $0.setValue(nil, at: ReplicaEvent.key(number), in: .replica) }
  }
}

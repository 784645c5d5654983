import Testing

@testable import Croft

/// The outbox as it has to be, from a recording of how rows changed.
///
/// Unlike the store, it keeps the whole state of the server and the whole local one, and compares them.
struct OutboxTwin {
  typealias Fields = [UInt16: OutboxEntry.Field]

  private struct History {
    /// Whether the object that the server has was deleted.
    var isRemoved = false
    /// When it was inserted, deleted, or first differed from the server's.
    var stamp: Stamp?
    var stamps: [UInt16: Stamp] = [:]
  }

  private var server: [ObjectKey: Fields] = [:]
  private(set) var local: [ObjectKey: Fields] = [:]
  private var history: [ObjectKey: History] = [:]

  /// Takes the events of a commit.
  mutating func take(_ events: [RecordingSink.Event], _ tables: [Table], at stamp: Stamp) throws {
    for case .change(let model, let key, _, let new) in events {
      let table = try #require(tables.first { $0.id == model })
      take(
        ObjectKey(model: model, key: key), try new.map { try table.fields($0, under: key) },
        at: stamp)
    }
  }

  private mutating func take(_ key: ObjectKey, _ new: Fields?, at stamp: Stamp) {
    var object = history[key] ?? History()
    switch (local[key], new) {
    case (nil, _): (object.stamp, object.stamps) = (stamp, [:])
    case (_, nil): (object.isRemoved, object.stamp, object.stamps) = (true, stamp, [:])
    case (let old?, let new?):
      for (field, value) in new where old[field] != value { object.stamps[field] = stamp }
      if !object.isRemoved, server[key] == new {
        object = History()
      } else {
        object.stamp = object.stamp ?? stamp
      }
    }
    local[key] = new
    history[key] = object
  }

  /// The server has now what the store has.
  mutating func acknowledge() { (server, history) = (local, [:]) }

  var entries: [ObjectKey: OutboxEntry] {
    var entries: [ObjectKey: OutboxEntry] = [:]
    for key in Set(server.keys).union(local.keys) {
      let object = history[key] ?? History()
      guard let stamp = object.stamp else { continue }
      func entry(_ kind: OutboxEntry.Kind, _ server: Fields, _ stamps: [UInt16: Stamp])
        -> OutboxEntry
      {
        var entry = OutboxEntry(kind, at: stamp)
        (entry.server, entry.stamps) = (server, stamps)
        return entry
      }
      let later = object.stamps.filter { $0.value != stamp }
      switch (server[key], local[key]) {
      case (nil, nil): continue
      case (nil, _): entries[key] = entry(.insertion, [:], later)
      case (let theirs?, nil): entries[key] = entry(.deletion, theirs, [:])
      case (let theirs?, _) where object.isRemoved:
        entries[key] = entry(.replacement, theirs, later)
      case (let theirs?, let ours?):
        let changed = theirs.filter { ours[$0.key] != $0.value }
        if changed.isEmpty { continue }
        entries[key] = entry(.update, changed, object.stamps.filter { changed[$0.key] != nil })
      }
    }
    return entries
  }
}

extension Table {
  /// The values of a row's bytes, without a checksum.
  fileprivate func fields(_ row: [UInt8], under key: [UInt8]) throws -> OutboxTwin.Fields {
    try unsafe key.withUnsafeBytes { key in
      try unsafe row.withUnsafeBytes { row in
        let view = try #require(unsafe RecordView(key: key, row: row, layout: layout))
        return try fields(of: view)
      }
    }
  }
}

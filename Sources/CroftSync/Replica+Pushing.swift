import Croft
import CroftFoundation

// What was changed and not acknowledged becomes a push.

extension Replica {
  /// All unsent changes as one push; nil where there are none.
  ///
  /// From now on they may be on the server, whatever is heard of it.
  func makePush() throws -> SyncPush? {
    try store.writeRemote { tx in
      var clock = try tx.clock()
      let entries = try tx.entries()
      guard !entries.isEmpty else { return nil }
      var rows: [SyncPush.Row] = []
      var references: Set<ObjectKey> = []
      var isStrict = false
      for (object, entry) in entries {
        let known = try tx.record(of: object)
        rows.append(
          try row(of: object, entry, known, &tx).pushed(as: object, over: known?.version ?? 0))
        if try self.isStrict(object, entry, known, &tx) { isStrict = true }
        guard entry.kind != .deletion else { continue }
        let changed = entry.kind == .update ? Set(entry.server.keys) : nil
        for reference in try tx.references(from: object)
        where changed?.contains(reference.field) ?? true {
          references.insert(reference.target)
        }
      }
      // A deletion of an object that is sent now has to be told.
      if clock.sent < clock.last {
        clock.sent = clock.last
        try tx.setClock(clock)
      }
      return SyncPush(
        id: UUID(), replica: state.replica, cursor: state.cursor, isStrict: isStrict,
        last: SyncPush.Part(
          rows: rows, references: references.map { SyncObject($0) }.sorted()))
    }
  }

  private func row(
    of object: ObjectKey, _ entry: OutboxEntry, _ known: ServerRow?, _ tx: inout WriteTransaction
  ) throws -> ServerRow {
    switch entry.kind {
    case .deletion:
      return ServerRow(version: 0, isDeleted: true, born: known?.born ?? entry.stamp)
    case .insertion, .replacement:
      var row = ServerRow(version: 0, born: entry.stamp)
      (row.stamps, row.fields) = (entry.stamps, try tx.fields(of: object) ?? [:])
      return row
    case .update:
      var row = known ?? ServerRow(version: 0, born: entry.stamp)
      row.stamps.merge(entry.stamps) { $1 }
      row.fields = try tx.fields(of: object) ?? [:]
      return row
    }
  }

  /// Whether others' pushes could clash with a change, so that all of them have to be known.
  private func isStrict(
    _ object: ObjectKey, _ entry: OutboxEntry, _ known: ServerRow?, _ tx: inout WriteTransaction
  ) throws -> Bool {
    switch entry.kind {
    case .deletion: return laws.contains(.strictDeletions)
    case .replacement where !(known?.isDeleted ?? true): return laws.contains(.strictDeletions)
    case .insertion, .replacement:
      return try laws.contains(.strictUniqueValues)
        && !tx.uniqueFields(ofModel: object.model).isEmpty
    case .update:
      return try laws.contains(.strictUniqueValues)
        && !tx.uniqueFields(ofModel: object.model).isDisjoint(with: entry.server.keys)
    }
  }

  /// Takes the server's answer to a push; nothing is lost where it never comes.
  ///
  /// - Returns: What was decided about changes of both sides.
  @discardableResult
  func receive(_ answer: SyncPushAnswer, to push: SyncPush) throws -> [ReplicaEvent] {
    guard answer.status == .accepted else { return [] }
    var next = state
    // Its cursor was the server's version, if it was strict: nothing is between the two.
    let isNext = push.isStrict && push.cursor == state.cursor && state.staged == nil
    if isNext || !laws.contains(.ownPush), answer.version > next.cursor {
      next.cursor = answer.version
      next.lineage.note(answer.version, push.id)
    }
    let rows = push.last.rows.compactMap { row in
      ServerRow(row, version: answer.version).map { (object: ObjectKey(row.object), row: $0) }
    }
    return try apply(rows, next)
  }
}

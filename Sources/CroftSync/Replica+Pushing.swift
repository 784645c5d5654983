import Croft
import CroftFoundation

// What was changed and not acknowledged becomes a push.

extension Replica {
  /// All unsent changes as one push, but for those that wait; nil where there are none.
  ///
  /// From now on they may be on the server, whatever is heard of it. Before them, models are described that the
  /// space does not know.
  ///
  /// - Throws: ``SyncError/schemaMismatch(model:field:reason:)``.
  func makePush() throws -> SyncPush? {
    // All rows are compared first.
    if state.isFull { return nil }
    return try store.writeRemote { tx in
      var clock = try tx.clock()
      let stamp = Stamp(time: clock.last, replica: clock.replica)
      let missing = try schema.missingRows(at: stamp)
      if !missing.isEmpty { return push(missing, isStrict: true) }
      let all = try tx.entries()
      let held = try HeldChanges(among: all, &tx)
      let entries = all.filter { !held.objects.contains($0.object) }
      guard !entries.isEmpty else { return nil }
      var rows: [SyncPush.Row] = []
      var references: Set<SyncObject> = []
      var isStrict = false
      for (object, entry) in entries {
        let known = try tx.record(of: object)
        let row = try row(of: object, entry, known, &tx)
        guard let shared = schema.shared(row, of: object, over: known?.version ?? 0) else {
          throw unknown(object)
        }
        rows.append(shared)
        if try self.isStrict(object, entry, known, &tx) { isStrict = true }
        guard entry.kind != .deletion else { continue }
        let changed = entry.kind == .update ? Set(entry.server.keys) : nil
        for reference in try tx.references(from: object)
        where changed?.contains(reference.field) ?? true {
          guard let target = schema.shared(reference.target) else {
            throw unknown(reference.target)
          }
          references.insert(target)
        }
      }
      // A deletion of an object that is sent now has to be told.
      if clock.sent < clock.last {
        clock.sent = clock.last
        try tx.setClock(clock)
      }
      return push(rows, references.sorted(), isStrict: isStrict)
    }
  }

  /// How many objects have changes that wait, those of objects that are out of sight among them.
  ///
  /// - Complexity: O(*n*) for *n* unsent changes, where objects are out of sight.
  func waitingCount() throws -> Int {
    try store.writeRemote { tx in
      let asides = try tx.asides()
      if asides.isEmpty { return 0 }
      let entries = try tx.entries()
      let held = try HeldChanges(among: entries, &tx)
      return held.count(of: entries) + asides.values.count { $0.entry != nil }
    }
  }

  private func push(
    _ rows: [SyncPush.Row], _ references: [SyncObject] = [], isStrict: Bool
  ) -> SyncPush {
    SyncPush(
      id: UUID(), replica: state.replica, cursor: state.cursor, isStrict: isStrict,
      last: SyncPush.Part(
        rows: rows.sorted { $0.object < $1.object }, references: references))
  }

  /// The error of an object whose model is marked as replicated since the replica was made.
  private func unknown(_ object: ObjectKey) -> StoreError {
    .unknownModel(model: "\(object.model)")
  }

  private func row(
    of object: ObjectKey, _ entry: OutboxEntry, _ known: ServerRow?, _ tx: inout WriteTransaction
  ) throws -> ServerRow {
    switch entry.kind {
    case .deletion:
      // A copy of the store may have yet to send what was sent here.
      let isKnown = known.map { !$0.isDeleted } ?? false
      let sent = isKnown ? nil : entry.priorInsertions.last
      return ServerRow(
        version: 0, isDeleted: true, born: sent ?? known?.born ?? entry.stamp)
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

  /// Takes the server's answer to a push, with the rows of others that came with it, as an answer to a pull.
  ///
  /// Nothing is lost where it never comes.
  ///
  /// - Returns: What was decided about changes of both sides.
  /// - Throws: As ``receive(_:after:)``.
  @discardableResult
  func receive(_ answer: SyncPushAnswer, to push: SyncPush) throws -> [ReplicaEvent] {
    if answer.status == .unknownReplica { return [] }
    var pull = answer.pull
    // Where the server has forgotten deletions since, all rows are read again, and it may not know the push any more.
    let isForgotten =
      laws.isSuperset(of: [.absence, .wholeSnapshots]) && pull.floor > push.cursor
    if answer.status == .accepted, !isForgotten {
      if !laws.contains(.ownPush) { (pull.rows, pull.isPart) = ([], false) }
      // The push's own rows, which the server leaves out, are in the order of the others.
      let place = pull.rows.firstIndex { $0.version > answer.version } ?? pull.rows.count
      if place < pull.rows.count || !pull.isPart {
        pull.rows.insert(
          contentsOf: push.last.rows.map { SyncRow($0, version: answer.version) }, at: place)
      }
    }
    return try receive(pull, after: SyncPosition(push.cursor), isOfPush: true)
  }
}

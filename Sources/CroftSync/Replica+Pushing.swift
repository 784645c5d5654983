import Croft
import CroftFoundation

// What was changed and not acknowledged becomes a push.

extension Replica {
  /// All unsent changes as one push in memory; see ``makePush(limit:bytes:)``.
  func makePush() throws -> SyncPush? { try makePush(limit: .max, bytes: .max)?.push }

  /// All unsent changes as one push, but for those that wait; nil where there are none.
  ///
  /// From now on they may be on the server, whatever is heard of it. Before them, models are described that the
  /// space does not know. Of a long push the last part is in memory, and the others are in a file. Programs write
  /// meanwhile: the changes are read in a transaction that only reads. Where objects are out of sight, they wait until
  /// all changes are compared with those.
  ///
  /// - Parameters:
  ///   - limit: The most rows of a part, and the most references.
  ///   - bytes: The most bytes of a part, unless one row has more.
  ///   - reads: How often changes are read, where others come meanwhile, until programs wait.
  /// - Throws: ``SyncError/schemaMismatch(model:field:reason:)``.
  func makePush(
    limit: Int, bytes: Int = SyncPullAnswer.mostBytes, reads: Int = mostReads
  ) throws -> OutgoingPush? {
    // All rows are compared first.
    if state.isFull { return nil }
    for _ in 0..<reads {
      guard let beginning = try beginPush() else { return nil }
      if let models = beginning.models { return OutgoingPush(models) }
      let (isWhole, push) = try readPush(beginning, limit: limit, bytes: bytes)
      if isWhole { return push }
    }
    // Programs write without a pause: they wait.
    var next = state
    return try write(&next) { tx, next in
      guard let beginning = try beginPush(&tx, &next) else { return nil }
      if let models = beginning.models { return OutgoingPush(models) }
      return try makePush(beginning, limit: limit, bytes: bytes, tx)
    }
  }

  /// How often changes are read that others came after.
  static let mostReads = 3

  /// The facts that a push needs before its changes are read.
  struct PushBeginning {
    /// The descriptions of models, which come first; nil where all are known.
    var models: SyncPush?
    /// Objects whose changes wait.
    var held: Set<ObjectKey> = []
    /// The last stamp of the changes.
    var last: UInt64 = 0
    /// The identity of the push.
    var id = UUID()
  }

  /// Notes in a transaction that all changes may be on the server; nil where there are none.
  func beginPush() throws -> PushBeginning? {
    var next = state
    return try write(&next) { tx, next in try beginPush(&tx, &next) }
  }

  /// The push of the changes that there were when it began.
  ///
  /// It is not whole where others have come since.
  func readPush(
    _ beginning: PushBeginning, limit: Int, bytes: Int
  ) throws -> (isWhole: Bool, push: OutgoingPush?) {
    try store.readReplica { tx in
      // A later change may not count as sent yet, and its deletion would not be told.
      guard try tx.clock().last == beginning.last else { return (false, nil) }
      return (true, try makePush(beginning, limit: limit, bytes: bytes, tx))
    }
  }

  /// Notes that all changes may be on the server; nil where there are none.
  private func beginPush(
    _ tx: inout WriteTransaction, _ next: inout ReplicaState
  ) throws -> PushBeginning? {
    var clock = try tx.clock()
    let stamp = Stamp(time: clock.last, replica: clock.replica)
    let missing = try schema.missingRows(at: stamp)
    if !missing.isEmpty { return PushBeginning(models: pushOfModels(missing)) }
    if try tx.entryCount() == 0 { return nil }
    var beginning = PushBeginning(last: clock.last)
    // Only what is out of sight makes others wait, and then all have to be compared.
    if try !tx.asides().isEmpty {
      let entries = try tx.entries()
      beginning.held = try HeldChanges(among: entries, &tx).objects
      // Nothing is sent, so that the server hears nothing of objects that are deleted now.
      if entries.allSatisfy({ beginning.held.contains($0.object) }) { return nil }
    }
    // A deletion of an object that is sent now has to be told.
    if clock.sent < clock.last {
      clock.sent = clock.last
      try tx.setClock(clock)
    }
    // With changes that wait it has not all that there are.
    let isWhole = beginning.held.isEmpty
    next.sent = isWhole ? ReplicaState.SentPush(id: beginning.id, last: clock.last) : nil
    return beginning
  }

  private func makePush(
    _ beginning: PushBeginning, limit: Int, bytes: Int,
    _ tx: borrowing some ReplicaReading & ~Copyable
  ) throws -> OutgoingPush? {
    var writer = PushWriter(limit: limit, bytes: bytes, of: store)
    var count = 0
    for model in schema.sharedModels {
      var last: [UInt8]?
      while true {
        let block = try tx.entries(
          ofModel: model, after: last, limit: Self.mostRows, bytes: bytes)
        guard let end = block.last else { break }
        for (object, entry) in block where !beginning.held.contains(object) {
          try add(object, entry, to: &writer, tx)
        }
        count += block.count
        last = end.object.key
      }
    }
    if try tx.entryCount() > count {
      for (object, _) in try tx.entries() where schema.shared(object) == nil {
        throw unknown(object)
      }
    }
    return writer.push(beginning.id, of: state.replica, at: state.cursor)
  }

  private func add(
    _ object: ObjectKey, _ entry: OutboxEntry, to writer: inout PushWriter,
    _ tx: borrowing some ReplicaReading & ~Copyable
  ) throws {
    let known = try tx.record(of: object)
    let row = try row(of: object, entry, known, tx)
    guard let shared = schema.shared(row, of: object, over: known?.version ?? 0) else {
      throw unknown(object)
    }
    if try isStrict(object, entry, known, tx) { writer.isStrict = true }
    var targets: [SyncObject] = []
    if entry.kind != .deletion {
      let changed = entry.kind == .update ? Set(entry.server.keys) : nil
      for reference in try tx.references(from: object)
      where changed?.contains(reference.field) ?? true {
        guard let target = schema.shared(reference.target) else {
          throw unknown(reference.target)
        }
        targets.append(target)
      }
    }
    try writer.add(shared, referringTo: targets)
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

  private func pushOfModels(_ rows: [SyncPush.Row]) -> SyncPush {
    SyncPush(
      id: UUID(), replica: state.replica, cursor: state.cursor, isStrict: true,
      last: SyncPush.Part(rows: rows.sorted { $0.object < $1.object }, references: []))
  }

  /// The error of an object whose model is marked as replicated since the replica was made.
  private func unknown(_ object: ObjectKey) -> StoreError {
    .unknownModel(model: "\(object.model)")
  }

  private func row(
    of object: ObjectKey, _ entry: OutboxEntry, _ known: ServerRow?,
    _ tx: borrowing some ReplicaReading & ~Copyable
  ) throws -> ServerRow {
    var row: ServerRow
    switch entry.kind {
    case .deletion:
      // A copy of the store may have yet to send what was sent here.
      let isKnown = known.map { !$0.isDeleted } ?? false
      let sent = isKnown ? nil : entry.priorInsertions.last
      row = ServerRow(version: 0, isDeleted: true, born: sent ?? known?.born ?? entry.stamp)
    case .insertion, .replacement:
      row = ServerRow(version: 0, born: entry.stamp)
      (row.stamps, row.fields) = (entry.stamps, try tx.fields(of: object) ?? [:])
    case .update:
      row = known ?? ServerRow(version: 0, born: entry.stamp)
      row.stamps.merge(entry.stamps) { $1 }
      row.fields = try tx.fields(of: object) ?? [:]
    }
    guard laws.contains(.priorInsertions) else { return row }
    row.addPriorInsertions(entry.priorInsertions)
    // An earlier object is not there any more, unless it is the same one.
    if let known { row.addPriorInsertions(known.priorInsertions + [known.born]) }
    return row
  }

  /// Whether others' pushes could clash with a change, so that all of them have to be known.
  private func isStrict(
    _ object: ObjectKey, _ entry: OutboxEntry, _ known: ServerRow?,
    _ tx: borrowing some ReplicaReading & ~Copyable
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
    try receive(answer, to: OutgoingPush(push))
  }

  /// The same of a push that may be long: its own rows are staged part by part.
  @discardableResult
  func receive(_ answer: SyncPushAnswer, to outgoing: OutgoingPush) throws -> [ReplicaEvent] {
    let push = outgoing.push
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
        return try receive(pull, with: outgoing, at: place, version: answer.version)
      }
    }
    return try receive(
      pull, after: SyncPosition(push.cursor), isOfPush: true,
      accepted: answer.status == .accepted ? push.id : nil)
  }

  /// Takes the rows of others together with those of an accepted push.
  ///
  /// Each part is taken as a part of a pull is: where the process ends in between, the rest is pulled.
  ///
  /// - Parameter place: How many of the rows of others come before those of the push.
  private func receive(
    _ pull: SyncPullAnswer, with outgoing: OutgoingPush, at place: Int, version: UInt64
  ) throws -> [ReplicaEvent] {
    var events: [ReplicaEvent] = []
    var position = SyncPosition(outgoing.push.cursor)
    var next = pull
    next.rows = Array(pull.rows[..<place])
    for number in 0..<outgoing.push.uploadedParts {
      next.rows += try outgoing.part(number).rows.map { SyncRow($0, version: version) }
      guard let last = next.rows.last else { continue }
      let end = SyncPosition(last.version, last.object)
      next.isPart = true
      events += try receive(next, after: position, isOfPush: true)
      // The answer is late, or nothing of it is kept.
      guard self.position == end else { return events }
      (position, next.rows) = (end, [])
    }
    next.isPart = pull.isPart
    next.rows += outgoing.push.last.rows.map { SyncRow($0, version: version) }
    next.rows += pull.rows[place...]
    return events
      + (try receive(next, after: position, isOfPush: true, accepted: outgoing.push.id))
  }
}

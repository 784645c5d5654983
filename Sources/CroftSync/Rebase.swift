import Croft

/// Applies rows of the server to a store, and repairs its unsent changes so that they stay valid.
///
/// The server's state is valid. What violates a rule is therefore an unsent change, and only those are
/// weakened: an unsent value gives way, an unsent deletion is withdrawn, a new object is dropped. Each step
/// removes a part of the outbox or puts an object out of the way, so that the steps end. Where the server's state is
/// not valid, its rows are set aside that violate the rule.
struct Rebase {
  let laws: Laws
  var clock: ReplicaClock
  /// The objects that are out of sight.
  var asides: [ObjectKey: Aside]
  /// Those that were before the rows came.
  let formerAsides: Set<ObjectKey>
  /// Those that have to be written.
  var changedAsides: Set<ObjectKey> = []
  private(set) var events: [ReplicaEvent] = []
  /// The objects whose rows were written or removed; nil where nobody asks for them.
  var changed: Set<ObjectKey>?
  /// Whether an unsent change, or what waits for objects out of sight, may be another one than before.
  private(set) var hasChangedEntries = false
  /// The stamp of repairs, once there is one.
  private var stamp: Stamp?
  /// Whether there are unsent changes, which may have to be repaired with what there was.
  private var isRepairing: Bool
  /// Whether the rows are all that there are.
  let isFull: Bool
  /// How many objects the server has lost a later row of.
  private var lostCount = 0
  /// The rows that there were before the server deleted them, or unsent changes were dropped.
  var before: [ObjectKey: ObjectFields] = [:]
  /// Objects whose references have to be looked up.
  var written: [ObjectKey] = []
  /// Rows whose unique values other objects had when they came.
  private var deferred: [(object: ObjectKey, fields: ObjectFields)] = []
  /// Objects that are gone, to which others may still refer.
  var gone: [ObjectKey] = []
  /// Objects whose deletion was taken back: nothing removes them again.
  var denied: Set<ObjectKey> = []

  /// The server's rows violate a rule among themselves, or the repair is switched off.
  struct Unrepaired: Error {}

  /// - Parameters:
  ///   - isFull: Whether the rows are all that there are, so that each counts, also where a later one is known.
  ///   - isRepairing: Whether there are unsent changes.
  ///   - notesChanges: Whether it remembers which objects it has changed.
  init(
    laws: Laws, clock: ReplicaClock, asides: [ObjectKey: Aside], isFull: Bool, isRepairing: Bool,
    notesChanges: Bool
  ) {
    self.isFull = isFull
    (self.laws, self.clock, self.asides) = (laws, clock, asides)
    self.isRepairing = isRepairing || !asides.isEmpty
    changed = notesChanges ? [] : nil
    formerAsides = Set(asides.keys)
  }

  /// Deletes the known objects that a whole state of the server lacks.
  ///
  /// - Parameters:
  ///   - version: The version of the state.
  ///   - arrived: The last stamp of changes that the server had; 0 for none.
  ///   - isThere: Whether the state has an object.
  mutating func deleteAbsent(
    through version: UInt64, arrived: UInt64, _ tx: inout WriteTransaction,
    besides isThere: (ObjectKey, borrowing WriteTransaction) throws -> Bool
  ) throws {
    try forgetAsides { try isThere($0, tx) }
    try tx.forEachRecord { object, row, tx in
      // Of what is given back it is not known whether the server has it.
      guard row.version > 0, row.version <= version, try !isThere(object, tx) else { return }
      try write(object, ServerRow(version: row.version + 1, isDeleted: true, born: row.born), &tx)
      // The server has no row that a push could be compared with.
      try tx.setRecord(nil, of: object)
      // An unsent insertion that was out of sight may be in its place.
      written.append(object)
    }
    if arrived == 0 { return }
    // Others have deleted it, and the server has forgotten that.
    for (object, entry) in try tx.entries() where entry.kind != .update && entry.kind != .deletion {
      // An object that is given back has a record, and the server may never have had it.
      guard entry.stamp.time <= arrived, try tx.record(of: object) == nil,
        try !isThere(object, tx)
      else { continue }
      try write(object, ServerRow(version: version, isDeleted: true, born: entry.stamp), &tx)
      try tx.setRecord(nil, of: object)
    }
  }

  /// Merges rows with the unsent changes of their objects, and writes them; unread ones are set aside.
  mutating func write(_ rows: RowReader.Rows, _ tx: inout WriteTransaction) throws {
    for (object, row) in rows.rows { try write(object, row, &tx) }
    for (object, row) in rows.unread { try hide(object, unread: row, &tx) }
  }

  private mutating func write(
    _ object: ObjectKey, _ row: ServerRow, _ tx: inout WriteTransaction
  ) throws {
    guard let fields = try merge(object, row, &tx) else { return }
    // The other one may give its unique values up: rows that exchange them come one after the other.
    if try writeValues(of: object, fields, &tx) != nil { deferred.append((object, fields)) }
  }

  /// Writes the rows that clashed with others, when all have come.
  mutating func writeDeferred(_ tx: inout WriteTransaction) throws {
    let rows = deferred
    deferred = []
    for (object, fields) in rows { try place(object, fields, &tx) }
  }

  /// Repairs what is left, and writes what is out of sight now.
  mutating func finish(_ tx: inout WriteTransaction) throws {
    try repairReferences(&tx)
    try putBackAll(&tx)
    if lostCount > 0 { events.append(ReplicaEvent(kind: .gaveBack(lostCount), object: nil)) }
    for object in changedAsides { try tx.setAside(asides[object], of: object) }
  }

  /// Merges an object's row with its unsent change.
  ///
  /// - Parameters:
  ///   - isKnown: Whether the row was merged before, with what there was then.
  ///   - aside: What was kept of the object out of sight, where it was taken out before.
  ///   - unwritten: The values that the object has here, where its row is not written.
  /// - Returns: The values to write; nil for none. A row of other values is removed.
  mutating func merge(
    _ object: ObjectKey, _ row: ServerRow, isKnown: Bool = false, outOfSight aside: Aside? = nil,
    unwritten: ObjectFields? = nil, _ tx: inout WriteTransaction
  ) throws -> ObjectFields? {
    clock.last = max(clock.last, row.latest.time)
    var known = try tx.record(of: object)
    var isLost = false
    if laws.contains(.onlyForward), !isKnown, isFull {
      if let known, known.recordBytes == row.recordBytes { return nil }
      // The server that had a later row was another one, and nothing else tells so: it has forgotten its pushes.
      isLost = laws.contains(.lineage) && known.map { $0.version >= row.version } ?? false
    } else if laws.contains(.onlyForward), !isKnown {
      if let known, known.version >= row.version { return nil }
      if let unread = asides[object]?.row, unread.version > row.version { return nil }
    }
    let hidden = aside ?? takeAside(object)
    let present = try tx.fields(of: object)
    let local = present ?? unwritten ?? hidden?.local
    var fields: ObjectFields? = row.isDeleted ? nil : row.fields
    let own = try tx.entry(of: object)
    var (entry, seen) = (own ?? hidden?.entry, known)
    if let own, let hidden {
      let change = own.following(hidden.entry)
      entry = change.entry
      if !change.hasSeen { seen = nil }
    }
    if isLost, let record = known {
      entry = OutboxEntry.givingBack(record, with: entry, laws)
      known?.version = 0
      seen?.version = 0
      // Others may give the same back: deletions of it have to be told.
      clock.sent = clock.last
      (isRepairing, lostCount) = (true, lostCount + 1)
    }
    var next: OutboxEntry?
    if let entry {
      var kinds: [ReplicaEvent.Kind] = []
      next = entry.merged(with: row, known: seen, laws, &kinds)
      for kind in kinds { note(kind, object, local, row) }
      if let next { fields = next.values(over: row, local) }
      // The server has lost it.
      if isKnown, row.version == 0, next?.kind ?? .update == .update {
        next = (next ?? entry).takenBack(over: row)
      }
      try setEntry(next, of: object, &tx)
    }
    // Others are not gone after this.
    if isRepairing, row.isDeleted || next != nil { before[object] = local }
    try tx.setRecord(row, of: object)
    guard fields != present else { return nil }
    changed?.insert(object)
    if present != nil { try tx.removeRow(of: object) }
    if fields == nil { gone.append(object) }
    return fields
  }

  mutating func setEntry(
    _ entry: OutboxEntry?, of object: ObjectKey, _ tx: inout WriteTransaction
  ) throws {
    noteEntryChange()
    try tx.setEntry(entry, of: object)
  }

  mutating func noteEntryChange() { hasChangedEntries = true }

  mutating func noteStrangers(_ count: Int) {
    events.append(ReplicaEvent(kind: .setAside(count), object: nil))
  }

  mutating func note(_ kind: ReplicaEvent.Kind, _ object: ObjectKey) {
    events.append(ReplicaEvent(kind: kind, object: object))
  }

  private mutating func note(
    _ kind: ReplicaEvent.Kind, _ object: ObjectKey, _ local: ObjectFields?, _ row: ServerRow
  ) {
    note(kind, object)
    guard case .overwritten(let field) = kind else { return }
    events[events.count - 1].mine = local?[field]
    events[events.count - 1].theirs = row.fields[field]
    events[events.count - 1].time = row.stamp(of: field).time
  }

  mutating func nextStamp() -> Stamp {
    if let stamp { return stamp }
    // Just later than all that was seen, whatever the local clock says.
    let next = clock.tick(0)
    stamp = next
    return next
  }
}

// MARK: - Unique values

extension Rebase {
  /// Writes an object's row; of two with one unique value, an unsent one gives way.
  mutating func place(
    _ object: ObjectKey, _ fields: ObjectFields, _ tx: inout WriteTransaction
  ) throws {
    var waiting = [(object: object, fields: fields)]
    while let (object, fields) = waiting.popLast() {
      changed?.insert(object)
      guard let clash = try writeValues(of: object, fields, &tx) else {
        written.append(object)
        continue
      }
      guard laws.contains(.rebase) else { throw Unrepaired() }
      let own = try rank(of: object, clash.fields, &tx)
      let other = try rank(of: clash.holder, clash.fields, &tx)
      guard
        let loser = own.map({ own in other.map { own > $0 ? object : clash.holder } ?? object })
          ?? other.map({ _ in clash.holder })
      else {
        // Both values are the server's: the one that was pushed last is set aside.
        if try isLater(object, than: clash.holder, tx) {
          try hide(object, with: fields, &tx)
        } else {
          try hide(clash.holder, &tx)
          waiting.append((object, fields))
        }
        continue
      }
      let winner = loser == object ? clash.holder : object
      if loser != object {
        let held = try tx.fields(of: loser) ?? [:]
        changed?.insert(loser)
        try tx.removeRow(of: loser)
        waiting.append((object, fields))
        if let left = try giveWay(loser, held, to: winner, clash.fields, &tx) {
          waiting.insert((loser, left), at: 0)
        }
      } else if let left = try giveWay(loser, fields, to: winner, clash.fields, &tx) {
        waiting.append((loser, left))
      }
    }
  }

  /// Writes an object's row, or hides it where it is not one of its model.
  ///
  /// - Returns: The object that has its unique values of some fields, where it is not written for that.
  private mutating func writeValues(
    of object: ObjectKey, _ fields: ObjectFields, _ tx: inout WriteTransaction
  ) throws -> (holder: ObjectKey, fields: Set<UInt16>)? {
    do { return try tx.writeRow(of: object, fields) } catch let error as InvalidRow {
      guard laws.contains(.setAside) else { throw error }
      try hide(object, with: fields, &tx)
      return nil
    }
  }

  /// How readily an object gives its values of some fields up; nil where they are the server's.
  private func rank(
    of object: ObjectKey, _ fields: Set<UInt16>, _ tx: inout WriteTransaction
  ) throws -> Rank? {
    guard let entry = try tx.entry(of: object), entry.kind != .deletion else { return nil }
    let isNew = entry.kind != .update
    guard isNew || !fields.isDisjoint(with: entry.server.keys) else { return nil }
    let stamps = fields.compactMap { entry.stamps[$0] }
    return Rank(isNew: isNew, stamp: stamps.max() ?? entry.stamp, object: object)
  }

  private struct Rank: Comparable {
    let isNew: Bool
    let stamp: Stamp
    let object: ObjectKey

    static func < (left: Self, right: Self) -> Bool {
      if left.isNew != right.isNew { return right.isNew }
      return (left.stamp, left.object) < (right.stamp, right.object)
    }
  }

  /// Takes an unsent object's values of some fields back.
  ///
  /// - Returns: The values that it has now; nil where it is gone.
  private mutating func giveWay(
    _ object: ObjectKey, _ values: ObjectFields, to holder: ObjectKey, _ fields: Set<UInt16>,
    _ tx: inout WriteTransaction
  ) throws -> ObjectFields? {
    guard var entry = try tx.entry(of: object) else { return values }
    var values = values
    let isOnServer = !(try tx.record(of: object)?.isDeleted ?? true)
    switch entry.kind {
    case .update:
      for field in fields {
        guard let value = entry.server[field] else { continue }
        values[field] = value
        entry.server[field] = nil
        entry.stamps[field] = nil
      }
      note(.reverted, object)
      try setEntry(entry.isChange ? entry : nil, of: object, &tx)
      return values
    case .replacement where isOnServer:
      note(.reverted, object)
      try setEntry(entry.takenBack(over: try tx.record(of: object)), of: object, &tx)
      return entry.server
    case .insertion, .replacement, .deletion:
      note(.adopted(by: holder), object)
      try setEntry(entry.telling(by: .deletion), of: object, &tx)
      if try tx.record(of: object)?.version == 0 { try tx.setRecord(nil, of: object) }
      for reference in try tx.references(to: object) where reference.source != object {
        try set(reference, to: holder, &tx)
      }
      gone.append(object)
      return nil
    }
  }
}

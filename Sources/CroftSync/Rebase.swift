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
  /// The numbers that this replica has or had.
  private let numbers: Set<UInt16>
  /// The objects that are out of sight.
  var asides: [ObjectKey: Aside]
  /// Those that were before the rows came.
  let formerAsides: Set<ObjectKey>
  /// Those that have to be written.
  var changedAsides: Set<ObjectKey> = []
  private(set) var events: [ReplicaEvent] = []
  /// The objects whose rows were written or removed.
  var changed: Set<ObjectKey> = []
  /// The stamp of repairs, once there is one.
  private var stamp: Stamp?
  /// The rows that there were before the server deleted them, or unsent changes were dropped.
  var before: [ObjectKey: ObjectFields] = [:]
  /// Objects whose references have to be looked up.
  var written: [ObjectKey] = []
  /// Objects that are gone, to which others may still refer.
  var gone: [ObjectKey] = []
  /// Objects whose deletion was taken back: nothing removes them again.
  var denied: Set<ObjectKey> = []

  /// The server's rows violate a rule among themselves, or the repair is switched off.
  struct Unrepaired: Error {}

  init(
    laws: Laws, clock: ReplicaClock, formerNumbers: [UInt16], asides: [ObjectKey: Aside] = [:]
  ) {
    (self.laws, self.clock, self.asides) = (laws, clock, asides)
    formerAsides = Set(asides.keys)
    numbers = Set(formerNumbers).union([clock.replica])
  }

  /// Applies rows.
  ///
  /// - Parameters:
  ///   - unread: Rows that cannot be read, which are set aside.
  ///   - isFull: Whether these are all objects that there are up to a version: others are deleted.
  mutating func apply(
    _ rows: [(object: ObjectKey, row: ServerRow)],
    unread: [(object: ObjectKey, row: SyncRow)] = [], isFull: Bool, through version: UInt64,
    _ tx: inout WriteTransaction
  ) throws {
    var placed: [(object: ObjectKey, fields: ObjectFields)] = []
    let there = isFull ? Set(rows.map(\.object) + unread.map(\.object)) : []
    let missing = isFull ? try absent(there, through: version, tx) : []
    if isFull { forgetAsides(besides: there) }
    for (object, row) in rows + missing {
      if let fields = try merge(object, row, &tx) { placed.append((object, fields)) }
    }
    for (object, row) in unread { try hide(object, unread: row, &tx) }
    for (object, fields) in placed { try place(object, fields, &tx) }
    try repairReferences(&tx)
    try putBackAll(&tx)
    // The server has no row of them that a push could be compared with.
    for (object, _) in missing { try tx.setRecord(nil, of: object) }
    for object in changedAsides { try tx.setAside(asides[object], of: object) }
  }

  /// Merges an object's row with its unsent change.
  ///
  /// - Parameter isKnown: Whether the row was merged before, with what there was then.
  /// - Returns: The values to write; nil for none. A row of other values is removed.
  mutating func merge(
    _ object: ObjectKey, _ row: ServerRow, isKnown: Bool = false, _ tx: inout WriteTransaction
  ) throws -> ObjectFields? {
    clock.last = max(clock.last, row.latest.time)
    let known = try tx.record(of: object)
    if laws.contains(.onlyForward), !isKnown {
      if let known, known.version >= row.version { return nil }
      if let unread = asides[object]?.row, unread.version > row.version { return nil }
    }
    let hidden = takeAside(object)
    let present = try tx.fields(of: object)
    let local = present ?? hidden?.local
    before[object] = local
    var fields: ObjectFields? = row.isDeleted ? nil : row.fields
    if let entry = try tx.entry(of: object) ?? hidden?.entry {
      var kinds: [ReplicaEvent.Kind] = []
      let next = entry.merged(with: row, known: known, numbers: numbers, laws, &kinds)
      for kind in kinds { note(kind, object, local, row) }
      try tx.setEntry(next, of: object)
      if let next { fields = next.values(over: row, local) }
    }
    try tx.setRecord(row, of: object)
    guard fields != present else { return nil }
    // All rows are removed before one is written: they may exchange unique values.
    changed.insert(object)
    if present != nil { try tx.removeRow(of: object) }
    if fields == nil { gone.append(object) }
    return fields
  }

  /// Tombstones for the known objects that a whole state of the server lacks.
  private func absent(
    _ there: Set<ObjectKey>, through version: UInt64, _ tx: borrowing WriteTransaction
  ) throws -> [(object: ObjectKey, row: ServerRow)] {
    // Of what is given back it is not known whether the server has it.
    try tx.records().filter { object, row in
      row.version > 0 && row.version <= version && !there.contains(object)
    }.map { object, row in
      (object, ServerRow(version: row.version + 1, isDeleted: true, born: row.born))
    }
  }

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
      changed.insert(object)
      let clash: (holder: ObjectKey, fields: Set<UInt16>)?
      do { clash = try tx.writeRow(of: object, fields) } catch let error as InvalidRow {
        guard laws.contains(.setAside) else { throw error }
        try hide(object, with: fields, &tx)
        continue
      }
      guard let clash else {
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
        changed.insert(loser)
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
      try tx.setEntry(entry.server.isEmpty ? nil : entry, of: object)
      return values
    case .replacement where isOnServer:
      note(.reverted, object)
      try tx.setEntry(nil, of: object)
      return entry.server
    case .insertion, .replacement, .deletion:
      note(.adopted(by: holder), object)
      try tx.setEntry(nil, of: object)
      if try tx.record(of: object)?.version == 0 { try tx.setRecord(nil, of: object) }
      for reference in try tx.references(to: object) where reference.source != object {
        try set(reference, to: holder, &tx)
      }
      gone.append(object)
      return nil
    }
  }
}

import Croft

/// Applies rows of the server to a store, and repairs its unsent changes so that they stay valid.
///
/// The server's state is valid. What violates a rule is therefore an unsent change, and only those are
/// weakened: an unsent value gives way, an unsent deletion is withdrawn, a new object is dropped. Each step
/// removes a part of the outbox or puts an object out of the way, so that the steps end.
struct Rebase {
  let laws: Laws
  var clock: ReplicaClock
  /// The numbers that this replica has or had.
  private let numbers: Set<UInt16>
  private(set) var events: [ReplicaEvent] = []
  /// The objects whose rows were written or removed.
  private(set) var changed: Set<ObjectKey> = []
  /// The stamp of repairs, once there is one.
  private var stamp: Stamp?
  /// The rows that there were before the server deleted them, or unsent changes were dropped.
  private var before: [ObjectKey: ObjectFields] = [:]
  /// Objects whose references have to be looked up.
  private var written: [ObjectKey] = []
  /// Objects that are gone, to which others may still refer.
  private var gone: [ObjectKey] = []
  /// Objects whose deletion was taken back: nothing removes them again.
  private var denied: Set<ObjectKey> = []

  /// The server's rows violate a rule among themselves, or the repair is switched off.
  struct Unrepaired: Error {}

  init(laws: Laws, clock: ReplicaClock, formerNumbers: [UInt16]) {
    (self.laws, self.clock) = (laws, clock)
    numbers = Set(formerNumbers).union([clock.replica])
  }

  /// Applies rows.
  ///
  /// - Parameters:
  ///   - isFull: Whether these are all objects that there are up to a version: others are deleted.
  mutating func apply(
    _ rows: [(object: ObjectKey, row: ServerRow)], isFull: Bool, through version: UInt64,
    _ tx: inout WriteTransaction
  ) throws {
    var placed: [(object: ObjectKey, fields: ObjectFields)] = []
    let missing = isFull ? try absent(rows, through: version, tx) : []
    for (object, row) in rows + missing {
      clock.last = max(clock.last, row.latest.time)
      let known = try tx.record(of: object)
      if laws.contains(.onlyForward), let known, known.version >= row.version { continue }
      let local = try tx.fields(of: object)
      before[object] = local
      var fields: ObjectFields? = row.isDeleted ? nil : row.fields
      if let entry = try tx.entry(of: object) {
        var kinds: [ReplicaEvent.Kind] = []
        let next = entry.merged(
          with: row, known: known, numbers: numbers, laws, &kinds)
        for kind in kinds { note(kind, object, local, row) }
        try tx.setEntry(next, of: object)
        if let next { fields = next.values(over: row, local) }
      }
      try tx.setRecord(row, of: object)
      guard fields != local else { continue }
      // All rows are removed before one is written: they may exchange unique values.
      changed.insert(object)
      if local != nil { try tx.removeRow(of: object) }
      if let fields { placed.append((object, fields)) } else { gone.append(object) }
    }
    for (object, fields) in placed { try place(object, fields, &tx) }
    try repairReferences(&tx)
    // The server has no row of them that a push could be compared with.
    for (object, _) in missing { try tx.setRecord(nil, of: object) }
  }

  /// Tombstones for the known objects that a whole state of the server lacks.
  private func absent(
    _ rows: [(object: ObjectKey, row: ServerRow)], through version: UInt64,
    _ tx: borrowing WriteTransaction
  ) throws -> [(object: ObjectKey, row: ServerRow)] {
    let there = Set(rows.map(\.object))
    // Of what is given back it is not known whether the server has it.
    return try tx.records().filter { object, row in
      row.version > 0 && row.version <= version && !there.contains(object)
    }.map { object, row in
      (object, ServerRow(version: row.version + 1, isDeleted: true, born: row.born))
    }
  }

  private mutating func note(_ kind: ReplicaEvent.Kind, _ object: ObjectKey) {
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

  private mutating func nextStamp() -> Stamp {
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
  private mutating func place(
    _ object: ObjectKey, _ fields: ObjectFields, _ tx: inout WriteTransaction
  ) throws {
    var waiting = [(object: object, fields: fields)]
    while let (object, fields) = waiting.popLast() {
      changed.insert(object)
      guard let clash = try tx.writeRow(of: object, fields) else {
        written.append(object)
        continue
      }
      guard laws.contains(.rebase) else { throw Unrepaired() }
      let own = try rank(of: object, clash.fields, &tx)
      let other = try rank(of: clash.holder, clash.fields, &tx)
      guard
        let loser = own.map({ own in other.map { own > $0 ? object : clash.holder } ?? object })
          ?? other.map({ _ in clash.holder })
      else { throw Unrepaired() }
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

// MARK: - References

extension Rebase {
  private mutating func repairReferences(_ tx: inout WriteTransaction) throws {
    while true {
      if let object = gone.popLast() {
        guard try tx.fields(of: object) == nil else { continue }
        for reference in try tx.references(to: object) { try repair(reference, &tx) }
      } else if let object = written.popLast() {
        for reference in try tx.references(from: object) { try repair(reference, &tx) }
      } else {
        return
      }
    }
  }

  /// Repairs a reference, if its target is missing.
  private mutating func repair(
    _ reference: ObjectReference, _ tx: inout WriteTransaction
  ) throws {
    let (source, target) = (reference.source, reference.target)
    guard let values = try tx.fields(of: source), try tx.fields(of: target) == nil,
      try tx.references(from: source).contains(reference)
    else { return }
    guard laws.contains(.rebase) else { throw Unrepaired() }
    if let deletion = try tx.entry(of: target), deletion.kind == .deletion {
      // The program's own deletion, of an object to which another replica refers by now.
      switch reference.rule {
      case .cascade where !denied.contains(source):
        note(.cascaded, source)
        try remove(source, values, &tx)
      case .nullify: try set(reference, to: nil, &tx)
      case .cascade, .deny:
        note(.denied, target)
        denied.insert(target)
        try tx.setEntry(nil, of: target)
        try place(target, deletion.server, &tx)
      }
      return
    }
    // Another replica deleted the target, or an unsent insertion of it was dropped.
    if reference.rule == .nullify { return try set(reference, to: nil, &tx) }
    guard let entry = try tx.entry(of: source) else { throw Unrepaired() }
    if reference.rule == .deny, let last = before[target] {
      note(.restored, target)
      before[target] = nil
      try tx.setEntry(OutboxEntry(.insertion, at: nextStamp()), of: target)
      return try place(target, last, &tx)
    }
    try dropReference(reference, entry, values, &tx)
  }

  /// Takes back an unsent reference to an object that is gone.
  private mutating func dropReference(
    _ reference: ObjectReference, _ entry: OutboxEntry, _ values: ObjectFields,
    _ tx: inout WriteTransaction
  ) throws {
    let source = reference.source
    if entry.kind == .update {
      var (entry, values) = (entry, values)
      guard let value = entry.server[reference.field] else { throw Unrepaired() }
      note(.reverted, source)
      values[reference.field] = value
      entry.server[reference.field] = nil
      entry.stamps[reference.field] = nil
      try tx.setEntry(entry.server.isEmpty ? nil : entry, of: source)
      return try place(source, values, &tx)
    }
    note(.dropped, source)
    try remove(source, values, &tx)
  }

  /// Removes an object as if the program had.
  private mutating func remove(
    _ object: ObjectKey, _ values: ObjectFields, _ tx: inout WriteTransaction
  ) throws {
    try tx.note(values, nil, of: object, at: nextStamp(), sent: clock.sent)
    changed.insert(object)
    try tx.removeRow(of: object)
    gone.append(object)
  }

  /// Sets a reference to another object or to nil, as if the program had.
  private mutating func set(
    _ reference: ObjectReference, to target: ObjectKey?, _ tx: inout WriteTransaction
  ) throws {
    guard let values = try tx.fields(of: reference.source) else { return }
    var changed = values
    changed[reference.field] = try tx.value(of: reference, referringTo: target)
    try tx.note(values, changed, of: reference.source, at: nextStamp(), sent: clock.sent)
    try place(reference.source, changed, &tx)
  }
}

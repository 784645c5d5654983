import Croft
import CroftFoundation

// The beginning of a session: the replica's number, the server's time, and whether its pushes are known.

extension Replica {
  /// What the replica says at the beginning of a session.
  func makeHello() throws -> SyncHello {
    let next = state.next ?? UUID()
    if state.next == nil {
      var changed = state
      changed.next = next
      try write(changed) { _ in }
    }
    return SyncHello(
      replica: state.replica, next: next,
      versions: state.lineage.versions + (state.stagedAt.map { [$0.version] } ?? []),
      unanswered: state.sent?.id)
  }

  /// Takes the answer to a hello.
  ///
  /// - Parameter local: The local time in milliseconds.
  /// - Returns: What was decided about changes of both sides.
  @discardableResult
  func receive(_ server: SyncServerState, local: UInt64) throws -> [ReplicaEvent] {
    guard server.time <= Self.latestTime else {
      throw SyncError.serverInvalid(reason: "its answer to a hello is not valid")
    }
    var next = state
    (next.replica, next.next) = (state.next ?? state.replica, nil)
    next.isTimed = true
    if let sent = state.sent {
      // One that is not there by now is not taken any more. A restored server may have lost it.
      let hasArrived = server.pushes.values.contains(sent.id)
      next.sent = hasArrived ? sent : nil
      next.sent?.hasArrived = true
    }
    let common = state.lineage.lastCommon(with: server.pushes, floor: server.floor)
    let isSame =
      !laws.contains(.lineage) || state.lineage.isSame(as: server.pushes, floor: server.floor)
    // It has the tombstones again that were forgotten here: it was restored to a time before they were collected.
    let isUncollected =
      laws.contains(.lineage) && server.floor < max(state.floor, state.stagedFloor)
    if !isSame || isUncollected {
      next.endStaging()
      (next.cursor, next.floor) = (isSame ? state.cursor : min(state.cursor, common), 0)
      // All rows are compared: each side has pushes since the common version that the other has not.
      (next.staged, next.isFull, next.stagedFloor) = (SyncPosition(0), true, server.floor)
      if !isSame { next.lineage.forget(after: common) }
    }
    let isStagingLost =
      isUncollected || laws.contains(.lineage) && next.checkStaging(server.pushes)
    let events = try write(&next) { tx, next -> [ReplicaEvent] in
      var clock = try tx.clock()
      // A replica that may only read needs no number: its stamps stay here.
      if server.number > 0 { try setNumber(server.number, &clock, &tx) }
      try setTime(server.time, local: local, &clock, &tx)
      if isSame {
        try tx.setClock(clock)
        if isStagingLost { try tx.removeAll(in: .staging) }
        return []
      }
      // Others may give the same back: deletions of it have to be told.
      clock.sent = clock.last
      try tx.setClock(clock)
      try tx.removeAll(in: .staging)
      try SpaceSchema.forget(after: common, &tx)
      let events = try giveBack(after: common, &tx)
      try tx.keep(events, &next)
      return events
    }
    if !isSame { try reloadSchema() }
    return events
  }

  /// The latest time in milliseconds that is a time, some two thousand years from now.
  private static let latestTime: UInt64 = 1 << 46

  /// Gives the replica's own number to changes that were never sent.
  ///
  /// A copy of the store may have given the same stamps to other changes.
  private func setNumber(
    _ number: UInt16, _ clock: inout ReplicaClock, _ tx: inout WriteTransaction
  ) throws {
    guard number != clock.replica else { return }
    let (former, sent) = (clock.replica, clock.sent)
    try changeStamps(&tx) { stamp in
      stamp.replica == former && stamp.time > sent
        ? Stamp(time: stamp.time, replica: number) : stamp
    }
    clock.replica = number
  }

  /// Sets the store's clock by the server's.
  ///
  /// The first time the stamps of all unsent changes are shifted with it: nobody else has seen them. None is
  /// then later than the server's time, and their order is kept.
  private func setTime(
    _ milliseconds: UInt64, local: UInt64, _ clock: inout ReplicaClock,
    _ tx: inout WriteTransaction
  ) throws {
    let offset = Int64(clamping: milliseconds).clampedDifference(Int64(clamping: local))
    if !state.isTimed {
      let shift = offset.clampedDifference(clock.offset).clampedTime
      let latest = Int64(clamping: milliseconds).clampedTime
      let distance = min(shift, latest.clampedDifference(Int64(clamping: clock.last)))
      try changeStamps(&tx) {
        Stamp(time: $0.time.shifted(by: distance), replica: $0.replica)
      }
      clock.last = clock.last.shifted(by: distance)
    }
    clock.offset = offset
  }

  private func changeStamps(
    _ tx: inout WriteTransaction, _ change: (Stamp) -> Stamp
  ) throws {
    func changed(_ entry: OutboxEntry) -> OutboxEntry {
      var changed = entry
      changed.stamp = change(entry.stamp)
      changed.stamps = entry.stamps.mapValues(change)
      changed.priorInsertions = entry.priorInsertions.map(change)
      return changed
    }
    for (object, entry) in try tx.entries() where changed(entry) != entry {
      try tx.setEntry(changed(entry), of: object)
    }
    for (object, aside) in try tx.asides() {
      guard let entry = aside.entry, changed(entry) != entry else { continue }
      var aside = aside
      aside.entry = changed(entry)
      try tx.setAside(aside, of: object)
    }
  }

  /// Makes unsent changes of what the server has lost: all that was known of it after a version.
  private func giveBack(
    after common: UInt64, _ tx: inout WriteTransaction
  ) throws -> [ReplicaEvent] {
    var count = 0
    var asides = try tx.asides()
    for (object, aside) in asides {
      guard let row = aside.row, row.version > common else { continue }
      asides[object]?.row = nil
      try tx.setAside(asides[object], of: object)
    }
    for row in try tx.strangers().values where row.version > common {
      try tx.setStranger(nil, of: row.object)
    }
    try tx.forEachRecord { object, record, tx in
      guard record.version > common else { return }
      count += 1
      // It stays known, as a row that the server may not have.
      var forgotten = record
      forgotten.version = 0
      try tx.setRecord(forgotten, of: object)
      // The change of an object that is out of sight waits with it; the program has not seen that object since.
      let aside = asides[object]
      let entry = try aside == nil ? tx.entry(of: object) : aside?.entry
      let next = OutboxEntry.givingBack(record, with: entry, laws)
      if next == entry { return }
      if var aside {
        aside.entry = next
        try tx.setAside(aside, of: object)
      } else {
        try tx.setEntry(next, of: object)
      }
    }
    return count > 0 ? [ReplicaEvent(kind: .gaveBack(count), object: nil)] : []
  }
}

extension Int64 {
  fileprivate func clampedDifference(_ other: Int64) -> Int64 {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (self < other ? .min : .max) : difference
  }

  /// Milliseconds as the time of a stamp.
  fileprivate var clampedTime: Int64 {
    let (time, isOver) = multipliedReportingOverflow(by: 1 << ReplicaClock.counterBits)
    return isOver ? (self < 0 ? .min : .max) : time
  }
}

extension UInt64 {
  fileprivate func shifted(by distance: Int64) -> UInt64 {
    if distance < 0 { return self - Swift.min(self, distance.magnitude) }
    let (sum, isOver) = addingReportingOverflow(distance.magnitude)
    return isOver ? .max : sum
  }
}

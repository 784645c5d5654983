import Croft
import CroftFoundation

// Rows of the server are staged until they are whole, and applied.

extension Replica {
  /// Takes an answer to a pull: stages its rows, and applies all that are staged once they are whole.
  ///
  /// - Parameters:
  ///   - position: The position that the pull was after.
  ///   - isOfPush: Whether it came with the answer to a push, whose own rows the server does not read.
  ///   - accepted: The push, where the server has written it.
  /// - Returns: What was decided about changes of both sides.
  /// - Throws: ``LineageBroken``; ``SyncError/serverInvalid(reason:)``, and nothing of the answer is kept.
  @discardableResult
  func receive(
    _ pull: SyncPullAnswer, after position: SyncPosition, isOfPush: Bool = false,
    accepted: UUID? = nil
  ) throws -> [ReplicaEvent] {
    // A late answer is of another position.
    if laws.contains(.onlyForward), position != self.position { return [] }
    try check(pull, after: position)
    var next = state
    if let accepted, next.sent?.id == accepted { next.sent?.hasArrived = true }
    if laws.isSuperset(of: [.absence, .wholeSnapshots]), pull.floor > state.cursor {
      // Deletions are missing, or may be of what is staged: all rows are needed, from the first one on.
      let isNew = !state.isFull || pull.floor != state.stagedFloor
      if isNew { (next.isFull, next.stagedFloor) = (true, pull.floor) }
      // Own rows of a push may have been deleted since, and the deletions be forgotten.
      if isOfPush || (isNew && position != SyncPosition(0)) {
        (next.staged, next.stagedAt) = (SyncPosition(0), nil)
        try write(next) { try $0.removeAll(in: .staging) }
        return []
      }
    }
    let isOne = !pull.isPart && state.staged == nil
    if isOne || !laws.contains(.wholeSnapshots) {
      return try apply(PulledRows(pull.rows), of: pull, next)
    }
    if let last = pull.rows.last {
      next.staged = SyncPosition(last.version, last.object)
      next.stagedAt = pull.push.map { Lineage.Entry(version: pull.version, push: $0) }
      try write(next) { tx in
        for row in pull.rows { try tx.stage(row) }
      }
    }
    return pull.isPart ? [] : try apply(.staged, of: pull, next)
  }

  /// No server counts so far: its numbers are signed.
  static let latestVersion: UInt64 = 1 << 63

  /// Checks what every server keeps to.
  private func check(_ pull: SyncPullAnswer, after position: SyncPosition) throws {
    if laws.contains(.lineage), state.cursor > 0, state.cursor >= pull.floor,
      pull.pushAtCursor != state.lineage[state.cursor]
    {
      throw LineageBroken()
    }
    func refuse(_ reason: String) -> SyncError { .serverInvalid(reason: reason) }
    guard pull.version > 0 || pull.rows.isEmpty, pull.floor <= pull.version,
      pull.version < Self.latestVersion
    else {
      throw refuse("the space has rows and no version")
    }
    if pull.isPart, pull.rows.isEmpty { throw refuse("a part of the rows is empty") }
    var last = position
    for row in pull.rows {
      let place = SyncPosition(row.version, row.object)
      guard place > last, row.version <= pull.version, !row.object.key.isEmpty else {
        throw refuse("the row of \(row.object) is not in its place")
      }
      last = place
    }
    if pull.version > 0, pull.push == nil { throw refuse("the last push is not known") }
  }

  private func apply(
    _ rows: PulledRows, of pull: SyncPullAnswer, _ next: ReplicaState
  ) throws -> [ReplicaEvent] {
    var next = next
    let isFull = next.isFull
    next.endStaging()
    if pull.isPart, let last = pull.rows.last {
      // Without law 7: more rows of the last version may follow.
      next.staged = SyncPosition(last.version, last.object)
    } else if pull.version > next.cursor, let push = pull.push {
      next.cursor = pull.version
      next.lineage.note(pull.version, push)
    }
    let floor = pull.floor
    let isCollected = floor > next.floor
    next.floor = max(next.floor, floor)
    let arrived = next.arrived
    if !pull.isPart, arrived > 0 { next.sent = nil }
    if rows.isEmpty, next == state { return [] }
    return try apply(
      rows, next, floor: isCollected ? floor : 0, isFull: isFull, arrived: arrived)
  }
}

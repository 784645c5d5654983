import Croft

extension OutboxEntry {
  /// The entry after the server's row of its object was seen; nil where nothing is left to send.
  ///
  /// - Parameters:
  ///   - row: The server's row, newer than the known one.
  ///   - known: What was known of the server's row before; nil for nothing.
  ///   - events: Gets what was decided.
  func merged(
    with row: ServerRow, known: ServerRow?, _ laws: Laws, _ events: inout [ReplicaEvent.Kind]
  ) -> OutboxEntry? {
    var next = self
    // The others are what the server has, or the row says that they were deleted.
    next.priorInsertions =
      laws.contains(.priorInsertions)
      ? priorInsertions.filter { $0 != row.born && !row.isTold(of: $0) } : []
    let isGone =
      (kind == .insertion || kind == .replacement) && row.isDeletion(of: stamp)
      && laws.contains(.incarnations)
    if row.isDeleted { return next.merged(withDeletion: row, isGone: isGone, &events) }
    let isSameIncarnation = row.born == known?.born || !laws.contains(.incarnations)
    let wasDeletedHere = priorInsertions.contains(row.born)
    switch kind {
    case .update:
      if isSameIncarnation { return next.withLaterFields(than: row, &events) }
      events.append(.objectGone)
      guard wasDeletedHere else { return next.telling(by: .update) }
      (next.kind, next.stamps, next.server) = (.deletion, [:], row.fields)
      return next
    case .insertion, .replacement:
      // Its own insertion was deleted elsewhere, and another one is in its place.
      if isGone {
        events.append(.objectGone)
        return next.telling(by: .update)
      }
      // The object that it replaces was only edited, or was sent and nothing was heard of it.
      let isReplaced = kind == .replacement && row.born == known?.born
      if isReplaced || wasDeletedHere, row.born != stamp {
        (next.kind, next.server) = (.replacement, row.fields)
        return next
      }
      // The server has this object, or another one under its key: they are merged field by field.
      (next.kind, next.stamps) = (.update, [:])
      for field in row.fields.keys { next.stamps[field] = stamps[field] ?? stamp }
      return next.withLaterFields(than: row, &events)
    case .deletion:
      guard isSameIncarnation || wasDeletedHere else {
        events.append(.objectGone)
        return next.telling(by: .update)
      }
      next.server = row.fields
      return next
    }
  }

  /// The entry after the server's deletion of its object was seen.
  ///
  /// - Parameter isGone: Whether the deletion is of the object that it has inserted.
  private func merged(
    withDeletion row: ServerRow, isGone: Bool, _ events: inout [ReplicaEvent.Kind]
  ) -> OutboxEntry? {
    if kind == .update || isGone { events.append(.objectGone) }
    // Any other deletion leaves room for an insertion.
    guard kind == .insertion || kind == .replacement, !isGone else {
      return telling(by: .deletion)
    }
    var next = self
    (next.kind, next.server) = (.insertion, [:])
    return next
  }

  /// A change that only tells the server which earlier objects were deleted; nil where it knows.
  ///
  /// - Parameter kind: `deletion` where there is no object under the key, else `update`.
  func telling(by kind: Kind) -> OutboxEntry? {
    if priorInsertions.isEmpty { return nil }
    var next = OutboxEntry(kind, at: stamp)
    next.priorInsertions = priorInsertions
    return next
  }

  /// The entry of an object whose change is taken back; nil where nothing is left to send.
  ///
  /// An object that the server has lost is inserted again unchanged, with all that an insertion is checked for.
  ///
  /// - Parameter known: What is known of the server's row; its version is 0 where the server has lost it.
  func takenBack(over known: ServerRow?) -> OutboxEntry? {
    guard let known, known.version == 0, !known.isDeleted else { return telling(by: .update) }
    var next = OutboxEntry(.insertion, at: known.born)
    next.stamps = known.stamps
    if kind == .update { next.stamps.merge(stamps) { $1 } }
    next.priorInsertions = priorInsertions.filter { $0 != known.born }
    return next
  }

  /// The entry of an object whose row the server has lost: all that was known of it, with the unsent change.
  static func givingBack(_ record: ServerRow, with entry: Self?, _ laws: Laws) -> Self? {
    var next = entry
    if record.isDeleted {
      if entry == nil { next = OutboxEntry(.deletion, at: record.born) }
    } else if entry?.kind ?? .update == .update {
      next = OutboxEntry(.insertion, at: record.born)
      next?.stamps = record.stamps.merging(entry?.stamps ?? [:]) { $1 }
    }
    if laws.contains(.priorInsertions), let change = next {
      // The server may have one of them again, or another replica may give it back.
      var prior = (entry?.priorInsertions ?? []) + record.priorInsertions
      if change.kind == .deletion || change.stamp != record.born { prior.append(record.born) }
      next?.priorInsertions = Set(prior).sorted()
    }
    return next
  }

  /// The entry of an object that was out of sight, while the program changed what it saw under the key.
  ///
  /// The program had nothing there: it has inserted another object, and may have deleted that one again.
  ///
  /// - Parameter hidden: The change that waited with the object.
  /// - Returns: The entry, and whether it is of the object that the server has. A deletion is not, unless the program
  ///   had deleted that object when it still saw it.
  func following(_ hidden: OutboxEntry?) -> (entry: OutboxEntry, hasSeen: Bool) {
    guard let hidden else { return (self, false) }
    let isInserted = kind == .insertion || kind == .replacement
    let wasDeleted = hidden.kind == .deletion
    var next = isInserted ? self : hidden
    if isInserted, wasDeleted { (next.kind, next.server) = (.replacement, hidden.server) }
    next.priorInsertions = Set(priorInsertions).union(hidden.priorInsertions).sorted()
    return (next, !isInserted || wasDeleted)
  }

  /// The change that waits with an object that was out of sight before the program changed what it saw under the key.
  ///
  /// It neither deletes nor replaces the object that the program did not see.
  ///
  /// - Parameter hidden: The change that waited until now.
  func waiting(after hidden: OutboxEntry?) -> OutboxEntry? {
    var (next, hasSeen) = following(hidden)
    if hasSeen { return next }
    switch next.kind {
    case .deletion: return next.telling(by: .update)
    case .replacement: (next.kind, next.server) = (.insertion, [:])
    case .insertion, .update: break
    }
    return next
  }

  /// An update without the fields that the server has later values of.
  private func withLaterFields(
    than row: ServerRow, _ events: inout [ReplicaEvent.Kind]
  ) -> OutboxEntry? {
    var next = self
    next.server = [:]
    for (field, stamp) in stamps {
      if stamp > row.stamp(of: field), let value = row.fields[field] {
        next.server[field] = value
      } else {
        next.stamps[field] = nil
        if row.stamp(of: field) != stamp { events.append(.overwritten(field: field)) }
      }
    }
    return next.isChange ? next : nil
  }

  /// The values that the object has here, given the server's; nil where it is not there.
  func values(over server: ServerRow, _ local: ObjectFields?) -> ObjectFields? {
    switch kind {
    case .deletion: return nil
    case .insertion, .replacement: return local
    case .update:
      var values = server.fields
      for field in self.server.keys { values[field] = local?[field] ?? values[field] }
      return values
    }
  }
}

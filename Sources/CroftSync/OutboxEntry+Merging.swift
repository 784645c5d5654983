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
    let isSameIncarnation = row.born == known?.born || !laws.contains(.incarnations)
    switch kind {
    case .update:
      guard !row.isDeleted, isSameIncarnation else {
        events.append(.objectGone)
        return nil
      }
      return withLaterFields(than: row, &events)
    case .insertion, .replacement:
      if row.isDeleted {
        // Its own insertion was deleted elsewhere; any other tombstone leaves room for it.
        if row.born == stamp, laws.contains(.incarnations) {
          events.append(.objectGone)
          return nil
        }
        var next = self
        (next.kind, next.server, next.priorInsertions) = (.insertion, [:], [])
        return next
      }
      // The object that it replaces was only edited, or was sent and nothing was heard of it.
      if kind == .replacement, row.born == known?.born || priorInsertions.contains(row.born),
        row.born != stamp
      {
        var next = self
        (next.server, next.priorInsertions) = (row.fields, [])
        return next
      }
      // The server has this object, or another one under its key: they are merged field by field.
      var next = OutboxEntry(.update, at: stamp)
      for field in row.fields.keys { next.stamps[field] = stamps[field] ?? stamp }
      return next.withLaterFields(than: row, &events)
    case .deletion:
      if row.isDeleted { return nil }
      guard isSameIncarnation || priorInsertions.contains(row.born) else {
        events.append(.objectGone)
        return nil
      }
      var next = self
      (next.server, next.priorInsertions) = (row.fields, [])
      return next
    }
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
    return next.server.isEmpty ? nil : next
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

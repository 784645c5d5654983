import Croft

// References to objects that are gone are repaired, where a change has them that was not sent.

extension Rebase {
  mutating func repairReferences(_ tx: inout WriteTransaction) throws {
    while true {
      if let object = gone.popLast() {
        guard try !tx.hasRow(of: object) else { continue }
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
    guard try !tx.hasRow(of: target), let values = try tx.fields(of: source),
      try tx.references(from: source).contains(reference)
    else { return }
    // It may be there for others.
    if asides[target] != nil { return try hide(source, &tx) }
    guard laws.contains(.rebase) else { throw Unrepaired() }
    if let deletion = try tx.entry(of: target), deletion.kind == .deletion,
      try !deletion.server.isEmpty || tx.record(of: target).map({ !$0.isDeleted }) ?? false
    {
      // The program's own deletion, of an object to which another replica refers by now.
      switch reference.rule {
      case .cascade where !denied.contains(source):
        note(.cascaded, source)
        try remove(source, values, &tx)
      case .nullify: try set(reference, to: nil, &tx)
      case .cascade, .deny: try withdraw(deletion, of: target, &tx)
      }
      return
    }
    // Another replica deleted the target, or an unsent insertion of it was dropped.
    let entry = try tx.entry(of: source)
    guard let entry, entry.kind != .update || entry.server[reference.field] != nil else {
      // The server's own reference: no replica writes what it has not changed.
      return try hide(source, &tx)
    }
    if reference.rule == .nullify { return try set(reference, to: nil, &tx) }
    if reference.rule == .deny, let last = before[target] {
      note(.restored, target)
      before[target] = nil
      var insertion = OutboxEntry(.insertion, at: nextStamp())
      insertion.priorInsertions = try tx.entry(of: target)?.priorInsertions ?? []
      try setEntry(insertion, of: target, &tx)
      return try place(target, last, &tx)
    }
    try dropReference(reference, entry, values, &tx)
  }

  /// Takes back a deletion of the program, and what it did to the objects that referred to the deleted one.
  private mutating func withdraw(
    _ deletion: OutboxEntry, of target: ObjectKey, _ tx: inout WriteTransaction
  ) throws {
    var waiting = [(object: target, deletion: deletion)]
    while let (object, deletion) = waiting.popLast() {
      guard denied.insert(object).inserted else { continue }
      note(.denied, object)
      try setEntry(deletion.takenBack(over: try tx.record(of: object)), of: object, &tx)
      try place(object, deletion.server, &tx)
      // All changes of one transaction have one stamp.
      for (source, entry) in try tx.entries() {
        let local = try tx.fields(of: source) ?? [:]
        let had = local.merging(entry.server) { $1 }
        for reference in try tx.claims(of: source, had)?.references ?? []
        where reference.target == object {
          if entry.kind == .deletion, entry.stamp == deletion.stamp, reference.rule == .cascade {
            waiting.append((source, entry))
          } else if entry.kind == .update, entry.stamps[reference.field] == deletion.stamp,
            reference.rule == .nullify, let value = entry.server[reference.field]
          {
            var (entry, local) = (
              try tx.entry(of: source) ?? entry, try tx.fields(of: source) ?? local
            )
            local[reference.field] = value
            (entry.server[reference.field], entry.stamps[reference.field]) = (nil, nil)
            try setEntry(entry.isChange ? entry : nil, of: source, &tx)
            try place(source, local, &tx)
          }
        }
      }
    }
  }

  /// Takes back an unsent reference to an object that is gone.
  private mutating func dropReference(
    _ reference: ObjectReference, _ entry: OutboxEntry, _ values: ObjectFields,
    _ tx: inout WriteTransaction
  ) throws {
    let source = reference.source
    if entry.kind == .update {
      var (entry, values) = (entry, values)
      guard let value = entry.server[reference.field] else { return try hide(source, &tx) }
      note(.reverted, source)
      values[reference.field] = value
      entry.server[reference.field] = nil
      entry.stamps[reference.field] = nil
      try setEntry(entry.isChange ? entry : nil, of: source, &tx)
      return try place(source, values, &tx)
    }
    note(.dropped, source)
    try remove(source, values, &tx)
  }

  /// Removes an object as if the program had.
  private mutating func remove(
    _ object: ObjectKey, _ values: ObjectFields, _ tx: inout WriteTransaction
  ) throws {
    noteEntryChange()
    try tx.note(values, nil, of: object, at: nextStamp(), sent: clock.sent)
    changed?.insert(object)
    try tx.removeRow(of: object)
    gone.append(object)
  }

  /// Sets a reference to another object or to nil, as if the program had.
  mutating func set(
    _ reference: ObjectReference, to target: ObjectKey?, _ tx: inout WriteTransaction
  ) throws {
    guard let values = try tx.fields(of: reference.source) else { return }
    var changed = values
    changed[reference.field] = try tx.value(of: reference, referringTo: target)
    noteEntryChange()
    try tx.note(values, changed, of: reference.source, at: nextStamp(), sent: clock.sent)
    try place(reference.source, changed, &tx)
  }
}

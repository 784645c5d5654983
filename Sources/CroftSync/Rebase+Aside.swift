import Croft

// Objects that are not valid here are out of sight, together with those that refer to them.

extension Rebase {
  /// How often objects are put back in one go, where each may be in the way of another one.
  private static let mostRounds = 8

  /// Puts an object out of sight, with its unsent change.
  ///
  /// - Parameters:
  ///   - fields: The values that it has, where its row is not written.
  ///   - unread: The server's row, where it cannot be read.
  /// - Throws: ``Unrepaired`` or `InvalidRow` where the law is switched off.
  mutating func hide(
    _ object: ObjectKey, with fields: ObjectFields? = nil, unread: SyncRow? = nil,
    _ tx: inout WriteTransaction
  ) throws {
    guard laws.contains(.setAside) else {
      if unread == nil { throw Unrepaired() }
      throw InvalidRow(reason: "a row cannot be read")
    }
    let fields = unread == nil ? try mergeHidden(object, fields, &tx) : fields
    // The program has deleted it.
    if try unread == nil && fields == nil && !tx.hasRow(of: object) { return }
    var aside = asides[object] ?? Aside()
    if let unread {
      let known = max(try tx.record(of: object)?.version ?? 0, aside.row?.version ?? 0)
      if laws.contains(.onlyForward), !isFull, unread.version <= known { return }
      aside.row = unread
    }
    if let fields {
      aside.local = fields
    } else if let local = try tx.fields(of: object) {
      aside.local = local
      changed?.insert(object)
      try tx.removeRow(of: object)
    }
    if let entry = try tx.entry(of: object) {
      aside.entry = asides[object] == nil ? entry : entry.waiting(after: aside.entry)
      try setEntry(nil, of: object, &tx)
    }
    if asides[object] == nil, !formerAsides.contains(object), !changedAsides.contains(object) {
      note(.setAside(1), object)
    }
    asides[object] = aside
    changedAsides.insert(object)
    noteEntryChange()
    gone.append(object)
  }

  /// Merges an object with the one under its key that is out of sight, before it goes there too.
  ///
  /// The program did not see that one, and has inserted another one. The one out of sight has the server's values.
  ///
  /// - Parameter fields: The values of the object, where its row is not written.
  /// - Returns: The merged values, where they are not written.
  private mutating func mergeHidden(
    _ object: ObjectKey, _ fields: ObjectFields?, _ tx: inout WriteTransaction
  ) throws -> ObjectFields? {
    guard let aside = asides[object], aside.row == nil, let hidden = aside.local,
      try tx.entry(of: object) != nil, var row = try tx.record(of: object), !row.isDeleted
    else { return fields }
    row.fields = hidden.merging(aside.entry?.server ?? [:]) { $1 }
    _ = takeAside(object)
    return try merge(object, row, isKnown: true, outOfSight: aside, unwritten: fields, &tx)
  }

  /// Takes an object out of those that are out of sight.
  mutating func takeAside(_ object: ObjectKey) -> Aside? {
    guard let aside = asides.removeValue(forKey: object) else { return nil }
    changedAsides.insert(object)
    noteEntryChange()
    return aside
  }

  /// Forgets unread rows that the server has no more.
  mutating func forgetAsides(besides isThere: (ObjectKey) throws -> Bool) rethrows {
    for (object, aside) in asides where try aside.row != nil && !isThere(object) {
      asides[object]?.row = nil
      changedAsides.insert(object)
    }
  }

  /// Whether the server got an object's row after another one's.
  func isLater(
    _ object: ObjectKey, than other: ObjectKey, _ tx: borrowing WriteTransaction
  ) throws -> Bool {
    let (own, others) = (
      try tx.record(of: object)?.version ?? 0, try tx.record(of: other)?.version ?? 0
    )
    return (own, object) > (others, other)
  }

  /// Puts back the objects that violate a rule, as far as they do not any more.
  mutating func putBackAll(_ tx: inout WriteTransaction) throws {
    for _ in 0..<Self.mostRounds {
      let hidden = asides.filter { $0.value.row == nil }.keys.sorted()
      if hidden.isEmpty { return }
      for object in hidden { try putBack(object, &tx) }
      try repairReferences(&tx)
      if asides.filter({ $0.value.row == nil }).keys.sorted() == hidden { return }
    }
  }

  private mutating func putBack(_ object: ObjectKey, _ tx: inout WriteTransaction) throws {
    // It may have been put out of sight again meanwhile, or have been read.
    guard asides[object]?.row == nil, let aside = takeAside(object) else { return }
    var entry = aside.entry
    let own = try tx.entry(of: object)
    if try own != nil || tx.hasRow(of: object) {
      // The program, which did not see it, has inserted an object under its key.
      if var row = try tx.record(of: object), !row.isDeleted, let local = aside.local {
        row.fields = local.merging(aside.entry?.server ?? [:]) { $1 }
        if let fields = try merge(object, row, isKnown: true, outOfSight: aside, &tx) {
          try place(object, fields, &tx)
        }
        return
      }
      entry = own?.following(aside.entry).entry ?? aside.entry?.telling(by: .update)
      if try entry?.kind ?? .deletion == .deletion || tx.hasRow(of: object) {
        return try setEntry(entry, of: object, &tx)
      }
    }
    try setEntry(entry, of: object, &tx)
    if let local = aside.local { try place(object, local, &tx) }
  }
}

import Croft

/// The unsent changes that wait, because objects that are out of sight exclude them.
///
/// The program does not see those objects, and the server has them: it may delete what they refer to, or use
/// their unique values. Such a change would make the server's state invalid for programs that see all.
struct HeldChanges {
  /// The objects that are out of sight, and those whose changes wait.
  private(set) var objects: Set<ObjectKey>
  /// The unique values that the server has of them.
  private var taken: Set<[UInt8]> = []
  /// What they refer to.
  private var needed: Set<ObjectKey> = []
  /// Objects that the server lacks and does not get yet.
  private var unsent: Set<ObjectKey> = []

  init(
    among entries: [(object: ObjectKey, entry: OutboxEntry)], _ tx: inout WriteTransaction
  ) throws {
    let asides = try tx.asides()
    objects = Set(asides.keys)
    if asides.isEmpty { return }
    for (object, aside) in asides {
      try claim((aside.local ?? [:]).merging(aside.entry?.server ?? [:]) { $1 }, of: object, &tx)
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      for (object, entry) in entries where !objects.contains(object) {
        guard try mustWait(object, entry, &tx) else { continue }
        isChanged = true
        objects.insert(object)
        if try isMissing(object, entry, &tx) { unsent.insert(object) }
        // The server keeps the values that it has.
        let fields = try tx.fields(of: object) ?? [:]
        if !entry.server.isEmpty { try claim(fields.merging(entry.server) { $1 }, of: object, &tx) }
      }
    }
  }

  /// Whether the server has no object of a change, as far as it is known.
  ///
  /// One that was inserted and deleted before it was sent, and inserted again, is a replacement of nothing.
  private func isMissing(
    _ object: ObjectKey, _ entry: OutboxEntry, _ tx: inout WriteTransaction
  ) throws -> Bool {
    switch entry.kind {
    case .insertion: true
    case .replacement: try tx.record(of: object)?.isDeleted ?? true
    case .update, .deletion: false
    }
  }

  /// How many of the entries wait.
  func count(of entries: [(object: ObjectKey, entry: OutboxEntry)]) -> Int {
    entries.count { objects.contains($0.object) }
  }

  private mutating func claim(
    _ fields: ObjectFields, of object: ObjectKey, _ tx: inout WriteTransaction
  ) throws {
    guard let claims = try tx.claims(of: object, fields) else { return }
    taken.formUnion(claims.uniqueValues)
    needed.formUnion(claims.references.map(\.target))
  }

  private func mustWait(
    _ object: ObjectKey, _ entry: OutboxEntry, _ tx: inout WriteTransaction
  ) throws -> Bool {
    if entry.kind == .deletion { return needed.contains(object) }
    guard let fields = try tx.fields(of: object), let claims = try tx.claims(of: object, fields)
    else { return false }
    return !taken.isDisjoint(with: claims.uniqueValues)
      || claims.references.contains { unsent.contains($0.target) }
  }
}

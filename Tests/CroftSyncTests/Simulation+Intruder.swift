import Croft
import CroftFoundation
import TestSupport

@testable import CroftSync

// A member with a fault, or with bad intent, writes rows that no replica writes.

extension Simulation {
  private static let intruder = UUID()

  private func write(_ row: SyncPush.Row) throws {
    let id = Self.intruder
    _ = try server.hello(SyncHello(replica: id, next: id, versions: []))
    let answer = server.push(
      SyncPush(
        id: UUID(), replica: id, cursor: 0, isStrict: false,
        last: SyncPush.Part(rows: [row], references: [])))
    if answer.status == .accepted { intruded.insert(row.object) }
  }

  private func bytes() -> [UInt8] {
    (0..<1 + random.below(12)).map { _ in UInt8(random.below(256)) }
  }

  /// Writes a row that cannot be read, or that violates a rule.
  func intrude() throws {
    let rows = server.rows.values.filter { $0.object.model != SpaceSchema.model }
    guard !rows.isEmpty else { return }
    var row = random.pick(rows.sorted { $0.object < $1.object })
    switch random.below(7) {
    case 0: (row.isDeleted, row.fields) = (false, bytes())
    case 1: row.stamps = bytes()
    case 2: row.object.key[row.object.key.count - 1] = UInt8(random.below(12))
    case 3: row.object.model = UInt32(77 + random.below(2))
    case 4: row.object.key = bytes()
    case 5: row.stamps = names()
    default: (row.isDeleted, row.fields) = (true, nil)
    }
    try write(
      SyncPush.Row(
        object: row.object, base: server.rows[row.object]?.version ?? 0, isDeleted: row.isDeleted,
        stamps: row.stamps, fields: row.fields))
  }

  /// Stamps with names of earlier objects that are too many or too late, or of objects that never were.
  private func names() -> [UInt8] {
    let most = ServerRow.mostPriorInsertions
    let isLate = random.oneIn(3)
    let count = isLate ? 1 : random.oneIn(2) ? most + 1 : 1 + random.below(most)
    var bytes: [UInt8] = [2]
    Stamp(time: 1, replica: 0).append(to: &bytes)
    [UInt16: Stamp]().append(to: &bytes)
    (1...count).map { Stamp(time: isLate ? .max : UInt64($0), replica: 1) }.append(to: &bytes)
    return bytes
  }

  /// Deletes the intruder's rows, and what is not valid without them.
  func cleanUp() throws {
    let stamp = Stamp(time: 1, replica: 0)
    func delete(_ object: SyncObject) throws {
      guard let row = server.rows[object], !row.isDeleted || ServerRow(row) == nil else { return }
      let tombstone = ServerRow(version: 0, isDeleted: true, born: stamp)
      try write(tombstone.pushed(as: object, over: row.version))
    }
    for object in intruded.sorted() { try delete(object) }
    while true {
      let numbers = try SpaceNumbers(server.rows)
      let faults = try numbers.world(of: server.rows).faults
      if faults.isEmpty { return }
      for fault in faults {
        guard let model = numbers.models.values.first(where: { $0.name == fault.model }) else {
          throw Failure("\(fault.model) is not described")
        }
        try delete(SyncObject(model: model.number, key: SpaceNumbers.key(of: fault.id)))
      }
    }
  }
}

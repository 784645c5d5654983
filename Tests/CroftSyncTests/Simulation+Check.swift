import Croft

@testable import CroftSync

extension Simulation {
  /// Looks whether a replica holds all objects that it may, and nothing that violates a rule.
  func check(_ store: Store, of node: Int) throws {
    let problems = try store.world().problems
    if !problems.isEmpty { throw Failure("replica \(node) is invalid: \(problems)") }
    if let lost = try store.lostObject() {
      throw Failure("replica \(node) has \(lost) neither in sight nor out of sight")
    }
  }
}

extension Store {
  /// An object of the server that is neither here nor out of sight, and that the program has not deleted; nil for none.
  fileprivate func lostObject() throws -> ObjectKey? {
    try writeRemote { tx in
      let asides = try tx.asides()
      var lost: ObjectKey?
      try tx.forEachRecord { object, row, tx in
        guard lost == nil, !row.isDeleted, asides[object] == nil else { return }
        if try !tx.hasRow(of: object), try tx.entry(of: object) == nil { lost = object }
      }
      return lost
    }
  }
}

/// What a run did.
struct Counts: Codable, Sendable {
  var programs = 0
  var transactions = 0
  var statements = 0
  var refusals = 0
  var rows = 0
  var queries = 0
  var plans = 0
  var changes = 0
  /// Transactions that did not fit into the map.
  var undone = 0
  var processes = 0
  var kills = 0
  var openings = 0
  var copies = 0
  var migrations = 0
  var damages = 0
  /// Steps in which programs of two versions had the store open.
  var beside = 0
  /// Stores that were shared with another one.
  var shares = 0

  init() {}

  /// The names and numbers, for the table at the end.
  var lines: [(String, Int)] {
    [
      ("programs", programs), ("transactions", transactions), ("statements", statements),
      ("statements refused, as they had to be", refusals), ("rows compared", rows),
      ("queries checked", queries), ("plans forced", plans), ("live changes replayed", changes),
      ("transactions past the map", undone), ("processes", processes), ("kills", kills),
      ("openings", openings), ("copies", copies),
      ("changes of version", migrations), ("rows damaged", damages),
      ("versions side by side", beside), ("stores shared", shares),
    ]
  }

  static func += (left: inout Counts, right: Counts) {
    left.programs += right.programs
    left.transactions += right.transactions
    left.statements += right.statements
    left.refusals += right.refusals
    left.rows += right.rows
    left.queries += right.queries
    left.plans += right.plans
    left.changes += right.changes
    left.undone += right.undone
    left.processes += right.processes
    left.kills += right.kills
    left.openings += right.openings
    left.copies += right.copies
    left.migrations += right.migrations
    left.damages += right.damages
    left.beside += right.beside
    left.shares += right.shares
  }
}

/// What a store did otherwise than its twin.
struct Failure: Error, CustomStringConvertible, Sendable {
  /// Which column of the table counts it.
  enum Column: String, Sendable, Codable {
    case lost, wrong
  }

  let column: Column
  let description: String

  init(_ description: String) { self.init(.wrong, description) }

  init(_ column: Column, _ description: String) {
    self.column = column
    self.description = description
  }

  /// What a step failed with, with the step's name in front.
  init(_ error: any Error, in step: Step) {
    self.init((error as? Failure)?.column ?? .wrong, "\(step.name): \(error)")
  }
}

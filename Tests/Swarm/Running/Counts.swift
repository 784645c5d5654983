/// What a run did.
public struct Counts: Codable, Sendable {
  public var programs = 0
  public var transactions = 0
  public var statements = 0
  public var refusals = 0
  public var rows = 0
  public var queries = 0
  public var plans = 0
  public var changes = 0
  public var processes = 0
  public var openings = 0
  public var copies = 0
  public var migrations = 0

  public init() {}

  /// The names and numbers, for the table at the end.
  var lines: [(String, Int)] {
    [
      ("programs", programs), ("transactions", transactions), ("statements", statements),
      ("statements refused, as they had to be", refusals), ("rows compared", rows),
      ("queries checked", queries), ("plans forced", plans), ("live changes replayed", changes),
      ("processes", processes), ("openings", openings), ("copies", copies),
      ("changes of version", migrations),
    ]
  }

  public static func += (left: inout Counts, right: Counts) {
    left.programs += right.programs
    left.transactions += right.transactions
    left.statements += right.statements
    left.refusals += right.refusals
    left.rows += right.rows
    left.queries += right.queries
    left.plans += right.plans
    left.changes += right.changes
    left.processes += right.processes
    left.openings += right.openings
    left.copies += right.copies
    left.migrations += right.migrations
  }
}

/// What a store did otherwise than its twin.
public struct Failure: Error, CustomStringConvertible, Sendable {
  /// Which column of the table counts it.
  public enum Column: String, Sendable, Codable {
    case lost, wrong
  }

  public let column: Column
  public let description: String

  init(_ description: String) { self.init(.wrong, description) }

  init(_ column: Column, _ description: String) {
    self.column = column
    self.description = description
  }
}

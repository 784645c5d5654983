/// What the running write transaction has to settle at its end: trees that it opened or created, and
/// a map that was full.
///
/// A tree that a transaction opens or creates is its own until it commits, and closed when it
/// aborts; a nested transaction hands its own to the enclosing one.
///
/// Threads: `@unchecked` because whoever holds the writer's place has it alone.
final class Openings: @unchecked Sendable {
  private struct Opening {
    let database: Database
    let isCreated: Bool
    var depth: Int
  }

  private let databases: DatabaseTable
  private let writeSlots: WriteSlots
  private var openings: [Opening] = []
  /// How many write transactions lie inside each other.
  private(set) var depth = 0
  /// Whether the transaction, or one nested in it, did not fit into the map.
  var hasFilledMap = false

  init(_ databases: DatabaseTable, _ writeSlots: WriteSlots) {
    self.databases = databases
    self.writeSlots = writeSlots
  }

  /// A transaction begins, inside the running one if there is one.
  func enter() { depth += 1 }

  /// Notes what the innermost transaction has opened or created.
  func add(_ database: Database, isCreated: Bool) {
    openings.append(Opening(database: database, isCreated: isCreated, depth: depth))
  }

  /// The innermost transaction ends.
  func leave(isCommitted: Bool) {
    if !isCommitted {
      while let last = openings.last, last.depth == depth {
        writeSlots.forgetTree(in: Int(last.database.place))
        if last.isCreated { databases.forget(last.database) }
        openings.removeLast()
      }
    }
    depth -= 1
    for index in openings.indices where openings[index].depth > depth {
      openings[index].depth = depth
    }
    if depth == 0 { openings.removeAll() }
  }
}

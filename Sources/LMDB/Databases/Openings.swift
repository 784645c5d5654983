/// What the running write transaction has to settle at its end: new databases, and a map that
/// was full.
///
/// A tree that a transaction opens or creates is its own until it commits, and closed when it
/// aborts; a nested transaction hands its own to the enclosing one.
///
/// Threads: `@unchecked` because whoever holds the writer's place has it alone.
final class Openings: @unchecked Sendable {
  private struct Opening {
    let name: String
    let database: Database
    let order: Database.KeyOrder?
    var depth: Int
  }

  private let databases: DatabaseTable
  private var openings: [Opening] = []
  /// How many write transactions lie inside each other.
  private(set) var depth = 0
  /// Whether the transaction, or one nested in it, did not fit into the map.
  var hasFilledMap = false

  init(_ databases: DatabaseTable) { self.databases = databases }

  /// Whether the transaction has opened or created any.
  var isEmpty: Bool { openings.isEmpty }

  /// A transaction begins, inside the running one if there is one.
  func enter() { depth += 1 }

  /// Notes what the innermost transaction opened.
  func add(_ database: Database, named name: String, order: Database.KeyOrder?) {
    openings.append(Opening(name: name, database: database, order: order, depth: depth))
  }

  /// A database that a running transaction opened.
  func find(
    named name: String, order: Database.KeyOrder
  ) throws(LMDBError) -> Database? {
    guard let opening = openings.last(where: { $0.name == name }) else { return nil }
    guard opening.order == order else { throw LMDBError(.openDatabase, .incompatible, name) }
    return opening.database
  }

  /// The innermost transaction ends.
  func leave(isCommitted: Bool) {
    if !isCommitted {
      while let last = openings.last, last.depth == depth {
        databases.forget(last.database)
        openings.removeLast()
      }
    }
    depth -= 1
    for index in openings.indices where openings[index].depth > depth {
      openings[index].depth = depth
    }
    guard depth == 0 else { return }
    for opening in openings {
      databases.publish(opening.database, named: opening.name, order: opening.order)
    }
    openings.removeAll()
  }
}

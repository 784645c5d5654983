import GRDB
import Harness

/// What the GRDB engines share: one SQLite file with one table, and its durability.
enum SQLiteStore {
  /// The version that the manifest pins; GRDB itself does not tell.
  static let grdbVersion = "7.10.0"

  static func about() throws -> About {
    let sqlite = try DatabaseQueue().read { db in
      try String.fetchOne(db, sql: "SELECT sqlite_version()")
    }
    return About(
      versions: "GRDB \(grdbVersion), SQLite \(sqlite ?? "of unknown version")",
      sync: sync)
  }

  /// The durability of every engine on SQLite.
  static let sync =
    "journal_mode=WAL, synchronous=FULL: each commit syncs the log; "
    + "checkpoints as they come by default"

  /// Opens one connection on the file, with the table and its indexes in place.
  ///
  /// GRDB's own way into WAL lowers `synchronous` to NORMAL, where a commit may be lost to a power
  /// cut; so the pragmas are given here, and read back.
  static func open(at path: String, _ schema: Schema) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA synchronous = FULL")
      let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
      guard journal == "wal", synchronous == 2 else {
        throw DatabaseError(message: "SQLite refused WAL with synchronous=FULL")
      }
    }
    try queue.write { db in try create(schema, in: db) }
    return queue
  }

  /// Makes a file with a table of titles and opens one connection on it.
  static func open(at path: String, holding titles: [String]) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.create(table: "title") { table in
        table.primaryKey("id", .integer)
        table.column("text", .text).notNull()
      }
      let statement = try db.makeStatement(sql: "INSERT INTO title (id, text) VALUES (?, ?)")
      for (id, title) in titles.enumerated() {
        statement.setUncheckedArguments([id, title])
        try statement.execute()
      }
    }
    return queue
  }

  private static func create(_ schema: Schema, in db: Database) throws {
    guard try !db.tableExists("item") else { return }
    try db.create(table: "item") { table in
      table.primaryKey("id", schema == .uuid ? .blob : .integer)
      table.column("text", .text).notNull()
      table.column("priority", .integer).notNull()
      table.column("isDone", .boolean).notNull()
      table.column("createdAt", .double).notNull()
      table.column("groupId", .integer).notNull()
    }
    guard schema != .plain else { return }
    try db.create(index: "item_priority", on: "item", columns: ["priority"])
    try db.create(index: "item_groupId", on: "item", columns: ["groupId"])
  }
}

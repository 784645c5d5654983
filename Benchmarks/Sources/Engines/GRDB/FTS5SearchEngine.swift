import Foundation
import GRDB
package import Harness

/// SQLite's full-text search over a table of texts, with one of its tokenizers.
package class FTS5SearchEngine: SearchEngine {
  package class var name: String { "fts5-\(tokenizer)" }
  class var tokenizer: String { "unicode61" }

  private let queue: DatabaseQueue
  private let bytes: Int

  package class func about() throws -> String {
    "\(try SQLiteStore.about().versions); FTS5 with \(tokenizer), content in a table; order by rank; "
      + "synchronous=OFF"
  }

  package required init(at path: String, holding texts: [String]) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    let tokenizer = Self.tokenizer
    bytes = try queue.write { db in
      try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
      let insert = try db.makeStatement(sql: "INSERT INTO note (id, text) VALUES (?, ?)")
      for (id, text) in texts.enumerated() { try insert.execute(arguments: [id, text]) }
      let before = try Self.pageBytes(db)
      try db.execute(
        sql: "CREATE VIRTUAL TABLE search USING fts5(text, content='note', content_rowid='id', "
          + "tokenize='\(tokenizer)')")
      try db.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
      return try Self.pageBytes(db) - before
    }
  }

  private static func pageBytes(_ db: Database) throws -> Int {
    let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
  }

  package func close() throws { try queue.close() }

  package func buildIndex() throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
    }
  }

  /// How many bytes of pages the first build added.
  package func indexBytes() -> Int { bytes }

  package func insert(_ text: String, under id: Int64) throws {
    try queue.write { db in
      let row = try db.cachedStatement(sql: "INSERT INTO note (id, text) VALUES (?, ?)")
      try row.execute(arguments: [id, text])
      let entry = try db.cachedStatement(sql: "INSERT INTO search (rowid, text) VALUES (?, ?)")
      try entry.execute(arguments: [id, text])
    }
  }

  package func count(_ query: SearchWorkload.Query) throws -> Int {
    try queue.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT count(*) FROM search WHERE search MATCH ?")
      statement.setUncheckedArguments([query.fts5])
      return try Int.fetchOne(statement) ?? 0
    }
  }

  package func first(_ count: Int, of query: SearchWorkload.Query) throws -> Int {
    try queue.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT note.id, note.text FROM search JOIN note ON note.id = search.rowid "
          + "WHERE search MATCH ? ORDER BY search.rank LIMIT ?")
      statement.setUncheckedArguments([query.fts5, count])
      return try Row.fetchAll(statement).count
    }
  }
}

/// The same with trigrams, which finds parts of words from three characters on.
package final class TrigramSearchEngine: FTS5SearchEngine {
  override class var tokenizer: String { "trigram" }
}

/// SQLite's `LIKE`, which reads all texts.
package final class LikeSearchEngine: SearchEngine {
  package static let name = "like"

  private let queue: DatabaseQueue

  package static func about() throws -> String {
    "\(try SQLiteStore.about().versions); LIKE over all texts"
  }

  package init(at path: String, holding texts: [String]) throws {
    queue = try SQLiteStore.open(at: path, holding: texts)
  }

  package func close() throws { try queue.close() }

  package func buildIndex() {}

  package func indexBytes() -> Int { 0 }

  package func insert(_ text: String, under id: Int64) throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO title (id, text) VALUES (?, ?)", arguments: [id, text])
    }
  }

  package func count(_ query: SearchWorkload.Query) throws -> Int {
    try queue.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT count(*) FROM title WHERE text LIKE '%' || ? || '%'")
      statement.setUncheckedArguments([query.text])
      return try Int.fetchOne(statement) ?? 0
    }
  }

  /// It has no relevance: the shortest ones.
  package func first(_ count: Int, of query: SearchWorkload.Query) throws -> Int {
    try queue.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT id, text FROM title WHERE text LIKE '%' || ? || '%' "
          + "ORDER BY length(text), id LIMIT ?")
      statement.setUncheckedArguments([query.text, count])
      return try Row.fetchAll(statement).count
    }
  }
}

extension SearchWorkload.Query {
  fileprivate var fts5: String { "\"\(text)\"" + (kind == .prefix ? "*" : "") }
}

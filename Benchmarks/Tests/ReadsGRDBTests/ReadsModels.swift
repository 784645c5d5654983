import Foundation
import GRDB

// MARK: - Models

struct Author: Codable, Hashable {
  var id = UUID()
  var name: String
  var country = ""
}

extension Author: FetchableRecord, PersistableRecord {
  enum Columns {
    static let name = Column(CodingKeys.name)
    static let country = Column(CodingKeys.country)
  }

  static let books = hasMany(Book.self)
}

struct Shelf: Codable, Hashable {
  var id = UUID()
  var name: String
}

extension Shelf: FetchableRecord, PersistableRecord {
  enum Columns {
    static let name = Column(CodingKeys.name)
  }
}

enum Status: String, Codable, DatabaseValueConvertible {
  case wanted, reading, finished
}

struct Book: Codable, Hashable {
  var id = UUID()
  var isbn: String
  var title: String
  var authorId: UUID
  var pages: Int
  var status = Status.wanted
  var rating: Int?
  var addedAt = Date.now
  var isFavorite = false
}

extension Book: FetchableRecord, PersistableRecord {
  enum Columns {
    static let isbn = Column(CodingKeys.isbn)
    static let title = Column(CodingKeys.title)
    static let pages = Column(CodingKeys.pages)
    static let status = Column(CodingKeys.status)
    static let rating = Column(CodingKeys.rating)
    static let addedAt = Column(CodingKeys.addedAt)
  }

  static let author = belongsTo(Author.self)
  static let bookShelves = hasMany(BookShelf.self)
  static let shelves = hasMany(Shelf.self, through: bookShelves, using: BookShelf.shelf)
  static let notes = hasMany(Note.self)
}

struct BookShelf: Codable, Hashable {
  var bookId: UUID
  var shelfId: UUID
}

extension BookShelf: FetchableRecord, PersistableRecord {
  static let shelf = belongsTo(Shelf.self)
}

struct Reading: Codable, Hashable {
  var id = UUID()
  var bookId: UUID
  var startedAt: Date
  var finishedAt: Date?
}

extension Reading: FetchableRecord, PersistableRecord {
  static let book = belongsTo(Book.self)
  static let sessions = hasMany(Session.self)
}

struct Session: Codable, Hashable {
  var id = UUID()
  var readingId: UUID
  var startedAt: Date
  var pages: Int
}

extension Session: FetchableRecord, PersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let startedAt = Column(CodingKeys.startedAt)
    static let pages = Column(CodingKeys.pages)
  }

  static let reading = belongsTo(Reading.self)
}

struct Note: Codable, Hashable {
  var id = UUID()
  var bookId: UUID
  var page: Int
  var text: String
}

extension Note: FetchableRecord, PersistableRecord {}

/// A part of the settings, which GRDB stores as JSON.
struct Goal: Codable, Hashable {
  var pagesPerMonth = 300
  var booksPerYear = 12
}

/// The settings: the only row of their table.
struct Settings: Codable, Hashable {
  private(set) var id = 1
  var goal = Goal()
  var theme = "light"
}

extension Settings: FetchableRecord, PersistableRecord {}

extension DatabaseMigrator {
  static var reads: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1", migrate: createTables)
    migrator.registerMigration("v2", migrate: changeBooks)
    return migrator
  }
}

@Sendable private func createTables(_ db: Database) throws {
  try db.create(table: "author") { t in
    t.primaryKey("id", .blob)
    t.column("name", .text).notNull().unique()
    t.column("country", .text).notNull()
  }
  try db.create(table: "shelf") { t in
    t.primaryKey("id", .blob)
    t.column("name", .text).notNull().unique()
  }
  try db.create(table: "book") { t in
    t.primaryKey("id", .blob)
    t.column("isbn", .text).notNull().unique()
    t.column("title", .text).notNull().collate(.nocase).indexed()
    t.belongsTo("author").notNull()
    t.column("length", .integer).notNull()
    t.column("status", .text).notNull().indexed()
    t.column("stars", .integer).notNull()
    t.column("addedAt", .datetime).notNull()
  }
  try db.create(table: "bookShelf") { t in
    t.primaryKey {
      t.belongsTo("book", onDelete: .cascade)
      t.belongsTo("shelf", onDelete: .cascade)
    }
  }
  try db.create(table: "reading") { t in
    t.primaryKey("id", .blob)
    t.belongsTo("book", onDelete: .cascade).notNull()
    t.column("startedAt", .datetime).notNull()
    t.column("finishedAt", .datetime)
  }
  try db.create(table: "session") { t in
    t.primaryKey("id", .blob)
    t.belongsTo("reading", onDelete: .cascade).notNull()
    t.column("startedAt", .datetime).notNull().indexed()
    t.column("pages", .integer).notNull()
  }
  try db.create(table: "note") { t in
    t.primaryKey("id", .blob)
    t.belongsTo("book", onDelete: .cascade).notNull()
    t.column("page", .integer).notNull()
    t.column("text", .text).notNull()
  }
  try db.create(table: "settings") { t in
    t.primaryKey("id", .integer, onConflict: .replace).check { $0 == 1 }
    t.column("goal", .jsonText).notNull()
    t.column("theme", .text).notNull()
  }
}

// MARK: - Migration

@Sendable private func changeBooks(_ db: Database) throws {
  try db.alter(table: "book") { t in
    t.rename(column: "length", to: "pages")
    t.add(column: "rating", .integer)
    t.add(column: "isFavorite", .boolean).notNull().defaults(to: false)
  }
  // A book without a rating had no stars.
  try db.execute(sql: "UPDATE book SET rating = NULLIF(stars, 0)")
  try db.alter(table: "book") { t in t.drop(column: "stars") }
}

// MARK: -

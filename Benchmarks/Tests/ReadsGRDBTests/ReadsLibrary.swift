import Foundation
import GRDB

/// The database of the books, their reading and what is asked of them.
struct Library: Sendable {
  let database: any DatabaseWriter

  init(_ database: any DatabaseWriter) throws {
    self.database = database
    try DatabaseMigrator.reads.migrate(database)
  }
}

// MARK: - Import

extension Library {
  /// Adds the books of a CSV file, a batch to a transaction, so that other writers get their turn.
  func importBooks(csv: String, batch: Int = 1_000, progress: (Double) -> Void) async throws {
    let rows = try BookRow.rows(of: csv)
    for start in stride(from: 0, to: rows.count, by: batch) {
      try Task.checkCancellation()
      let part = rows[start..<min(start + batch, rows.count)]
      try await database.write { db in
        for row in part { try add(row, in: db) }
      }
      progress(Double(part.endIndex) / Double(rows.count))
    }
  }

  private func add(_ row: BookRow, in db: Database) throws {
    let author =
      try Author.filter { $0.name == row.author }.fetchOne(db)
      ?? Author(name: row.author, country: row.country).inserted(db)
    let book = Book(
      isbn: row.isbn, title: row.title, authorId: author.id, pages: row.pages,
      status: row.status, rating: row.rating, addedAt: row.addedAt)
    try book.insert(db)
    for name in row.shelves {
      let shelf =
        try Shelf.filter { $0.name == name }.fetchOne(db) ?? Shelf(name: name).inserted(db)
      try BookShelf(bookId: book.id, shelfId: shelf.id).insert(db)
    }
  }
}

// MARK: - Writing

extension Library {
  /// Begins to read a book.
  func start(_ book: Book, at date: Date) throws -> Reading {
    let reading = Reading(bookId: book.id, startedAt: date)
    try database.write { db in
      try reading.insert(db)
      var book = book
      try book.updateChanges(db) { $0.status = .reading }
    }
    return reading
  }

  /// Adds a session; with the last page the book is finished.
  func read(_ pages: Int, in reading: Reading, at date: Date) throws {
    try database.write { db in
      try Session(readingId: reading.id, startedAt: date, pages: pages).insert(db)
      let total = try reading.request(for: Reading.sessions).select({ sum($0.pages) }, as: Int.self)
        .fetchOne(db)
      guard var book = try reading.request(for: Reading.book).fetchOne(db),
        total ?? 0 >= book.pages
      else { return }
      var reading = reading
      try reading.updateChanges(db) { $0.finishedAt = date }
      try book.updateChanges(db) { $0.status = .finished }
    }
  }
}

// MARK: - Queries

extension DerivableRequest<Book> {
  /// The books on a shelf by authors of a country, by author and title.
  func on(_ shelf: String, from country: String) -> Self {
    let author = TableAlias<Author>()
    return joining(required: Book.author.aliased(author).filter { $0.country == country })
      .joining(required: Book.shelves.filter { $0.name == shelf })
      .order { [author.name, $0.title] }
  }

  /// The books whose title begins with what was typed.
  func titled(_ prefix: String) -> Self {
    let prefix = prefix.replacing(/[%_\\]/) { "\\\($0.output)" }
    return filter { $0.title.like(prefix + "%", escape: "\\") }.order(\.title)
  }

  /// What to read next.
  func suggestions(from countries: [String], addedAfter date: Date) -> Self {
    filter { $0.status == Status.wanted && (100...600).contains($0.pages) }
      .filter { $0.rating == nil && $0.addedAt > date }
      .joining(required: Book.author.filter { countries.contains($0.country) })
      .having(Book.bookShelves.isEmpty == false && Book.notes.isEmpty)
      .order(\.addedAt.desc)
  }

  func current() -> Self { filter { $0.status == Status.reading }.order(\.title) }

  func wanted() -> Self { filter { $0.status == Status.wanted } }
}

extension DerivableRequest<Author> {
  /// The authors of many pages, those of most pages first.
  func prolific(pages: Int) -> Self {
    let sum = Author.books.sum(\.pages)
    return annotated(with: sum.forKey("total")).having(sum >= pages)
      .order(Column("total").detached.desc)
  }
}

extension QueryInterfaceRequest<Note> {
  func latest() -> Self { order(Column.rowID.desc).limit(3) }
}

/// What was read in a month.
struct Month: Hashable, Decodable, FetchableRecord {
  let start: Date
  let sessions: Int
  let pages: Int

  static func all() -> QueryInterfaceRequest<Month> {
    let start = dateTime(Session.Columns.startedAt, .startOfMonth)
    return Session.select {
      [start.forKey("start"), count($0.id).forKey("sessions"), sum($0.pages).forKey("pages")]
    }.group(start)
      .order(start)
      .asRequest(of: Month.self)
  }
}

/// The pages read of an author.
struct AuthorPages: Hashable, Decodable, FetchableRecord {
  let name: String
  let pages: Int

  /// All of them, by name.
  static func all() -> QueryInterfaceRequest<AuthorPages> {
    let author = TableAlias<Author>()
    let link = Session.reading.joining(
      required: Reading.book.joining(required: Book.author.aliased(author)))
    return Session.joining(required: link)
      .select { [author.name, sum($0.pages).forKey("pages")] }
      .group(author.name)
      .order(author.name)
      .asRequest(of: AuthorPages.self)
  }
}

// MARK: - Observing

/// What the first screen shows, all of one transaction.
struct Dashboard: Equatable, Sendable {
  var current: [Book]
  var wanted: Int
  var pages: Int
  var months: [Month]
  var goal: Goal
}

extension Library {
  /// The dashboard, now and after each transaction that changes it.
  var dashboards: AsyncValueObservation<Dashboard> {
    ValueObservation.tracking { db in
      Dashboard(
        current: try Book.all().current().fetchAll(db),
        wanted: try Book.all().wanted().fetchCount(db),
        pages: try Session.select({ sum($0.pages) }, as: Int.self).fetchOne(db) ?? 0,
        months: try Month.all().fetchAll(db),
        goal: try Settings.fetchOne(db)?.goal ?? Goal())
    }.removeDuplicates().values(in: database)
  }

  /// Two lists side by side, which are always of one transaction.
  var currentAndNotes: AsyncValueObservation<CurrentAndNotes> {
    ValueObservation.tracking { db in
      CurrentAndNotes(
        current: try Book.all().current().fetchAll(db), notes: try Note.all().latest().fetchAll(db))
    }.removeDuplicates().values(in: database)
  }

  var wantedCount: AsyncValueObservation<Int> {
    ValueObservation.tracking { db in try Book.all().wanted().fetchCount(db) }
      .removeDuplicates().values(in: database)
  }

  var pagesRead: AsyncValueObservation<Int> {
    ValueObservation.tracking { db in
      try Session.select({ sum($0.pages) }, as: Int.self).fetchOne(db) ?? 0
    }.removeDuplicates().values(in: database)
  }

  var pagesByMonth: AsyncValueObservation<[Month]> {
    ValueObservation.tracking { db in try Month.all().fetchAll(db) }
      .removeDuplicates().values(in: database)
  }
}

struct CurrentAndNotes: Equatable, Sendable {
  var current: [Book]
  var notes: [Note]
}

// MARK: - Export

extension Library {
  /// All records as JSON, of one transaction.
  func json() throws -> Data {
    try JSONEncoder().encode(
      database.read { db in
        Export(
          authors: try Author.fetchAll(db), shelves: try Shelf.fetchAll(db),
          books: try Book.fetchAll(db), bookShelves: try BookShelf.fetchAll(db),
          readings: try Reading.fetchAll(db), sessions: try Session.fetchAll(db),
          notes: try Note.fetchAll(db))
      })
  }
}

struct Export: Hashable, Codable {
  var authors: [Author]
  var shelves: [Shelf]
  var books: [Book]
  var bookShelves: [BookShelf]
  var readings: [Reading]
  var sessions: [Session]
  var notes: [Note]
}

// MARK: - CSV

struct CSVError: Error, Equatable {
  let line: String
}

/// A line of the file: isbn,title,author,country,pages,status,rating,added at,shelf|shelf.
struct BookRow {
  let isbn, title, author, country: String
  let pages: Int
  let status: Status
  let rating: Int?
  let addedAt: Date
  let shelves: [String]

  static func rows(of csv: String) throws -> [BookRow] {
    try csv.split(separator: "\n").dropFirst().map(BookRow.init)
  }

  init(_ line: Substring) throws {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 9, let pages = Int(fields[4]), let status = Status(rawValue: fields[5]),
      let addedAt = try? Date(fields[7], strategy: .iso8601)
    else { throw CSVError(line: String(line)) }
    (isbn, title, author, country) = (fields[0], fields[1], fields[2], fields[3])
    (self.pages, self.status, rating, self.addedAt) = (pages, status, Int(fields[6]), addedAt)
    shelves = fields[8].split(separator: "|").map(String.init)
  }
}

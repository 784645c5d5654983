import Croft
import Foundation

/// The store of the books, their reading and what is asked of them.
struct Library: Sendable {
  static let models: [any Model.Type] = [
    Author.self, Shelf.self, Book.self, Reading.self, Session.self, Note.self, Settings.self,
  ]

  let store: Store
  let calendar: Calendar
}

extension Library {
  init(at url: URL, calendar: Calendar = .current) throws {
    store = try Store.open(at: url, models: Self.models, migrations: migrations)
    self.calendar = calendar
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
      try await store.write { tx in
        for row in part { try add(row, in: &tx) }
      }
      progress(Double(part.endIndex) / Double(rows.count))
    }
  }

  private func add(_ row: BookRow, in tx: inout WriteTransaction) throws {
    let author = try author(row.author, from: row.country, in: &tx)
    var shelves: Set<Ref<Shelf>> = []
    for name in row.shelves { shelves.insert(Ref(try shelf(name, in: &tx))) }
    try tx.insert(
      Book(
        isbn: row.isbn, title: row.title, author: Ref(author), shelves: shelves, pages: row.pages,
        status: row.status, rating: row.rating, addedAt: row.addedAt))
  }

  private func author(
    _ name: String, from country: String, in tx: inout WriteTransaction
  ) throws -> Author {
    if let known = try tx.first(Author.where { $0.name == name }) { return known }
    let author = Author(name: name, country: country)
    try tx.insert(author)
    return author
  }

  private func shelf(_ name: String, in tx: inout WriteTransaction) throws -> Shelf {
    if let known = try tx.first(Shelf.where { $0.name == name }) { return known }
    let shelf = Shelf(name: name)
    try tx.insert(shelf)
    return shelf
  }
}

// MARK: - Writing

extension Library {
  /// Begins to read a book.
  func start(_ book: Book, at date: Date) throws -> Reading {
    let reading = Reading(book: Ref(book), startedAt: date)
    try store.write { tx in
      try tx.insert(reading)
      try tx.update(Ref(book)) { $0.status = .reading }
    }
    return reading
  }

  /// Adds a session; with the last page the book is finished.
  func read(_ pages: Int, in reading: Reading, at date: Date) throws {
    try store.write { tx in
      try tx.insert(Session(reading: Ref(reading), startedAt: date, pages: pages))
      let total = try tx.fetch(Session.referring(to: reading, by: \.reading).sum(\.pages))
      guard let book = try tx.get(reading.book), total >= book.pages else { return }
      try tx.update(Ref(reading)) { $0.finishedAt = date }
      try tx.update(Ref(book)) { $0.status = .finished }
    }
  }
}

// MARK: - Queries

extension Book {
  /// The books on a shelf by authors of a country, by author and title.
  static func on(_ shelf: String, from country: String) -> Query<Book> {
    Book.where { $0.author.country == country && $0.shelves.any { $0.name == shelf } }
      .order(by: \.author.name, \.title)
  }

  /// The books whose title begins with what was typed.
  static func titled(_ prefix: String) -> Query<Book> {
    Book.where { $0.title.hasPrefix(prefix, options: .caseInsensitive) }.order(by: \.title)
  }

  /// What to read next; each part of the condition is checked by itself.
  static func suggestions(from countries: [String], addedAfter date: Date) -> Query<Book> {
    Book.where { $0.status == .wanted && $0.pages >= 100 && $0.pages <= 600 && $0.rating.isNil }
      .where { $0.addedAt > date && $0.author.country.in(countries) }
      .where { !$0.shelves.isEmpty && $0.referrers(by: \Note.book).isEmpty }
      .order(by: \.addedAt.descending)
  }

  static let current = Book.where { $0.status == .reading }.order(by: \.title)
}

extension Author {
  /// The authors of many pages, those of most pages first.
  static func prolific(pages: Int) -> Query<Author> {
    Author.where { $0.referrers(by: \Book.author).sum(\.pages) >= pages }
      .order { [$0.referrers(by: \Book.author).sum(\.pages).descending] }
  }
}

extension Note {
  static let latest = Note.all.order(by: \.id.descending).limit(3)
}

/// What was read in a month.
struct Month: Hashable, Sendable {
  let start: Date
  let sessions: Int
  let pages: Int
}

extension Library {
  func months(in tx: inout ReadTransaction) throws -> [Month] {
    try tx.fetch(
      Session.all.grouped(
        by: { $0.startedAt.start(of: .month, in: calendar) }, .count, .sum(\.pages))
    ).map { Month(start: $0.key, sessions: $0.values.0, pages: $0.values.1) }
  }

  /// The pages read of each author, by name.
  func pagesByAuthor() throws -> [(name: String, pages: Int)] {
    try store.fetch(Session.all.grouped(by: { $0.reading.book.author.name }, .sum(\.pages)))
      .map { ($0.key, $0.values) }
  }
}

// MARK: - Observing

/// What the first screen shows, all of one commit.
struct Dashboard: Equatable, Sendable {
  var current: [Book]
  var wanted: Int
  var pages: Int
  var months: [Month]
  var goal: Goal
}

extension Library {
  /// The dashboard, now and after each commit that changes it.
  var dashboards: LiveChanges<Dashboard> {
    store.values(
      of: ReadRequest { tx in
        Dashboard(
          current: try tx.fetch(Book.current),
          wanted: try tx.count(Book.where { $0.status == .wanted }),
          pages: try tx.fetch(Session.all.sum(\.pages)),
          months: try months(in: &tx),
          goal: try tx.get(Settings.self, 1)?.goal ?? Goal())
      })
  }

  /// Two lists side by side, which are always of one commit, with what changed in each.
  var currentAndNotes: LiveChanges<(ResultChange<Book>, ResultChange<Note>)> {
    store.changes(of: CombinedRequest(Book.current, Note.latest))
  }

  /// Numbers that follow each commit by the rows that it changed, without reading the others.
  var wantedCount: LiveChanges<Int> {
    store.values(of: Book.where { $0.status == .wanted }.count)
  }

  var pagesRead: LiveChanges<Int> {
    store.values(of: Session.all.sum(\.pages))
  }

  var pagesByMonth: LiveChanges<[ResultGroup<Date, Int>]> {
    store.values(
      of: Session.all.grouped(by: { $0.startedAt.start(of: .month, in: calendar) }, .sum(\.pages)))
  }
}

// MARK: - Export

extension Library {
  /// All objects as JSON, of one commit.
  func json() throws -> Data {
    try JSONEncoder().encode(
      store.read { tx in
        Export(
          authors: try tx.fetch(Author.all), shelves: try tx.fetch(Shelf.all),
          books: try tx.fetch(Book.all), readings: try tx.fetch(Reading.all),
          sessions: try tx.fetch(Session.all), notes: try tx.fetch(Note.all))
      })
  }
}

struct Export: Hashable, Codable {
  var authors: [Author]
  var shelves: [Shelf]
  var books: [Book]
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

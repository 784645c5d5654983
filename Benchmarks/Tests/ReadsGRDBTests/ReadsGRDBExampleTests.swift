import Foundation
import GRDB
import Testing

/// The answers of GRDB, which are those that the test of the same application in Croft expects.
@Suite("The example of an application, in GRDB")
struct ReadsGRDBExampleTests {
  /// A library with the books of the sample, and what was read and noted in them.
  private func library() async throws -> Library {
    let library = try await books()
    try read(in: library)
    return library
  }

  private func books() async throws -> Library {
    let library = try Library(DatabaseQueue())
    try await library.importBooks(csv: Sample.csv) { _ in }
    return library
  }

  private func read(in library: Library) throws {
    for note in Sample.notes {
      let book = try book(note.isbn, in: library)
      try library.database.write { db in
        try Note(bookId: book.id, page: note.page, text: note.text).insert(db)
      }
    }
    for (isbn, sessions) in Sample.readings {
      let reading = try library.start(book(isbn, in: library), at: Sample.date(sessions[0].0))
      for (date, pages) in sessions {
        try library.read(pages, in: reading, at: Sample.date(date))
      }
    }
  }

  private func book(_ isbn: String, in library: Library) throws -> Book {
    try library.database.read { db in
      try #require(try Book.filter { $0.isbn == isbn }.fetchOne(db))
    }
  }

  private func months() throws -> [Month] {
    try Sample.months.map {
      Month(start: try Sample.date($0.start), sessions: $0.sessions, pages: $0.pages)
    }
  }

  @Test func theImportBringsAllRowsAndTellsItsProgress() async throws {
    let library = try Library(DatabaseQueue())
    var told: [Double] = []
    try await library.importBooks(csv: Sample.csv, batch: 5) { told.append($0) }
    #expect(told.map { Int(($0 * 12).rounded()) } == [5, 10, 12])
    let rows = try BookRow.rows(of: Sample.csv)
    let (books, authors, shelved) = try await library.database.read { db in
      (
        try Book.order(Column.rowID).fetchAll(db), try Author.fetchCount(db),
        try BookShelf.fetchCount(db)
      )
    }
    #expect(books.map(\.isbn) == rows.map(\.isbn))
    #expect(books.map(\.rating) == rows.map(\.rating))
    #expect(authors == Set(rows.map(\.author)).count)
    #expect(shelved == rows.reduce(0) { $0 + $1.shelves.count })
  }

  @Test func theQueriesGiveTheAnswersOfTheSample() async throws {
    let newYear = try Sample.date("2026-01-01T00:00:00Z")
    let countries = ["GB", "KR", "US"]
    let months = try months()
    try await library().database.read { db in
      let classics = try Book.all().on("classics", from: "KR").fetchAll(db)
      #expect(classics.map(\.title) == Sample.koreanClassics)
      let titled = try Book.all().titled("em").fetchAll(db)
      #expect(titled.map(\.title) == Sample.titledEm)
      let suggestions = try Book.all().suggestions(from: countries, addedAfter: newYear)
        .fetchAll(db)
      #expect(suggestions.map(\.title) == Sample.suggestions)
      let prolific = try Author.all().prolific(pages: 400).fetchAll(db)
      #expect(prolific.map(\.name) == Sample.prolific)
      #expect(try Month.all().fetchAll(db) == months)
      let byAuthor = try AuthorPages.all().fetchAll(db)
      #expect(byAuthor.map(\.name) == ["Jane Austen", "한강"])
      #expect(byAuthor.allSatisfy { Sample.pagesByAuthor[$0.name] == $0.pages })
      let finished = try Book.filter { $0.status == Status.finished && $0.rating == nil }
        .fetchAll(db)
      #expect(finished.map(\.title) == ["Emma"])
    }
  }

  @Test func theObservationsGiveTheAnswersOfTheSample() async throws {
    let library = try await books()
    var dashboards = library.dashboards.makeAsyncIterator()
    let empty = Dashboard(current: [], wanted: 11, pages: 0, months: [], goal: Goal())
    #expect(try await dashboards.next() == empty)
    async let reading: Void = read(in: library)
    var last = empty
    while last.pages < Sample.pages {
      last = try #require(try await dashboards.next())
      #expect(last.months.reduce(0) { $0 + $1.pages } == last.pages)
      // Emma is read first, and is finished by the transaction that adds its last page.
      let isReadingEmma = last.current.contains { $0.title == "Emma" }
      if last.pages > 0 { #expect(isReadingEmma == (last.pages < 474)) }
    }
    try await reading
    #expect(last.current.map(\.title) == Sample.current)
    #expect(last.wanted == Sample.wanted)
    #expect(last.months == (try months()))
    let goal = Goal(pagesPerMonth: 500)
    try await library.database.write { db in try Settings(goal: goal).save(db) }
    #expect(try await dashboards.next()?.goal == goal)

    var lists = library.currentAndNotes.makeAsyncIterator()
    let shown = try #require(try await lists.next())
    #expect(shown.current.map(\.title) == Sample.current)
    #expect(shown.notes.map(\.text) == Sample.latestNotes)
    var wanted = library.wantedCount.makeAsyncIterator()
    #expect(try await wanted.next() == Sample.wanted)
    var pages = library.pagesRead.makeAsyncIterator()
    #expect(try await pages.next() == Sample.pages)
    var byMonth = library.pagesByMonth.makeAsyncIterator()
    #expect(try await byMonth.next() == months())
  }

  @Test func aFileOfTheFirstVersionIsMigrated() throws {
    let queue = try DatabaseQueue()
    try DatabaseMigrator.reads.migrate(queue, upTo: "v1")
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO author VALUES (randomblob(16), 'Jane Austen', 'GB');
          INSERT INTO book (id, isbn, title, authorId, length, status, stars, addedAt)
            SELECT randomblob(16), '1', 'Emma', id, 474, 'wanted', 5, '2026-01-01' FROM author;
          INSERT INTO book (id, isbn, title, authorId, length, status, stars, addedAt)
            SELECT randomblob(16), '2', 'Persuasion', id, 249, 'wanted', 0, '2026-01-01' FROM author;
          """)
    }
    let books = try Library(queue).database.read { db in try Book.order(\.isbn).fetchAll(db) }
    #expect(books.map(\.title) == ["Emma", "Persuasion"])
    #expect(books.map(\.pages) == [474, 249])
    #expect(books.map(\.rating) == [5, nil])
    #expect(books.allSatisfy { !$0.isFavorite })
  }

  @Test func theExportAndTheBackupHaveEverything() async throws {
    let library = try await library()
    let export = try JSONDecoder().decode(Export.self, from: library.json())
    #expect(export.books.count == 12 && export.notes.count == Sample.notes.count)
    #expect(export.sessions.reduce(0) { $0 + $1.pages } == Sample.pages)
    let copy = try DatabaseQueue()
    try library.database.backup(to: copy)
    #expect(try JSONDecoder().decode(Export.self, from: Library(copy).json()) == export)
  }
}

import Croft
import Foundation
import Presentation
import Reactive
import ReactiveTesting
import Testing

@Suite("The example of an application")
struct ReadsExampleTests {
  /// A library with the books of the sample, and what was read and noted in them.
  private func library() async throws -> Library {
    let library = try await books()
    try read(in: library)
    return library
  }

  private func books() async throws -> Library {
    let library = Library(
      store: try Store.inMemory(models: Library.models), calendar: Sample.calendar)
    try await library.importBooks(csv: Sample.csv) { _ in }
    return library
  }

  private func read(in library: Library) throws {
    for note in Sample.notes {
      let note = Note(book: Ref(try book(note.isbn, in: library)), page: note.page, text: note.text)
      try library.store.write { tx in try tx.insert(note) }
    }
    for (isbn, sessions) in Sample.readings {
      let reading = try library.start(
        book(isbn, in: library), at: Sample.date(sessions[0].0))
      for (date, pages) in sessions {
        try library.read(pages, in: reading, at: Sample.date(date))
      }
    }
  }

  private func book(_ isbn: String, in library: Library) throws -> Book {
    try #require(try library.store.first(Book.where { $0.isbn == isbn }))
  }

  private func months() throws -> [Month] {
    try Sample.months.map {
      Month(start: try Sample.date($0.start), sessions: $0.sessions, pages: $0.pages)
    }
  }

  // MARK: Import

  @Test func theImportBringsAllRowsAndTellsItsProgress() async throws {
    let library = Library(
      store: try Store.inMemory(models: Library.models), calendar: Sample.calendar)
    var told: [Double] = []
    try await library.importBooks(csv: Sample.csv, batch: 5) { told.append($0) }
    #expect(told.map { Int(($0 * 12).rounded()) } == [5, 10, 12])

    let rows = try BookRow.rows(of: Sample.csv)
    let (books, authors, shelves) = try await library.store.read { tx in
      (try tx.fetch(Book.all), try tx.fetch(Author.all), try tx.fetch(Shelf.all))
    }
    #expect(books.map(\.isbn) == rows.map(\.isbn))
    #expect(books.map(\.rating) == rows.map(\.rating))
    #expect(Set(authors.map(\.name)) == Set(rows.map(\.author)))
    #expect(authors.count == Set(rows.map(\.author)).count)
    for (book, row) in zip(books, rows) {
      #expect(authors.first { Ref($0) == book.author }?.name == row.author)
      #expect(
        Set(shelves.filter { book.shelves.contains(Ref($0)) }.map(\.name)) == Set(row.shelves))
    }
  }

  @Test func aBadRowKeepsTheBatchesBeforeIt() async throws {
    let library = Library(
      store: try Store.inMemory(models: Library.models), calendar: Sample.calendar)
    let taken = Sample.csv + "\n" + Sample.csv.split(separator: "\n")[1]
    await #expect(throws: StoreError.self) {
      try await library.importBooks(csv: taken, batch: 12) { _ in }
    }
    #expect(try await library.store.count(Book.all) == 12)
    await #expect(throws: CSVError(line: "no book")) {
      try await library.importBooks(csv: "head\nno book") { _ in }
    }
  }

  // MARK: Queries

  @Test func theQueriesGiveWhatPlainSwiftGives() async throws {
    let library = try await library()
    let store = library.store
    let books = try store.fetch(Book.all.including(\.author))
    let sessions = try await store.fetch(Session.all)
    let shelves = try await store.fetch(Shelf.all)
    let notes = try await store.fetch(Note.all)

    let classics = Ref(try #require(shelves.first { $0.name == "classics" }))
    let korean = books.filter { $1.country == "KR" && $0.shelves.contains(classics) }
    #expect(
      try await store.fetch(Book.on("classics", from: "KR"))
        == korean.sorted { ($0.1.name, $0.0.title) < ($1.1.name, $1.0.title) }.map(\.0))
    let titled = books.map(\.0).filter { $0.title.lowercased().hasPrefix("em") }
    #expect(
      try await store.fetch(Book.titled("em")) == titled.sorted { $0.title < $1.title })

    let newYear = try Sample.date("2026-01-01T00:00:00Z")
    let countries = ["GB", "KR", "US"]
    let suggested = books.filter { book, author in
      book.status == .wanted && (100...600).contains(book.pages) && book.rating == nil
        && book.addedAt > newYear && countries.contains(author.country)
        && !book.shelves.isEmpty && !notes.contains { $0.book == Ref(book) }
    }.map(\.0)
    #expect(
      try await store.fetch(Book.suggestions(from: countries, addedAfter: newYear))
        == suggested.sorted { $0.addedAt > $1.addedAt })

    var written: [Author: Int] = [:]
    for (book, author) in books { written[author, default: 0] += book.pages }
    #expect(
      try await store.fetch(Author.prolific(pages: 400))
        == written.filter { $0.value >= 400 }.sorted { $0.value > $1.value }.map(\.key))

    let byMonth = Dictionary(grouping: sessions) { session in
      Sample.calendar.dateInterval(of: .month, for: session.startedAt)?.start
    }
    let months = try await store.read { tx in try library.months(in: &tx) }
    #expect(months.count == byMonth.count)
    for month in months {
      #expect(byMonth[month.start]?.count == month.sessions)
      #expect(byMonth[month.start]?.reduce(0) { $0 + $1.pages } == month.pages)
    }
  }

  @Test func theQueriesGiveTheAnswersOfTheSample() async throws {
    let library = try await library()
    let store = library.store
    let newYear = try Sample.date("2026-01-01T00:00:00Z")
    let countries = ["GB", "KR", "US"]
    #expect(
      try await store.fetch(Book.on("classics", from: "KR")).map(\.title) == Sample.koreanClassics)
    #expect(try await store.fetch(Book.titled("em")).map(\.title) == Sample.titledEm)
    #expect(
      try await store.fetch(Book.suggestions(from: countries, addedAfter: newYear)).map(\.title)
        == Sample.suggestions)
    #expect(try await store.fetch(Author.prolific(pages: 400)).map(\.name) == Sample.prolific)
    #expect(try await store.read { tx in try library.months(in: &tx) } == months())
    let byAuthor = try library.pagesByAuthor()
    #expect(byAuthor.map(\.name) == ["Jane Austen", "한강"])
    #expect(byAuthor.allSatisfy { Sample.pagesByAuthor[$0.name] == $0.pages })
  }

  @Test func theLastPageFinishesTheBook() async throws {
    let store = try await library().store
    let finished = try store.fetch(Reading.where { !$0.finishedAt.isNil }.including(\.book))
    #expect(finished.map(\.1.title) == ["Emma"])
    #expect(finished.map(\.1.status) == [.finished])
    #expect(finished.map(\.0.finishedAt) == [try Sample.date("2026-02-28T23:59:59Z")])
  }

  // MARK: Observing

  @Test func eachDashboardIsOfOneCommit() async throws {
    let library = try await books()
    let dashboards = library.dashboards.makeAsyncIterator()
    let empty = Dashboard(current: [], wanted: 11, pages: 0, months: [], goal: Goal())
    #expect(await dashboards.next() == empty)

    async let reading: Void = read(in: library)
    var last = empty
    while last.pages < Sample.pages {
      last = try #require(await dashboards.next())
      #expect(last.months.reduce(0) { $0 + $1.pages } == last.pages)
      // Emma is read first, and is finished by the commit that adds its last page.
      let isReadingEmma = last.current.contains { $0.title == "Emma" }
      if last.pages > 0 { #expect(isReadingEmma == (last.pages < 474)) }
    }
    try await reading
    #expect(last.current.map(\.title) == Sample.current)
    #expect(last.wanted == Sample.wanted)
    #expect(last.months == (try months()))

    let goal = Goal(pagesPerMonth: 500)
    try await library.store.write { tx in _ = try tx.upsert(Settings(goal: goal)) }
    #expect(await dashboards.next()?.goal == goal)
  }

  @Test func listsThatAreShownTogetherAreOfOneCommit() async throws {
    let library = try await library()
    let lists = library.currentAndNotes.makeAsyncIterator()
    let (current, notes) = try #require(await lists.next())
    #expect(current.after.map(\.title) == Sample.current)
    #expect(notes.after.map(\.text) == Sample.latestNotes)

    let book = current.after[0]
    try await library.store.write { tx in
      _ = try tx.update(Ref(book)) { $0.status = .finished }
      try tx.insert(Note(book: Ref(book), page: 249, text: "read"))
    }
    let (shorter, newer) = try #require(await lists.next())
    #expect(shorter.after.map(\.title) == ["소년이 온다"] && shorter.deletions == [0])
    #expect(newer.after.first?.text == "read" && newer.insertions == [0])
  }

  @Test func numbersFollowEachCommit() async throws {
    let library = try await library()
    let wanted = library.wantedCount.makeAsyncIterator()
    let pages = library.pagesRead.makeAsyncIterator()
    let months = library.pagesByMonth.makeAsyncIterator()
    #expect(await wanted.next() == Sample.wanted)
    #expect(await pages.next() == Sample.pages)
    #expect(await months.next()?.map(\.values) == Sample.months.map(\.pages))

    let reading = try library.start(
      book("9780000000017", in: library), at: Sample.date("2026-04-01T00:00:00Z"))
    try library.read(12, in: reading, at: Sample.date("2026-04-01T00:00:00Z"))
    #expect(await wanted.next() == Sample.wanted - 1)
    #expect(await pages.next() == Sample.pages + 12)
    #expect(await months.next()?.map(\.values) == Sample.months.map(\.pages) + [12])
  }

  // MARK: Form and search

  @Test func anISBNThatIsTakenIsToldAtItsField() async throws {
    let library = try await books()
    let author = try #require(try await library.store.first(Author.all))
    let clock = TestScheduler(initialClock: 0)
    let form = library.bookForm(on: clock)
    form.submit()
    #expect(Set(form.state.visibleIssues.map(\.code)) == [.blank, .required])

    form.update { draft in
      draft = BookDraft(
        isbn: "9780000000011", title: "Lady Susan", pages: "80", author: Ref(author))
    }
    form.submit()
    clock.start()
    #expect(
      form.state.field(\.isbn).visibleIssues == [ValidationIssue(.notUnique, at: "isbn")])

    form.set(\.isbn, to: "9780000000099")
    form.submit()
    clock.start()
    #expect(form.state.visibleIssues.isEmpty)
    #expect(try book("9780000000099", in: library).author == Ref(author))
  }

  @Test func theSearchWaitsForAPause() async throws {
    let library = try await books()
    // One unit is ten milliseconds; an answer takes one.
    let clock = TestScheduler(initialClock: 0, resolution: 0.01)
    let typed = clock.createHotObservable([
      .next(210, "e"), .next(220, "em"), .next(300, "x"), .next(310, "소"), .completed(400),
    ])
    let found = clock.start { library.titles(for: typed.asObservable(), on: clock) }
    #expect(
      found.events == [
        .next(251, Sample.titledEm), .next(341, ["소나기", "소년이 온다"]), .completed(400),
      ])
  }

  // MARK: Files

  /// The models of the first version that have changed since.
  enum FirstVersion {
    @Model struct Book {
      @PrimaryKey var id: UUID = .timeOrdered()
      @Indexed(.unique) var isbn: String
      @Indexed var title: String
      var author: Ref<Author>
      var shelves: Set<Ref<Shelf>> = []
      var length: Int
      @Indexed var status: Status = .wanted
      var stars = 0
    }
  }

  @Test func aFileOfTheFirstVersionIsMigrated() throws {
    let folder = try temporaryFolder()
    defer { remove(folder) }
    let file = folder.appending(path: "reads.croft")
    do {
      let store = try Store.open(at: file, models: Author.self, Shelf.self, FirstVersion.Book.self)
      let author = Author(name: "Jane Austen", country: "GB")
      try store.write { tx in
        try tx.insert(author)
        try tx.insert(
          FirstVersion.Book(isbn: "1", title: "Emma", author: Ref(author), length: 474, stars: 5))
        try tx.insert(
          FirstVersion.Book(isbn: "2", title: "Persuasion", author: Ref(author), length: 249))
      }
    }
    let store = try Library(at: file).store
    let books = try store.fetch(Book.all.including(\.author))
    #expect(books.map(\.0.title) == ["Emma", "Persuasion"])
    #expect(books.map(\.0.pages) == [474, 249])
    #expect(books.map(\.0.rating) == [5, nil])
    #expect(books.allSatisfy { !$0.0.isFavorite && $0.1.name == "Jane Austen" })
    #expect(try store.verify().isSound)
  }

  @Test func theExportAndTheBackupHaveEverything() async throws {
    let folder = try temporaryFolder()
    defer { remove(folder) }
    let library = try await library()
    let export = try JSONDecoder().decode(Export.self, from: library.json())
    #expect(export.books == (try await library.store.fetch(Book.all)))
    #expect(export.sessions.reduce(0) { $0 + $1.pages } == Sample.pages)
    #expect(export.notes.count == Sample.notes.count)

    let file = folder.appending(path: "backup.croft")
    try await library.store.backup(to: file)
    let copy = try Library(at: file)
    #expect(try JSONDecoder().decode(Export.self, from: copy.json()) == export)
  }

  /// The figures of both libraries are of the same books.
  @Test func theSampleIsThatOfTheComparison() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let other = (0..<3).reduce(folder) { url, _ in url.deletingLastPathComponent() }
      .appending(path: "Benchmarks/Tests/ReadsGRDBTests/ReadsSample.swift")
    #expect(
      try String(contentsOf: folder.appending(path: "ReadsSample.swift"), encoding: .utf8)
        == String(contentsOf: other, encoding: .utf8))
  }

  private func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  private func remove(_ folder: URL) {
    // A folder that cannot be removed is litter and no failure of the test.
    try? FileManager.default.removeItem(at: folder)
  }
}

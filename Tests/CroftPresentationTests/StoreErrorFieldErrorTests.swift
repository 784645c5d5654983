import Croft
import CroftPresentation
import CroftReactive
import Presentation
import Reactive
import ReactiveTesting
import Testing

@Embedded struct Imprint: Equatable {
  var name: String = ""
  var city: String = ""
}

@Model struct Author: Equatable {
  @PrimaryKey var id: Int
  @Indexed(.unique) var name: String
}

@Model struct Book: Equatable {
  #Unique<Book>([\.imprint.name, \.title])
  @PrimaryKey var isbn: String
  var title: String
  var pages: Int = 0
  var author: Ref<Author>?
  var imprint: Imprint = Imprint()
}

struct BookDraft: Equatable, Sendable {
  var isbn = ""
  var title = ""
  var author: Int?
}

@Suite("StoreError, at the fields of a form")
struct StoreErrorFieldErrorTests {
  private let store: Store
  private let clock = TestScheduler(initialClock: 0)
  private let rule = Validator<BookDraft, (String, String, Int?)>.all(
    Validator<String, String>.notBlank.pullback(\.isbn, at: "isbn"),
    Validator<String, String>.notBlank.pullback(\.title, at: "title"),
    Validator<Int?, Int?>.transform { $0 }.pullback(\.author, at: "author")
  ).map { parts in
    Book(isbn: parts.0, title: parts.1, author: parts.2.map { Ref<Author>($0) })
  }

  init() throws {
    store = try Store.inMemory(models: Author.self, Book.self)
    try store.write { try $0.insert(Book(isbn: "1", title: "Emma")) }
  }

  /// A form whose writes are answered when the clock runs.
  private func form(_ draft: BookDraft) -> Form<BookDraft, Void> {
    Form(
      draft,
      fields: [
        FormField(\.isbn, at: "isbn"), FormField(\.title, at: "title"),
        FormField(\.author, at: "author"),
      ], rule: rule
    ) { [store, clock] book in
      store.rx.write(on: clock) { tx in try tx.insert(book) }.asObservable()
    }
  }

  private func thrown(_ body: (inout WriteTransaction) throws -> Void) throws -> StoreError {
    try #require(throws: StoreError.self) { try store.write(body) }
  }

  @Test func aFormShowsAKeyThatIsTaken() {
    let form = form(BookDraft(isbn: "1", title: "Dune"))
    form.submit()
    clock.start()
    #expect(form.state.field(\.isbn).visibleIssues == [ValidationIssue(.notUnique, at: "isbn")])
    #expect(form.state.visibleFormIssues.isEmpty)
    form.set(\.isbn, to: "2")
    form.submit()
    clock.start()
    #expect(form.state.visibleIssues.isEmpty)
  }

  @Test func aFormShowsBothFieldsOfAUniqueIndexAndTheFormWhatItHasNoFieldFor() {
    let form = form(BookDraft(isbn: "2", title: "Emma"))
    form.submit()
    clock.start()
    #expect(form.state.field(\.title).visibleIssues == [ValidationIssue(.notUnique, at: "title")])
    #expect(
      form.state.visibleFormIssues == [ValidationIssue(.notUnique, at: ["imprint", "name"])])
  }

  @Test func aFormShowsAReferenceToNothing() {
    let form = form(BookDraft(isbn: "2", title: "Dune", author: 7))
    form.submit()
    clock.start()
    #expect(form.state.field(\.author).visibleIssues == [ValidationIssue(.notFound, at: "author")])
  }

  @Test func aFormEmitsAnErrorThatIsAboutNoInput() {
    let errors = clock.createObserver(PresentableError.self)
    let form = Form(
      BookDraft(isbn: "1", title: "x"), fields: [FormField(\.isbn, at: "isbn")], rule: rule
    ) { _ in Observable<Void>.error(StoreError.readOnly) }
    let subscription = form.errors.subscribe(errors)
    form.submit()
    #expect(errors.events.compactMap(\.value.element).map(\.code) == [.unexpected])
    #expect(form.state.visibleIssues.isEmpty)
    subscription.dispose()
  }

  @Test func aStaleObjectIsShownWhereBothChangedIt() throws {
    let read = try #require(try store.get(Book.self, "1"))
    try store.write { tx in
      _ = try tx.update(Book.self, "1") {
        $0.pages = 5
        $0.imprint.city = "London"
      }
    }
    var mine = read
    mine.pages = 6
    mine.imprint.name = "Murray"
    mine.title = "Emma, a novel"
    let stale = try thrown { try $0.upsert(mine, .mergeUnlessStale(from: read)) }
    #expect(
      stale.validationIssues == [
        ValidationIssue(.stale, at: "pages"), ValidationIssue(.stale, at: "imprint"),
      ])
    try store.write { _ = try $0.delete(Book.self, "1") }
    let gone = try thrown { try $0.upsert(mine, .mergeUnlessStale(from: read)) }
    #expect(gone.validationIssues == [ValidationIssue(.stale)])
  }

  @Test func oneModelsIssuesAreFoundAtTheFormsPaths() throws {
    let clash = try thrown { tx in
      try tx.insert(Author(id: 1, name: "Austen"))
      try tx.insert(Author(id: 2, name: "Austen"))
    }
    #expect(clash.validationIssues == [ValidationIssue(.notUnique, at: "name")])
    #expect(
      clash.validationIssues(of: Author.self, at: ["name": ["author", "name"]]) == [
        ValidationIssue(.notUnique, at: ["author", "name"])
      ])
    #expect(clash.validationIssues(of: Author.self) == clash.validationIssues)
    #expect(clash.validationIssues(of: Book.self).isEmpty)
    #expect(StoreError.nestedWrite.validationIssues(of: Book.self).isEmpty)
  }

  @Test func aCommandsErrorHasTheCodeAndTheFieldOfTheFirstIssue() throws {
    let clash = try thrown { try $0.insert(Book(isbn: "1", title: "x")) }
    let error = PresentableError(clash)
    #expect(error.code == .notUnique && error.path == "isbn")
    #expect(error.cause as? StoreError == clash)
    #expect(
      MessageCatalog.standard(in: .korean).message(for: error) == "이미 사용 중입니다.")
  }
}

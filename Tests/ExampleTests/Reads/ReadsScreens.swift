import Croft
import CroftPresentation
import CroftReactive
import Foundation
import Presentation
import Reactive

// MARK: - Form

/// A book as it is typed.
struct BookDraft: Equatable, Sendable {
  var isbn = ""
  var title = ""
  var pages = ""
  var author: Ref<Author>?
}

extension Library {
  /// The form of a new book; an ISBN that is taken is told at its field.
  func bookForm(on scheduler: any SchedulerType) -> Form<BookDraft, Void> {
    Form(
      BookDraft(),
      fields: [
        FormField(\.isbn, at: "isbn"), FormField(\.title, at: "title"),
        FormField(\.pages, at: "pages"), FormField(\.author, at: "author"),
      ],
      rule: Validator<BookDraft, (String, String, Int, Ref<Author>)>.all(
        Validator.notBlank.then(.matches(/97[89]\d{10}/)).pullback(\.isbn, at: "isbn"),
        Validator.notBlank.then(.maxLength(200)).pullback(\.title, at: "title"),
        Validator.integer(locale: .current).then(.within(1...5_000)).pullback(\.pages, at: "pages"),
        Validator.chosen.pullback(\.author, at: "author")
      )
    ) { isbn, title, pages, author in
      let book = Book(isbn: isbn, title: title, author: author, pages: pages)
      return store.rx.write(on: scheduler) { tx in try tx.insert(book) }.asObservable()
    }
  }
}

// MARK: - Search

extension Library {
  /// The titles that begin with what is typed, once typing has paused.
  func titles(
    for typed: Observable<String>, on scheduler: any SchedulerType
  ) -> Observable<[String]> {
    typed.debounce(.milliseconds(300), scheduler: scheduler)
      .distinctUntilChanged()
      .flatMapLatest { text in
        store.rx.fetch(Book.titled(text).limit(20), on: scheduler).asObservable()
      }
      .map { $0.map(\.title) }
  }
}

// MARK: -

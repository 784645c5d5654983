import Croft
import Foundation

@Model struct Book {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Indexed var year: Int
  var title: String
}

func printClassics(in file: URL) async throws {
  let store = try Store.open(at: file, models: Book.self)
  let books = [Book(year: 1815, title: "Emma"), Book(year: 1965, title: "Dune")]
  try await store.write { tx in try tx.insert(contentsOf: books) }
  for book in try await store.fetch(Book.where { $0.year < 1900 }.order(by: \.title)) {
    print(book.year, book.title)
  }
}

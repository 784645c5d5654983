import Croft
import Foundation

@Model struct Author {
  @PrimaryKey var id: Int
  @Indexed(.unique) var name: String
}

enum BookForm: String, StoredEnum, CaseIterable { case paper, screen = "e-book" }
enum BookState: Int, StoredEnum, CaseIterable { case kept, lent }
/// An enum whose cases the file does not have.
enum BookShelf: Int, StoredEnum { case low, high }

@Model struct Book {
  @PrimaryKey var id: Int
  @Indexed var title: String
  var year: Int?
  var tags: [String] = []
  var cover = Data()
  var author: Ref<Author>?
  var form: BookForm = .paper
  var state: BookState = .kept
  var shelf: BookShelf = .low
}

/// A file with two authors and three books, in a folder of its own.
struct BookStore {
  let folder: URL
  let file: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "croft-tool-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(path: "books.croft").path
    try open().write { tx in
      try tx.insert(contentsOf: [Author(id: 1, name: "우유"), Author(id: 2, name: "Bo")])
      try tx.insert(contentsOf: [
        Book(
          id: 1, title: "바나나, \"big\"", year: 2001, tags: ["a", "b|c"], cover: Data([0, 255]),
          author: Ref(1)),
        Book(id: 2, title: "line\nfeed", year: nil, author: Ref(2)),
        Book(id: 3, title: "Sea", year: 1999, author: nil),
      ])
    }
  }

  /// The store as the program that declares its models opens it.
  func open() throws -> Store {
    try Store.open(at: URL(filePath: file), models: Author.self, Book.self)
  }
}

import Croft
import Foundation

// MARK: - Models

@Model struct Author: Hashable, Codable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Indexed(.unique) var name: String
  var country = ""
}

@Model struct Shelf: Hashable, Codable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Indexed(.unique) var name: String
}

enum Status: String, StoredEnum, Codable {
  case wanted, reading, finished
}

@Model struct Book: Hashable, Codable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Indexed(.unique) var isbn: String
  @Indexed(.caseFolded) var title: String
  var author: Ref<Author>
  var shelves: Set<Ref<Shelf>> = []
  @Renamed(from: "length") var pages: Int
  @Indexed var status = Status.wanted
  @Renamed(from: "stars") var rating: Int?
  var addedAt = Date.now
  var isFavorite = false
}

@Model struct Reading: Hashable, Codable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Relation(onDelete: .cascade) var book: Ref<Book>
  var startedAt: Date
  var finishedAt: Date?
}

@Model struct Session: Hashable, Codable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Relation(onDelete: .cascade) var reading: Ref<Reading>
  @Indexed var startedAt: Date
  var pages: Int
}

@Model struct Note: Hashable, Codable {
  @PrimaryKey var id: UUID = .timeOrdered()
  @Relation(onDelete: .cascade) var book: Ref<Book>
  var page: Int
  var text: String
}

@Embedded struct Goal: Hashable, Codable {
  var pagesPerMonth = 300
  var booksPerYear = 12
}

@Model struct Settings: Hashable, Codable {
  @PrimaryKey var id: Int = 1
  var goal = Goal()
  var theme = "light"
}

// MARK: - Migration

/// What opening a file of the first version does beside the renames above, which need nothing.
let migrations: [Migration] = [
  // A book without a rating had no stars.
  Migration("no-stars", Book.self) { _, book in
    if book?.rating == 0 { book?.rating = nil }
  }
]

// MARK: -

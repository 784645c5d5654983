import Croft

/// A shelf with a unique name, to which books refer.
@Model struct Shelf: Hashable {
  @PrimaryKey var id: Int
  @Indexed(.unique) var name: String
  var color = 0
}

/// A book, which is deleted with its shelf.
@Model struct Book: Hashable {
  @PrimaryKey var id: Int
  var title: String
  var pages = 0
  @Relation(onDelete: .cascade) var shelf: Ref<Shelf>?
}

/// All that stores of the tests share.
struct Library: Equatable {
  var shelves: [Shelf] = []
  var books: [Book] = []

  static let models: [any Model.Type] = [Shelf.self, Book.self]
}

import Croft
import Foundation

/// An enum with gaps between its raw values.
enum Genre: Int, StoredEnum, CaseIterable {
  case none
  case rock = 1
  case jazz = 7
}

/// The model that most tests use: an integer key, two indexes, and optionals.
@Model struct Song: Hashable {
  @PrimaryKey var id: Int
  var title: String
  @Indexed var plays = 0
  @Indexed var genre: Genre = .none
  var note: String?
  var rating: Double?
}

/// A second model, with a text as its key.
@Model struct Album: Hashable {
  @PrimaryKey var name: String
  var year: Int?
}

extension Song {
  /// Songs with the identifiers of a range; plays repeat every ten, genres every three.
  static func numbered(_ ids: Range<Int>) -> [Song] {
    ids.map { id in
      Song(
        id: id, title: "Song \(id)", plays: id % 10, genre: Genre.allCases[id % 3],
        note: id % 4 == 0 ? nil : "note \(id % 7)", rating: id % 5 == 0 ? nil : Double(id % 6))
    }
  }
}

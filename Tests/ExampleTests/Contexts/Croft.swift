import Croft
import Foundation

enum Genre: Int, StoredEnum { case rock, jazz }

@Model struct Song {
  @PrimaryKey var id: UUID = .timeOrdered()
  var title: String
  var artist: String = ""
  @Indexed var plays: Int = 0
  var genre: Genre = .rock
  var tags: [String] = []
  var note: String?
}

@Model struct Person {
  @PrimaryKey var id: Int
  var name: String
  var age: Int
}

@Model struct Book {
  @PrimaryKey var id: Int
  var title: String
  var genre: Genre
}

@Model struct Session {
  @PrimaryKey var id: Int
  var book: Ref<Book>
  var startedAt: Date
  var pages: Int
}

struct Settings: Codable {}

var query: Query<TodoItem> { example() }
var table: ListView { example() }
var token: ObservationToken { example() }
var group: TodoGroup { example() }
var item: TodoItem { example() }
var song: Song { example() }
var covers: [Song] { example() }
var settings: Settings { example() }
var id: UUID { example() }
var place: Double { example() }
var calendar: Calendar { example() }
var may: Date { example() }

func index(_ delta: ObjectDelta<TodoItem>) {}
func show(_ items: LiveResults<TodoItem>) {}
func rename(_ old: String?, to new: String?) {}

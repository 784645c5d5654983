import Croft
import Foundation

enum Priority: Int, StoredEnum { case none, low, normal, high }

@Model struct TodoGroup {
  @PrimaryKey var id: UUID = .timeOrdered()
  var name: String = ""
}

@Model struct TodoItem: Equatable {
  @PrimaryKey var id: UUID = .timeOrdered()
  var title: String = ""
  var isDone: Bool = false
  var priority: Priority = .none
  var due: Date?
  var createdAt: Date = .distantPast
  var place: Double = 0
  var group: Ref<TodoGroup>?
}

struct ListView {
  func reload(_ items: LiveResults<TodoItem>) {}
  func apply(_ change: ResultChange<TodoItem>) {}
  func apply(_ change: SectionedChange<TodoItem, Priority>) {}
  func draw(_ items: LiveResults<TodoItem>) {}
  func draw(_ items: [TodoItem]) {}
  func move(_ item: TodoItem, to place: Double) {}
  func delete(_ sections: [Int]) {}
}

var store: Store { example() }
var url: URL { example() }
var list: ListView { example() }

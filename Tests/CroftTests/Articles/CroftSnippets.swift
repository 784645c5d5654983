import Croft
import Foundation
import Testing

/// The code of Croft's first page.
@Suite struct CroftSnippets {
  enum Priority: Int, StoredEnum { case none, low, normal, high }

  @Model struct TodoItem {
    @PrimaryKey var id: UUID = .timeOrdered()
    var title: String
    @Indexed var priority: Priority = .none
    var isDone = false
  }

  @Test func theExampleRuns() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "todo.croft")
    let store = try Store.open(at: url, models: TodoItem.self)
    try store.write { tx in
      try tx.insert(TodoItem(title: "Read", priority: .high))
    }
    let urgent = try store.fetch(
      TodoItem.where { !$0.isDone && $0.priority >= .normal }.order(by: \.title))
    #expect(urgent.map(\.title) == ["Read"])
    try FileManager.default.removeItem(at: folder)
  }
}

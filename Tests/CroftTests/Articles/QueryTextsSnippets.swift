import Croft
import Foundation
import TestSupport
import Testing

/// The code of the article about query texts.
@Suite struct QueryTextsSnippets {
  @Model struct TodoItem {
    @PrimaryKey var id: Int
    var title: String
    var priority = 0
    var isDone = false
    var due: Date?
  }

  @Test func aProgramWithoutModelsAsksAFile() throws {
    let folder = TemporaryFolder()
    let url = folder.url.appending(path: "list.croft")
    try Store.open(at: url, models: TodoItem.self).write { tx in
      try tx.insert(contentsOf: [
        TodoItem(id: 1, title: "milk", priority: 2), TodoItem(id: 2, title: "bread"),
      ])
    }
    var printed: [String] = []
    func print(_ values: Any...) { printed.append("\(values)") }

    let store = try Store.open(at: url, models: [])
    for model in try store.models { print(model.name, model.objectCount) }

    let query = try DynamicQuery("TodoItem where isDone == false and priority >= $1 sort by due", 2)
    for item in try store.fetch(query) { print(try item["title", as: String.self]) }

    #expect(printed == ["[\"TodoItem\", 2]", "[\"milk\"]"])

    let completion = try store.completions(of: "TodoItem where isD")
    print(completion.word, completion.candidates.map(\.text))

    #expect(printed.last == "[\"isD\", [\"isDone\"]]")

    var options = Store.Options()
    options.usesStoredModels = true
    let writer = try Store.open(at: url, models: [], options: options)
    try writer.write { tx in
      try tx.insert("TodoItem", ["id": .int(3), "title": .string("eggs")])
      try tx.update(DynamicQuery("TodoItem where due < today"), set: ["priority": .int(3)])
      try tx.perform(DynamicStatement("delete TodoItem where isDone"))
    }
    #expect(try store.count(DynamicQuery("TodoItem")) == 3)
  }
}

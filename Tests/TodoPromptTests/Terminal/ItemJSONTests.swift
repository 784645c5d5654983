import Foundation
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ItemJSONTests {
  private let item = TodoItem(
    id: KnownRepository.id(1), title: "보고서 \"쓰기\" \\ \u{1B}\u{9B}\n\t\u{7F}👨‍👩‍👧",
    priority: .high, isDone: true, isImportant: true,
    createdAt: Date(timeIntervalSince1970: 1_767_323_041.75))

  @Test func keysStandInOneOrder() {
    let json = ItemJSON.object(
      of: TodoItem(
        id: item.id, title: "x", priority: .none, createdAt: item.createdAt), number: nil)
    #expect(
      json == """
        {"id":"019b7c3e-0000-7000-8000-00000000a001","number":null,"title":"x","isDone":false,\
        "isImportant":false,"priority":"none","group":null,"createdAt":"2026-01-02T03:04:01Z"}
        """)
  }

  @Test func aParserReadsBackWhatWasWritten() throws {
    let json = ItemJSON.array(of: [
      ItemJSON.object(of: item, number: 1), ItemJSON.object(of: item, number: 2),
    ])
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let list = try #require(parsed as? [[String: Any]])
    #expect(list.count == 2)
    #expect(list[1]["number"] as? Int == 2)
    #expect(list[0]["title"] as? String == item.title)
    #expect(list[0]["isDone"] as? Bool == true)
    #expect(list[0]["isImportant"] as? Bool == true)
    #expect(list[0]["priority"] as? String == "high")
    #expect(list[0]["group"] is NSNull)
    #expect(list[0].count == 8)
    #expect(!json.unicodeScalars.contains { $0.drivesTerminal && $0 != "\n" })
  }

  @Test func noItemsAreAnEmptyList() {
    #expect(ItemJSON.array(of: []) == "[]\n")
  }
}

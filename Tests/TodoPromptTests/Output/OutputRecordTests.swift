import Foundation
import TerminalText
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

@Suite struct OutputRecordTests {
  private let item = TodoItem(
    id: KnownRepository.id(1), title: "보고서 \"쓰기\" \\ \u{1B}\u{9B}\n\t\u{7F}👨‍👩‍👧",
    priority: .high, isDone: true, isImportant: true,
    createdAt: Date(timeIntervalSince1970: 1_767_323_041.75), note: "x\ny",
    due: CalendarDay("2026-06-01"), tags: ["a", "\"b\""])

  @Test func keysStandInOneOrder() {
    let json = OutputRecord(
      TodoItem(
        id: item.id, title: "x", priority: .none, createdAt: item.createdAt), number: nil,
      group: nil
    ).json
    #expect(
      json == """
        {"id":"019b7c3e-0000-7000-8000-00000000a001","number":null,"title":"x","isDone":false,\
        "isImportant":false,"priority":"none","group":null,"due":null,"tags":[],"note":"",\
        "createdAt":"2026-01-02T03:04:01Z","doneAt":null,"repeat":null,"wait":null,\
        "estimate":null}
        """)
  }

  @Test func aParserReadsBackWhatWasWritten() throws {
    let json = RecordFormat.json.text(
      of: [
        OutputRecord(item, number: 1, group: nil),
        OutputRecord(item, number: 2, group: "집 \"안\""),
      ], keys: [])
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let list = try #require(parsed as? [[String: Any]])
    #expect(list.count == 2)
    #expect(list[1]["number"] as? Int == 2)
    #expect(list[0]["title"] as? String == item.title)
    #expect(list[0]["isDone"] as? Bool == true)
    #expect(list[0]["isImportant"] as? Bool == true)
    #expect(list[0]["priority"] as? String == "high")
    #expect(list[0]["group"] is NSNull)
    #expect(list[1]["group"] as? String == "집 \"안\"")
    #expect(list[0]["due"] as? String == "2026-06-01")
    #expect(list[0]["tags"] as? [String] == ["a", "\"b\""])
    #expect(list[0]["note"] as? String == "x\ny")
    #expect(list[0].count == 15)
    #expect(!json.unicodeScalars.contains { $0.isControl && $0 != "\n" })
  }

  @Test func keysOfAGroupStandInOneOrder() {
    let group = TodoGroup(
      id: item.id, name: "집\u{1B}", color: .gray, createdAt: item.createdAt)
    #expect(
      OutputRecord(group, tally: Tally(total: 9, done: 6)).json == """
        {"id":"019b7c3e-0000-7000-8000-00000000a001","name":"집\\u001b","color":"#808080",\
        "total":9,"done":6,"createdAt":"2026-01-02T03:04:01Z"}
        """)
  }

  @Test func noItemsAreAnEmptyList() {
    #expect(RecordFormat.json.text(of: [], keys: OutputRecord.itemKeys) == "[]\n")
  }
}

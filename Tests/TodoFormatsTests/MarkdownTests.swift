import Foundation
import Testing
import TodoFormats

@Suite("Markdown")
struct MarkdownTests {
  @Test func aListIsRead() throws {
    let file = read(Samples.markdown, .markdown)
    #expect(file.errors.isEmpty)
    #expect(
      file.records.map(\.title) == ["Buy milk", "Look into the fridge", "Water plants", "Old plan"])
    #expect(file.records.map(\.group) == ["Shopping", "Shopping", "Shopping", "집안일"])
    #expect(file.records.map(\.level) == [0, 1, 0, 0])
    #expect(file.records.map(\.isDone) == [false, true, false, false])
    let task = try #require(file.records.first)
    #expect(task.due == TaskDate("2026-12-24") && task.priority == .high && task.tags == ["food"])
    #expect(task.notes == [TaskNote("two litres")])
    #expect(file.records[2].repeats == TaskRepeat(.phrase, "every week"))
    #expect(file.records[2].foreignID == "abc")
    #expect(file.records[3].isCancelled)
    #expect(file.warnings.map(\.row) == [8])
  }

  @Test func whatIsReadIsWrittenAgain() {
    let records = read(Samples.markdown, .markdown).records
    let text = write(records, .markdown).text
    #expect(read(text, .markdown).records == records)
    #expect(text.contains("- [ ] Water plants 🔁 every week 🆔 abc ⛔ def\n"))
    #expect(text.contains("- [-] Old #일 plan ❌ 2026-12-03\n"))
  }

  @Test func tasksInABlockOfCodeAreNone() {
    let file = read("```\n- [ ] no\n```\n- [ ] yes\n", .markdown)
    #expect(file.records.map(\.title) == ["yes"])
  }

  @Test func signsWithoutAValueStayInTheTitle() {
    let file = read("- [ ] Buy 📅 calendar\n- [ ] Ship it#1 ✅ soon\n", .markdown)
    #expect(file.records.map(\.title) == ["Buy 📅 calendar", "Ship it#1 ✅ soon"])
    #expect(file.records.allSatisfy { $0.unknown.isEmpty && $0.tags.isEmpty })
  }

  @Test func aTitleWithTheSignOfATagIsEscaped() {
    let task = TaskRecord(title: "Fix #bug and \\#this")
    let output = write([task], .markdown)
    #expect(output.text == "- [ ] Fix \\#bug and \\\\#this\n")
    #expect(output.warnings.isEmpty)
    #expect(read(output.text, .markdown).records == [task])
  }

  @Test func notesKeepTheirLines() {
    var task = TaskRecord(title: "a")
    task.notes = [TaskNote("one\n\n  two\n- three")]
    var child = TaskRecord(title: "b")
    child.level = 1
    child.notes = [TaskNote("four")]
    let output = write([task, child, TaskRecord(title: "c")], .markdown)
    #expect(output.warnings.isEmpty)
    #expect(read(output.text, .markdown).records == [task, child, TaskRecord(title: "c")])
  }

  /// A line of a note was read as another task, and a heading after it as the group of those below.
  @Test(arguments: [
    "# list\n- [ ] b\n# more", "  * [x] b\n\\\\- [ ] c\n\\- d",
    "```\n- [ ] b\n\\- [ ] c\n```\n1. [ ] d",
  ])
  func aNoteThatLooksLikeATaskIsEscaped(_ note: String) {
    var task = TaskRecord(title: "a")
    task.notes = [TaskNote("text\n" + note)]
    var child = task
    child.level = 1
    let records = [task, child, TaskRecord(title: "z")]
    let output = write(records, .markdown)
    #expect(output.warnings.isEmpty)
    #expect(read(output.text, .markdown).records == records, "\(output.text)")
  }

  /// The tasks below a note with the beginning of a block of code were read as a part of the note.
  @Test func aBlockOfCodeEndsWithItsNote() {
    var task = TaskRecord(title: "a")
    task.notes = [TaskNote("```\n\n- [ ] code")]
    var child = TaskRecord(title: "b")
    child.level = 1
    let output = write([task, child, TaskRecord(title: "c")], .markdown)
    #expect(output.warnings.map(\.field) == [.notes])
    #expect(read(output.text, .markdown).records.map(\.title) == ["a", "b", "c"])
    let file = read("- [ ] a\n  ```\n# One\n- [ ] b\n", .markdown)
    #expect(file.records.map(\.group) == [nil, "One"])
    // Code that is less indented than its note is code.
    let code = read("- [ ] a\n  ```\ncode\n  ```\n- [ ] b\n", .markdown)
    #expect(code.records.map(\.title) == ["a", "b"])
    // Signs within a line begin no block.
    let line = read("- [ ] a\n  ```x``` is code\n  - [ ] b\n", .markdown)
    #expect(line.records.map(\.level) == [0, 1])
  }

  @Test func otherStatesOfObsidianAreKept() {
    let text = "- [/] half\n- [X] done\n- [?] what\n"
    #expect(read(text, .markdown).records.map(\.isDone) == [false, true, false])
    #expect(rewritten(text, .markdown) == text)
  }

  @Test func aDateWithoutABlankIsKeptSo() {
    let text = "- [x] a ✅2026-12-02\n- [-] b ❌2026-12-02\n"
    #expect(read(text, .markdown).records.allSatisfy { $0.doneAt != nil })
    #expect(rewritten(text, .markdown) == text)
  }

  @Test func headingsOfAllForms() {
    let text = "# One #\n- [ ] a\n#two\n###### Three\n* [ ] b\n#\n+ [ ] c\n"
    #expect(read(text, .markdown).records.map(\.group) == ["One", "Three", nil])
  }
}

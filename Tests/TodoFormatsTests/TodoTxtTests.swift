import Foundation
import Testing
import TodoFormats

@Suite("TodoTxt")
struct TodoTxtTests {
  private func record(_ line: String) throws -> TaskRecord {
    try #require(read(line + "\n", .todoTxt).records.first)
  }

  @Test func aLineIsRead() throws {
    let task = try record(
      "(A) 2026-01-01 Call Mom +Family @phone +Old due:2026-01-05 t:2026-01-03 rec:+1w star:1 uid:7"
    )
    #expect(task.title == "Call Mom")
    #expect(task.priority == .high)
    #expect(task.group == "Family")
    #expect(task.tags == ["phone", "Old"])
    #expect(task.due == TaskDate("2026-01-05"))
    #expect(task.start == TaskDate("2026-01-03"))
    #expect(task.repeats == TaskRepeat(.rec, "+1w"))
    #expect(task.isImportant && !task.isDone)
    #expect(task.foreignID == "7")
    #expect(task.createdAt == (try Date(utc: "2025-12-31T15:00:00Z")))
  }

  @Test(arguments: [
    ("(A) Call", TaskPriority.high, "Call"), ("(B) Call", .normal, "Call"),
    ("(C) Call", .low, "Call"), ("(Z) Call", .low, "Call"), ("(a) Call", .none, "(a) Call"),
    ("(A)Call", .none, "(A)Call"), ("Call (A) Mom", .none, "Call (A) Mom"),
    (" (A) Call", .none, "(A) Call"), ("(AA) Call", .none, "(AA) Call"),
  ])
  func onlyACapitalAtTheStartIsAPriority(line: String, priority: TaskPriority, title: String) throws
  {
    let task = try record(line)
    #expect(task.priority == priority)
    #expect(task.title == title)
  }

  @Test(arguments: [
    ("x Call", true, "Call"), ("X Call", false, "X Call"), ("xylophone", false, "xylophone"),
    ("(A) x Call", false, "x Call"), (" x Call", false, "x Call"), ("x", false, "x"),
  ])
  func onlyASmallXAndASpaceAreDone(line: String, isDone: Bool, title: String) throws {
    let task = try record(line)
    #expect(task.isDone == isDone)
    #expect(task.title == title)
  }

  /// A title such as `note:milk` was exported, and its line refused by the import.
  @Test(arguments: ["note:milk", "a:1 b:2"])
  func wordsWithAColonAreTheTitleOfALineWithoutAnother(title: String) throws {
    let task = try record("(A) \(title) +Home due:2026-01-05")
    #expect(task.title == title && task.group == "Home" && task.due == TaskDate("2026-01-05"))
    let output = write([TaskRecord(title: title)], .todoTxt)
    #expect(output.warnings.isEmpty)
    #expect(read(output.text, .todoTxt).records.map(\.title) == [title])
    #expect(try record("Call \(title)").title == "Call")
  }

  /// A day that is mistyped is no title.
  @Test(arguments: ["due:2026-01-05", "due:2026-13-45", "t:tomorrow", "star:2", "pri:AA", "rec:1w"])
  func aLineOfFieldsAloneIsAnError(field: String) {
    let file = read("(A) +Home \(field)\n", .todoTxt)
    #expect(file.records.isEmpty && file.errors.count == 1)
  }

  @Test func anAddressIsNoContextAndASumNoProject() throws {
    let task = try record("Write me@host.org about 2+2 and + and @ at 10:30 on http://a.b/c:d")
    #expect(task.tags.isEmpty && task.group == nil)
    #expect(task.title == "Write me@host.org about 2+2 and + and @ at 10:30 on http://a.b/c:d")
    #expect(task.unknown.isEmpty)
  }

  @Test func aPriorityBehindTheXIsOne() throws {
    let task = try record("x (A) 2026-01-02 2026-01-01 Call")
    #expect(task.isDone && task.priority == .high && task.title == "Call")
    #expect(task.doneAt == (try Date(utc: "2026-01-01T15:00:00Z")))
    #expect(task.createdAt == (try Date(utc: "2025-12-31T15:00:00Z")))
  }

  @Test func oneDateBehindTheXIsThatOfCompletion() throws {
    let task = try record("x 2026-01-02 Call")
    #expect(task.doneAt != nil && task.createdAt == nil)
  }

  @Test func everyLineIsWrittenAsItWasRead() {
    #expect(rewritten(Samples.todoTxt, .todoTxt) == Samples.todoTxt)
    let odd =
      "  Call  +Family   Mom\nx (A) 2026-01-02 Pay pri:B\nA due:soon t:x due:2026-02-30 line:1\n"
    #expect(rewritten(odd, .todoTxt) == odd)
  }

  @Test func anEditKeepsWhatItDoesNotTouch() throws {
    var task = try record("(D) Plan +Trip with @me est:30m  x:y id:abc")
    task.title = "Think about"
    #expect(write([task], .todoTxt).text == "(D) Think about +Trip @me id:abc est:30m x:y\n")
    task.priority = .high
    task.isDone = true
    #expect(
      write([task], .todoTxt).text == "x Think about +Trip @me id:abc pri:A est:30m x:y\n")
  }

  @Test func aDateThatIsNoneIsKeptWithAWarning() throws {
    let file = read("Call due:tomorrow\n", .todoTxt)
    #expect(file.warnings.map(\.field) == [.due])
    #expect(file.records.first?.due == nil)
    #expect(write(file.records, .todoTxt).text == "Call due:tomorrow\n")
  }

  @Test func whatTheFormatCannotSayIsWarnedOf() {
    var task = TaskRecord(title: "Buy +1 milk")
    task.notes = [TaskNote("a note")]
    task.group = "My list"
    task.parent = "p"
    task.due = TaskDate("2026-01-05T14:30")
    let output = write([task], .todoTxt)
    #expect(output.text == "Buy +1 milk +My_list due:2026-01-05\n")
    #expect(
      Set(output.warnings.compactMap(\.field)) == [
        .title, .notes, .group, .parent, .dueTime, .tags,
      ])
    #expect(output.warnings.allSatisfy { $0.row == 1 && $0.severity == .warning })
  }

  @Test func aLineWithoutTextIsAnErrorAndTheNextOneIsRead() {
    let file = read("+Family @phone\n\nx 2026-01-01 \nCall\r\n", .todoTxt)
    #expect(file.errors.map(\.row) == [1, 3])
    #expect(file.records.map(\.title) == ["Call"])
    #expect(file.rows == [4])
  }

  @Test func bytesThatAreNoTextEndTheReadingWithTheirLine() {
    var data = Data("Call Mom\nPay rent\n".utf8)
    data.append(contentsOf: [0xC3, 0x28, 0x0A])
    data.append(contentsOf: Data("Water plants\n".utf8))
    let file = TaskFormat.todoTxt.read(data, options())
    #expect(file.records.map(\.title) == ["Call Mom", "Pay rent"])
    #expect(file.errors.map(\.row) == [3])
  }

  @Test func hangulKeepsItsBytes() throws {
    let decomposed =
      "\u{1112}\u{1161}\u{11AB} \u{AE00} @\u{1112}\u{1161} \u{1F469}\u{200D}\u{1F4BB}"
    let task = try record(decomposed)
    #expect(
      Array(task.title.utf8)
        == Array("\u{1112}\u{1161}\u{11AB} \u{AE00} \u{1F469}\u{200D}\u{1F4BB}".utf8))
    #expect(Array(rewritten(decomposed + "\n", .todoTxt).utf8) == Array((decomposed + "\n").utf8))
  }

  @Test func aMarkBehindASignIsNoPartOfTheSign() throws {
    let task = try record("Call @\u{301}x +\u{301}y uid:\u{301}z k:\u{301}v")
    #expect(task.tags == ["\u{301}x"] && task.group == "\u{301}y" && task.foreignID == "\u{301}z")
    #expect(task.unknown.contains(.init("k", "k:\u{301}v")))
  }
}

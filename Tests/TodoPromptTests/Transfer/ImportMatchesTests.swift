import Foundation
import TestSupport
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// A task of a file is the item that it was at the last import, in whatever order the file has it.
@Suite struct ImportMatchesTests {
  /// Stars and notes of the items, by group.
  private func marks(_ place: Place) throws -> [String: String] {
    let groups = try place.repository.groups().map { ($0.group.id, $0.group.name) }
    let names = Dictionary(groups) { $1 }
    let items = try place.repository.items(.all)
    return Dictionary(
      items.map { item in
        (
          "\(item.groupID.flatMap { names[$0] } ?? "-"): \(item.title)",
          (item.isDone ? "x" : "") + (item.isImportant ? "*" : "") + item.note
        )
      }
    ) { $0 + "|" + $1 }
  }

  /// Stars the item of a group, and gives it a note.
  private func mark(_ group: String, _ place: Place) throws {
    let groups = try place.repository.groups()
    let id = try #require(groups.first { $0.group.name == group }?.group.id)
    let item = try #require(try place.repository.items(.all).first { $0.groupID == id })
    for words in [["star", item.id.uuidString], ["note", item.id.uuidString, "for", group]] {
      #expect(place.terminal.run(words).status == .done)
    }
  }

  /// An export that nobody had edited moved the note and the star of one task to that of the same
  /// title in another project: the order of the lines decided.
  @Test func anExportThatNobodyEditedChangesNothing() throws {
    let place = try Place()
    _ = try place.importText("x Write tests +A\nWrite tests +B\n", as: .todoTxt)
    try mark("B", place)
    let before = try marks(place)
    let answer = try place.importText(place.export(.todoTxt), as: .todoTxt)
    #expect(answer.contains(": 0 added, 0 changed, 2 unchanged"), "\(answer)")
    #expect(try marks(place) == before)
    #expect(before["B: Write tests"] == "*for B" && before["A: Write tests"] == "x")
  }

  /// Three tasks of one title took each other's notes when the lines were sorted or archived.
  @Test(
    arguments: [
      (
        TaskFormat.todoTxt,
        ["Write tests +Alpha\n", "Write tests +Beta\n", "Write tests +Gamma @pc\n"]
      ),
      (
        .markdown,
        [
          "## Alpha\n\n- [ ] Write tests\n", "## Beta\n\n- [ ] Write tests\n",
          "## Gamma\n\n- [ ] Write tests #pc\n",
        ]
      ),
    ])
  func sortedAndArchivedTasksKeepTheirItems(format: TaskFormat, parts: [String]) throws {
    let place = try Place()
    _ = try place.importText(parts.joined(), as: format)
    try mark("Beta", place)
    let before = try marks(place)
    for order in [[1, 2, 0], [2, 1], [1], [0, 1, 2]] {
      let answer = try place.importText(order.map { parts[$0] }.joined(), as: format)
      #expect(answer.contains(": 0 added, 0 changed, \(order.count) unchanged"), "\(answer)")
      #expect(try marks(place) == before)
    }
  }

  /// A moved section of Todoist gave the star to the task of the same name in another section.
  @Test func sectionsOfTodoistMayMove() throws {
    let place = try Place()
    let header = "TYPE,CONTENT,PRIORITY,INDENT\n"
    let alpha = "section,Alpha,,\ntask,Write tests,4,1\n"
    let beta = "section,Beta,,\ntask,Write tests,4,1\n"
    _ = try place.importText(header + alpha + beta, as: .todoist)
    try mark("Beta", place)
    let before = try marks(place)
    let answer = try place.importText(header + beta + alpha, as: .todoist)
    #expect(answer.contains(": 0 added, 0 changed, 2 unchanged"), "\(answer)")
    #expect(try marks(place) == before)
  }

  /// A task whose project was renamed in the file is still the same one, if no other can be meant.
  @Test func aTaskThatMovesKeepsItsNote() throws {
    let place = try Place()
    _ = try place.importText("Write tests +A\nWrite tests +B\nCall\n", as: .todoTxt)
    try mark("B", place)
    let answer = try place.importText("Write tests +C\nCall\nWrite tests +A\n", as: .todoTxt)
    #expect(answer.contains(": 0 added, 1 changed, 2 unchanged"), "\(answer)")
    #expect(
      try marks(place) == ["A: Write tests": "", "C: Write tests": "*for B", "-: Call": ""])
  }

  /// A new task is not taken for one of two that left the file, because nobody can say which.
  @Test func whereTwoCanBeMeantTheTaskIsNew() throws {
    let place = try Place()
    _ = try place.importText("Write tests +A\nWrite tests +B\n", as: .todoTxt)
    try mark("B", place)
    let answer = try place.importText("Write tests +C\n", as: .todoTxt)
    #expect(answer.contains(": 1 added, 0 changed"), "\(answer)")
    #expect(try marks(place)["B: Write tests"] == "*for B")
  }

  /// One UUID in upper and in lower case was two tasks with one id, and the import failed.
  @Test func aUUIDIsTheSameInUpperAndInLowerCase() throws {
    let place = try Place()
    let id = "00000000-0000-4000-8000-00000000000A"
    let text = """
      [{"id":"\(id)","title":"a"},
      {"id":"\(id.lowercased())","title":"b"}]

      """
    let answer = try place.importText(text, as: .json)
    #expect(answer.contains(": 1 added, 0 changed, 0 unchanged, 1 skipped"), "\(answer)")
    let again = try place.importText(text.replacing(id, with: id.lowercased()), as: .json)
    #expect(again.contains(": 0 added, 0 changed, 1 unchanged, 1 skipped"), "\(again)")
  }

  /// The time of day of a completion became midnight when todo.txt, which has days, came back.
  @Test func anotherFieldOfACompletedTaskKeepsTheTimeOfCompletion() throws {
    let place = try Place()
    _ = try place.importText("2026-01-01 Pay rent\n", as: .todoTxt)
    let item = try #require(try place.repository.items(.all).first)
    #expect(place.terminal.run(["done", item.id.uuidString]).status == .done)
    let done = try #require(try place.repository.item(item.id)?.doneAt)
    let exported = place.export(.todoTxt)
    #expect(try place.importText(exported, as: .todoTxt).contains(": 0 added, 0 changed"))
    let edited = exported.replacing("Pay rent", with: "Pay rent due:2026-02-01")
    #expect(try place.importText(edited, as: .todoTxt).contains(": 0 added, 1 changed"))
    let now = try #require(try place.repository.item(item.id))
    #expect(now.doneAt == done && now.due == CalendarDay("2026-02-01"))
  }

  // MARK: Random lists

  /// Random items, many of them with one title in several groups, as commands make and change them.
  private func fill(_ place: Place, _ format: TaskFormat, _ random: inout SeededGenerator) throws {
    let titles = ["Write tests", "우유 사기", "call"]
    // What came from a file, some of it twice.
    let records = (0..<random.below(8)).map { _ in
      var record = TaskRecord(title: random.pick(titles))
      record.group = random.oneIn(3) ? nil : random.pick(["A", "B", "집"])
      record.priority = random.pick([.none, .high])
      record.isDone = random.oneIn(3) && format != .todoist
      record.tags = random.oneIn(3) ? ["x"] : []
      if format == .markdown { record.level = random.below(2) }
      return record
    }
    let text = format.write(records, FormatOptions(timeZone: .gmt)).text
    _ = try place.importText(text, as: format)
    for _ in 0..<random.below(4) {
      _ = try place.repository.perform(
        .add(groups: [], items: [TodoItem(title: random.pick(titles), in: nil)]))
    }
    for item in try place.repository.items(.all) where random.oneIn(2) {
      let groups = try place.repository.groups().map(\.group.id)
      let patch: ItemPatch =
        switch random.below(7) {
        case 0: ItemPatch(isImportant: true)
        case 1: ItemPatch(note: "note \(random.below(100))")
        case 2: ItemPatch(isDone: !item.isDone)
        case 3: ItemPatch(groupID: .some(groups.isEmpty ? nil : random.pick(groups)))
        case 5:
          ItemPatch(
            due: CalendarDay("2027-02-28"),
            repeats: .some(RepeatRule(rawValue: random.pick(["fri", "month on 31", "2 weeks"]))))
        case 4: ItemPatch(due: CalendarDay("2027-01-05"), dueTime: TimeOfDay("09:30"))
        default: ItemPatch(title: random.pick(titles), tags: ["y"])
        }
      _ = try place.repository.perform(.edit([item.id], patch))
    }
  }

  /// The export of any list, imported again without an edit, changes nothing.
  @Test(arguments: TaskFormat.allCases)
  func anExportOfAnyListChangesNothing(format: TaskFormat) throws {
    var random = SeededGenerator.forTest("anExportOfAnyListChangesNothing \(format)")
    for _ in 0..<25 {
      let place = try Place()
      try fill(place, format, &random)
      let stored = try place.repository.items(.all)
      let text = place.export(format)
      let answer = try place.importText(text, as: format)
      #expect(answer.contains(": 0 added, 0 changed"), "\(answer)\(text)seed \(random.seed)")
      #expect(try place.repository.items(.all) == stored, "seed \(random.seed)")
    }
  }

  /// A todo.txt that was sorted, archived and edited in one line changes that line's item alone.
  @Test func aFileThatWasSortedAndArchivedChangesOnlyWhatChanged() throws {
    var random = SeededGenerator.forTest("aFileThatWasSortedAndArchivedChangesOnlyWhatChanged")
    for _ in 0..<60 {
      let place = try Place()
      try fill(place, .todoTxt, &random)
      var lines = place.export(.todoTxt).split(separator: "\n").map(String.init)
      lines.shuffle(using: &random)
      lines.removeLast(random.below(lines.count + 1))
      let stored = try place.repository.items(.all)
      let answer = try place.importText(lines.map { $0 + "\n" }.joined(), as: .todoTxt)
      #expect(answer.contains(": 0 added, 0 changed"), "\(answer)\(lines) seed \(random.seed)")
      #expect(try place.repository.items(.all) == stored, "seed \(random.seed)")
      let undated = lines.indices.filter { !lines[$0].contains("due:") }
      if undated.isEmpty { continue }
      lines[random.pick(undated)] += " due:2031-02-03"
      let edited = try place.importText(lines.map { $0 + "\n" }.joined(), as: .todoTxt)
      #expect(edited.contains(": 0 added, 1 changed"), "\(edited)\(lines) seed \(random.seed)")
      let changed = try place.repository.items(.all).filter { !stored.contains($0) }
      #expect(
        changed.count == 1 && changed.first?.due == CalendarDay("2031-02-03"),
        "\(changed) \(lines) seed \(random.seed)")
      // Without the id of an item that came from no file, the file may be the one that was imported first.
      guard lines.contains(where: { $0.contains("uid:") }) else { continue }
      let before = stored.first { $0.id == changed.first?.id }
      #expect(changed.first?.isDone == before?.isDone, "\(lines) seed \(random.seed)")
    }
  }
}

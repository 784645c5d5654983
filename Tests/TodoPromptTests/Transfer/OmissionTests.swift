import Foundation
import TestSupport
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// What a file leaves out stays as it is: a missing key or column clears nothing.
@Suite struct OmissionTests {
  /// The keys by which a file may leave out a field of an item.
  private static let keys = [
    "isDone", "doneAt", "isImportant", "priority", "group", "due", "tags", "note", "repeat", "wait",
    "createdAt",
  ]

  /// A random state of an item, whose texts need no quotes in a table.
  private static func state(
    of item: TodoItem, groups: [UUID], isEdited: Bool, _ random: inout SeededGenerator
  ) -> TodoItem {
    var item = item
    item.title = random.pick(["Call Mom", "우유 사기", "a b"])
    item.priority = random.pick([.none, .low, .normal, .high])
    item.isImportant = random.oneIn(2)
    item.note = random.pick(["", "메모", "two litres"])
    item.groupID = random.oneIn(3) ? nil : random.pick(groups)
    item.due = CalendarDay(year: 2026, month: 1 + random.below(12), day: 1 + random.below(28))
    item.dueTime = random.oneIn(2) ? TimeOfDay(hour: random.below(24), minute: 30) : nil
    item.isDone = random.oneIn(3)
    item.doneAt =
      item.isDone ? Date(timeIntervalSince1970: TimeInterval(random.below(1_000_000_000))) : nil
    item.repeats = item.isDone || random.oneIn(2) ? nil : RepeatRule(rawValue: "2 weeks")
    // An item without a day would get one with a recurrence.
    if isEdited, item.repeats == nil, random.oneIn(3) { (item.due, item.dueTime) = (nil, nil) }
    item.hiddenUntil = random.oneIn(2) ? CalendarDay("2027-03-04") : nil
    item.tags = random.pick([[], ["집"], ["two words"]])
    return item
  }

  /// What an item becomes by a file that mentions some keys: the naive twin of an import.
  private static func twin(
    of own: TodoItem, by other: TodoItem, mentioning keys: Set<String>
  ) -> TodoItem {
    var twin = own
    twin.title = other.title
    if keys.contains("priority") { twin.priority = other.priority }
    if keys.contains("isImportant") { twin.isImportant = other.isImportant }
    if keys.contains("group") { twin.groupID = other.groupID }
    if keys.contains("due") { (twin.due, twin.dueTime) = (other.due, other.dueTime) }
    if keys.contains("tags") { twin.tags = other.tags }
    if keys.contains("note") { twin.note = other.note }
    if keys.contains("wait") { twin.hiddenUntil = other.hiddenUntil }
    if keys.contains("isDone") { twin.isDone = other.isDone }
    if keys.contains("doneAt") { twin.doneAt = other.doneAt }
    if keys.contains("repeat") { twin.repeats = other.repeats }
    // Only what is done has a time of it, and only what is open repeats.
    if twin.isDone { twin.repeats = nil } else { twin.doneAt = nil }
    return twin
  }

  /// The file without random keys, other ones in each object or the same in each row of a table.
  ///
  /// - Returns: The file, and the keys that are left of each item, by its id.
  private static func file(
    _ text: String, _ format: TaskFormat, _ random: inout SeededGenerator
  ) throws -> (text: String, keys: [UUID: Set<String>]) {
    var left: [UUID: Set<String>] = [:]
    if format == .csv {
      var rows = text.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let dropped = Set(keys.filter { _ in random.oneIn(2) })
      let columns = rows[0].indices.filter { !dropped.contains(rows[0][$0]) }
      rows = rows.map { row in columns.map { row[$0] } }
      for row in rows.dropFirst() { left[try #require(UUID(uuidString: row[0]))] = Set(rows[0]) }
      return (rows.map { $0.joined(separator: ",") + "\n" }.joined(), left)
    }
    var lines: [String] = []
    for line in text.split(separator: "\n") where line.contains("\"title\"") {
      let bytes = Data(line.utf8.drop { $0 != UInt8(ascii: "{") })
      let end = bytes.lastIndex(of: UInt8(ascii: "}")).map { $0 + 1 } ?? bytes.endIndex
      let parsed = try JSONSerialization.jsonObject(with: bytes[..<end])
      var object = try #require(parsed as? [String: Any])
      for key in keys where random.oneIn(2) { object[key] = nil }
      let id = try #require((object["id"] as? String).flatMap { UUID(uuidString: $0) })
      left[id] = Set(object.keys)
      lines.append(
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self))
    }
    let text = lines.joined(separator: format == .json ? ",\n" : "\n")
    return (format == .json ? "[\(text)]\n" : text + "\n", left)
  }

  /// An import of `[{"id": ..., "title": ...}]` took the note, star, group, day and tags of the item.
  @Test(arguments: [TaskFormat.json, .ndjson, .csv])
  func onlyWhatAFileMentionsIsChanged(format: TaskFormat) throws {
    var random = SeededGenerator.forTest("onlyWhatAFileMentionsIsChanged \(format)")
    for _ in 0..<20 {
      let place = try Place()
      let groups = [
        TodoGroup(name: "집", color: .gray), TodoGroup(name: "Work", color: .gray),
      ]
      let items = (0..<(1 + random.below(6))).map { _ in
        Self.state(
          of: TodoItem(title: "a", in: nil), groups: groups.map(\.id), isEdited: false, &random)
      }
      _ = try place.repository.perform(.add(groups: groups, items: items))
      // The same items on another computer, where they were edited.
      let other = try Place()
      _ = try other.repository.perform(.add(groups: groups, items: items))
      for item in try other.repository.items(.all) {
        let edited = Self.state(of: item, groups: groups.map(\.id), isEdited: true, &random)
        _ = try other.repository.perform(.edit([item.id], ItemPatch(from: item, to: edited)))
      }
      let edited = Dictionary(try other.repository.items(.all).map { ($0.id, $0) }) { $1 }
      let (text, keys) = try Self.file(other.export(format), format, &random)
      let expected = try place.repository.items(.all).map { item in
        Self.twin(
          of: item, by: try #require(edited[item.id]),
          mentioning: try #require(keys[item.id]))
      }
      _ = try place.importText(text, as: format)
      for twin in expected {
        let item = try #require(try place.repository.item(twin.id))
        #expect(item == twin, "\(text) seed \(random.seed)")
      }
      let again = try place.importText(text, as: format)
      #expect(again.contains(": 0 added, 0 changed, \(items.count) unchanged"), "\(again)")
    }
  }

  /// Null and an empty cell do clear a field.
  @Test(arguments: [TaskFormat.json, .csv])
  func whatIsEmptyIsCleared(format: TaskFormat) throws {
    let place = try Place()
    let words = ["add", "Call", "!h", "#x", "due:2027-01-05", "repeat:2 weeks"]
    #expect(place.terminal.run(words).status == .done)
    let item = try #require(try place.repository.items(.all).first)
    #expect(place.terminal.run(["note", item.id.uuidString, "loud"]).status == .done)
    let id = item.id.uuidString
    let text =
      format == .csv
      ? "id,title,note,due,repeat\n\(id),Call,,,\n"
      : "{\"id\":\"\(id)\",\"title\":\"Call\",\"note\":null,\"due\":null,\"repeat\":null}\n"
    #expect(try place.importText(text, as: format).contains(": 0 added, 1 changed"))
    var expected = try #require(try place.repository.item(item.id))
    (expected.note, expected.due, expected.repeats) = ("", nil, nil)
    #expect(try place.repository.item(item.id) == expected)
    #expect(expected.priority == .high && expected.tags == ["x"])
  }

  /// A backup of TickTick in which columns were deleted took notes, tags and days of its tasks, and what
  /// only its own columns hold.
  @Test func aTableOfTickTickWithoutSomeColumnsChangesTheOthersAlone() throws {
    let place = try Place()
    let full = """
      List Name,Title,Tags,Content,Due Date,Reminder,Priority,Status,taskId
      Home,Call,"a, b",loud,2027-01-05T09:30:00+0000,PT30M,1,0,7

      """
    _ = try place.importText(full, as: .ticktick)
    var item = try #require(try place.repository.items(.all).first)
    let less = "List Name,Title,Priority,Status,taskId\nHome,Call,5,0,7\n"
    #expect(try place.importText(less, as: .ticktick).contains(": 0 added, 1 changed"))
    let now = try #require(try place.repository.items(.all).first)
    item.priority = .high
    item.foreignRecord = now.foreignRecord
    #expect(now == item && now.tags == ["a", "b"] && now.note == "loud")
    #expect(place.export(.ticktick).contains("PT30M"))
    #expect(try place.importText(less, as: .ticktick).contains(": 0 added, 0 changed"))
  }

  /// Templates of Todoist have had other columns over the years.
  @Test func aTableOfTodoistWithoutSomeColumnsChangesTheOthersAlone() throws {
    let place = try Place()
    let full = """
      TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE
      task,Call @x,loud,1,1,every 2 weeks starting 2027-01-05
      task,Write,,2,1,

      """
    _ = try place.importText(full, as: .todoist)
    let items = try place.repository.items(.all)
    #expect(items.first?.note == "loud" && items.first?.repeats?.rawValue == "2 weeks")
    let less = "TYPE,CONTENT\ntask,Write\ntask,Call @y\n"
    #expect(try place.importText(less, as: .todoist).contains(": 0 added, 1 changed"))
    let now = try place.repository.items(.all)
    var expected = items
    expected[0].tags = ["y"]
    expected[0].foreignRecord = now.first?.foreignRecord
    #expect(now == expected)
  }

  /// A table without ids and with fewer columns than before added all its tasks again.
  @Test func aTableWithFewerColumnsHasTheSameTasks() throws {
    let place = try Place()
    let full = """
      Task,Project,Created,Deadline,Estimate
      Call,Home,2026-01-01,2027-01-05,2 hours
      Call,Work,2026-01-02,,3 hours

      """
    _ = try place.importText(full, as: .csv)
    let items = try place.repository.items(.all)
    let same = try place.importText("Task,Project\nCall,Work\nCall,Home\n", as: .csv)
    #expect(same.contains(": 0 added, 0 changed, 2 unchanged"), "\(same)")
    let less = "Task,Project,Priority\nCall,Work,high\nCall,Home,\n"
    #expect(try place.importText(less, as: .csv).contains(": 0 added, 1 changed, 1 unchanged"))
    var expected = items
    expected[1].priority = .high
    expected[1].foreignRecord = try place.repository.items(.all).last?.foreignRecord
    #expect(try place.repository.items(.all) == expected)
    #expect(place.export(.csv).contains("3 hours"))
  }
}

import Foundation
import Presentation
import TestSupport
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// Lists and exports in our own formats come back as what they were, in one schema.
@Suite struct OwnFormatsTests {
  /// An item with any of the values that commands give it.
  private static func item(
    groups: [UUID], _ random: inout SeededGenerator, tags: [String]
  ) -> TodoItem {
    let titles = [
      "Call Mom", "우유 사기", "a \"b\" \\ c", "한\u{202E}글 \u{1F469}\u{200D}\u{1F4BB}", "x,y;z",
    ]
    var item = TodoItem(title: random.pick(titles), in: nil)
    item.priority = random.pick([.none, .low, .normal, .high])
    item.isImportant = random.oneIn(2)
    item.createdAt = Date(timeIntervalSince1970: TimeInterval(random.below(2_000_000_000)))
    if random.oneIn(3) { item.note = random.pick(["two\nlitres", "메모", " blank ", "\ttab\u{7}"]) }
    if random.oneIn(2) { item.groupID = random.pick(groups) }
    if random.oneIn(2) {
      item.due = CalendarDay(
        year: 1 + random.below(9999), month: 1 + random.below(12), day: 1 + random.below(28))
      if random.oneIn(2) {
        item.dueTime = TimeOfDay(hour: random.below(24), minute: random.below(60))
      }
    }
    if random.oneIn(3) {
      item.isDone = true
      item.doneAt =
        random.oneIn(4)
        ? nil : Date(timeIntervalSince1970: TimeInterval(random.below(2_000_000_000)))
    } else if random.oneIn(2) {
      let rules = ["day", "2 weeks", "mon,fri", "month on 31", "2 months on 30", "year on 29"]
      item.repeats = RepeatRule(rawValue: random.pick(rules))
    }
    if random.oneIn(3) { item.hiddenUntil = CalendarDay("2027-03-04") }
    if random.oneIn(3) { item.estimate = Estimate(rawValue: Int32(1 + random.below(3_000))) }
    item.tags = (0..<random.below(4)).map { _ in random.pick(tags) }.unique
    return item
  }

  /// A store with groups, one of them empty, and random items.
  private func filled(
    _ random: inout SeededGenerator, tags: [String] = ["장보기", "two words", "a,b", "#x", "\"q\""]
  ) throws -> Place {
    let place = try Place()
    var groups = [
      TodoGroup(name: "집 \"안\"", color: try #require(RGBA("#12345678"))),
      TodoGroup(name: "Work", color: try #require(RGBA("#ff8800"))),
      TodoGroup(name: "Empty", color: .gray),
    ]
    groups[0].image = PlaceholderImages().image(for: groups[0].id)
    groups[1].image = GroupImage(
      bytes: Data("GIF89a moves".utf8), mimeType: ImageKind.gif.rawValue)
    let ids = groups.map(\.id)
    let items = (0..<(1 + random.below(12))).map { _ in
      Self.item(groups: Array(ids.prefix(2)), &random, tags: tags)
    }
    _ = try place.repository.perform(.add(groups: groups, items: items))
    return place
  }

  /// The items without the values of their store alone, each with the name of its group, by id.
  private func contents(_ place: Place) throws -> [UUID: TodoItem] {
    let groups = try place.repository.groups().map { ($0.group.id, $0.group.name) }
    let names = Dictionary(groups) { $1 }
    let items = try place.repository.items(.all).map { item in
      var bare = item
      (bare.foreignID, bare.foreignRecord, bare.order, bare.groupID) = (nil, nil, 0, nil)
      bare.tags.append(item.groupID.flatMap { names[$0] } ?? "-")
      return (item.id, bare)
    }
    return Dictionary(items) { $1 }
  }

  /// `todo ls -o json > f; todo import f` was refused as soon as an item repeated, and `-o csv` gave
  /// each tag another `#`: there were two schemas under one name.
  @Test(arguments: [TaskFormat.json, .ndjson, .csv], [true, false])
  func anyListComesBack(format: TaskFormat, isExport: Bool) throws {
    var random = SeededGenerator.forTest("anyListComesBack \(format) \(isExport)")
    for _ in 0..<20 {
      // Of a tag that is typed with a quote a table is not read exactly.
      let tags =
        format == .csv && !isExport ? ["장보기", "two words", "a,b"] : ["장보기", "#x", "\"q\" r"]
      let place = try filled(&random, tags: tags)
      let words =
        isExport ? ["export", "--format", format.name] : ["-o", format.name, "ls", "--all"]
      let text = place.terminal.run(words).output
      let stored = try place.repository.items(.all)
      let same = try place.importText(text, as: format)
      #expect(same.contains(": 0 added, 0 changed, \(stored.count) unchanged"), "\(same)\(text)")
      #expect(try place.repository.items(.all) == stored, "seed \(random.seed)")

      let other = try Place()
      _ = try other.importText(text, as: format)
      #expect(try contents(other) == (try contents(place)), "seed \(random.seed)")
      let again = try other.importText(text, as: format)
      #expect(again.contains(": 0 added, 0 changed, \(stored.count) unchanged"), "\(again)")
    }
  }

  /// A title with a backslash came back with two, and one in quotes without them.
  @Test func aListBetweenTabsComesBack() throws {
    var random = SeededGenerator.forTest("aListBetweenTabsComesBack")
    for _ in 0..<20 {
      let place = try filled(&random, tags: ["장보기", "two words", "\"q\" r", "a\\tb"])
      let titles = ["a\\tb", "\"all in quotes\"", "\"half\" in quotes", "C:\\new\\", "\\", "\\x"]
      let items = titles.map { title in
        var item = TodoItem(title: title, in: nil)
        item.note = "one\ttwo\\nthree\r\nfour"
        item.createdAt = Date(timeIntervalSince1970: 1)
        return item
      }
      try place.repository.perform(.add(items))
      let text = place.terminal.run(["-o", "tsv", "ls", "--all"]).output
      let same = try place.importText(text, as: .csv)
      let count = try place.repository.items(.all).count
      #expect(same.contains(": 0 added, 0 changed, \(count) unchanged"), "\(same)\(text)")
      let other = try Place()
      _ = try other.importText(text, as: .csv)
      #expect(try contents(other) == (try contents(place)), "seed \(random.seed)")
    }
  }

  /// A spreadsheet that saves such a list puts cells in quotes: where they have a comma, where they have a quote, or all.
  @Test(arguments: ["\r\n", "\n"], [false, true])
  func aListBetweenTabsThatASpreadsheetSavedComesBack(lineEnd: String, quotesAll: Bool) throws {
    let place = try Place()
    let items = ["Buy milk, eggs", "say \"hi\"", "a\\tb", "plain"].map { title in
      var item = TodoItem(title: title, in: nil)
      item.note = "one\ntwo"
      return item
    }
    try place.repository.perform(.add(items))
    let text = place.terminal.run(["-o", "tsv", "ls", "--all"]).output
    let saved = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { cell in
        let isQuoted = quotesAll || cell.contains("\"") || cell.contains(",") && lineEnd == "\r\n"
        return isQuoted ? "\"\(cell.replacing("\"", with: "\"\""))\"" : String(cell)
      }.joined(separator: "\t") + lineEnd
    }.joined()
    let answer = try place.importText(saved, as: .csv)
    #expect(answer.contains(": 0 added, 0 changed, 4 unchanged"), "\(answer)\(saved)")
  }

  /// An export lost the colours, pictures and empty groups without a word.
  @Test(arguments: [TaskFormat.json, .ndjson])
  func groupsComeBackWithColoursAndPictures(format: TaskFormat) throws {
    var random = SeededGenerator.forTest("groupsComeBackWithColoursAndPictures \(format)")
    let place = try filled(&random)
    let text = place.terminal.run(["export", "--format", format.name]).output
    let other = try Place()
    _ = try other.importText(text, as: format)
    let groups = try place.repository.groups().map(\.group)
    let copies = try other.repository.groups().map(\.group)
    #expect(copies.map(\.name) == groups.map(\.name))
    #expect(copies.map(\.color) == groups.map(\.color))
    #expect(copies.map(\.image) == groups.map(\.image) && copies.map(\.id) == groups.map(\.id))
    #expect(other.terminal.run(["undo"]).status == .done)
    #expect(try other.repository.groups().isEmpty)
    // A list of groups is read too; it has no pictures.
    let list = place.terminal.run(["-o", format.name, "group"]).output
    let third = try Place()
    _ = try third.importText(list, as: format)
    #expect(try third.repository.groups().map(\.group.color) == groups.map(\.color))
  }

  /// A list and an export have one object for an item, with keys in one order.
  @Test func aListAndAnExportHaveTheSameObjects() throws {
    var random = SeededGenerator.forTest("aListAndAnExportHaveTheSameObjects")
    let place = try filled(&random)
    let list = place.terminal.run(["-o", "ndjson", "ls", "--all"]).output
    let numbered = list.split(separator: "\n").map {
      String($0).replacing(/"number":[0-9]+/, with: "\"number\":null")
    }
    let exported = place.terminal.run(["export", "--format", "ndjson"]).output
      .split(separator: "\n").map(String.init).filter { $0.contains("\"title\"") }
    #expect(Set(numbered) == Set(exported))
    let keys = OutputRecord.itemKeys.map { "\"\($0)\":" }
    for line in numbered {
      let positions = keys.map { line.range(of: $0)?.lowerBound }
      #expect(
        !positions.contains(nil)
          && zip(positions, positions.dropFirst()).allSatisfy { pair in
            pair.0.flatMap { first in pair.1.map { first < $0 } } ?? false
          })
    }
  }

  /// A monthly rule on the 31st was dropped by todo.txt after its first instance was done.
  @Test func aRuleOnADayOfTheMonthIsWritten() throws {
    let place = try Place()
    var item = TodoItem(title: "Pay rent", in: nil)
    (item.due, item.repeats) = (CalendarDay("2026-02-28"), RepeatRule(rawValue: "month on 31"))
    _ = try place.repository.perform(.add(groups: [], items: [item]))
    let run = place.terminal.run(["export", "--format", "todo.txt"])
    #expect(run.output.contains("due:2026-02-28 rec:1m"), "\(run.output)")
    let loss = "todo.txt cannot hold the recurrence of 1 item: \"Pay rent\"."
    #expect(run.messages.contains(loss), "\(run.messages)")
    #expect(try place.importText(run.output, as: .todoTxt).contains(": 0 added, 0 changed"))
    #expect(place.terminal.run(["due", item.id.uuidString, "2026-03-31"]).status == .done)
    #expect(place.terminal.run(["export", "--format", "todo.txt"]).messages == "")
  }
}

import Foundation
import Testing
import TestSupport
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// Tasks that go through the store come out unchanged, where the format is the same.
@Suite struct RoundTripTests {
  static let todoTxt = """
    (A) 2026-01-01 Call Mom +Family @phone due:2026-01-05
    (B) Schedule 치과 @전화 +건강 t:2026-01-03 rec:+1w
    x 2026-01-04 2026-01-01 Pay rent +Home pri:A
    Plan +Trip with @email me@host.org at 10:30 see https://host.org/a:b est:30m id:abc
    (D) 우유 사기 star:1
    Plan again
    Plan again

    """

  static let taskwarrior = """
    [
    {"id":1,"description":"Buy milk","due":"20261224T230000Z","entry":"20261201T080000Z",\
    "modified":"20261202T080000Z","priority":"H","project":"home.kitchen","status":"pending",\
    "tags":["shop","important"],"uuid":"00000000-0000-4000-8000-000000000001","urgency":12.50,\
    "estimate":12345678901234567890,"annotations":[{"entry":"20261201T090000Z",\
    "description":"two litres"},{"entry":"20261202T090000Z","description":"한글\\nzwei"}]},
    {"id":0,"description":"Pay rent","end":"20261203T080000Z","entry":"20261101T080000Z",\
    "status":"completed","uuid":"00000000-0000-4000-8000-000000000002","recur":"monthly",\
    "parent":"00000000-0000-4000-8000-000000000009","imask":3,\
    "depends":["00000000-0000-4000-8000-000000000001"]},
    {"description":"Given up","end":"20261203T080000Z","entry":"20261101T080000Z",\
    "status":"deleted","uuid":"00000000-0000-4000-8000-000000000003"}
    ]

    """

  static let vtodo = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//Tasks//EN
    BEGIN:VTODO
    UID:one@example.org
    DTSTAMP:20261201T080000Z
    CREATED:20261201T080000Z
    SUMMARY;LANGUAGE=en:Buy milk\\, eggs\\; bread
    DESCRIPTION:first line\\nsecond \\\\ line
    CATEGORIES:shop,집
    DUE;TZID=Europe/Berlin:20261224T180000
    DTSTART;VALUE=DATE:20261220
    PRIORITY:3
    STATUS:IN-PROCESS
    PERCENT-COMPLETE:40
    RRULE:FREQ=WEEKLY;BYDAY=MO
    RELATED-TO:parent@example.org
    X-APPLE-SORT-ORDER:42
    ATTACH;FMTTYPE=text/plain:https://example.org/a
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    END:VALARM
    END:VTODO
    BEGIN:VTODO
    UID:two@example.org
    SUMMARY:Paid
    COMPLETED:20261202T100000Z
    END:VTODO
    END:VCALENDAR

    """

  static let files: [(TaskFormat, String)] = [
    (.todoTxt, todoTxt), (.taskwarrior, taskwarrior), (.vtodo, vtodo),
  ]

  @Test(arguments: files)
  func nothingIsLostOnTheWayThroughTheStore(format: TaskFormat, text: String) throws {
    let place = try Place()
    let records = place.records(text, format)
    #expect(try place.importText(text, as: format).contains("added, 0 changed, 0 unchanged"))
    let exported = place.export(format)
    #expect(place.records(exported, format) == records)
    let again = try place.importText(text, as: format)
    #expect(again.contains(": 0 added, 0 changed"), "\(again)")
    let own = try place.importText(exported, as: format)
    #expect(own.contains(": 0 added, 0 changed"), "\(own)")

    // Deleted and brought back, and in another process, it is what it was.
    #expect(place.terminal.run(["rm", "--all", "--yes"]).status == .done)
    #expect(place.export(format) != exported)
    #expect(place.terminal.run(["undo"]).status == .done)
    #expect(place.export(format) == exported)
    let other = try TestTerminal(
      repository: CroftTodoRepository(path: place.folder.path(to: "todo.croft")))
    #expect(other.run(["export", "--format", format.name]).output == exported)
    let afterwards = try place.importText(text, as: format)
    #expect(afterwards.contains(": 0 added, 0 changed"), "\(afterwards)")
  }

  /// The other side says something new, and so does this one: both stay.
  @Test(arguments: files)
  func whatWasChangedHereStaysAndTheRestIsVerbatim(format: TaskFormat, text: String) throws {
    let place = try Place()
    _ = try place.importText(text, as: format)
    let before = place.records(place.export(format), format)
    let item = try #require(try place.repository.items(.undone).first)
    let kept = try #require(before.first { $0.title == item.title })
    for words in [
      ["edit", item.id.uuidString, "another title"], ["star", item.id.uuidString],
      ["due", item.id.uuidString, "2027-02-03 09:15"], ["tag", item.id.uuidString, "new"],
    ] {
      #expect(place.terminal.run(words).status == .done)
    }
    let again = try place.importText(text, as: format)
    #expect(again.contains(": 0 added, 0 changed"), "\(again)")
    let after = place.records(place.export(format), format)
    #expect(before.subtracting(after) == [kept])
    let changed = try #require(after.subtracting(before).first)
    #expect(changed.title == "another title" && changed.isImportant)
    // todo.txt has days alone.
    #expect(changed.due == TaskDate(format == .todoTxt ? "2027-02-03" : "2027-02-03T09:15"))
    #expect(changed.tags.contains("new") && changed.foreignID == kept.foreignID)
    // Parameters of a property that was changed here are about its old value.
    let lost = kept.unknown.filter { !changed.unknown.contains($0) }
    #expect(lost.allSatisfy { ["SUMMARY", "DUE"].contains($0.name) }, "\(lost)")
    #expect(changed.repeats == kept.repeats)
    #expect(changed.notes == kept.notes && changed.group == kept.group)
    #expect(changed.createdAt == kept.createdAt && changed.priority == kept.priority)
  }

  /// A time in another zone is shown as the clock of the reader has it, and goes out as it came in.
  @Test func timesOfOtherZonesAreThoseOfTheReader() throws {
    let place = try Place()
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VTODO
      UID:1
      SUMMARY:call
      DUE;TZID=America/New_York:20261224T200000
      END:VTODO
      BEGIN:VTODO
      UID:2
      SUMMARY:write
      DUE:20261224T083000
      END:VTODO
      BEGIN:VTODO
      UID:3
      SUMMARY:whole
      DUE;VALUE=DATE:20261224
      END:VTODO
      END:VCALENDAR

      """.replacing("\n", with: "\r\n")
    _ = try place.importText(text, as: .vtodo)
    let items = try place.repository.items(.all)
    #expect(
      items.map(\.dueText) == ["2026-12-25T01:00", "2026-12-24T08:30", "2026-12-24"])
    #expect(place.records(place.export(.vtodo), .vtodo) == place.records(text, .vtodo))
  }

  /// The same file in another zone overwrote what the user had changed, and moments went out as others.
  @Test(arguments: [TaskFormat.vtodo, .taskwarrior])
  func anotherZoneOfTheReaderChangesNothing(format: TaskFormat) throws {
    let vtodo = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VTODO
      UID:1
      SUMMARY:utc
      DUE:20261201T140000Z
      END:VTODO
      BEGIN:VTODO
      UID:2
      SUMMARY:zone
      DUE;TZID=America/New_York:20261201T090000
      END:VTODO
      BEGIN:VTODO
      UID:3
      SUMMARY:mine
      DUE:20261202T140000Z
      END:VTODO
      END:VCALENDAR

      """.replacing("\n", with: "\r\n")
    let taskwarrior = (1...3).map { number in
      """
      {"description":"\(["utc", "zone", "mine"][number - 1])","due":"2026120\(number)T140000Z",\
      "entry":"20261101T080000Z","status":"pending","uuid":"00000000-0000-4000-8000-00000000000\(number)"}
      """
    }.joined(separator: "\n")
    let text = format == .vtodo ? vtodo : taskwarrior + "\n"
    let place = try Place(zone: "Asia/Seoul")
    _ = try place.importText(text, as: format)
    let items = try place.repository.items(.all)
    #expect(items[0].dueText == "2026-12-01T23:00")
    #expect(
      place.terminal.run(["due", items[2].id.uuidString, "2027-01-15", "10:00"]).status == .done)
    let london = try Place(place, zone: "Europe/London")
    let again = try london.importText(text, as: format)
    #expect(again.contains(": 0 added, 0 changed"), "\(again)")
    #expect(try london.repository.item(items[2].id)?.dueText == "2027-01-15T10:00")
    let exported = london.records(london.export(format), format)
    let original = london.records(text, format)
    #expect(exported.intersection(original).map(\.title).sorted() == ["utc", "zone"])
    // The changed task is due at ten o'clock in the zone of the export.
    let mine = try #require(exported.first { $0.title == "mine" }?.due)
    let zone = try #require(TimeZone(identifier: mine.zone ?? "GMT"))
    #expect(mine.moment(in: zone) == Date(timeIntervalSince1970: 1_800_007_200))
    // What the file changes is changed.
    let changed = text.replacing("20261201T140000Z", with: "20261201T160000Z")
    #expect(try london.importText(changed, as: format).contains(": 0 added, 1 changed"))
    #expect(try london.repository.item(items[0].id)?.dueText == "2026-12-02T01:00")
  }

  @Test func aChangeOfTheFileChangesWhatItNamesAndNothingElse() throws {
    let place = try Place()
    _ = try place.importText(Self.todoTxt, as: .todoTxt)
    let milk = try #require(try place.repository.items(.all).first { $0.title == "우유 사기" })
    #expect(place.terminal.run(["note", milk.id.uuidString, "two", "litres"]).status == .done)
    #expect(place.terminal.run(["mv", milk.id.uuidString, "to", "Home"]).status == .done)
    let changed = Self.todoTxt.replacing("(D) 우유 사기", with: "(A) 우유 사기")
    let answer = try place.importText(changed, as: .todoTxt)
    #expect(answer.contains(": 0 added, 1 changed, 6 unchanged"), "\(answer)")
    let now = try #require(try place.repository.item(milk.id))
    #expect(now.priority == .high && now.note == "two litres" && now.isImportant)
    #expect(try place.repository.group(#require(now.groupID))?.name == "Home")
    #expect(place.terminal.run(["undo"]).status == .done)
    #expect(try place.repository.item(milk.id)?.priority == milk.priority)
  }

  /// Taskwarrior refused the whole file after an instance was done, and `done` made a second series.
  @Test func anInstanceOfARecurrenceStaysOne() throws {
    let text = """
      [
      {"description":"rent","due":"20261201T140000Z","entry":"20261101T080000Z","mask":"-",\
      "recur":"monthly","status":"recurring","uuid":"00000000-0000-4000-8000-000000000001"},
      {"description":"rent","due":"20261201T140000Z","entry":"20261101T080000Z","imask":0,\
      "parent":"00000000-0000-4000-8000-000000000001","recur":"monthly","rtype":"periodic",\
      "status":"pending","uuid":"00000000-0000-4000-8000-000000000002"}
      ]

      """
    let place = try Place()
    _ = try place.importText(text, as: .taskwarrior)
    let items = try place.repository.items(.all)
    #expect(items.map { $0.repeats?.rawValue } == ["month", nil])
    #expect(place.terminal.run(["done", items[1].id.uuidString]).status == .done)
    #expect(try place.repository.items(.all).count == 2)
    let lines = place.export(.taskwarrior).split(separator: "\n")
    let done = try #require(lines.first { $0.contains("000000000002") })
    #expect(done.contains("\"status\":\"completed\"") && done.contains("\"recur\":\"monthly\""))
    #expect(done.contains("\"parent\"") && done.contains("\"imask\":0"))
  }

  /// Our own items come back from every format as what they are, though most say less.
  @Test(arguments: TaskFormat.allCases)
  func ownItemsComeBackUnchangedFromEachFormat(format: TaskFormat) throws {
    let place = try Place()
    for words in [
      ["group", "add", "집안일"],
      ["add", "우유 사기", "!h", "@집안일", "#장보기", "due:2027-01-05T14:30"], ["add", "Call Mom", "!l"],
      ["add", "Done", "!n"],
    ] {
      #expect(place.terminal.run(words).status == .done)
    }
    let items = try place.repository.items(.all)
    for words in [
      ["note", items[0].id.uuidString, "two", "litres"], ["done", items[2].id.uuidString],
      ["star", items[1].id.uuidString],
    ] {
      #expect(place.terminal.run(words).status == .done)
    }
    let stored = try place.repository.items(.all)
    let answer = try place.importText(place.export(format), as: format)
    #expect(answer.contains(", 0 changed,"), "\(answer)")
    #expect(answer.contains(": 0 added"), "\(answer)")
    #expect(try place.repository.items(.all) == stored)
  }

  /// A repetition comes in as a rule of ours, or stays with the item as its file has it.
  @Test(
    arguments: [
      (TaskRepeat(.rec, "+1w"), "week"), (TaskRepeat(.rec, "2m"), "2 months"),
      (TaskRepeat(.rec, "3b"), nil),
      (TaskRepeat(.recur, "weekly"), "week"), (TaskRepeat(.recur, "2wks"), nil),
      (TaskRepeat(.recur, "3days"), "3 days"), (TaskRepeat(.recur, "annual"), "year"),
      (TaskRepeat(.rrule, "FREQ=WEEKLY;BYDAY=MO,FR"), "mon,fri"),
      (TaskRepeat(.rrule, "FREQ=WEEKLY;INTERVAL=2;WKST=SU"), "2 weeks"),
      (TaskRepeat(.rrule, "FREQ=MONTHLY;BYMONTHDAY=15"), "month on 15"),
      (TaskRepeat(.rrule, "FREQ=MONTHLY;BYMONTHDAY=-1"), "month on 31"),
      (TaskRepeat(.rrule, "FREQ=MONTHLY;BYDAY=2TU"), "second tue"),
      (TaskRepeat(.rrule, "FREQ=MONTHLY;BYDAY=-1FR"), "last fri"),
      (TaskRepeat(.rrule, "FREQ=MONTHLY;BYDAY=5TU"), nil),
      (TaskRepeat(.rrule, "FREQ=DAILY;COUNT=3"), nil), (TaskRepeat(.rrule, "FREQ=HOURLY"), nil),
      (TaskRepeat(.rrule, "FREQ=WEEKLY;BYDAY=XX"), nil), (TaskRepeat(.rrule, ""), nil),
      (TaskRepeat(.phrase, "every fri"), "fri"), (TaskRepeat(.phrase, "every! 3 days"), nil),
    ] as [(TaskRepeat, String?)])
  func repetitionsAreRead(repetition: TaskRepeat, rule: String?) {
    #expect(RepeatRule(repetition)?.rawValue == rule)
  }

  @Test(arguments: TaskFormat.allCases)
  func repetitionsComeBackFromEachFormat(format: TaskFormat) throws {
    for words in [
      "day", "2 weeks", "fri", "mon,wed", "month on 15", "3 months", "last fri", "year",
    ] {
      let rule = try #require(RepeatRule(words: words))
      let written = rule.repetition(for: format)
      let read = RepeatRule(written)
      // These two have no word for the day of the month, which an export tells.
      if words == "month on 15", [.todoTxt, .taskwarrior].contains(format) {
        #expect(read?.rawValue == "month")
        continue
      }
      #expect(
        read?.rawValue == (words == "year" && read == nil ? nil : rule.rawValue), "\(written)")
    }
  }

  @Test func aRepetitionLivesHereAndIsWrittenBack() throws {
    let place = try Place()
    _ = try place.importText("(A) Water plants due:2026-01-02 rec:+1w\n", as: .todoTxt)
    let item = try #require(try place.repository.items(.all).first)
    #expect(item.repeats?.rawValue == "week")
    #expect(place.terminal.run(["done", item.id.uuidString]).output.contains("Next "))
    let lines = place.export(.todoTxt).split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("rec:1w") && lines[1].hasPrefix("x "))
    #expect(!lines[1].contains("rec:"))
  }

  /// Lists that gather their items by themselves have names that projects elsewhere may have.
  @Test func aProjectWithTheNameOfAListIsNumbered() throws {
    let place = try Place()
    let text = "a +none\nb +Important\nc +없음 +x\n"
    _ = try place.importText(text, as: .todoTxt)
    let names = try place.repository.groups().map(\.group.name)
    #expect(names == ["none (1)", "Important (1)", "없음 (1)"])
    #expect(place.records(place.export(.todoTxt), .todoTxt) == place.records(text, .todoTxt))
    #expect(try place.importText(text, as: .todoTxt).contains(": 0 added, 0 changed"))
  }

  /// More rows than a portion of the history: one step takes all of them back.
  @Test(arguments: [999, 1_000, 1_001, 2_500])
  func manyRowsAreOneStepOfUndo(count: Int) throws {
    let place = try Place()
    let text = (1...count).map { "(B) task \($0) +group\($0 % 3)\n" }.joined()
    let answer = try place.importText(text, as: .todoTxt)
    #expect(answer.contains(": \(count) added"))
    #expect(try place.repository.tally(of: .all).total == count)
    #expect(place.terminal.run(["undo"]).status == .done)
    #expect(try place.repository.tally(of: .all).total == 0)
    #expect(try place.repository.groups().isEmpty)
    #expect(place.terminal.run(["redo"]).status == .done)
    let again = try place.importText(text, as: .todoTxt)
    #expect(again.contains(": 0 added, 0 changed, \(count) unchanged"), "\(again)")
  }
}

import Foundation
import TestSupport
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// Recurrences of other programs, whose occurrences may be tasks of their own.
@Suite struct RecurrenceTests {
  private let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VTODO
    UID:one
    SUMMARY:water
    DTSTART;VALUE=DATE:20251230
    DUE;VALUE=DATE:20251231
    RRULE:FREQ=DAILY
    END:VTODO
    BEGIN:VTODO
    UID:one
    SUMMARY:water
    RECURRENCE-ID;VALUE=DATE:20251230
    DUE;VALUE=DATE:20251231
    STATUS:COMPLETED
    COMPLETED:20251231T100000Z
    END:VTODO
    BEGIN:VTODO
    UID:one
    SUMMARY:water twice
    RECURRENCE-ID;VALUE=DATE:20251231
    DUE;VALUE=DATE:20260105
    END:VTODO
    END:VCALENDAR

    """.replacing("\n", with: "\r\n")

  /// The finished occurrence of a calendar was dropped, shown as overdue, and lost on export.
  @Test func anOccurrenceOfACalendarIsAnItemAndTheRestContinues() throws {
    let place = try Place()
    let answer = try place.importText(calendar, as: .vtodo)
    #expect(answer.contains(": 3 added, 0 changed, 0 unchanged, 0 skipped"), "\(answer)")
    let items = try place.repository.items(.all)
    #expect(items.map(\.isDone) == [false, false, true])
    #expect(items.map(\.dueText) == ["2026-01-02", "2026-01-05", "2025-12-31"])
    #expect(items.map { $0.repeats?.rawValue } == ["day", nil, nil])
    let exported = place.export(.vtodo)
    #expect(place.records(exported, .vtodo) == place.records(calendar, .vtodo))
    for text in [calendar, exported] {
      let again = try place.importText(text, as: .vtodo)
      #expect(again.contains(": 0 added, 0 changed, 3 unchanged, 0 skipped"), "\(again)")
    }
    // The next occurrence is done elsewhere too.
    let next = """
      BEGIN:VTODO
      UID:one
      SUMMARY:water
      RECURRENCE-ID;VALUE=DATE:20260101
      STATUS:COMPLETED
      END:VTODO
      END:VCALENDAR
      """
    let later = calendar.replacing("END:VCALENDAR", with: next.replacing("\n", with: "\r\n"))
    let changed = try place.importText(later, as: .vtodo)
    #expect(changed.contains(": 1 added, 1 changed, 2 unchanged"), "\(changed)")
    #expect(try place.repository.items(.all).first?.dueText == "2026-01-03")
  }

  /// Our own item that another program completes once has two entries with its id.
  @Test func anOccurrenceOfOurOwnItemIsNotThatItem() throws {
    let place = try Place()
    #expect(
      place.terminal.run(["add", "water", "!n", "due:2026-01-05", "every:day"]).status == .done)
    let id = try #require(try place.repository.items(.all).first?.id)
    let text = place.export(.vtodo)
    let occurrence = """
      BEGIN:VTODO
      UID:\(id.uuidString.lowercased())
      SUMMARY:water
      RECURRENCE-ID;VALUE=DATE:20260105
      STATUS:COMPLETED
      END:VTODO
      END:VCALENDAR
      """
    let answer = try place.importText(
      text.replacing("END:VCALENDAR", with: occurrence.replacing("\n", with: "\r\n")), as: .vtodo)
    #expect(answer.contains(": 1 added") && answer.contains("0 skipped"), "\(answer)")
    #expect(try place.repository.items(.all).map(\.isDone) == [false, true])
  }

  /// The pattern of a recurrence stayed at its first day and was overdue beside its instances.
  @Test func aPatternOfTaskwarriorIsDueAfterItsInstances() throws {
    let pattern = """
      {"description":"rent","due":"20251001T000000Z","entry":"20250901T080000Z","mask":"+-",\
      "recur":"monthly","status":"recurring","uuid":"00000000-0000-4000-8000-00000000000A"}
      """
    func instance(_ number: Int, _ due: String, _ status: String) -> String {
      """
      {"description":"rent","due":"\(due)T000000Z","entry":"20250901T080000Z","imask":\(number),\
      "parent":"00000000-0000-4000-8000-00000000000a","recur":"monthly","status":"\(status)",\
      "uuid":"00000000-0000-4000-8000-00000000000\(number)"}
      """
    }
    func list(_ tasks: [String]) -> String { "[\n" + tasks.joined(separator: ",\n") + "\n]\n" }
    // The first instances are no longer in the file.
    let text = list([
      pattern, instance(3, "20260101", "completed"), instance(4, "20260201", "pending"),
    ])
    let place = try Place()
    _ = try place.importText(text, as: .taskwarrior)
    let items = try place.repository.items(.all)
    #expect(items.map(\.dueText) == ["2026-03-01", "2026-02-01", "2026-01-01"])
    #expect(items.map { $0.repeats?.rawValue } == ["month", nil, nil])
    #expect(
      place.records(place.export(.taskwarrior), .taskwarrior) == place.records(text, .taskwarrior))
    let later = list([
      pattern, instance(3, "20260101", "completed"), instance(4, "20260201", "pending"),
      instance(5, "20260301", "pending"),
    ])
    let answer = try place.importText(later, as: .taskwarrior)
    #expect(answer.contains(": 1 added, 1 changed, 2 unchanged"), "\(answer)")
    #expect(try place.repository.items(.all).first?.dueText == "2026-04-01")
  }

  /// Each export of Taskwarrior has another urgency: an untouched list was "3 changed" each day, and
  /// took a step of undo.
  @Test func aValueThatIsComputedForEachFileIsNotAChange() throws {
    let place = try Place()
    let task = """
      {"id":1,"description":"Call","entry":"20251201T080000Z","status":"pending","urgency":2.1,\
      "uuid":"00000000-0000-4000-8000-000000000001"}

      """
    _ = try place.importText(task, as: .taskwarrior)
    let later = task.replacing("2.1", with: "2.35").replacing("\"id\":1", with: "\"id\":7")
    let answer = try place.importText(later, as: .taskwarrior)
    #expect(answer.contains(": 0 added, 0 changed, 1 unchanged"), "\(answer)")
    #expect(place.terminal.run(["undo"]).status == .done)
    #expect(try place.repository.items(.all).isEmpty)
  }

  /// `every monday at 9am` neither repeated nor was it told, and got no due day.
  @Test func aPhraseWithATimeRepeatsFromItsFirstDayOn() throws {
    let place = try Place()
    let header = "TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG\n"
    let text =
      header + "task,Report,4,1,every monday at 9am,en\ntask,Odd,4,1,every full moon,en\n"
    let path = place.folder.path(to: "file")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let run = place.terminal.run(["import", path])
    #expect(run.messages.contains("row 3: The recurrence \"every full moon\" is kept"))
    let items = try place.repository.items(.all)
    #expect(items.map { $0.repeats?.rawValue } == ["mon", nil])
    #expect(items.map(\.dueText) == ["2026-01-05T09:00", nil])
    let exported = place.export(.todoist)
    #expect(exported.contains("every monday at 9am starting 2026-01-05,en"))
    #expect(try place.importText(exported, as: .todoist).contains(": 0 added, 0 changed"))
    #expect(try place.importText(text, as: .todoist).contains(": 0 added, 0 changed"))
  }

  /// The pattern of Taskwarrior went out in other formats without its recurrence, and due on the day of
  /// its first instance, to which the next import moved it.
  @Test(arguments: [TaskFormat.todoTxt, .vtodo, .ticktick, .todoist, .markdown, .csv, .json])
  func aRecurrenceGoesOutInTheWordsOfAnotherFormat(format: TaskFormat) throws {
    let place = try Place()
    let text = """
      {"description":"rent","due":"20261201T140000Z","entry":"20261101T080000Z","mask":"-",\
      "recur":"monthly","status":"recurring","uuid":"00000000-0000-4000-8000-000000000001"}
      {"description":"first","due":"20261201T140000Z","entry":"20261101T080000Z","imask":0,\
      "parent":"00000000-0000-4000-8000-000000000001","recur":"monthly","rtype":"periodic",\
      "status":"pending","uuid":"00000000-0000-4000-8000-000000000002"}

      """
    _ = try place.importText(text, as: .taskwarrior)
    let items = try place.repository.items(.all)
    let run = place.terminal.run(["export", "--format", format.name])
    #expect(!run.messages.contains("recurrence of 2 items"), "\(run.messages)")
    let again = try place.importText(run.output, as: format)
    #expect(again.contains(": 0 added, 0 changed, 2 unchanged"), "\(again)")
    #expect(try place.repository.items(.all) == items)
    let other = try Place()
    _ = try other.importText(run.output, as: format)
    let rent = try #require(try other.repository.items(.all).first { $0.title == "rent" })
    #expect(rent.due == CalendarDay("2027-01-01") && rent.repeats?.rawValue == "month")
  }
}

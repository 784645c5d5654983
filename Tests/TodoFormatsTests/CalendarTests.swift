import Foundation
import Testing
import TodoFormats

@Suite("VTODO")
struct CalendarTests {
  private func calendar(_ properties: String) -> String {
    "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n" + properties.replacing("\n", with: "\r\n")
      + "\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
  }

  private func record(_ properties: String) throws -> TaskRecord {
    try #require(read(calendar(properties), .vtodo).records.first)
  }

  @Test func aTaskIsRead() throws {
    let file = read(Samples.vtodo, .vtodo)
    #expect(file.issues.isEmpty)
    let task = try #require(file.records.first)
    #expect(task.foreignID == "one@example.org")
    #expect(task.title == "Buy milk, eggs; bread")
    #expect(task.notes == [TaskNote("first line\nsecond \\ line")])
    #expect(task.tags == ["shop", "집"])
    #expect(task.due == TaskDate("2026-12-24T18:00[Europe/Berlin]"))
    #expect(task.start == TaskDate("2026-12-20"))
    #expect(task.priority == .high)
    #expect(task.repeats == TaskRepeat(.rrule, "FREQ=WEEKLY;BYDAY=MO"))
    #expect(task.parent == "parent@example.org" && task.order == 42)
    #expect(task.group == "집안일")
    #expect(task.createdAt == (try Date(utc: "2026-12-01T08:00:00Z")))
    #expect(file.records.map(\.isDone) == [false, true])
  }

  @Test func noPropertyIsLost() {
    let text = rewritten(Samples.vtodo, .vtodo)
    for line in Samples.vtodo.split(separator: "\n") where !line.hasPrefix("PRODID") {
      #expect(text.contains("\(line)\r\n"), "\(line)")
    }
  }

  @Test func theExampleOfTheStandardIsDone() throws {
    let file = read(
      calendar("SUMMARY:Submit\nCOMPLETED:20070707T100000Z\nSTATUS:NEEDS-ACTION"), .vtodo)
    #expect(file.records.map(\.isDone) == [true])
    #expect(file.warnings.map(\.field) == [.isDone])
    let text = write(file.records, .vtodo).text
    #expect(
      text.contains("STATUS:NEEDS-ACTION\r\n") && text.contains("COMPLETED:20070707T100000Z\r\n"))
  }

  @Test func aCompletionMayBeADay() throws {
    let task = try record("SUMMARY:a\nCOMPLETED:20070501")
    #expect(try task.isDone && task.doneAt == (Date(utc: "2007-04-30T15:00:00Z")))
    #expect(write([task], .vtodo).text.contains("COMPLETED:20070501\r\n"))
  }

  @Test func whatSynologyWritesIsKept() throws {
    let task = try record(
      "SUMMARY:a\nLAST-MOD:20261201T080000\nPERCENT_COMPLETE:50\nDUE:20261224T180000\n"
        + "CREATED:20261201T080000")
    #expect(task.due == TaskDate("2026-12-24T18:00"))
    #expect(task.createdAt == (try Date(utc: "2026-11-30T23:00:00Z")))
    let text = write([task], .vtodo).text
    #expect(text.contains("LAST-MOD:20261201T080000\r\n"))
    #expect(text.contains("PERCENT_COMPLETE:50\r\n"))
    #expect(text.contains("CREATED:20261201T080000\r\n"))
  }

  @Test func aTaskWithoutStatusIsOpenOrDoneByItsCompletion() throws {
    #expect(try record("SUMMARY:a").isDone == false)
    #expect(try record("SUMMARY:a\nCOMPLETED:20261201T080000Z").isDone)
    #expect(try record("SUMMARY:a\nSTATUS:COMPLETED").isDone)
    #expect(try record("SUMMARY:a\nSTATUS:CANCELLED").isCancelled)
  }

  @Test func aLongTimeZoneOfAppleIsWrittenOnceForAllTasks() {
    let zone = (0..<40).map {
      "BEGIN:DAYLIGHT\r\nDTSTART:19\(50 + $0)0101T000000\r\nEND:DAYLIGHT\r\n"
    }
    .joined()
    let text =
      "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:a\r\nDUE;TZID=Asia/Seoul:20261224T180000\r\n"
      + "END:VTODO\r\nBEGIN:VTODO\r\nSUMMARY:b\r\nDUE;TZID=\"Asia/Seoul\":20261225T180000\r\n"
      + "END:VTODO\r\nBEGIN:VTIMEZONE\r\nTZID:Asia/Seoul\r\n\(zone)END:VTIMEZONE\r\nEND:VCALENDAR\r\n"
    let written = rewritten(text, .vtodo)
    #expect(written.components(separatedBy: "BEGIN:VTIMEZONE").count == 2)
    #expect(written.contains("TZID:Asia/Seoul\r\n\(zone)END:VTIMEZONE\r\n"))
    #expect(read(written, .vtodo).records == read(text, .vtodo).records)
  }

  @Test func textEscapesAreResolvedAndWritten() throws {
    let task = try record("SUMMARY:a\\, b\\; c\\\\ d\nDESCRIPTION:one\\ntwo\\Nthree\\, four")
    #expect(task.title == "a, b; c\\ d")
    #expect(task.notes.first?.text == "one\ntwo\nthree, four")
    #expect(write([task], .vtodo).text.contains("SUMMARY:a\\, b\\; c\\\\ d\r\n"))
    #expect(write([task], .vtodo).text.contains("one\\ntwo\\Nthree"))
  }

  @Test(arguments: [
    ("DUE:20261224T180000", "2026-12-24T18:00"), ("DUE:20261224T180000Z", "2026-12-25T03:00"),
    ("DUE;TZID=Europe/Berlin:20261224T180000", "2026-12-24T18:00[Europe/Berlin]"),
    ("DUE;VALUE=DATE:20261224", "2026-12-24"), ("DUE:20261224", "2026-12-24"),
    ("DUE:20261224T150000Z", "2026-12-25T00:00"),
    (
      "DUE;VALUE=DATE-TIME:20261224T000000",
      "2026-12-24T00:00"
    ),
    ("DUE;TZID=\"W. Europe: Standard\":20261224T180000", "2026-12-24T18:00[W. Europe: Standard]"),
  ])
  func aDueDateIsFloatingOrUTCOrInAZoneOrADay(line: String, expected: String) throws {
    let task = try record("SUMMARY:a\n\(line)")
    #expect(task.due?.description == expected)
    #expect(write([task], .vtodo).text.contains("\(line)\r\n"))
  }

  @Test func aLineIsFoldedByBytesAndNotInACharacter() throws {
    var task = TaskRecord(title: String(repeating: "한글😀", count: 30))
    task.notes = [TaskNote(String(repeating: "a", count: 200))]
    let text = write([task], .vtodo).text
    for line in text.components(separatedBy: "\r\n") { #expect(line.utf8.count <= 75) }
    #expect(!text.unicodeScalars.contains("\u{FFFD}"))
    #expect(read(text, .vtodo).records.first?.title == task.title)
    #expect(read(text, .vtodo).records.first?.notes == task.notes)
  }

  @Test func aLineThatWasFoldedInsideACharacterIsRead() throws {
    var bytes = Array("BEGIN:VTODO\r\nSUMMARY:한".utf8)
    let last = bytes.removeLast()
    bytes += Array("\r\n ".utf8) + [last] + Array("글\r\n\t 셋\r\nEND:VTODO\r\n".utf8)
    let file = TaskFormat.vtodo.read(Data(bytes), options())
    #expect(file.records.map(\.title) == ["한글 셋"])
  }

  @Test func anEditKeepsWhatItDoesNotTouch() throws {
    var task = try #require(read(Samples.vtodo, .vtodo).records.first)
    task.isDone = true
    task.doneAt = try Date(utc: "2026-12-05T10:00:00Z")
    let text = write([task], .vtodo).text
    #expect(text.contains("STATUS:COMPLETED\r\n") && text.contains("COMPLETED:20261205T100000Z"))
    #expect(!text.contains("IN-PROCESS"))
    for line in ["SUMMARY;LANGUAGE=en:", "PRIORITY:3", "BEGIN:VALARM\r\nACTION:DISPLAY", "ATTACH"] {
      #expect(text.contains(line))
    }
  }

  @Test func eventsAreLeftOutWithAWarning() {
    let text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:e\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\n"
      + "BEGIN:VTODO\nSUMMARY:t\nEND:VTODO\nEND:VCALENDAR\n"
    let file = read(text, .vtodo)
    #expect(file.records.map(\.title) == ["t"])
    #expect(file.warnings.map(\.row) == [2] && file.errors.isEmpty)
  }

  @Test func aTaskThatIsCutOrNotClosedIsAnError() {
    let start = "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\n"
    #expect(read(start, .vtodo).errors.map(\.row) == [2])
    #expect(read(start, .vtodo).records.isEmpty)
    let two = start + "BEGIN:VTODO\nSUMMARY:b\nEND:VTODO\nEND:VCALENDAR\n"
    #expect(read(two, .vtodo).errors.map(\.row) == [2])
    #expect(read(two, .vtodo).records.map(\.title) == ["b"])
    #expect(read("BEGIN:VTODO\nUID:1\nEND:VTODO\n", .vtodo).errors.map(\.row) == [1])
  }

  @Test func theGroupIsTheNameOfTheCalendarOrOfTheFile() {
    let task = "BEGIN:VTODO\nSUMMARY:a\nEND:VTODO\n"
    #expect(read(task, .vtodo, options(fileName: "x/Home.ics")).records.first?.group == "Home")
    var one = TaskRecord(title: "a")
    one.group = "Home, sweet"
    var other = TaskRecord(title: "b")
    other.group = "Work"
    #expect(write([one], .vtodo).text.contains("X-WR-CALNAME:Home\\, sweet\r\n"))
    let both = read(write([one, other], .vtodo).text, .vtodo).records
    #expect(both.map(\.group) == ["Home, sweet", "Work"])
  }

  @Test(arguments: [
    ("0", TaskPriority.none), ("1", .high), ("4", .high), ("5", .normal), ("6", .low), ("9", .low),
  ])
  func prioritiesHaveThreeClasses(number: String, priority: TaskPriority) throws {
    let task = try record("SUMMARY:a\nPRIORITY:\(number)")
    #expect(task.priority == priority)
    #expect(write([task], .vtodo).text.contains("PRIORITY:\(number)\r\n"))
  }

  @Test func onlyAParentIsTheParent() throws {
    let task = try record("SUMMARY:a\nRELATED-TO;RELTYPE=CHILD:c\nRELATED-TO;RELTYPE=PARENT:p")
    #expect(task.parent == "p")
    #expect(write([task], .vtodo).text.contains("RELATED-TO;RELTYPE=CHILD:c\r\n"))
  }

  /// A file of 20,000 components inside each other took 13 seconds, and four times as long for twice
  /// as many, because each end moved all lines of the inner ones.
  @Test(.timeLimit(.minutes(1))) func componentsInsideEachOtherAreKeptInLinearTime() throws {
    let depth = 200_000
    let nested =
      Array(repeating: "BEGIN:X-A", count: depth) + Array(repeating: "END:X-A", count: depth)
    let text = calendar("SUMMARY:a\r\n" + nested.joined(separator: "\r\n"))
    let record = try #require(TaskFormat.vtodo.read(Data(text.utf8)).records.first)
    let kept = record.unknown.filter { $0.name == "X-A" }.map(\.text)
    #expect(kept == [nested.joined(separator: "\n")])
  }

  /// Each end that closes nothing looked at all components that were open.
  @Test(.timeLimit(.minutes(1))) func endsThatCloseNothingAreToldInLinearTime() {
    let count = 100_000
    let text =
      "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X-A\n", count: count)
      + String(repeating: "END:X-B\n", count: count)
    let file = TaskFormat.vtodo.read(Data(text.utf8))
    #expect(file.warnings.count == count)
    #expect(file.errors.map(\.row) == [count + 1])
  }

  /// The parts that a record keeps were searched once for each of their names.
  @Test(.timeLimit(.minutes(1))) func aTaskOfManyPropertiesIsReadInLinearTime() throws {
    let names = (0..<200_000).map { "X-\($0):1" }
    let text = calendar("SUMMARY:a\r\n" + names.joined(separator: "\r\n"))
    let record = try #require(TaskFormat.vtodo.read(Data(text.utf8)).records.first)
    #expect(Set(record.unknown.map(\.text)).isSuperset(of: names))
  }

  @Test func aPropertyOfTheCalendarIsLeftOutWithAWarning() {
    let text =
      "BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:집\nX-WR-TIMEZONE:Asia/Seoul\n"
      + "BEGIN:VTODO\nSUMMARY:a\nEND:VTODO\nEND:VCALENDAR\n"
    let file = read(text, .vtodo)
    #expect(
      file.issues == [
        TaskIssue(
          .warning, row: 4,
          IssueText(
            "The calendar's property X-WR-TIMEZONE is left out.",
            "달력의 속성 X-WR-TIMEZONE을(를) 뺍니다."))
      ])
    #expect(file.records.map(\.group) == ["집"])
  }

  /// A finished occurrence was taken for a second task with the same id, and was lost.
  @Test func anOccurrenceIsATaskOfItsOwn() throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VTODO
      UID:1
      SUMMARY:water
      DTSTART;VALUE=DATE:20261201
      DUE;VALUE=DATE:20261202
      RRULE:FREQ=DAILY
      END:VTODO
      BEGIN:VTODO
      UID:1
      SUMMARY:water
      RECURRENCE-ID;VALUE=DATE:20261201
      STATUS:COMPLETED
      END:VTODO
      END:VCALENDAR

      """
    let records = read(text, .vtodo).records
    #expect(records.map(\.foreignID) == ["1", "1"])
    #expect(records.map(\.occurrence) == [nil, "20261201"])
    #expect(records[0].otherOccurrences == [try #require(TaskDate("2026-12-01"))])
    #expect(records[1].otherOccurrences == nil && records[1].isDone)
    let written = write(records, .vtodo).text
    #expect(written.contains("RECURRENCE-ID;VALUE=DATE:20261201\r\n"))
    #expect(read(written, .vtodo).records == records)
  }
}

import Foundation
import TestSupport
import Testing

@testable import TodoFormats

@Suite("Todoist")
struct TodoistTests {
  private static let header =
    "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\n"

  @Test func aProjectIsRead() throws {
    let file = read(Samples.todoist, .todoist, options(fileName: "Home.csv"))
    #expect(file.errors.isEmpty)
    #expect(file.records.map(\.title) == ["Buy milk", "Eggs", "Read me"])
    #expect(file.records.map(\.group) == ["Home", "Home", "Later"])
    #expect(file.records.map(\.level) == [0, 1, 0])
    #expect(file.records.map(\.priority) == [.high, .normal, .none])
    let task = try #require(file.records.first)
    #expect(task.tags == ["shop"] && task.due == TaskDate("2026-12-24"))
    #expect(task.notes.map(\.text) == ["two litres", "first comment\nin two lines"])
    #expect(file.records.last?.repeats == TaskRepeat(.phrase, "every monday"))
  }

  /// An empty cell was the highest priority, and went out as 1.
  @Test func oneIsTheHighestPriorityAndAnEmptyCellIsNone() {
    let rows = ["1", "2", "3", "4", ""].map { "task,t,,\($0),1,,,,,\n" }.joined()
    let records = read(Self.header + rows, .todoist).records
    #expect(records.map(\.priority) == [.high, .normal, .normal, .none, .none])
    let written = write(records, .todoist).text
    let column = written.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[3]
    }
    #expect(column == ["1", "2", "3", "4", "4"])
  }

  /// A date with a year "depends on the day it is read", which was false, and was not read.
  @Test(
    arguments: [
      ("Oct 5 2026", "2026-10-05"), ("20 Jul 2026", "2026-07-20"),
      ("October 5, 2026", "2026-10-05"),
      ("5th Oct 2026 at 9am", "2026-10-05T09:00"), ("Sept 30 2026 14:30", "2026-09-30T14:30"),
      ("Oct 5 2026 @ 12:30 pm", "2026-10-05T12:30"), ("1 Jan 2027 12am", "2027-01-01T00:00"),
      ("Oct 5", nil), ("Feb 30 2026", nil), ("Oct 2026", nil), ("5 6 2026", nil),
      ("Oct 5 2026 13pm", nil), ("fri", nil),
    ] as [(String, String?)])
  func aDateWithAYearIsRead(text: String, date: String?) {
    let file = read(Self.header + "task,a,,1,1,,,\"\(text)\",en,\n", .todoist)
    #expect(file.records.first?.due == date.flatMap { TaskDate($0) })
    #expect(file.warnings.isEmpty == (date != nil))
    #expect(write(file.records, .todoist).text.contains(text))
  }

  /// A recurrence and the day on which it begins are both written, and both read.
  @Test func aRecurrenceMayHaveAStart() {
    var record = TaskRecord(title: "a")
    record.repeats = TaskRepeat(.phrase, "every week")
    record.due = TaskDate("2026-10-05T09:00")
    let text = write([record], .todoist).text
    #expect(text.contains("every week starting 2026-10-05 at 09:00,en"))
    let again = read(text, .todoist).records.first
    #expect(again?.repeats == record.repeats && again?.due == record.due)
    let named = read(Self.header + "task,a,,1,1,,,every day starting Oct 5 2026,en,\n", .todoist)
    #expect(named.records.first?.due == TaskDate("2026-10-05"))
  }

  /// The column LABELS was no part of the tags, and vanished without a word.
  @Test func labelsAreTagsInAColumnToo() throws {
    let header = "TYPE,CONTENT,PRIORITY,INDENT,LABELS\n"
    let row = "task,Buy milk @shop,4,1,\"home, shop\"\n"
    var file = read(header + row, .todoist)
    #expect(file.records.first?.tags == ["shop", "home"] && file.issues.isEmpty)
    #expect(write(file.records, .todoist).text.contains("home, shop"))
    file.records[0].tags = ["new"]
    let text = write(file.records, .todoist).text
    #expect(text.contains("Buy milk @new") && !text.contains("home"))
  }

  /// Of a tag of two words the second one was added to the title, so that an import made a second task.
  @Test func aTagOfTwoWordsIsOneLabel() throws {
    var record = TaskRecord(title: "Buy milk")
    record.tags = ["two words", "shop"]
    let file = read(write([record], .todoist).text, .todoist)
    #expect(file.records.first?.title == "Buy milk")
    #expect(file.records.first?.tags == ["two_words", "shop"])
  }

  /// The authors of notes and the settings of a project vanished with "0 skipped".
  @Test func whatANoteLosesIsTold() {
    let rows = "meta,view_style=list,,,,,,,,\ntask,a,,1,1,,,,,\nnote,hello,,,,Kim (7),,,,\n"
    let file = read(Self.header + rows, .todoist)
    #expect(file.records.first?.notes.map(\.text) == ["hello"])
    #expect(file.warnings.map(\.row) == [2, 4])
    #expect(file.warnings.map(\.text.english).contains("The note's AUTHOR is left out."))
  }

  @Test func aRelativeDateIsKeptAsTextWithAWarning() {
    let file = read(Samples.todoist, .todoist)
    #expect(file.records[1].due == nil)
    #expect(file.warnings.contains { $0.field == .due && $0.row == 5 })
    #expect(write(file.records, .todoist).text.contains(",in 5 days,en,"))
  }

  @Test func aTaskThatCannotBeCheckedLosesItsStarHereOnly() {
    let file = read(Samples.todoist, .todoist)
    #expect(file.records.last?.title == "Read me")
    #expect(write(file.records, .todoist).text.contains("task,* Read me,"))
  }

  @Test func aTimeIsToldInTheZoneOfTheRow() {
    let rows =
      "task,a,,1,1,,,2026-08-13T18:30:00-05:00,en,Europe/Berlin\ntask,b,,1,1,,,2026-08-13 10:00,en,\n"
    let records = read(Self.header + rows, .todoist).records
    #expect(
      records.map(\.due) == [
        TaskDate("2026-08-14T01:30[Europe/Berlin]"), TaskDate("2026-08-13T10:00"),
      ])
  }

  @Test func languagesOtherThanEnglishRepeatToo() {
    let row = "task,a,,1,1,,,매주 월요일,ko,\n"
    let file = read(Self.header + row, .todoist)
    #expect(file.records.first?.repeats?.text == "매주 월요일")
    #expect(write(file.records, .todoist).text.contains("매주 월요일,ko"))
  }

  @Test func blankRowsAreNothingAndRowsOfOtherTypesAreTold() {
    let rows = ",,,,,,,,,\nmeta,view_style=list,,,,,,,,\nnote,lost,,,,,,,,\nthing,x,,,,,,,,\n"
    let file = read(Self.header + rows, .todoist)
    #expect(file.records.isEmpty)
    #expect(file.warnings.map(\.row) == [3, 4] && file.errors.map(\.row) == [5])
  }

  @Test func doneTasksAreLeftOutWithAWarning() {
    var done = TaskRecord(title: "done")
    done.isDone = true
    let output = write([done, TaskRecord(title: "open")], .todoist)
    #expect(!output.text.contains("done") && output.text.contains("open"))
    #expect(output.warnings.first?.field == .isDone)
  }
}

@Suite("TickTick")
struct TickTickTests {
  private func rows(_ rows: String...) -> String {
    "\"Date: 2026-12-01+0000\"\n\"Version: 7.1\"\n\"Status: \n0 Normal\n1 Completed\n2 Archived\"\n"
      + "List Name,Title,Due Date,Timezone,Is All Day,Kind,Status,Priority\n"
      + rows.map { $0 + "\n" }.joined()
  }

  private func due(_ date: String, zone: String, allDay: String) -> String? {
    read(rows("l,t,\(date),\(zone),\(allDay),TEXT,0,0"), .ticktick).records.first?.due?.description
  }

  @Test func aBackupIsReadBehindItsThreeRecords() throws {
    let file = read(Samples.ticktick, .ticktick)
    #expect(file.issues.isEmpty)
    let task = try #require(file.records.first)
    #expect(task.title == "Buy milk" && task.group == "집" && task.foreignID == "1")
    #expect(task.tags == ["shop", "food"] && task.notes == [TaskNote("two\nlitres")])
    #expect(task.repeats == TaskRepeat(.rrule, "FREQ=DAILY;INTERVAL=1"))
    #expect(task.priority == .high && task.order == -1_099_511_627_776)
    let done = try #require(file.records.last)
    #expect(done.isDone && done.parent == "1" && done.due == TaskDate("2018-12-12T18:30"))
    #expect(file.rows == [8, 10])
  }

  @Test func anAllDayDateIsTheDayInTheZoneOfItsRow() {
    #expect(due("2018-12-11T23:00:00+0000", zone: "Europe/Berlin", allDay: "true") == "2018-12-12")
    #expect(due("2018-12-11T15:00:00+0000", zone: "Asia/Seoul", allDay: "true") == "2018-12-12")
    #expect(
      due("2018-12-12T05:00:00+0000", zone: "America/New_York", allDay: "true") == "2018-12-12")
  }

  @Test func anAllDayDateWithoutAZone() {
    #expect(due("2018-12-12T00:00:00+0000", zone: "", allDay: "true") == "2018-12-12")
    #expect(due("2018-12-11T15:00:00+0000", zone: "", allDay: "true") == "2018-12-12")
    #expect(due("2018-12-12", zone: "", allDay: "true") == "2018-12-12")
  }

  @Test func aDateWithoutOffsetIsOfTheZoneOfItsRow() {
    #expect(
      due("2026-02-20 10:00:00", zone: "Europe/Berlin", allDay: "false")
        == "2026-02-20T10:00[Europe/Berlin]")
    #expect(due("2026-02-20 00:00:00", zone: "Europe/Berlin", allDay: "true") == "2026-02-20")
  }

  @Test func notesAndChecklistsAreTasksAndKeepTheirKind() {
    let file = read(rows("l,n,,,,NOTE,0,0", "l,c,,,,CHECKLIST,0,0"), .ticktick)
    #expect(file.records.map(\.title) == ["n", "c"])
    #expect(file.warnings.map(\.row) == [8])
    let text = write(file.records, .ticktick).text
    #expect(text.contains("NOTE") && text.contains("CHECKLIST"))
  }

  @Test func statesAndPriorities() {
    let file = read(
      rows("l,a,,,,TEXT,0,0", "l,b,,,,TEXT,1,1", "l,c,,,,TEXT,2,3", "l,d,,,,TEXT,-1,5"), .ticktick)
    #expect(file.records.map(\.isDone) == [false, true, true, false])
    #expect(file.records.map(\.isCancelled) == [false, false, false, true])
    #expect(file.records.map(\.priority) == [.none, .low, .normal, .high])
  }

  @Test func theColumnsThatMeanNothingHereAreKept() throws {
    let records = read(Samples.ticktick, .ticktick).records
    let text = write(records, .ticktick).text
    #expect(read(text, .ticktick).records == records)
    #expect(
      text.contains("-PT15M") && text.contains("Work,Office") && text.contains("Europe/Berlin"))
  }

  @Test func aFileWithoutTheHeaderIsAnError() {
    #expect(read("a,b\n1,2\n", .ticktick).errors.count == 1)
  }
}

@Suite("CSV")
struct TableTests {
  @Test func columnsAreKnownByTheirNames() throws {
    let file = read(Samples.csv, .csv)
    #expect(file.issues.isEmpty)
    #expect(file.records.map(\.title) == ["Buy milk; eggs", "빨래"])
    #expect(file.records.map(\.due) == [TaskDate("2026-12-24"), TaskDate("2026-12-25")])
    #expect(file.records.map(\.priority) == [.high, .normal])
    #expect(file.records[0].tags == ["shop", "food"])
    #expect(file.records[0].unknown == [.init("Colour", "red")])
    #expect(write(file.records, .csv).text.contains("Colour"))
  }

  @Test func aMapNamesTheColumns() throws {
    let map = try ColumnMap("title=What,\"due=When, at last\"")
    #expect(map.columns == [.title: .name("What"), .due: .name("When, at last")])
    let text = "When,\"When, at last\",What\n2026-01-01,2026-02-02,Milk\n"
    let record = try #require(read(text, .csv, options(columns: map)).records.first)
    #expect(record.title == "Milk" && record.due == TaskDate("2026-02-02"))
  }

  @Test(arguments: ["title", "title=", "colour=x", "title=a,title=b", "\"title=a"])
  func aMapThatIsNoneSaysWhy(text: String) {
    #expect(throws: TaskIssue.self) { try ColumnMap(text) }
  }

  @Test func aTableWithoutAHeaderIsReadByNumbers() throws {
    let map = try ColumnMap("title=2,due=1")
    let file = read("2026-01-01,Milk\n2026-01-02,Eggs\n", .csv, options(columns: map))
    #expect(file.records.map(\.title) == ["Milk", "Eggs"])
    let headed = read("due,title\n2026-01-01,Milk\n", .csv, options(columns: map))
    #expect(headed.records.map(\.title) == ["Milk"])
  }

  @Test func aColumnThatIsMissingIsAnError() throws {
    #expect(read("a,b\n1,2\n", .csv).errors.map(\.row) == [1])
    let map = try ColumnMap("title=Task,due=Deadline")
    let file = read("Task,When\nMilk,2026-01-01\n", .csv, options(columns: map))
    #expect(file.records.isEmpty && file.errors.count == 1)
  }

  @Test(arguments: [",", ";", "\t"])
  func separatorsMarksAndQuotesWithLineEnds(separator: String) {
    let text =
      ["title", "note", "due"].joined(separator: separator) + "\r\n"
      + ["\"a \"\"b\"\"\(separator)c\"", "\"one\r\ntwo\"", "2026-01-01"].joined(
        separator: separator)
      + "\r\n" + ["d", "", ""].joined(separator: separator)
    let file = read("\u{FEFF}" + text, .csv)
    #expect(file.issues.isEmpty)
    #expect(file.records.map(\.title) == ["a \"b\"\(separator)c", "d"])
    #expect(file.records.first?.notes == [TaskNote("one\r\ntwo")])
    #expect(file.rows == [2, 4])
  }

  @Test func headersThatComeTwiceAreBothKept() {
    let file = read("title,tag,x,x\nMilk,a,1,2\n", .csv)
    #expect(file.records.first?.unknown == [.init("x", "1"), .init("x (2)", "2")])
    #expect(write(file.records, .csv).text.contains("x,x (2)"))
  }

  @Test func aRowWithMoreCellsThanTheHeaderIsWarnedOf() {
    let file = read("title,due\nMilk,2026-01-01,extra\n", .csv)
    #expect(file.records.count == 1 && file.warnings.map(\.row) == [2])
  }

  @Test func aDayThatHasTwoMeaningsIsKeptAsText() {
    let file = read("title,due\nMilk,6/1/2026\n", .csv)
    #expect(file.records.first?.due == nil)
    #expect(file.warnings.map(\.field) == [.due])
    #expect(write(file.records, .csv).text.contains("6/1/2026"))
  }

  @Test func aRowWithAQuoteOutOfPlaceIsAnErrorAndTheNextOneIsRead() {
    let file = read("title,due\n5\" disk,2026-01-01\n\"a\"b,\nMilk,\n", .csv)
    #expect(file.errors.map(\.row) == [2, 3])
    #expect(file.records.map(\.title) == ["Milk"])
    #expect(read("title,due\nMilk,\n\"open,\nEggs,\n", .csv).errors.map(\.row) == [3])
  }

  @Test func aTableOfRemindersFromAShortcutIsReadWithAMap() throws {
    let map = try ColumnMap("title=Reminder,isDone=Is Completed,group=List")
    let text = "Reminder,List,Is Completed,Flag\nMilk,Home,Yes,No\n"
    let record = try #require(read(text, .csv, options(columns: map)).records.first)
    #expect(record.isDone && record.group == "Home")
  }

  // MARK: Cells

  /// The cells of each row; nil for a malformed row.
  private func rows(_ text: String, separator: Unicode.Scalar = ",") throws -> [[String]?] {
    var rows = CSVRows(Array(text.utf8)[...], separator: UInt8(ascii: separator))
    var all: [[String]?] = []
    while true {
      do {
        guard let row = try rows.next() else { return all }
        all.append(row.cells)
      } catch is TaskIssue {
        all.append(nil)
      }
    }
  }

  @Test(
    arguments: [
      ("\"a\",\u{301}b\n", [["a", "\u{301}b"]]), ("\"\u{301}b\",c", [["\u{301}b", "c"]]),
      ("\"a\",\u{2028}\u{3000}b\n", [["a", "\u{2028}\u{3000}b"]]), ("\"a\",", [["a", ""]]),
      ("a, \"b\"\t, c\r\nd", [["a", "b", " c"], ["d"]]),
      ("\"a\r\nb\"\rc\n\n", [["a\r\nb"], ["c"], [""]]),
      ("\"a\"\"b\",5\"\" disk", [["a\"b", "5\" disk"]]),
      ("5\" disk,c\nd,e\n", [nil, ["d", "e"]]),
      ("\"a\" b,\"c\nd\"\ne\n", [nil, ["e"]]), ("a,\"b\nc,d\n", [nil]),
    ] as [(String, [[String]?])])
  func cellsAreReadAsRFC4180HasThem(text: String, expected: [[String]?]) throws {
    #expect(try rows(text) == expected)
  }

  /// Random texts are read as by a twin that looks at one character after the other.
  @Test func randomRowsAreReadAsByANaiveTwin() throws {
    var random = SeededGenerator.forTest("randomRowsAreReadAsByANaiveTwin")
    let pieces = [
      "a", "\"", "\"\"", ",", ",\"", "\",", "\n", "\r\n", "\r", " ", "\t", "\u{301}", "가",
    ]
    for _ in 0..<3000 {
      let text = (0..<random.below(14)).map { _ in random.pick(pieces) }.joined()
      for separator: Unicode.Scalar in [",", "\t"] {
        var twin = NaiveRows(separator: separator)
        for scalar in text.unicodeScalars { twin.take(scalar) }
        #expect(
          try rows(text, separator: separator) == twin.atEnd(), "\(text.debugDescription)")
      }
    }
  }

  /// A state machine over characters; a line end is told when the next character is known.
  private struct NaiveRows {
    private enum Place { case start, plain, plainQuote, quoted, closing, closed, broken }

    let separator: Unicode.Scalar
    private var all: [[String]?] = []
    private var row: [String] = []
    private var cell = String.UnicodeScalarView()
    private var place = Place.start
    private var isBroken = false
    private var isEmpty = true
    private var wasReturn = false

    init(separator: Unicode.Scalar) { self.separator = separator }

    mutating func take(_ scalar: Unicode.Scalar) {
      let isPair = wasReturn && scalar == "\n"
      wasReturn = scalar == "\r" && place != .quoted
      if isPair { return }
      isEmpty = false
      let isBlank = scalar == " " || scalar == "\t"
      switch (place, scalar) {
      case (.quoted, "\""): place = .closing
      case (.quoted, _): cell.append(scalar)
      case (.closing, "\""), (.plainQuote, "\""):
        cell.append(scalar)
        place = place == .closing ? .quoted : .plain
      case (_, separator): endCell()
      case (_, "\n"), (_, "\r"): endRow()
      case (.plainQuote, _): place = .broken
      case (.start, "\""):
        cell.removeAll()
        place = .quoted
      case (.start, _):
        cell.append(scalar)
        if !isBlank { place = .plain }
      case (.plain, "\""): place = .plainQuote
      case (.plain, _): cell.append(scalar)
      case (.closing, _), (.closed, _): place = isBlank ? .closed : .broken
      case (.broken, _): break
      }
    }

    private mutating func endCell() {
      if place == .plainQuote || place == .broken { isBroken = true }
      row.append(String(cell))
      cell.removeAll()
      place = .start
    }

    private mutating func endRow() {
      endCell()
      all.append(isBroken ? nil : row)
      row = []
      isBroken = false
      isEmpty = true
    }

    mutating func atEnd() -> [[String]?] {
      if place == .quoted { isBroken = true }
      if !isEmpty { endRow() }
      return all
    }
  }

  /// Tags as `todo ls -o csv` types them became tags that begin with `#`.
  @Test(
    arguments: [
      ("#a #\"two words\" #b", ["a", "two words", "b"]), ("a, b", ["a", "b"]),
      ("#a,#b, #c", ["a", "b", "c"]), ("##x", ["#x"]), ("#\"a, b\" #c", ["a, b", "c"]),
      ("#\"say \\\"hi\\\"\"", ["say \"hi\""]), ("#\"open", ["#\"open"]), ("#a b", ["#a b"]),
    ])
  func tagsAreReadAsTheyAreTyped(cell: String, tags: [String]) {
    let quoted = "\"" + cell.replacing("\"", with: "\"\"") + "\""
    #expect(read("title,tags\nx,\(quoted)\n", .csv).records.first?.tags == tags)
  }

  /// A quote before a combining mark was not doubled: together they are one character.
  @Test func aQuoteBeforeAMarkIsDoubled() {
    var record = TaskRecord(title: "say \"\u{301}x\", y")
    record.tags = ["\u{301}x, y", "\"\u{301}"]
    let output = write([record], .csv)
    #expect(output.warnings.isEmpty, "\(output.text)")
    #expect(read(output.text, .csv).records == [record], "\(output.text)")
  }
}

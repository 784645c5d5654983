import Foundation
import Testing
import TodoFormats

@Suite("Taskwarrior")
struct TaskwarriorTests {
  private static let uuid = "00000000-0000-4000-8000-000000000001"

  private func record(_ json: String) throws -> TaskRecord {
    let file = read(json, .taskwarrior)
    #expect(file.errors.isEmpty)
    return try #require(file.records.first)
  }

  @Test func anExportIsRead() throws {
    let file = read(Samples.taskwarrior, .taskwarrior)
    #expect(file.issues.isEmpty)
    let task = try #require(file.records.first)
    #expect(task.foreignID == Self.uuid)
    #expect(task.title == "Buy milk")
    #expect(task.due == TaskDate("2026-12-25T08:00"))
    #expect(task.priority == .high && task.isImportant && task.tags == ["shop"])
    #expect(task.group == "home.kitchen")
    #expect(task.notes.map(\.text) == ["two litres", "한글\nzwei"])
    #expect(task.notes.first?.date == (try Date(utc: "2026-12-01T09:00:00Z")))
    let done = try #require(file.records.last)
    #expect(try done.isDone && done.doneAt == (Date(utc: "2026-12-03T08:00:00Z")))
    #expect(done.repeats == TaskRepeat(.recur, "monthly"))
    #expect(file.rows == [2, 3])
  }

  @Test func midnightOfTheReaderIsAWholeDay() throws {
    let task = try record(#"{"description":"a","due":"20261224T150000Z"}"#)
    #expect(task.due == TaskDate("2026-12-25"))
    #expect(write([task], .taskwarrior).text.contains(#""due":"20261224T150000Z""#))
  }

  @Test func anArrayAndObjectsOnLinesAreTheSame() {
    let one = #"{"description":"a"}"#
    let other = #"{"description":"b"}"#
    for text in [
      "[\n\(one),\n\(other)\n]", "\(one)\n\(other)\n", "\(one),\n\(other),\n", "[\(one),\(other)]",
    ] {
      #expect(read(text, .taskwarrior).records.map(\.title) == ["a", "b"])
      #expect(read(text, .taskwarrior).issues.isEmpty)
    }
  }

  @Test(arguments: [
    #""20201021T065209Z""#, #""1603263129""#, "1603263129", #""20201021T155209""#,
    #""2020-10-21T06:52:09Z""#,
  ])
  func datesHaveManyForms(date: String) throws {
    let task = try record(#"{"description":"a","entry":\#(date)}"#)
    #expect(task.createdAt == (try Date(utc: "2020-10-21T06:52:09Z")))
  }

  @Test(arguments: [#"["a","b"]"#, #""a,b""#])
  func dependenciesHaveTwoFormsAndAreKept(depends: String) throws {
    let task = try record(#"{"depends":\#(depends),"description":"a"}"#)
    #expect(write([task], .taskwarrior).text.contains(#""depends":\#(depends)"#))
  }

  @Test func aUuidThatComesAgainIsWarnedOf() {
    let line = #"{"description":"a","uuid":"\#(Self.uuid)"}"#
    let file = read("\(line)\n\(line)\n", .taskwarrior)
    #expect(file.records.count == 2)
    #expect(file.warnings.map(\.row) == [2])
  }

  @Test(arguments: [
    "{}", #"{"description":"a","uuid":"12"}"#, #"{"description":"a","status":"gone"}"#,
    #"{"description":"a","annotations":"b"}"#, #"{"description":"a","annotations":["b"]}"#,
    #"{"description":"a","annotations":[{"entry":"20261201T090000Z"}]}"#,
    #"{"description":"a","due":"soon"}"#, #"{"description":7}"#, #"{"description":" "}"#,
    #"{"description":"a","tags":[1]}"#, #"{"description":"a""#, #"{"description":"a" "b"}"#,
    #"{"description":"a","x":01}"#, #"{"description":"\q"}"#, "null",
  ])
  func whatIsNoTaskIsAnErrorAndTheNextOneIsRead(json: String) {
    let file = read("\(json)\n{\"description\":\"next\"}\n", .taskwarrior)
    #expect(file.errors.map(\.row) == [1])
    #expect(file.records.map(\.title) == ["next"])
  }

  @Test func whatIsReadTwiceIsTheSame() {
    let once = read(Samples.taskwarrior, .taskwarrior).records
    let text = write(once, .taskwarrior).text
    #expect(read(text, .taskwarrior).records == once)
    #expect(rewritten(text, .taskwarrior) == text)
  }

  @Test func everyAttributeIsWrittenAsItWasRead() throws {
    let text = rewritten(Samples.taskwarrior, .taskwarrior)
    for fragment in [
      #""urgency":12.50"#, #""estimate":12345678901234567890"#, #""imask":3"#,
      #""modified":"20261202T080000Z""#, #""depends":["#, #""id":0"#, #""parent":"#,
      #""annotations":[{"entry":"20261201T090000Z","description":"two litres"}"#,
    ] { #expect(text.contains(fragment)) }
  }

  @Test func numbersKeepTheirText() throws {
    for number in ["1.50", "1e3", "-0", "0.1", "12345678901234567890", "1.0"] {
      let task = try record(#"{"description":"a","uda":\#(number)}"#)
      #expect(task.unknown == [.init("uda", number)])
      #expect(write([task], .taskwarrior).text.contains(#""uda":\#(number),"#) == false)
      #expect(write([task], .taskwarrior).text.contains(#""uda":\#(number)}"#))
    }
  }

  @Test func anEditKeepsWhatItDoesNotTouch() throws {
    var task = try record(
      #"{"description":"a","status":"waiting","priority":"X","due":"1603263129","uda":1.5}"#)
    task.title = "b"
    let text = write([task], .taskwarrior).text
    for fragment in [#""status":"waiting""#, #""priority":"X""#, #""due":"1603263129""#, "1.5"] {
      #expect(text.contains(fragment))
    }
    task.isDone = true
    task.due = TaskDate("2026-12-25")
    let done = write([task], .taskwarrior).text
    #expect(done.contains(#""status":"completed""#) && done.contains("20261224T150000Z"))
    #expect(!done.contains("waiting") && !done.contains("1603263129"))
  }

  @Test func aPatternOfARecurrenceIsWarnedOf() {
    let json = #"{"description":"a","status":"recurring","recur":"weekly"}"#
    #expect(read(json, .taskwarrior).warnings.map(\.field) == [.repeats])
    #expect(rewritten(json, .taskwarrior).contains(#""status":"recurring""#))
  }

  @Test func aDeletedTaskIsCancelled() throws {
    let task = try record(#"{"description":"a","status":"deleted","end":"20261203T080000Z"}"#)
    #expect(task.isCancelled && !task.isDone && task.doneAt != nil)
  }

  @Test func aFileThatIsCutSaysSo() {
    let text = String(Samples.taskwarrior.dropLast(4))
    let file = read(text, .taskwarrior)
    #expect(!file.errors.isEmpty)
  }

  @Test func escapesAndHalvesOfPairs() throws {
    let task = try record(#"{"description":"\u00e9\ud83d\ude00 \ud83d \"\\\/"}"#)
    #expect(task.title == "é😀 \u{FFFD} \"\\/")
  }
}

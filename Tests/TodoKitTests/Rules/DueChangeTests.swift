import Presentation
import Testing
import TodoKit
import TodoTestSupport

@Suite("When something is due, in words")
struct DueChangeTests {
  @Test(arguments: [
    ("14:30", "14:30"), ("9:05", "09:05"), ("0:00", "00:00"), ("23:59", "23:59"),
    ("3pm", "15:00"), ("3 PM", "15:00"), ("3:30pm", "15:30"), ("12am", "00:00"),
    ("12pm", "12:00"), ("12:05 am", "00:05"), ("noon", "12:00"), ("정오", "12:00"),
    ("오후 3시", "15:00"), ("오전 9시 30분", "09:30"), ("오후3시반", "15:30"), ("오전 12시", "00:00"),
    ("저녁 7시", "19:00"), ("아침 9시", "09:00"), ("밤 11시", "23:00"), ("새벽 2시", "02:00"),
    ("낮 12시", "12:00"), ("15시", "15:00"), ("15시 30분", "15:30"), ("0시", "00:00"),
    ("오후 3:30", "15:30"),
  ])
  func timesAreRead(words: String, time: String) {
    #expect(TimeOfDay(words: words)?.description == time)
  }

  @Test(arguments: [
    "", "3", "15", "3시", "12시", "밤 1시", "밤 12시", "저녁", "3시 반", "24:00", "14:60", "14:3", "1:2:3",
    "-1:30", "14.30", "0am",
    "13pm", "오후 13시", "오후", "pm", "시", "15시 60분", "15시 30", "오후 3시 반 반", "３pm", "14:30시",
  ])
  func nothingElseIsATime(words: String) {
    #expect(TimeOfDay(words: words) == nil)
  }

  @Test(
    arguments: [
      ("fri", "2026-05-29", nil), ("fri 14:30", "2026-05-29", "14:30"),
      ("fri,14:30", "2026-05-29", "14:30"), ("14:30 fri", "2026-05-29", "14:30"),
      ("next fri at 3pm", "2026-06-05", "15:00"), ("3 pm tomorrow", "2026-05-28", "15:00"),
      ("내일 오후 3시 반", "2026-05-28", "15:30"), ("3일 뒤 14:30", "2026-05-30", "14:30"),
      ("6월 1일 15시", "2026-06-01", "15:00"), ("2026-06-01T14:30", "2026-06-01", "14:30"),
      ("2026-06-01t9:05", "2026-06-01", "09:05"), ("14:30", nil, "14:30"),
      ("at noon", nil, "12:00"),
      ("일 15시", "2026-05-31", "15:00"),
    ] as [(String, String?, String?)])
  func aDayATimeOrBothAreRead(words: String, day: String?, time: String?) throws {
    let today = try #require(CalendarDay("2026-05-27"))
    let change = try #require(DueChange(words: words, today: today))
    #expect(change.day?.description == day)
    #expect(change.time?.map(\.description) == time)
  }

  @Test func theWholeDayIsATimeTakenAway() throws {
    let today = try #require(CalendarDay("2026-05-27"))
    #expect(DueChange(words: "all day", today: today) == DueChange(time: .some(nil)))
    #expect(DueChange(words: "종일", today: today) == DueChange(time: .some(nil)))
    let friday = DueChange(day: CalendarDay("2026-05-29"), time: .some(nil))
    #expect(DueChange(words: "금 하루 종일", today: today) == friday)
    #expect(DueChange(words: "fri", today: today)?.time == .none)
  }

  @Test(arguments: [
    "", " ", ",", "at", "fri 25:00", "fri 3", "fri sat", "14:30 15:30", "2026-06-01T", "fri14:30",
    "T14:30",
    "someday 14:30", "fri at", "fri 14:30 x",
  ])
  func nothingElseIsRead(words: String) throws {
    let today = try #require(CalendarDay("2026-05-27"))
    #expect(DueChange(words: words, today: today) == nil)
  }

  @Test func eachTimeIsReadAsItIsWritten() {
    for minutes in Int16(0)..<1440 {
      let time = TimeOfDay(rawValue: minutes)
      #expect(time.flatMap { TimeOfDay($0.description) } == time)
      #expect(time.map { TimeOfDay(hour: $0.hour, minute: $0.minute) } == time)
    }
    #expect(TimeOfDay(rawValue: -1) == nil && TimeOfDay(rawValue: 1440) == nil)
  }

  /// A time needs a day, a day keeps its time when it moves, and both go together.
  @Test func dayAndTimeGoTogether() throws {
    let today = try #require(CalendarDay("2026-05-27"))
    let repository = try CroftTodoRepository.inMemory(now: { .noted }, today: { today })
    let time = try #require(TimeOfDay("14:30"))
    var timed = TodoItem.numbered(1)
    timed.dueTime = time
    #expect(try repository.perform(.add([timed, .numbered(2)])).items[0].due == today)
    func change(_ change: DueChange?) throws -> String {
      let action = TodoAction.setDue([.numbered(2)], change)
      let item = try repository.perform(validating: action).items[0]
      return "\(item.due?.description ?? "-") \(item.dueTime?.description ?? "-")"
    }
    #expect(try change(DueChange(time: time)) == "2026-05-27 14:30")
    let friday = try #require(CalendarDay("2026-05-29"))
    #expect(try change(DueChange(day: friday)) == "2026-05-29 14:30")
    #expect(try change(DueChange(time: .some(nil))) == "2026-05-29 -")
    #expect(try change(DueChange(day: today, time: time)) == "2026-05-27 14:30")
    #expect(try change(nil) == "- -")
    for expected in [
      "2026-05-27 14:30", "2026-05-29 -", "2026-05-29 14:30", "2026-05-27 14:30", "- -",
    ] {
      try repository.perform(.undo)
      let item = try #require(try repository.item(.numbered(2)))
      let said = "\(item.due?.description ?? "-") \(item.dueTime?.description ?? "-")"
      #expect(said == expected)
    }
    for _ in 0..<5 { try repository.perform(.redo) }
    #expect(try repository.item(.numbered(2))?.dueTime == nil)
  }

  @Test func whatRepeatsKeepsItsTime() throws {
    let today = try #require(CalendarDay("2026-05-27"))
    let repository = try CroftTodoRepository.inMemory(now: { .noted }, today: { today })
    var item = TodoItem.numbered(1)
    (item.due, item.dueTime, item.repeats) = (today, TimeOfDay("9:00"), RepeatRule(words: "day"))
    try repository.perform(.add([item]))
    let next = try repository.perform(.setDone([item.id], true)).items[1]
    #expect(next.due == CalendarDay("2026-05-28") && next.dueTime == TimeOfDay("9:00"))
  }
}

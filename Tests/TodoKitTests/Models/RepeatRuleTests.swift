import Foundation
import Testing
import TestSupport
import TodoTestSupport

@testable import TodoKit

/// How things come again.
@Suite struct RepeatRuleTests {
  @Test(arguments: [
    ("every day", "day"), ("daily", "day"), ("매일", "day"), ("every 2 weeks", "2 weeks"),
    ("2주마다", "2 weeks"),
    ("week", "week"), ("매주", "week"), ("Every Fri", "fri"), ("매주 금", "fri"), ("매주 금요일", "fri"),
    ("금요일마다", "fri"), ("mon,wed", "mon,wed"), ("wed mon", "mon,wed"), ("매주 월수금", "mon,wed,fri"),
    ("weekday", "mon,tue,wed,thu,fri"), ("평일", "mon,tue,wed,thu,fri"), ("month", "month"),
    ("매월", "month"), ("매월 15일", "month on 15"), ("15th", "month on 15"), ("매월 말일", "month on 31"),
    ("month on 31", "month on 31"), ("3개월마다", "3 months"), ("매년", "year"), ("10 years", "10 years"),
    ("1일마다", "day"), ("quarter", "3 months"), ("분기", "3 months"), ("biweekly", "2 weeks"),
    ("fortnight", "2 weeks"), ("격주", "2 weeks"), ("annually", "year"), ("이틀마다", "2 days"),
    ("every other day", "2 days"), ("mon-fri", "mon,tue,wed,thu,fri"),
    ("월-금", "mon,tue,wed,thu,fri"),
    ("first mon", "first mon"), ("1st monday", "first mon"), ("last fri", "last fri"),
    ("매월 첫째 월", "first mon"), ("매월 첫째주 월", "first mon"), ("매달 둘째 주 금", "second fri"),
    ("매달 마지막 금요일", "last fri"),
    ("2 months on 31", "2 months on 31"), ("2개월마다 31일", "2 months on 31"),
    ("매년 29일", "year on 29"), ("1w", "week"), ("+2m", "2 months"),
  ])
  func readsFewWordsInTwoLanguages(words: String, rule: String) throws {
    let read = try #require(RepeatRule(words: words))
    #expect(read.rawValue == rule)
    #expect(RepeatRule(rawValue: rule) == read)
    #expect(RepeatRule(words: read.rawValue) == read)
    #expect(RepeatRule(words: read.koreanWords) == read)
    let bytes = try JSONEncoder().encode([read])
    #expect(try JSONDecoder().decode([RepeatRule].self, from: bytes) == [read])
  }

  @Test(arguments: [
    "", "every", "sometimes", "0 days", "-1 days", "1000 days", "month on 0", "month on 32",
    "fri,x",
    "99999999999999999999 days", "week on 3", "day on 3", "매주 가", "일마다 3",
  ])
  func otherWordsAreNoRule(words: String) {
    #expect(RepeatRule(words: words) == nil)
    #expect(RepeatRule(rawValue: words) == nil)
  }

  @Test(arguments: ["days", "1 days", "1 day", "fri,mon", "mon,mon", "2 day", "month on 03", "Mon"])
  func aStoredRuleHasOneForm(text: String) { #expect(RepeatRule(rawValue: text) == nil) }

  /// Day by day, the first day after both that the rule allows.
  private func plainNext(
    _ rule: RepeatRule, after due: CalendarDay, today: CalendarDay
  ) -> CalendarDay? {
    var day = max(due, today)
    while let next = day.adding(days: 1) {
      day = next
      switch rule.step {
      case .weekdays(let days): if days.contains(day.weekday) { return day }
      case .monthWeekday(let week, let weekday):
        if day.weekday != weekday { continue }
        let index = RepeatRule.MonthWeek.allCases.firstIndex(of: week)
        let isLast = day.adding(days: 7)?.month != day.month
        if week == .last ? isLast : (day.day - 1) / 7 == index { return day }
      case .units(let count, .day, _): if (day.number - due.number) % count == 0 { return day }
      case .units(let count, .week, _):
        if (day.number - due.number) % (7 * count) == 0 { return day }
      case .units(let count, let unit, let monthDay):
        let months = (day.year - due.year) * 12 + day.month - due.month
        let anchor = monthDay == 0 ? due.day : monthDay
        if months > 0, months % (unit == .year ? 12 * count : count) == 0,
          day.day == min(anchor, day.lengthOfMonth)
        {
          return day
        }
      }
    }
    return nil
  }

  @Test func theNextDayIsThatOfThePlainTwin() throws {
    var generator = SeededGenerator()
    for _ in 0..<3_000 {
      let due = try #require(
        CalendarDay(number: 738_000 + Int.random(in: 0..<2_000, using: &generator)))
      let today = try #require(due.adding(days: .random(in: -40..<400, using: &generator)))
      let count = Int.random(in: 1..<5, using: &generator)
      let monthDay = Bool.random(using: &generator) ? 0 : Int.random(in: 1...31, using: &generator)
      let steps: [RepeatRule.Step] = [
        .units(count, .day, monthDay: 0), .units(count, .week, monthDay: 0),
        .units(count, .month, monthDay: monthDay), .units(count, .year, monthDay: monthDay),
        .weekdays(Set((0..<3).map { _ in Int.random(in: 1...7, using: &generator) })),
        .monthWeekday(
          RepeatRule.MonthWeek.allCases.randomElement(using: &generator) ?? .first,
          Int.random(in: 1...7, using: &generator)),
      ]
      let rule = RepeatRule(try #require(steps.randomElement(using: &generator)))
      let comment: Comment = "\(rule.rawValue), due \(due), today \(today), seed \(generator.seed)"
      let next = try #require(rule.next(after: due, today: today), comment)
      #expect(next.day == plainNext(rule, after: due, today: today), comment)
      #expect(next.day > due && next.day > today)
      #expect(RepeatRule(rawValue: next.rule.rawValue) == next.rule)
    }
  }

  /// From the 31st on, months keep it, although some are shorter.
  @Test func aMonthKeepsTheDayWithWhichItBegan() throws {
    var day = try #require(CalendarDay("2027-12-31"))
    var rule = try #require(RepeatRule(words: "month"))
    var days: [String] = []
    for _ in 0..<5 {
      let next = try #require(rule.next(after: day, today: day))
      (day, rule) = (next.day, next.rule)
      days.append(day.description)
    }
    #expect(days == ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31"])
    let leap = try #require(CalendarDay("2028-02-29"))
    let year = try #require(RepeatRule(words: "year")?.next(after: leap, today: leap))
    #expect(year.day == CalendarDay("2029-02-28") && year.rule.rawValue == "year on 29")
    let end = try #require(CalendarDay("9999-12-31"))
    #expect(RepeatRule(words: "day")?.next(after: end, today: end) == nil)
  }

  /// "year on 15" without a day was due today.
  @Test(arguments: ["month on 15", "year on 15", "3 months on 15"])
  func aDayOfAMonthIsTheFirstDay(words: String) throws {
    let rule = try #require(RepeatRule(words: words))
    #expect(rule.first(from: try #require(CalendarDay("2026-11-30"))).description == "2026-12-15")
    #expect(rule.first(from: try #require(CalendarDay("2026-11-15"))).description == "2026-11-15")
  }

  @Test func whatIsDoneComesAgainInOneStep() throws {
    let today = try #require(CalendarDay("2026-01-02"))
    let repository = try CroftTodoRepository.inMemory(now: { .noted }, today: { today })
    var item = TodoItem.numbered(1, title: "water plants", isImportant: true, group: nil)
    item.repeats = RepeatRule(words: "every fri")
    item.tags = ["home"]
    item.note = "the big ones twice"
    (item.foreignID, item.due) = ("taskwarrior/x", today)
    try repository.perform(.add([item, .numbered(2)]))
    // Without a day it is due on the first one: today is a Friday.
    var dayless = TodoItem.numbered(3)
    dayless.repeats = item.repeats
    #expect(try repository.perform(.add([dayless])).items[0].due == today)
    let monday = try #require(RepeatRule(words: "mon"))
    let edited = try repository.perform(.edit([.numbered(2)], ItemPatch(repeats: monday)))
    #expect(edited.items[0].due == CalendarDay("2026-01-05"))
    for _ in 0..<2 { try repository.perform(.undo) }
    let before = try repository.items(.all)
    let done = try repository.perform(.setDone([item.id, .numbered(2)], true))
    #expect(done.items.count == 3)
    let next = done.items[2]
    #expect(next.due == CalendarDay("2026-01-09") && next.repeats == item.repeats)
    #expect(next.title == item.title && next.tags == item.tags && next.note == item.note)
    #expect(next.isImportant && !next.isDone && next.doneAt == nil && next.foreignID == nil)
    let completed = try #require(try repository.item(item.id))
    #expect(completed.isDone && completed.repeats == nil && completed.due == today)
    #expect(completed.foreignID == "taskwarrior/x")
    #expect(try repository.tally(of: .all) == Tally(total: 3, done: 2))
    try repository.perform(.undo)
    #expect(try repository.items(.all) == before)
    try repository.perform(.redo)
    #expect(try repository.item(next.id) == next)
    // Open and done once more, the old one does not come a second time.
    try repository.perform(.setDone([item.id], false))
    #expect(try repository.perform(.setDone([item.id], true)).items.count == 1)
    let third = try repository.perform(.setDone([next.id], true)).items[1]
    #expect(third.due == CalendarDay("2026-01-16"))
  }
}

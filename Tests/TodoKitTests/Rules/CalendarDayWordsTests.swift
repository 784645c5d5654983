import Foundation
import Presentation
import Testing
import TodoKit
import TodoTestSupport

@Suite("Days in words")
struct CalendarDayWordsTests {
  /// A Wednesday.
  private let today = "2026-05-27"

  private func read(_ words: String, on today: String) -> String? {
    CalendarDay(today).flatMap { CalendarDay(words: words, today: $0) }?.description
  }

  @Test(arguments: [
    ("today", "2026-05-27"), ("오늘", "2026-05-27"), ("tomorrow", "2026-05-28"),
    ("내일", "2026-05-28"), ("모레", "2026-05-29"), ("글피", "2026-05-30"),
    ("내일모레", "2026-05-29"), ("사흘 뒤", "2026-05-30"), ("일주일 뒤", "2026-06-03"), ("담주 금", "2026-06-05"),
    ("eom", "2026-05-31"), ("월말", "2026-05-31"),
    ("+0d", "2026-05-27"), ("+3d", "2026-05-30"), ("+2w", "2026-06-10"), ("+365d", "2027-05-27"),
    ("3일 뒤", "2026-05-30"), ("3일뒤", "2026-05-30"), ("10일 후", "2026-06-06"),
    ("2주 뒤", "2026-06-10"), ("1주후", "2026-06-03"),
    ("2026-06-01", "2026-06-01"), ("2020-02-29", "2020-02-29"),
    ("6/1", "2026-06-01"), ("06/01", "2026-06-01"), ("6월 1일", "2026-06-01"),
    ("6월1일", "2026-06-01"), ("5/27", "2026-05-27"), ("5/26", "2027-05-26"),
    ("1/2", "2027-01-02"), ("12월 31일", "2026-12-31"),
    ("tonight", "2026-05-27"), ("오늘 저녁", "2026-05-27"), ("낼", "2026-05-28"),
    ("dec 25", "2026-12-25"), ("25 dec", "2026-12-25"), ("December 25", "2026-12-25"),
    ("may 1", "2027-05-01"), ("25.12.", "2026-12-25"), ("12.25.", "2026-12-25"),
    ("12.1.", "2026-12-01"),
    ("25/12", "2026-12-25"),
    ("1st", "2026-06-01"), ("27th", "2026-05-27"), ("31st", "2026-05-31"), ("15th", "2026-06-15"),
    ("in 3 days", "2026-05-30"), ("in a week", "2026-06-03"), ("in 2 months", "2026-07-27"),
    ("3d", "2026-05-30"), ("2w", "2026-06-10"), ("1m", "2026-06-27"), ("+1y", "2027-05-27"),
    ("next week", "2026-06-01"), ("다음주", "2026-06-01"), ("다음 주", "2026-06-01"),
    ("next month", "2026-06-01"), ("다음 달", "2026-06-01"), ("다음달 3일", "2026-06-03"),
    ("weekend", "2026-05-31"), ("이번 주말", "2026-05-31"), ("eoy", "2026-12-31"),
    ("연말", "2026-12-31"), ("말일", "2026-05-31"), ("25일", "2026-06-25"), ("28일", "2026-05-28"),
    ("열흘 뒤", "2026-06-06"), ("보름 뒤", "2026-06-11"), ("한 달 뒤", "2026-06-27"),
    ("두 주 뒤", "2026-06-10"), ("1년 뒤", "2027-05-27"), ("일 년 후", "2027-05-27"),
    ("last fri", "2026-05-22"), ("last wed", "2026-05-20"), ("지난 금요일", "2026-05-22"),
    ("지난주 월", "2026-05-18"), ("sow", "2026-05-25"),
    ("  TODAY \t", "2026-05-27"), ("Next  Fri", "2026-06-05"), ("다음  주  월", "2026-06-01"),
  ])
  func daysAreRead(words: String, day: String) {
    #expect(read(words, on: today) == day)
  }

  /// Wednesday is today, so it is a week away by its name, and today by "this".
  @Test(arguments: [
    ("mon", "월", "2026-06-01", "2026-06-01", "2026-06-01"),
    ("tue", "화", "2026-06-02", "2026-06-02", "2026-06-02"),
    ("wed", "수", "2026-06-03", "2026-05-27", "2026-06-03"),
    ("thu", "목", "2026-05-28", "2026-05-28", "2026-06-04"),
    ("fri", "금", "2026-05-29", "2026-05-29", "2026-06-05"),
    ("sat", "토", "2026-05-30", "2026-05-30", "2026-06-06"),
    ("sun", "일", "2026-05-31", "2026-05-31", "2026-06-07"),
  ])
  func aWeekdayIsTheNextSuchDayTodayExcluded(
    english: String, korean: String, plain: String, this: String, next: String
  ) {
    for words in [english, korean + "요일"] { #expect(read(words, on: today) == plain) }
    #expect(read("this " + english, on: today) == this)
    // `다음 금요일` was refused, which says the same as `next fri`.
    for words in [
      "next " + english, "다음주 " + korean, "다음 주 \(korean)요일", "다음주\(korean)", "다음 \(korean)요일",
    ] {
      #expect(read(words, on: today) == next, "\(words)")
    }
  }

  @Test func aDayOfThisWeekThatHasPassedIsNotMovedToAnother() {
    #expect(read("이번주 금", on: today) == "2026-05-29")
    #expect(read("이번 주 일요일", on: today) == "2026-05-31")
    #expect(read("이번주 수", on: today) == "2026-05-27")
    #expect(read("이번 금요일", on: today) == "2026-05-29")
    #expect(read("이번 월요일", on: today) == nil)
    #expect(read("이번주 월", on: today) == nil)
    #expect(read("이번주 화요일", on: today) == nil)
  }

  /// The week begins on Monday, so a Sunday is followed by the next week.
  @Test func weeksBeginOnMonday() {
    #expect(read("next mon", on: "2026-05-31") == "2026-06-01")
    #expect(read("mon", on: "2026-05-31") == "2026-06-01")
    #expect(read("sun", on: "2026-05-31") == "2026-06-07")
    #expect(read("this sun", on: "2026-05-31") == "2026-05-31")
    #expect(read("다음주 일", on: "2026-06-01") == "2026-06-14")
  }

  @Test func theLastDayOfAMonthIsFound() {
    #expect(read("eom", on: "2026-02-01") == "2026-02-28")
    #expect(read("eom", on: "2028-02-29") == "2028-02-29")
    #expect(read("eom", on: "9999-12-31") == "9999-12-31")
  }

  @Test func aDateThatThisYearAndTheNextDoNotHaveIsNone() {
    // It was refused although there is one, and "has passed" on the day after it.
    #expect(read("2/29", on: "2026-05-27") == "2028-02-29")
    #expect(read("2/29", on: "2028-03-01") == "2032-02-29")
    #expect(read("2/30", on: "2026-05-27") == nil)
    #expect(read("2/29", on: "2027-05-27") == "2028-02-29")
    #expect(read("2/29", on: "2028-02-29") == "2028-02-29")
  }

  @Test func daysOfTheMonthAreCountedInMonths() {
    #expect(read("+1m", on: "2026-01-31") == "2026-02-28")
    #expect(read("+13m", on: "2027-01-31") == "2028-02-29")
    #expect(read("+0m", on: today) == today)
    #expect(read("1달 뒤", on: "2026-12-15") == "2027-01-15")
    #expect(read("2개월 후", on: "2026-11-30") == "2027-01-30")
    #expect(read("+120000m", on: today) == nil)
  }

  @Test func datesMayHaveOtherSignsOrNone() {
    for words in ["2026/06/01", "2026/6/1", "2026.6.1", "2026.06.01", "20260601"] {
      #expect(read(words, on: today) == "2026-06-01", "\(words)")
    }
    #expect(read("12.25", on: "2026-05-27") == "2026-12-25")
    #expect(read("5.26", on: "2026-05-27") == "2027-05-26")
  }

  @Test func yesterdayAndTheEndOfTheWeek() {
    // 27 May 2026 is a Wednesday.
    for (words, day) in [
      ("yesterday", "2026-05-26"), ("어제", "2026-05-26"), ("eow", "2026-05-31"),
      ("주말", "2026-05-31"), ("월", "2026-06-01"), ("수", "2026-06-03"), ("일", "2026-05-31"),
    ] {
      #expect(read(words, on: "2026-05-27") == day, "\(words)")
    }
    #expect(read("eow", on: "2026-05-31") == "2026-05-31")
  }

  @Test func hangulIsReadInEitherNormalForm() {
    for words in ["내일", "다음주 금", "3일 뒤", "6월 1일", "월요일", "월말"] {
      let decomposed = words.decomposedStringWithCanonicalMapping
      #expect(decomposed.utf8.count > words.utf8.count)
      #expect(read(decomposed, on: today) == read(words, on: today))
      #expect(read(words, on: today) != nil)
    }
  }

  @Test(arguments: [
    "", " ", "someday", "week", "next", "this", "주", "+m", "-1m", "1달", "개월 뒤",
    "일 뒤", "-3d", "+3", "+d", "+ 3d", "+-3d", "+3.5d", "6/", "/1",
    "6/1/2026", "6-1", "0/1", "6/31", "6월", "6월 1", "6/1일", "2026-6-1", "26/06/01",
    "6.", ".1", "6.1.1",
    "2026-02-30", "20260631", "2026061", "202606011", "2026/2/30", "2026.6", "+999999999999m",
    "+99999999999999999999d", "+9000000d", "99999999999999999999주 뒤",
    "today tomorrow", "to day", "fri day", "frid", "next 금주", "다음주 주", "٣일 뒤", "+３d",
    "6/1\u{0}", "내일!", "due",
  ])
  func nothingIsGuessed(words: String) {
    #expect(read(words, on: today) == nil)
  }

  /// Every day that is read is where its form says, from every day of some years on.
  @Test func everyFormHoldsOnEveryDay() throws {
    let first = try #require(CalendarDay("2027-12-01")).number
    for number in first..<first + 3 * 366 {
      let day = try #require(CalendarDay(number: number))
      for (index, name) in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].enumerated() {
        let plain = try #require(CalendarDay(words: name, today: day))
        let this = try #require(CalendarDay(words: "this " + name, today: day))
        let next = try #require(CalendarDay(words: "next " + name, today: day))
        #expect([plain, this, next].allSatisfy { $0.weekday == index + 1 })
        #expect((1...7).contains(plain.number - number))
        #expect((0...6).contains(this.number - number))
        // The Monday that both weeks are counted from.
        #expect(next.number - next.weekday == number - day.weekday + 7)
      }
      let end = try #require(CalendarDay(words: "eom", today: day))
      #expect(end >= day && end.month == day.month && end.adding(days: 1)?.day == 1)
      let date = try #require(CalendarDay(words: "\(day.month)/\(day.day)", today: day))
      #expect(date == day)
    }
  }

  @Test func anUnknownDayIsAnsweredWithWhatIsUnderstood() throws {
    let day = try #require(CalendarDay(today))
    #expect(CalendarDay(words: "someday", today: day) == nil)
    let issue = ValidationIssue(.invalidFormat, at: .due, params: ["word": .text("someday")])
    for language in [Language.english, .korean] {
      let text = MessageCatalog.todo(in: language).message(for: issue)
      #expect(text.contains("someday"))
      #expect(!text.contains("{"))
      // Each form that the message offers is one.
      let offered = text.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
      let names =
        offered.replacing("use ", with: "").replacing(" or ", with: ", ")
        .replacing(" 가운데 하나를 써주세요", with: "").split(separator: ", ")
      #expect(names.count >= 9)
      for name in names { #expect(read(String(name), on: today) != nil, "\(name)") }
    }
  }
}

import TodoKit

/// Days, with the day of the week, so that nobody has to count.
extension LocalizedText {
  static func day(_ day: CalendarDay) -> LocalizedText {
    let names = [
      ("Mon", "월"), ("Tue", "화"), ("Wed", "수"), ("Thu", "목"), ("Fri", "금"), ("Sat", "토"),
      ("Sun", "일"),
    ]
    let (english, korean) = names[day.weekday - 1]
    return LocalizedText("\(day) (\(english))", "\(day) (\(korean))")
  }

  static func dayHasPassed(_ passed: CalendarDay) -> LocalizedText {
    let name = day(passed)
    return LocalizedText(
      "That day of this week has passed: \(name.english). Write next week's as \"next fri\".",
      "이번 주의 그날은 지났습니다: \(name.korean). 다음 주는 \"다음주 금\"처럼 쓰세요.")
  }

  static let quoteTheDay = LocalizedText(
    "A day of several words is put in quotes: due:\"next fri\", --due \"3일 뒤\"",
    "여러 낱말인 날짜는 따옴표로 묶으세요: due:\"다음주 금\", --due \"3일 뒤\"")
}

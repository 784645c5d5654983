import TodoKit

/// Days, with the day of the week, so that nobody has to count.
extension Phrase {
  static func day(_ day: CalendarDay) -> Phrase {
    let names = [
      ("Mon", "월"), ("Tue", "화"), ("Wed", "수"), ("Thu", "목"), ("Fri", "금"), ("Sat", "토"),
      ("Sun", "일"),
    ]
    let (english, korean) = names[day.weekday - 1]
    return Phrase("\(day) (\(english))", "\(day) (\(korean))")
  }
}

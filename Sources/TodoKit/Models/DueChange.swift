public import Presentation

/// A change to when items are due: another day, another time of day, or both.
///
/// A day alone does not change the time, and a time alone does not change the day. An item without
/// a day gets the current day if it gets a time.
public struct DueChange: Hashable, Sendable {
  /// The new day; nil if the day does not change.
  public var day: CalendarDay?
  /// The new time; nil if the time does not change, and `.some(nil)` for the whole day.
  public var time: TimeOfDay??

  /// Makes a change to a day, a time or both.
  public init(day: CalendarDay? = nil, time: TimeOfDay?? = nil) {
    (self.day, self.time) = (day, time)
  }

  /// Reads a day, a time, or a day and a time as people name them; nil for anything else.
  ///
  /// Days are those of ``CalendarDay/init(words:today:)``, times those of ``TimeOfDay/init(words:)``,
  /// and `all day` or `종일`. They are separated by blanks, a comma or, after `2026-06-01`, a `T`.
  ///
  /// - Parameters:
  ///   - words: What was typed.
  ///   - today: The current day of the user who typed them.
  public init?(words: String, today: CalendarDay) {
    var text = words.lowercased()
    if text.dropFirst(10).first == "t", text.count > 11,
      let day = CalendarDay(String(text.prefix(10)))
    {
      text = "\(day) " + text.dropFirst(11)
    }
    let parts = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    for count in (0...parts.count).reversed() {
      let (first, last) = (parts.prefix(count), parts.dropFirst(count))
      for (days, times) in [(first, last), (last, first)] {
        let dayWords = days.joined(separator: " ")
        if times.count == 1, times.first == "at" { continue }
        let timeWords = (times.first == "at" ? times.dropFirst() : times).joined(separator: " ")
        let day = days.isEmpty ? nil : CalendarDay(words: dayWords, today: today)
        let time = timeWords.isEmpty ? nil : Self.time(timeWords)
        guard (day == nil) == days.isEmpty, (time == nil) == timeWords.isEmpty,
          day != nil || time != nil
        else { continue }
        self.init(day: day, time: time)
        return
      }
    }
    return nil
  }

  private static func time(_ words: String) -> TimeOfDay?? {
    if ["all day", "종일", "하루 종일"].contains(words) { return .some(nil) }
    return TimeOfDay(words: words).map { .some($0) }
  }
}

extension FieldPath {
  /// The path of the day and the time by which an item is to be done.
  public static let dueTime: FieldPath = "dueTime"
}

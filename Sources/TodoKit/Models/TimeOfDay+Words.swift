extension TimeOfDay {
  /// Reads a time as people name it, such as `14:30`, `3pm` or `오후 3시`; nil for anything else.
  ///
  /// An hour from 1 to 12 in Korean words needs its half of the day: `3시` alone is not read.
  ///
  /// - `14:30`, `9:05`; `3pm`, `3:30 pm`, `12am`; `noon`, `정오`
  /// - `오후 3시`, `아침 9시`, `저녁 7시`, `밤 11시`, `새벽 2시`, `오전 9시 30분`, `오후 3시 반`, `15시`, `15시 30분`
  ///
  /// - Parameter words: What was typed; case and white space do not matter.
  public init?(words: String) {
    var text = words.lowercased().filter { !$0.isWhitespace }
    if ["noon", "정오"].contains(text) {
      self.init(hour: 12, minute: 0)
      return
    }
    if let time = TimeOfDay(text) {
      self = time
      return
    }
    let isNight = text.hasPrefix("밤")
    var isAfternoon: Bool?
    for (name, isLater) in Self.halves {
      let isKorean = !name.allSatisfy(\.isASCII)
      guard isKorean ? text.hasPrefix(name) : text.hasSuffix(name) else { continue }
      text = String(isKorean ? text.dropFirst(name.count) : text.dropLast(name.count))
      isAfternoon = isLater
      break
    }
    guard let (hour, minute) = Self.clock(text) else { return nil }
    guard let isAfternoon else {
      // What a clock of twelve hours shows is two times of a day.
      if hour > 0, hour <= 12 { return nil }
      self.init(hour: hour, minute: minute)
      return
    }
    guard (1...12).contains(hour) else { return nil }
    // One at night is after midnight, and so are twelve and the hours up to dawn: two times may be meant.
    if isNight, !(7...11).contains(hour) { return nil }
    self.init(hour: hour % 12 + (isAfternoon ? 12 : 0), minute: minute)
  }

  /// The words for the halves of the day, and whether it is the second one.
  private static let halves = [
    ("am", false), ("오전", false), ("아침", false), ("새벽", false), ("pm", true), ("오후", true),
    ("낮", true), ("저녁", true), ("밤", true),
  ]

  /// The numbers of `3`, `3:30`, `3시`, `3시30분` or `3시반`.
  private static func clock(_ text: String) -> (hour: Int, minute: Int)? {
    let parts = text.split(separator: "시", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      let rest = parts[1] == "반" ? "30분" : parts[1]
      if rest.isEmpty { return number(parts[0]).map { ($0, 0) } }
      guard rest.hasSuffix("분"), let hour = number(parts[0]), let minute = number(rest.dropLast())
      else { return nil }
      return (hour, minute)
    }
    if let time = TimeOfDay(text) { return (time.hour, time.minute) }
    // A number alone names no time; after or before its half of the day it does.
    return number(text[...]).flatMap { (1...12).contains($0) ? ($0, 0) : nil }
  }

  private static func number(_ digits: Substring) -> Int? {
    (1...2).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
      ? Int(digits) : nil
  }
}

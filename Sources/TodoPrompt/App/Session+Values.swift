import Presentation
import TodoKit

/// What days and priorities words mean, and what is asked or assumed where they are missing.
extension Session {
  /// The day that words name; nil for `none`.
  func dueDay(_ words: String) throws(CommandError) -> CalendarDay? {
    if ["none", "없음"].contains(words.trimmed.lowercased()) { return nil }
    let today = surroundings.clock.today
    switch Validator.day(today: today).validate(words) {
    case .valid(let day, _): return day
    case .invalid(let issues):
      // Words that name a day on Monday, and none today, name one that has passed.
      if let monday = today.adding(days: 1 - today.weekday),
        let passed = CalendarDay(words: words, today: monday), passed < today
      {
        throw CommandError(.dayHasPassed(passed), .usage)
      }
      throw CommandError(issues[0], .usage)
    }
  }

  /// Tries, and asks for a priority when that is what the domain misses.
  ///
  /// - Parameter hint: How a priority is written, for where nobody can be asked.
  func askingForPriority<Value>(
    _ priority: Priority?, _ hint: LocalizedText,
    _ attempt: (Priority?) throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    do {
      return try attempt(priority)
    } catch {
      guard error.lacksPriority else { throw error }
      guard let questions else { throw error.hinting(hint) }
      guard let answer = questions.priority() else { throw error }
      return try attempt(answer)
    }
  }

  /// What `TODO_PRIORITY` says, for scripts that do not want to say it each time.
  func defaultPriority() throws(CommandError) -> Priority? {
    guard let word = surroundings.environment["TODO_PRIORITY"], !word.isEmpty
    else { return nil }
    guard let priority = Priority(word: word) else {
      throw CommandError(.unknownDefaultPriority(word), .usage)
    }
    return priority
  }
}

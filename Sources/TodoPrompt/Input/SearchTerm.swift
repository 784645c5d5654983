import TodoKit

/// A word that narrows a list, such as `#tag`, `@group`, `!h`, `due:fri` or `is:done`.
///
/// Words that begin otherwise are no terms: a verb decides whether they are text or name something.
enum SearchTerm: Equatable {
  case tag(String)
  case group(String)
  case priority(Priority)
  case due(String)
  case before(String)
  case after(String)
  case state(State)

  /// What `is:` may say.
  enum State: String, CaseIterable {
    case open, done, overdue, today, starred

    /// The Korean words, in the order of the cases.
    private static let korean = ["남음", "완료", "지남", "오늘", "중요"]

    init?(word: String) {
      let word = word.lowercased()
      let place =
        Self.allCases.firstIndex { $0.rawValue == word } ?? Self.korean.firstIndex(of: word)
      guard let place else { return nil }
      self = Self.allCases[place]
    }
  }

  /// Reads a word; nil for one that is no term.
  ///
  /// - Throws: An error with the status `usage` for a term that says nothing, such as `is:what`.
  init?(_ word: String) throws(CommandError) {
    if let text = word.after("#") {
      self = .tag(text)
    } else if let text = word.after("@") {
      self = .group(text)
    } else if let text = word.after("due:") {
      self = .due(text)
    } else if let text = word.after("before:") {
      self = .before(text)
    } else if let text = word.after("after:") {
      self = .after(text)
    } else if let text = word.after("is:") {
      guard let state = State(word: text) else { throw CommandError(.unknownState(text), .usage) }
      self = .state(state)
    } else if let text = word.after("!") {
      guard let priority = Priority(word: text) else {
        throw CommandError(.unknownPriority(text), .usage)
      }
      self = .priority(priority)
    } else {
      return nil
    }
  }

  /// The conditions that the term stands for.
  ///
  /// - Throws: An error for a group that does not exist, and for words that name no day.
  fileprivate func conditions(in session: Session) throws(CommandError) -> [ItemCondition] {
    let clock = session.environment.clock
    switch self {
    case .tag(let tag): return [.tag(tag)]
    case .group(let name): return [.list(try session.groups().list("@" + name).list)]
    case .priority(let priority): return [.priority(priority)]
    case .due(let words): return [try clock.dueDay(words).map(ItemCondition.due) ?? .hasNoDue]
    case .before(let words): return [.dueBefore(try Self.day(words, clock))]
    case .after(let words): return [.dueAfter(try Self.day(words, clock))]
    case .state(.open): return [.isDone(false)]
    case .state(.done): return [.isDone(true)]
    case .state(.overdue): return [.overdue(clock.today, clock.time)]
    case .state(.today): return [.isDone(false), .due(clock.today)]
    case .state(.starred): return [.list(.important)]
    }
  }

  private static func day(
    _ words: String, _ clock: WallClock
  ) throws(CommandError) -> CalendarDay {
    guard let day = try clock.dueDay(words) else { throw CommandError(.needsDay(words), .usage) }
    return day
  }
}

extension Session {
  /// The conditions of some terms, all of which must hold.
  func conditions(of terms: [SearchTerm]) throws(CommandError) -> [ItemCondition] {
    var conditions: [ItemCondition] = []
    for term in terms { conditions += try term.conditions(in: self) }
    return conditions
  }
}

extension Sequence<String> {
  /// Splits words into terms and the others.
  func searchTerms() throws(CommandError) -> (terms: [SearchTerm], others: [String]) {
    var (terms, others): ([SearchTerm], [String]) = ([], [])
    for word in self {
      if let term = try SearchTerm(word) { terms.append(term) } else { others.append(word) }
    }
    return (terms, others)
  }
}

extension LocalizedText {
  /// The help of verbs that take terms.
  static let termsHelp = LocalizedText(
    """
      Words that narrow: #TAG  @GROUP  !high  due:DAY  before:DAY  after:DAY
      is:open|done|overdue|today|starred. All of them must hold.
    """,
    """
      좁히는 말: #태그  @그룹  !높음  due:날  before:날  after:날
      is:남음|완료|지남|오늘|중요. 모두 맞아야 합니다.
    """)

  fileprivate static func unknownState(_ word: String) -> LocalizedText {
    LocalizedText(
      "\"is:\(word.visible)\" says nothing. Write is:open, is:done, is:overdue, is:today or is:starred.",
      "\"is:\(word.visible)\": is:남음, is:완료, is:지남, is:오늘, is:중요 가운데 하나를 쓰세요.")
  }

  fileprivate static func needsDay(_ word: String) -> LocalizedText {
    LocalizedText(
      "\"\(word.visible)\" is no day that others come before or after.",
      "\"\(word.visible)\": 앞뒤를 따질 수 있는 날이 아닙니다.")
  }
}

import CroftFoundation
import TodoKit

/// A word that narrows a list, such as `#tag`, `@group`, `!h`, `due:fri` or `is:done`.
///
/// Words that begin otherwise are no terms: a verb decides whether they are text or name something.
/// `not` before a term and `or` between two terms belong to them.
indirect enum SearchTerm: Equatable, Sendable {
  case tag(String)
  case group(String)
  case priority(Priority)
  /// What the words of a field say, such as a day.
  case field(LineSign, String)
  case before(String)
  case after(String)
  /// Completed on a day.
  case completed(String)
  /// Completed on a day or later.
  case since(String)
  case state(State)
  /// Not what a term finds.
  case not(SearchTerm)
  /// What at least one of some terms finds.
  case any([SearchTerm])

  /// What `is:` may say.
  enum State: String, CaseIterable {
    case open, done, overdue, today, starred, waiting

    /// The Korean word.
    var koreanWord: String {
      switch self {
      case .open: "남음"
      case .done: "완료"
      case .overdue: "지남"
      case .today: "오늘"
      case .starred: "중요"
      case .waiting: "대기"
      }
    }

    init?(word: String) {
      let word = word.lowercased()
      guard let state = Self.allCases.first(where: { [$0.rawValue, $0.koreanWord].contains(word) })
      else { return nil }
      self = state
    }
  }

  /// Reads a word; nil for another word than a term.
  ///
  /// - Throws: An error with the status `usage` for a term whose text has no meaning, such as
  ///   `is:what`.
  init?(_ word: String) throws {
    guard let signed = SignedWord(word, among: LineSign.ofTerms) else { return nil }
    let text = signed.text
    switch signed.sign {
    case .tag: self = .tag(text)
    case .group: self = .group(text)
    case .before: self = .before(text)
    case .after: self = .after(text)
    case .completed: self = .completed(text)
    case .since: self = .since(text)
    case .state:
      guard let state = State(word: text) else { throw CommandError(.unknownState(text), .usage) }
      self = .state(state)
    case .priority:
      guard let priority = Priority(word: text) else {
        throw CommandError(.unknownWord(text, at: .priority), .usage)
      }
      self = .priority(priority)
    default: self = .field(signed.sign, text)
    }
  }

  /// The words that negate the term after them.
  static let notWords: Set = ["not", "아닌"]
  /// The words between two terms of which one must hold.
  static let orWords: Set = ["or", "또는"]

  /// Whether the term asks for items that are hidden until a later day.
  var asksForWaiting: Bool {
    switch self {
    case .state(.waiting): true
    case .not(let term): term.asksForWaiting
    case .any(let terms): terms.contains(where: \.asksForWaiting)
    default: false
    }
  }

  /// The condition that the term stands for.
  ///
  /// - Throws: An error for a group that does not exist, and for words that do not name a day.
  fileprivate func condition(in session: Session) throws -> ItemCondition {
    let clock = session.environment.clock
    switch self {
    case .tag(let tag): return .tag(tag)
    case .group(let name): return .list(try session.groups().list("@" + name).list)
    case .priority(let priority): return .priority(priority)
    case .field(let sign, let words):
      guard let condition = ItemField.field(of: sign)?.condition else {
        preconditionFailure("Only a sign of a field with a condition makes such a term.")
      }
      return try condition(words, clock)
    case .before(let words): return .dueBefore(try Self.day(words, after: .before, clock))
    case .after(let words): return .dueAfter(try Self.day(words, after: .after, clock))
    case .completed(let words):
      let day = try Self.day(words, after: .completed, clock)
      let end = day.adding(days: 1).map(clock.start(of:))
      return .completed(from: clock.start(of: day), before: end)
    case .since(let words):
      return .completed(
        from: clock.start(of: try Self.day(words, after: .since, clock)), before: nil)
    case .state(.open): return .isDone(false)
    case .state(.done): return .isDone(true)
    case .state(.overdue): return .overdue(clock.today, clock.time)
    case .state(.today): return .all([.isDone(false), .due(clock.today)])
    case .state(.starred): return .list(.important)
    case .state(.waiting): return .isWaiting(clock.today)
    case .not(let term): return .not(try term.condition(in: session))
    case .any(let terms):
      return .any(try terms.map { try $0.condition(in: session) })
    }
  }

  private static func day(
    _ words: String, after sign: LineSign, _ clock: WallClock
  ) throws -> CalendarDay {
    guard let day = try sign.readTerm(words, by: clock.dueDay) else {
      throw CommandError(
        "Write a day here, not \"\(words.visible)\".", "여기에는 날을 쓰세요: \"\(words.visible)\".", .usage)
    }
    return day
  }
}

extension Session {
  /// The conditions of some terms, all of which must hold.
  func conditions(of terms: [SearchTerm]) throws -> [ItemCondition] {
    try terms.map { try $0.condition(in: self) }
  }
}

extension Sequence<String> {
  /// Splits words into terms and the others.
  func searchTerms() throws -> (terms: [SearchTerm], others: [String]) {
    var (terms, others): ([SearchTerm], [String]) = ([], [])
    let words = Array(self)
    var index = 0
    while index < words.count {
      if let (term, end) = try words.searchTerm(at: index) {
        terms.append(term)
        index = end
      } else {
        others.append(words[index])
        index += 1
      }
    }
    return (terms, others)
  }
}

extension [String] {
  /// The term that begins at an index, and the index after it; nil where none begins.
  ///
  /// `not` binds closer than `or`: `not #a or #b` finds what lacks `#a` and what has `#b`.
  func searchTerm(at index: Int) throws -> (term: SearchTerm, end: Int)? {
    guard var (term, end) = try negatedTerm(at: index) else { return nil }
    var alternatives = [term]
    while end < count, SearchTerm.orWords.contains(self[end].lowercased()),
      let (next, nextEnd) = try negatedTerm(at: end + 1)
    {
      alternatives.append(next)
      end = nextEnd
    }
    if alternatives.count > 1 { term = .any(alternatives) }
    return (term, end)
  }

  /// A term with the negations before it.
  private func negatedTerm(at index: Int) throws -> (term: SearchTerm, end: Int)? {
    guard index < count else { return nil }
    if let term = try SearchTerm(self[index]) { return (term, index + 1) }
    guard SearchTerm.notWords.contains(self[index].lowercased()),
      let (term, end) = try negatedTerm(at: index + 1)
    else { return nil }
    return (.not(term), end)
  }
}

extension LocalizedText {
  /// The help of verbs that take terms.
  static let termsHelp = LocalizedText(
    """
      Words that narrow: #TAG  @GROUP  !high  \(ofFields.english)
      before:DAY  after:DAY  done:DAY  since:DAY (of completion)
      is:open|done|overdue|today|starred|waiting
      All of them must hold. With or between two, one must hold; not negates the next one: \
    ls #shop or #post not @home.
    """,
    """
      좁히는 말: #태그  @그룹  !높음  \(ofFields.korean)
      이전:날  이후:날  완료:날  부터:날 (완료한 날)
      is:남음|완료|지남|오늘|중요|대기
      모두 맞아야 합니다. 둘 사이에 또는을 쓰면 하나만 맞아도 되고, 아닌은 다음 말을 반대로 합니다: \
    ls #장보기 또는 #우체국 아닌 @집.
    """)

  private static var ofFields: LocalizedText {
    let forms = ItemField.all.filter { $0.condition != nil }.map(\.form)
    return LocalizedText(
      forms.map(\.english).joined(separator: "  "), forms.map(\.korean).joined(separator: "  "))
  }

  fileprivate static func unknownState(_ word: String) -> LocalizedText {
    let states = SearchTerm.State.allCases
    return LocalizedText(
      """
      Unknown state "\(word.visible)". Write \
      \(states.map { "is:" + $0.rawValue }.joined(separator: ", ")).
      """,
      """
      "is:\(word.visible)": \
      \(states.map { "is:" + $0.koreanWord }.joined(separator: ", ")) 가운데 하나를 쓰세요.
      """)
  }
}

import TodoKit

/// A word that narrows a list, such as `#tag`, `@group`, `!h`, `due:fri` or `is:done`.
///
/// Words that begin otherwise are no terms: a verb decides whether they are text or name something.
/// `not` before a term and `or` between two terms belong to them.
indirect enum SearchTerm: Equatable, Sendable {
  /// What a word with a sign says.
  case signed(LineSign, String)
  /// Not what a term finds.
  case not(SearchTerm)
  /// What at least one of some terms finds.
  case any([SearchTerm])

  /// What `is:` may say.
  enum State: String, CaseIterable {
    case open, done, overdue, today, starred, waiting

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
    self = .signed(signed.sign, signed.text)
    if signed.sign == .state { _ = try Self.state(signed.text) }
    if signed.sign == .priority { _ = try Priority.option(signed.text) }
  }

  private static func state(_ word: String) throws -> State {
    guard let state = State(word: word) else { throw CommandError(.unknownState(word), .usage) }
    return state
  }

  /// The words that negate the term after them.
  static let notWords: Set = ["not", "아닌"]
  /// The words between two terms of which one must hold.
  static let orWords: Set = ["or", "또는"]

  /// Whether the term asks for items that are hidden until a later day.
  var asksForWaiting: Bool {
    switch self {
    case .signed(.state, let word): State(word: word) == .waiting
    case .not(let term): term.asksForWaiting
    case .any(let terms): terms.contains(where: \.asksForWaiting)
    case .signed: false
    }
  }

  /// The condition that the term stands for.
  fileprivate func condition(in session: Session) throws -> ItemCondition {
    switch self {
    case .signed(let sign, let text): try Self.condition(sign, text, in: session)
    case .not(let term): .not(try term.condition(in: session))
    case .any(let terms): .any(try terms.map { try $0.condition(in: session) })
    }
  }

  private static func condition(
    _ sign: LineSign, _ text: String, in session: Session
  ) throws -> ItemCondition {
    let clock = session.environment.clock
    switch sign {
    case .tag: return .tag(text)
    case .group: return .list(try session.groups().list("@" + text).list)
    case .priority: return .priority(try Priority.option(text))
    case .before: return .dueBefore(try day(text, after: sign, clock))
    case .after: return .dueAfter(try day(text, after: sign, clock))
    case .completed:
      let day = try day(text, after: sign, clock)
      let end = day.adding(days: 1).map(clock.start(of:))
      return .completed(from: clock.start(of: day), before: end)
    case .since:
      return .completed(from: clock.start(of: try day(text, after: sign, clock)), before: nil)
    case .state:
      switch try state(text) {
      case .open: return .isDone(false)
      case .done: return .isDone(true)
      case .overdue: return .overdue(clock.today, clock.time)
      case .today: return .all([.isDone(false), .due(clock.today)])
      case .starred: return .list(.important)
      case .waiting: return .isWaiting(clock.today)
      }
    default:
      guard let condition = ItemField.field(of: sign)?.condition else {
        preconditionFailure("Only a sign of a field with a condition makes such a term.")
      }
      return try condition(text, clock)
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
      Other words are searched for in texts. With OR between two, one must be there.
    """,
    """
      좁히는 말: #태그  @그룹  !높음  \(ofFields.korean)
      이전:날  이후:날  완료:날  부터:날 (완료한 날)
      is:남음|완료|지남|오늘|중요|대기
      모두 맞아야 합니다. 둘 사이에 또는을 쓰면 하나만 맞아도 되고, 아닌은 다음 말을 반대로 합니다: \
    ls #장보기 또는 #우체국 아닌 @집.
      다른 말은 글에서 찾습니다. 둘 사이에 OR를 쓰면 하나만 있어도 됩니다.
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

import TodoKit

/// A field of an item whose value is typed as words after a sign: all that the prompt knows of it.
///
/// A new field of this kind is a new row of `all`. `add` and `edit`, lists, `show`, `undo`, Tab,
/// terms and records read the table.
struct ItemField: Sendable {
  let sign: LineSign
  /// The option of `add`.
  let option: OptionSyntax
  /// The key of records, and the name of a column.
  let key: String
  /// The name of its values in forms of verbs, such as `DAY`.
  let kind: LocalizedText
  /// Its name where `show` lists all fields.
  let name: LocalizedText
  /// Its name in a sentence.
  let noun: LocalizedText
  /// What `undo` calls a change of it.
  let change: LocalizedText
  /// What the help of verbs says of its values; nil where another field says it.
  var help: LocalizedText?
  /// How a value of several words is quoted; nil for days.
  var quoteHint: LocalizedText?
  /// Values that Tab offers.
  let candidates: (english: [String], korean: [String])
  /// Whether a patch changes it.
  let isChanged: @Sendable (ItemPatch) -> Bool
  /// Sets it in a draft to what words say.
  let read: @Sendable (String, SignFollowers?, WallClock, inout TaskDraft) throws -> Void
  /// The value of an item as it is typed and as records have it; nil without one.
  let typed: @Sendable (TodoItem) -> String?
  /// The value after its sign in lists, and with more words in answers.
  let listed: @Sendable (TodoItem, _ isAnswer: Bool) -> LocalizedText?
  /// The value as `show` shows it.
  let shown: @Sendable (TodoItem) -> LocalizedText?
  /// What `show` says of the values of a list's items together; nil where none has one.
  var sum: (@Sendable ([TodoItem]) -> LocalizedText?)?
  /// The condition of a term; nil for a field that narrows no list.
  var condition: (@Sendable (String, WallClock) throws -> ItemCondition)?

  /// All fields of this kind, in the order of `show`.
  static let all = [due] + plan
  /// Those that tell how an item repeats, waits and how long it takes.
  static let plan = [repeats, wait, estimate]

  /// The field of a sign; nil for another sign.
  static func field(of sign: LineSign) -> ItemField? { all.first { $0.sign == sign } }

  /// The sign and its value in the forms of verbs, such as `due:DAY`.
  var form: LocalizedText {
    LocalizedText(sign.spellings[0] + kind.english, sign.spellings[1] + kind.korean)
  }

  static let days = (
    english: [
      "today", "tomorrow", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "eow", "eom",
      "yesterday",
    ],
    korean: [
      "오늘", "내일", "모레", "글피", "어제", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일",
      "주말", "월말",
    ]
  )

  private static let due = ItemField(
    sign: .due, option: .value("--due", valueName: "due"), key: "due",
    kind: LocalizedText("DAY", "날"), name: LocalizedText("Due", "마감일"),
    noun: LocalizedText("due day", "마감일"), change: LocalizedText("due day", "마감일"),
    help: .timesHelp, candidates: days,
    isChanged: { $0.due != nil || $0.dueTime != nil },
    read: { text, followers, clock, draft in
      let due = try LineSign.due.readField(text, before: followers, by: clock.due)
      (draft.due, draft.dueTime) = (due?.day, due?.time ?? nil)
    },
    typed: { $0.dueText },
    listed: { item, isAnswer in
      if isAnswer { return .due(item) }
      return item.due.map { day in
        let text = item.dueTime.map { "\(day) \($0)" } ?? "\(day)"
        return LocalizedText(text, text)
      }
    },
    shown: { .due($0) },
    condition: { words, clock in
      try LineSign.due.readTerm(words, by: clock.dueDay).map(ItemCondition.due) ?? .hasNoDue
    })

  static let repeats = ItemField(
    sign: .repeats, option: .value("--every", valueName: "every"), key: "repeat",
    kind: LocalizedText("RULE", "규칙"), name: LocalizedText("Repeats", "반복"),
    noun: LocalizedText("repetition", "반복"), change: LocalizedText("repetition", "반복"),
    help: .repeatsHelp,
    quoteHint: LocalizedText(
      """
      A rule of several words is put in quotes: every:"2 weeks", --every "first mon". \
      A title is put after --.
      """,
      """
      여러 낱말인 반복은 따옴표로 묶으세요: 매주:"월 수", --every "매월 첫째 월". \
      제목이라면 -- 뒤에 쓰세요.
      """),
    candidates: (
      ["day", "week", "month", "year", "weekday", "mon", "2 weeks"],
      ["매일", "매주", "매월", "매년", "평일", "매주 월", "2주마다"]
    ),
    isChanged: { $0.repeats != nil },
    read: { text, followers, _, draft in
      draft.repeats = try LineSign.repeats.readField(
        text, before: followers, by: RepeatRule.typed)
    },
    typed: { $0.repeats?.rawValue },
    listed: { item, _ in
      item.repeats.map { LocalizedText($0.rawValue.asWord, $0.koreanWords.asWord) }
    },
    shown: { item in
      item.repeats.map { LocalizedText("every \($0.rawValue)", $0.koreanWords) }
    })

  static let wait = ItemField(
    sign: .wait, option: .value("--wait", valueName: "wait"), key: "wait",
    kind: LocalizedText("DAY", "날"), name: LocalizedText("Hidden", "숨김"),
    noun: LocalizedText("day to wait for", "숨길 날"), change: LocalizedText("wait", "숨김"),
    candidates: days,
    isChanged: { $0.hiddenUntil != nil },
    read: { text, followers, clock, draft in
      draft.hiddenUntil = try LineSign.wait.readField(text, before: followers, by: clock.dueDay)
    },
    typed: { $0.hiddenUntil?.description },
    listed: { item, _ in item.hiddenUntil.map { LocalizedText("\($0)", "\($0)") } },
    shown: { item in
      item.hiddenUntil.map(LocalizedText.day).map { day in
        LocalizedText("until \(day.english)", "\(day.korean)까지")
      }
    })

  static let estimate = ItemField(
    sign: .estimate, option: .value("--est", valueName: "est"), key: "estimate",
    kind: LocalizedText("TIME", "시간"), name: LocalizedText("Estimate", "예상 시간"),
    noun: LocalizedText("estimate", "예상 시간"), change: LocalizedText("estimate", "예상 시간"),
    help: LocalizedText(
      "  A TIME is how long it takes: 30m, 2h, 1h30m, 1.5h. show adds the times of a list up.",
      "  예상:시간에는 걸릴 시간을 씁니다: 30분, 2시간, 1시간30분. show는 목록의 시간을 더해 보여 줍니다."),
    quoteHint: LocalizedText(
      "A time of several words is put in quotes: est:\"1h 30m\", --est \"1h 30m\".",
      "여러 낱말인 시간은 따옴표로 묶으세요: 예상:\"1시간 30분\", --est \"1시간 30분\"."),
    candidates: (["30m", "1h", "2h", "4h"], ["30분", "1시간", "2시간", "4시간"]),
    isChanged: { $0.estimate != nil },
    read: { text, followers, _, draft in
      draft.estimate = try LineSign.estimate.readField(text, before: followers, by: Estimate.typed)
    },
    typed: { $0.estimate?.description },
    listed: { item, _ in item.estimate.map(\.text) },
    shown: { $0.estimate?.text },
    sum: Estimate.left,
    condition: { words, _ in .estimate(try Estimate.typed(words)) })
}

extension LineSign {
  static let due = LineSign("due:", "마감:", "기한:")
  static let repeats = LineSign("every:", "반복:", "매주:", "매월:", "매년:")
  static let wait = LineSign("wait:", "숨김:")
  static let estimate = LineSign("est:", "예상:")
}

extension TodoItem {
  /// The day and the time as ISO 8601 has them, as they are typed: `2026-06-01T14:30`; nil without.
  var dueText: String? {
    due.map { day in dueTime.map { "\(day)T\($0)" } ?? day.description }
  }
}

extension Estimate {
  fileprivate var text: LocalizedText { LocalizedText(description, koreanWords) }

  /// How long the open ones of some items take, of all that have an estimate; nil where none has one.
  @Sendable fileprivate static func left(of items: [TodoItem]) -> LocalizedText? {
    let estimated = items.filter { $0.estimate != nil }
    if estimated.isEmpty { return nil }
    func sum(_ items: [TodoItem]) -> Int {
      items.reduce(0) { $0 + Int($1.estimate?.rawValue ?? 0) }
    }
    let (all, left) = (sum(estimated), sum(estimated.filter { !$0.isDone }))
    return LocalizedText(
      "\(text(ofMinutes: left)) of \(text(ofMinutes: all)) left",
      "\(koreanText(ofMinutes: all)) 중 \(koreanText(ofMinutes: left)) 남음")
  }

  /// Reads the words of an estimate; nil for `none`.
  fileprivate static func typed(_ words: String) throws -> Estimate? {
    if words.meansNone { return nil }
    guard let estimate = Estimate(words: words) else {
      throw CommandError(
        "Unknown time: \(words.visible) (use 30m, 2h or 1h30m)",
        "알 수 없는 시간입니다: \(words.visible) (30분, 2시간, 1시간30분처럼 써주세요)", .usage)
    }
    return estimate
  }
}

extension LineSign {
  /// Reads the text of a field.
  ///
  /// - Parameter followers: What follows the text on its line.
  /// - Returns: The value; nil for a text such as `none`.
  /// - Throws: The error of `read`; for a single word with a hint to quote several words. An error
  ///   with this hint where the words that follow could be the rest of the text.
  func readField<Value>(
    _ text: String, before followers: SignFollowers?,
    by read: (String) throws -> Value?
  ) throws -> Value? {
    do {
      let value = try read(text)
      try refuseRest(of: text, in: followers, by: read)
      return value
    } catch {
      // The first word of `매주 토` belongs to the sign.
      let isPartOfRule = self == .repeats && text.hasPrefix("매")
      let typed = isPartOfRule ? text.drop { !$0.isWhitespace }.dropFirst() : text[...]
      throw typed.contains(where: \.isWhitespace)
        ? error : CommandError(error).hinting(quoteHint(asTerm: false))
    }
  }

  /// Refuses a text that is still one with the words that follow it: they were typed as its rest.
  private func refuseRest<Value>(
    of text: String, in followers: SignFollowers?,
    by read: (String) throws -> Value?
  ) throws {
    guard let followers else { return }
    for count in (0..<followers.words.count).reversed() {
      let rest = followers.words.prefix(count + 1).joined(separator: " ")
      // The error is ignored: words that make no text together are words of the title.
      guard (try? read(text + " " + rest)) != nil else { continue }
      let (more, typed) = (rest.visible, followers.typed.visible)
      throw CommandError(
        "\"\(more)\" may belong to \(typed). In a title, put it before \(typed) or after --.",
        "\"\(more)\"도 \(typed)에 속할 수 있습니다. 제목이라면 \(typed) 앞이나 -- 뒤에 쓰세요.", .usage)
    }
  }

  /// Reads the text of a term that narrows a list.
  ///
  /// - Returns: What it says; nil for a text that means none.
  /// - Throws: The error of the reading; for the first word of a day, with a hint to quote several.
  func readTerm<Value>(_ text: String, by read: (String) throws -> Value?) throws -> Value? {
    do {
      return try read(text)
    } catch {
      let isBeginning = [" fri", " 금", "주 금"].contains { ending in
        // The error is ignored: nothing that comes after the text makes a day of it.
        (try? read(text + ending)) != nil
      }
      throw isBeginning ? CommandError(error).hinting(quoteHint(asTerm: true)) : error
    }
  }

  /// How a text of several words is written after the sign.
  private func quoteHint(asTerm: Bool) -> LocalizedText {
    if let hint = ItemField.field(of: self)?.quoteHint { return hint }
    let option = "--" + spellings[0].dropLast()
    let (english, korean) =
      asTerm ? ("", "") : (", \(option) \"in 3 days\"", ", \(option) \"3일 뒤\"")
    return LocalizedText(
      "A day of several words is put in quotes: \(spellings[0])\"next fri\"\(english)",
      "여러 낱말인 날짜는 따옴표로 묶으세요: \(spellings[1])\"다음주 금\"\(korean)")
  }
}

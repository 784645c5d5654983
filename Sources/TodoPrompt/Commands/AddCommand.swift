import Presentation
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `add TITLE...`: adds an item.
struct AddCommand: Command {
  static let name = "add"
  static let aliases = ["추가"]
  static let synopsis = """
    add TITLE... [!h|!n|!l] [@GROUP] [due:DAY] [every:RULE] [#TAG]...
    add TITLE... [--pri high|normal|low] [-g GROUP] [--due DAY] [--every RULE]
    """
  static let example = "add buy milk due:fri --pri normal"
  static let summary = LocalizedText(
    "Adds an item; it needs a priority.", "할일을 추가합니다. 중요도가 필요합니다.")
  static let details = [
    LocalizedText.daysHelp, LocalizedText.repeatsHelp,
    LocalizedText(
      """
        What holds blanks is put in quotes: due:"next fri", @"my home", #"two words".
        A sign with nothing behind it is a word of the title, and so is all behind --.
        Without a priority TODO_PRIORITY counts, where it is set.
      """,
      """
        빈칸이 들어가면 따옴표로 묶습니다: due:"다음주 금", @"집안 일", #"두 낱말".
        뒤에 아무것도 없는 기호와 -- 뒤의 모든 낱말은 제목이 됩니다.
        중요도를 쓰지 않으면 TODO_PRIORITY의 값을 씁니다.
      """),
  ]
  static let options: [OptionSyntax] = [
    .value("--pri", valueName: "pri"), .value("-g", "--group", valueName: "group"),
    .value("--due", valueName: "due"), .value("--every", valueName: "every"),
  ]
  static let takesText = true

  var title = ""
  var priority: Priority?
  /// The name of its group.
  var group: String?
  /// The day by which it is due, in words.
  var due: String?
  /// How it comes again, in words.
  var every: String?
  var tags: [String] = []

  func run(in session: Session) throws(CommandError) {
    if let sign = Self.foreignSign(in: title) { session.hint(sign) }
    let target = try group.map { name throws(CommandError) in try session.groupTarget(name) }
    let openOrNamed = target.map(\.group) ?? session.openGroup
    var draft = try draft(in: openOrNamed?.id, clock: session.environment.clock)
    if draft.priority == nil { draft.priority = try session.defaultPriority() }
    draft.mayLackPriority = session.config[.priority] == "none"
    try session.send(draft, inNewGroup: target?.newName) { item throws(CommandError) in
      let group = try session.groupNames(of: [item])[item]
      let number = session.listed.append(item.id)
      if let format = session.preferences.output.records {
        session.say(OutputRecord(item, number: number, group: group), as: format)
      } else {
        let total = try session.read { repository throws in try repository.tally(of: .all).total }
        let shortID = ShortID.text(of: item.id, count: ShortID.count(among: total))
        session.say(Self.answer(item, number: number, shortID: shortID, group: group))
      }
    }
  }

  /// What the words say, as a form for a task of the given group.
  ///
  /// - Throws: An error for words that name no day or no rule.
  func draft(in group: UUID?, clock: WallClock) throws(CommandError) -> TaskDraft {
    let due = try dueWords(by: clock)
    let repeats = if let every { try RepeatRule.typed(every) } else { nil as RepeatRule? }
    return TaskDraft(
      title: title, priority: priority, groupID: group,
      due: due?.day, dueTime: due?.time ?? nil, repeats: repeats, tags: tags)
  }

  private func dueWords(by clock: WallClock) throws(CommandError) -> DueChange? {
    guard let due else { return nil }
    do throws(CommandError) {
      return try clock.due(due)
    } catch {
      throw due.contains(where: \.isWhitespace) ? error : error.hinting(Self.quoteTheDay)
    }
  }

  private static func answer(
    _ item: TodoItem, number: Int, shortID: String, group: String?
  ) -> LocalizedText {
    let extras = ItemExtras(of: item, group: group, shortID: shortID).text
    let title = item.title.visible
    return LocalizedText(
      "Added \(number): \(title)\(extras.english)",
      "추가 \(number): \(title)\(extras.korean)")
  }

  private static func titleBehindDashes(_ word: String) -> LocalizedText {
    LocalizedText(
      "If it belongs to the title, put -- before it: add ... -- \(word.visible)",
      "제목이라면 앞에 --를 쓰세요: add ... -- \(word.visible)")
  }

  /// What is said of a title with the signs of other programs, which are text here.
  private static func foreignSign(in title: String) -> LocalizedText? {
    let words = title.split(separator: " ").map(String.init)
    if let first = words.first, first.count == 3, first.hasPrefix("("), first.hasSuffix(")"),
      first.dropFirst().first.map({ ("A"..."Z").contains($0) }) == true
    {
      return LocalizedText(
        "\"\(first)\" is part of the title; priorities are !h, !n and !l.",
        "\"\(first)\"은(는) 제목의 일부입니다. 중요도는 !h, !n, !l로 씁니다.")
    }
    let keys = [("project:", "@"), ("proj:", "@"), ("pri:", "!"), ("priority:", "!")]
    for (key, sign) in keys {
      guard let word = words.first(where: { $0.after(key) != nil }) else { continue }
      let text = word.dropFirst(key.count).description.visible
      return LocalizedText(
        "\"\(word.visible)\" is part of the title; here it is \(sign)\(text.lowercased()).",
        "\"\(word.visible)\"은(는) 제목의 일부입니다. 여기서는 \(sign)\(text.lowercased())로 씁니다.")
    }
    guard let word = words.first(where: { $0.after("+")?.first?.isLetter == true }) else {
      return nil
    }
    let text = word.dropFirst().description.visible
    return LocalizedText(
      "\"+\(text)\" is part of the title; #\(text) is a tag, and @\(text) is a group.",
      "\"+\(text)\"은(는) 제목의 일부입니다. 태그는 #\(text), 그룹은 @\(text)로 씁니다.")
  }

  private static let quoteTheDay = LocalizedText(
    "A day of several words is put in quotes: due:\"next fri\", --due \"3일 뒤\"",
    "여러 낱말인 날짜는 따옴표로 묶으세요: due:\"다음주 금\", --due \"3일 뒤\"")
}

extension AddCommand {
  init(_ input: CommandInput) throws(CommandError) {
    if let word = input.options["--pri"] { try choose(try Priority.option(word)) }
    if let name = input.options["-g"] { try choose(group: name) }
    if let day = input.options["--due"] { try choose(due: day) }
    if let rule = input.options["--every"] { try choose(every: rule) }
    var words: [String] = []
    for word in input.words where try !takeSign(word) { words.append(word) }
    title = (words + input.literalWords).joined(separator: " ")
  }

  /// Reads a word that begins with a sign, such as `!h` or `#tag`.
  ///
  /// - Returns: Whether the word has a sign; if not, it belongs to the title.
  private mutating func takeSign(_ word: String) throws(CommandError) -> Bool {
    guard let sign = Self.signs.first(where: { word.hasPrefix($0) && word != $0 })
    else { return false }
    let text = String(word.dropFirst(sign.count))
    switch sign {
    case "@": try choose(group: text)
    case "#": tags.append(text)
    case "due:", "마감:": try choose(due: text)
    case "every:", "반복:": try choose(every: text)
    default:
      guard let priority = Priority(sign: word) else {
        throw CommandError(.unknownPriority(text), .usage).hinting(Self.titleBehindDashes(word))
      }
      try choose(priority)
    }
    return true
  }

  /// What begins a word that is no part of the title; `LineTokenizer` says behind which a text may be
  /// quoted.
  private static let signs = ["!", "@", "#", "due:", "every:", "마감:", "반복:"]

  private mutating func choose(_ priority: Priority) throws(CommandError) {
    guard self.priority == nil || self.priority == priority else {
      throw CommandError(
        LocalizedText(
          "That is more than one priority. Choose one.", "중요도가 둘 이상입니다. 하나만 고르세요."), .usage)
    }
    self.priority = priority
  }

  private mutating func choose(group name: String) throws(CommandError) {
    guard group == nil || group == name else {
      throw CommandError(
        LocalizedText("That is more than one group. Choose one.", "그룹이 둘 이상입니다. 하나만 고르세요."),
        .usage)
    }
    group = name
  }

  private mutating func choose(every rule: String) throws(CommandError) {
    guard every == nil || every == rule else {
      throw CommandError(
        LocalizedText(
          "That is more than one repetition. Choose one.", "반복이 둘 이상입니다. 하나만 고르세요."), .usage)
    }
    every = rule
  }

  private mutating func choose(due day: String) throws(CommandError) {
    guard due == nil || due == day else {
      throw CommandError(
        LocalizedText(
          "That is more than one due day. Choose one.", "마감일이 둘 이상입니다. 하나만 고르세요."), .usage)
    }
    due = day
  }
}

extension Priority {
  /// Reads a priority with an exclamation mark before it, such as `!h` or `!높음`.
  ///
  /// `!none` is nil: there is no sign for having no priority.
  init?(sign word: String) {
    guard word.first == "!", let priority = Priority(word: String(word.dropFirst())),
      priority != .none
    else { return nil }
    self = priority
  }

  /// Reads the value of `--pri`; throws the domain's issue for other words.
  static func option(_ word: String) throws(CommandError) -> Priority {
    if let priority = Priority(word: word) { return priority }
    throw CommandError(.unknownPriority(word), .usage)
  }
}

import CroftFoundation
import Presentation
import TodoFormats
import TodoKit

struct AddCommand: Command {
  static let name = "add"
  static let aliases = ["추가"]
  static let synopsis = """
    add TITLE... [!h|!n|!l] [@GROUP] [#TAG]...
       \(ItemField.all.map { "[\($0.form.english)]" }.joined(separator: " "))
    add TITLE... [--pri high|normal|low|none] [-g GROUP]
       \(ItemField.all.map { "[\($0.option.names[0]) \($0.kind.english)]" }.joined(separator: " "))
    """
  static let example = "add buy milk due:fri --pri normal"
  static let summary = LocalizedText(
    "Adds an item; it needs a priority.", "할일을 추가합니다. 중요도가 필요합니다.")
  static let details =
    ItemField.all.compactMap(\.help) + [
      LocalizedText(
        """
          Put text with blanks in quotes: due:"next fri", @"my home", #"two words".
          A sign with nothing after it is a word of the title, and so are all words after --.
          wait:DAY hides the item until that day; ls is:waiting shows it.
          Without a priority the program asks. TODO_PRIORITY=normal or config priority normal sets \
        one for all, and config priority none adds items without one.
        """,
        """
          빈칸이 들어가면 따옴표로 묶습니다: due:"다음주 금", @"집안 일", #"두 낱말".
          뒤에 아무것도 없는 기호와 -- 뒤의 모든 낱말은 제목이 됩니다.
          마감:날, 매주:토, 숨김:날도 됩니다. 숨김:날은 그날까지 목록에서 숨기며, ls is:대기로 볼 수 있습니다.
          중요도를 쓰지 않으면 묻습니다. TODO_PRIORITY=normal이나 config priority normal로 정해 두거나, \
        config priority none으로 중요도 없이 추가할 수 있습니다.
        """)
    ]
  static let options: [OptionSyntax] =
    [.value("--pri", valueName: "pri"), .value("-g", "--group", valueName: "group")]
    + ItemField.all.map(\.option)
  static let takesText = true

  var title = ""
  var priority: Priority?
  /// The name of its group.
  var group: String?
  /// The words of its other fields, such as a day.
  var texts: [LineSign: String] = [:]
  var tags: [String] = []
  /// What follows the words of a field on the line, which may belong to them.
  var followers: [LineSign: SignFollowers] = [:]

  func run(in session: Session) throws {
    if let hint = OtherSyntax.hint(for: title) { session.hint(hint) }
    let target = try group.map(session.groupTarget)
    let openOrNamed = target.map(\.group) ?? session.openGroup
    var draft = try draft(in: openOrNamed?.id, clock: session.environment.clock)
    if draft.priority == nil { draft.priority = try session.defaultPriority() }
    draft.mayLackPriority =
      draft.priority.map { $0 == .none } ?? (session.config[.priority] == "none")
    let result = try session.perform(.addTask(draft, inNewGroup: target?.newName)) { priority in
      draft.priority = priority
      return .addTask(draft, inNewGroup: target?.newName)
    }
    let item = result.items[0]
    // The stored name of a new group may have a number.
    let group = (result.groups.first ?? openOrNamed)?.name
    let number = session.newNumber(of: item)
    if let format = session.preferences.output.records {
      session.say(OutputRecord(item, number: number, group: group), as: format)
    } else {
      let total = try session.repository().tally(of: .all).total
      let shortID = ShortID.text(of: item.id, count: ShortID.count(among: total))
      // A number is shown with the id after the title.
      let extras = ItemExtras(of: item, group: group, shortID: number == nil ? nil : shortID).text
      let label = number.map(String.init) ?? shortID
      session.say(LocalizedText("Added", "추가").about(label, item, extras))
    }
  }

  /// What the words say, as a form for a task of the given group.
  ///
  /// - Throws: An error for words that do not name a day or a rule, and for a day or a rule of
  ///   several words of which only the first one is with the sign.
  func draft(in group: UUID?, clock: WallClock) throws -> TaskDraft {
    var draft = TaskDraft(title: title, priority: priority, groupID: group, tags: tags)
    for field in ItemField.all {
      guard let text = texts[field.sign] else { continue }
      try field.read(text, followers[field.sign], clock, &draft)
    }
    return draft
  }
}

extension AddCommand {
  init(_ input: CommandInput) throws {
    if let word = input.options["--pri"] {
      try Self.choose(&priority, try Priority.option(word), Self.priorityNoun)
    }
    if let name = input.options["-g"] { try Self.choose(&group, name, Self.groupNoun) }
    for field in ItemField.all {
      guard let text = input.options[field.option.names[0]] else { continue }
      try Self.choose(&texts[field.sign], text, field.noun)
    }
    var words: [String] = []
    for (index, word) in input.words.enumerated() {
      guard let signed = SignedWord(word, among: LineSign.ofFields) else {
        words.append(word)
        continue
      }
      try take(signed, typed: word)
      // A word with a sign belongs to no field before it.
      let next = input.words[(index + 1)...].prefix(SignFollowers.wordsMax)
        .prefix { SignedWord($0, among: LineSign.ofFields) == nil }
      if texts[signed.sign] != nil, !next.isEmpty {
        followers[signed.sign] = SignFollowers(typed: word, words: next)
      }
    }
    title = (words + input.literalWords).joined(separator: " ")
  }

  /// Reads a word that begins with a sign, such as `!h` or `#tag`.
  private mutating func take(_ signed: SignedWord, typed word: String) throws {
    let text = signed.text
    if let field = ItemField.field(of: signed.sign) {
      return try Self.choose(&texts[field.sign], text, field.noun)
    }
    switch signed.sign {
    case .group: try Self.choose(&group, text, Self.groupNoun)
    case .tag: tags.append(text)
    default:
      guard let priority = Priority(sign: word) else {
        throw CommandError(.unknownWord(text, at: .priority), .usage).hinting(
          "If it belongs to the title, put -- before it: add ... -- \(word.visible)",
          "제목이라면 앞에 --를 쓰세요: add ... -- \(word.visible)")
      }
      try Self.choose(&self.priority, priority, Self.priorityNoun)
    }
  }

  private static let priorityNoun = LocalizedText("priority", "중요도")
  private static let groupNoun = LocalizedText("group", "그룹")

  /// Sets a value that may be typed again, and not another one.
  private static func choose<Value: Equatable>(
    _ value: inout Value?, _ chosen: Value, _ noun: LocalizedText
  ) throws {
    guard value == nil || value == chosen else {
      throw CommandError(
        "That is more than one \(noun.english). Choose one.",
        "\(noun.korean.with(.subject)) 둘 이상입니다. 하나만 고르세요.", .usage)
    }
    value = chosen
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
  static func option(_ word: String) throws -> Priority {
    if let priority = Priority(word: word) { return priority }
    throw CommandError(.unknownWord(word, at: .priority), .usage)
  }
}

/// The syntax of other programs in a title, which is text here.
///
/// The signs are those of Taskwarrior and todo.txt.
private enum OtherSyntax {
  /// What is here in place of a sign.
  enum Replacement {
    /// Another sign, with the same word after it in lower case.
    case sign(String)
    /// Another sign, with the same name after it.
    case nameSign(String)
    /// Nothing, and what to do about it.
    case advice(LocalizedText)
  }

  private static let replacements: [(keys: [String], replacement: Replacement)] = [
    (["project:", "proj:"], .nameSign("@")), (["pri:", "priority:"], .sign("!")),
    (["scheduled:", "sched:", "t:"], .sign("wait:")), (["recur:", "rec:"], .sign("every:")),
    (
      ["depends:", "dep:"],
      .advice(
        LocalizedText(
          "Items have no dependencies here: hide it with wait:DAY, or write a note.",
          "여기에는 의존 관계가 없습니다. wait:날로 숨기거나 메모를 쓰세요."))
    ),
    (
      ["until:"],
      .advice(
        LocalizedText(
          "Items do not expire here: set a day with due:DAY.", "여기에는 만료일이 없습니다. due:날을 쓰세요."))
    ),
    (
      ["start:", "entry:", "end:"],
      .advice(
        LocalizedText(
          "The times of an item are kept by the program.", "할일의 시각은 프로그램이 기록합니다."))
    ),
  ]

  /// What to write in place of the first such sign of a title; nil without one.
  static func hint(for title: String) -> LocalizedText? {
    let words = title.split(separator: " ").map(String.init)
    if let first = words.first, isPriority(first) {
      return partOfTitle(
        first,
        LocalizedText("Write priorities as !h, !n and !l.", "중요도는 !h, !n, !l로 쓰세요."))
    }
    for (keys, replacement) in replacements {
      for key in keys {
        guard let word = words.first(where: { $0.hasPrefix(key) && $0 != key }) else { continue }
        switch replacement {
        case .advice(let advice): return partOfTitle(word, advice)
        case .sign(let sign): return write(sign + word.dropFirst(key.count).lowercased(), for: word)
        case .nameSign(let sign): return write(sign + word.dropFirst(key.count), for: word)
        }
      }
    }
    guard
      let tag = words.first(where: { $0.first == "+" && $0.dropFirst().first?.isLetter == true })
    else { return nil }
    let text = String(tag.dropFirst()).visible
    return partOfTitle(
      tag,
      LocalizedText(
        "Write #\(text) for a tag and @\(text) for a group.",
        "태그는 #\(text), 그룹은 @\(text.with(.direction)) 쓰세요."))
  }

  private static func write(_ text: String, for word: String) -> LocalizedText {
    let text = text.visible
    return partOfTitle(
      word, LocalizedText("Write \(text) here.", "여기서는 \(text.with(.object)) 쓰세요."))
  }

  /// Whether a word is a priority of todo.txt, such as `(A)`.
  private static func isPriority(_ word: String) -> Bool {
    word.count == 3 && word.hasPrefix("(") && word.hasSuffix(")")
      && word.dropFirst().first.map { ("A"..."Z").contains($0) } == true
  }

  private static func partOfTitle(_ word: String, _ advice: LocalizedText) -> LocalizedText {
    let word = word.visible
    return LocalizedText(
      "\"\(word)\" is part of the title. \(advice.english)",
      "\(word.inQuotes(.topic)) 제목의 일부입니다. \(advice.korean)")
  }
}

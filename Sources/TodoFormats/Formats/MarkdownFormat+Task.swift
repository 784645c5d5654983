import Foundation

/// A task of a Markdown list from its brackets on, with the signs of Obsidian Tasks.
extension MarkdownFormat: LineFormat {
  static var format: TaskFormat { .markdown }

  /// The names of the parts, in the order in which they are written.
  private static let order = [
    "status", "title", "tag", "id", "priority", "repeat", "createdAt", "start", "wait", "due",
    "cancelledAt", "doneAt", "⛔", "🏁",
  ]
  static let fieldNames = Set(order).subtracting(["⛔", "🏁"])

  static let linkedNames: [Set<String>] = [["status", "doneAt", "cancelledAt"]]

  /// What follows a sign.
  private enum Value {
    case date, word, phrase, nothing
  }

  /// The parts that signs begin, and what follows them; other forms of a sign come after the first.
  private static let signs: [(sign: Unicode.Scalar, name: String, value: Value)] = [
    ("📅", "due", .date), ("📆", "due", .date), ("🗓", "due", .date), ("✅", "doneAt", .date),
    ("➕", "createdAt", .date), ("🛫", "start", .date), ("⏳", "wait", .date),
    ("⌛", "wait", .date), ("❌", "cancelledAt", .date), ("🔁", "repeat", .phrase),
    ("🆔", "id", .word), ("⛔", "⛔", .word), ("🏁", "🏁", .word), ("🔺", "priority", .nothing),
    ("⏫", "priority", .nothing), ("🔼", "priority", .nothing), ("🔽", "priority", .nothing),
    ("⏬", "priority", .nothing),
  ]

  // MARK: Lines

  static func line(of parts: [Part]) -> String {
    order.flatMap { name in parts.filter { $0.name == name && !$0.text.isEmpty }.map(\.text) }
      .joined(separator: " ")
  }

  static func parts(ofLine line: String) -> [Part] {
    let status = String(line.unicodeScalars.prefix(3))
    var words = String(line.unicodeScalars.dropFirst(3)).words[...]
    var parts = [Part("status", status)]
    var title: [String] = []
    while let word = words.popFirst() {
      if let (name, text, count) = field(word, followedBy: words) {
        words.removeFirst(count)
        parts.append(Part(name, text))
      } else if isTag(word) {
        parts.append(Part("tag", String(word)))
      } else {
        title.append(String(word))
      }
    }
    if !title.isEmpty { parts.append(Part("title", title.joined(separator: " "))) }
    return parts
  }

  /// The field that a word begins, and how many of the next words belong to it.
  private static func field(
    _ word: Substring, followedBy rest: ArraySlice<Substring>
  ) -> (name: String, text: String, count: Int)? {
    guard let (name, value, glued) = sign(of: word) else { return nil }
    let next = rest.first.map(String.init)
    switch value {
    case .nothing: return glued.isEmpty ? (name, String(word), 0) : nil
    case .date:
      if TaskDate.day(dashed: glued) != nil { return (name, String(word), 0) }
      guard glued.isEmpty, let next, TaskDate.day(dashed: next[...]) != nil else { return nil }
      return (name, "\(word) \(next)", 1)
    case .word:
      if !glued.isEmpty { return (name, String(word), 0) }
      guard let next, sign(of: next[...]) == nil else { return nil }
      return (name, "\(word) \(next)", 1)
    case .phrase:
      let phrase = rest.prefix { sign(of: $0) == nil && !isTag($0) }
      if glued.isEmpty && phrase.isEmpty { return nil }
      return (name, ([word] + phrase).joined(separator: " "), phrase.count)
    }
  }

  /// The sign that a word begins with, and what follows it without a blank.
  private static func sign(of word: Substring) -> (name: String, value: Value, glued: Substring)? {
    guard let first = word.unicodeScalars.first, !first.isASCII,
      let found = signs.first(where: { $0.sign == first })
    else { return nil }
    // A selector asks for the colourful form of the sign.
    let rest = word.unicodeScalars.dropFirst().drop { $0 == "\u{FE0F}" }
    return (found.name, found.value, Substring(rest))
  }

  /// Whether a word is a tag: `#` and more than digits, as in Obsidian.
  private static func isTag(_ word: Substring) -> Bool {
    let name = word.utf8.dropFirst()
    return word.utf8.first == UInt8(ascii: "#") && !name.allSatisfy(\.isDigit)
      && !name.contains(UInt8(ascii: "#"))
  }

  // MARK: Parts

  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord {
    var record = TaskRecord(title: "")
    var completed: Date?
    var cancelled: Date?
    for part in parts {
      let value = Self.value(of: part)
      switch part.name {
      case "status":
        let sign = part.text.dropFirst().dropLast()
        record.isDone = sign == "x" || sign == "X"
        record.isCancelled = sign == "-"
      case "title": record.title = Self.unescaped(part.text)
      case "tag": record.tags.append(String(Substring(part.text.utf8.dropFirst())))
      case "id": record.foreignID = value
      case "priority":
        switch part.text.unicodeScalars.first {
        case "🔺", "⏫": record.priority = .high
        case "🔼": record.priority = .normal
        default: record.priority = .low
        }
      case "repeat": record.repeats = TaskRepeat(.phrase, value)
      case "createdAt": record.createdAt = moment(value)
      case "doneAt": completed = moment(value)
      case "cancelledAt": cancelled = moment(value)
      case "start": record.start = TaskDate.day(dashed: value[...])
      case "wait": record.wait = TaskDate.day(dashed: value[...])
      case "due": record.due = TaskDate.day(dashed: value[...])
      default: break
      }
    }
    if record.title.isEmpty { throw IssueText("The task has no text.", "할일에 글이 없습니다.") }
    record.doneAt = record.isDone ? completed : record.isCancelled ? cancelled : nil
    return record
  }

  func canonicalParts(of record: TaskRecord) -> [Part] {
    var parts = [Part("status", record.isDone ? "[x]" : record.isCancelled ? "[-]" : "[ ]")]
    func add(_ name: String, _ sign: String, _ text: String?) {
      if let text { parts.append(Part(name, "\(sign) \(text)")) }
    }
    parts.add("title", Self.escaped(record.title))
    for tag in record.tags { parts.add("tag", "#" + tag.withoutBlanks) }
    add("id", "🆔", record.foreignID?.withoutBlanks)
    let signs: [TaskPriority: String] = [.high: "⏫", .normal: "🔼", .low: "🔽"]
    parts.add("priority", signs[record.priority])
    add("repeat", "🔁", record.repeatText(in: .phrase)?.words.joined(separator: " "))
    add("createdAt", "➕", day(record.createdAt))
    add("start", "🛫", record.start?.dashed)
    add("wait", "⏳", record.wait?.dashed)
    add("due", "📅", record.due?.dashed)
    if record.isCancelled { add("cancelledAt", "❌", day(record.doneAt)) }
    if record.isDone { add("doneAt", "✅", day(record.doneAt)) }
    return parts
  }

  /// The text of a part after its sign.
  private static func value(of part: Part) -> String {
    let rest = part.text.unicodeScalars.dropFirst().drop { $0 == "\u{FE0F}" }
    return String(rest).trimmedBlanks
  }

  /// A title in which no word is a tag.
  private static func escaped(_ title: String) -> String {
    title.onOneLine.words.map { word in
      isTag(word) || word.hasPrefix("\\") ? "\\\(word)" : String(word)
    }.joined(separator: " ")
  }

  private static func unescaped(_ text: String) -> String {
    text.words.map { word in
      word.hasPrefix("\\#") || word.hasPrefix("\\\\") ? String(word.dropFirst()) : String(word)
    }.joined(separator: " ")
  }
}

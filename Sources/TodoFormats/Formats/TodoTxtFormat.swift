/// The lines of todo.txt, one task each.
///
/// The parts of a line are its tokens, and the words that are left as the title.
struct TodoTxtFormat: LineFormat {
  var options: FormatOptions

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    for line in LineScanner(bytes) {
      let text = try line.text()
      if text.words.isEmpty { continue }
      try file.add(row: line.number) { try record(ofLine: text, report: $0) }
    }
  }

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    for (index, record) in records.enumerated() {
      let (line, lost) = inZone(of: record).line(of: record)
      output.text += line + "\n"
      output.warn(lost, row: index + 1, format: .todoTxt)
    }
    return output
  }

  // MARK: Tasks

  static var format: TaskFormat { .todoTxt }

  /// The names of the parts, in the order in which they are written.
  private static let order = [
    "done", "priority", "doneAt", "createdAt", "title", "group", "tag", "due", "start", "repeat",
    "star", "id",
  ]
  static let fieldNames = Set(order)
  static let linkedNames: [Set<String>] = [["done", "doneAt", "createdAt", "priority"]]
  /// The parts by which a line of todo.txt is known among lines of text.
  static let tellingNames = fieldNames.subtracting(["title"])

  // MARK: Lines

  /// The line that parts make: the known ones in their order, others at the end.
  static func line(of parts: [Part]) -> String {
    var texts: [String] = []
    for name in order {
      for part in parts where part.name == name && !part.text.isEmpty {
        // Of a task that is done the priority comes last, where no date can be mistaken for it.
        if name == "priority", part.text.hasPrefix("pri:") { continue }
        texts.append(part.text)
      }
    }
    texts += parts.filter { $0.name == "priority" && $0.text.hasPrefix("pri:") }.map(\.text)
    // Records keep further parts by name; a line with another order is kept as it is.
    let further = Dictionary(
      grouping: parts.filter { !fieldNames.contains($0.name) && $0.name != lineName }, by: \.name)
    texts += further.keys.sorted().flatMap { further[$0] ?? [] }.map(\.text)
    return texts.joined(separator: " ")
  }

  static func parts(ofLine line: String) -> [Part] {
    var words = line.words[...]
    var parts: [Part] = []
    func take(_ name: String) { parts.append(Part(name, String(words.removeFirst()))) }

    let isAtStart = line.utf8.first.map { !$0.isBlank } ?? false
    if isAtStart, words.first == "x", words.count > 1 { take("done") }
    if isAtStart, let first = words.first, priority(ofToken: first) != nil, words.count > 1 {
      take("priority")
    }
    let dates = words.prefix(2).prefix { TaskDate.day(dashed: $0) != nil }.count
    if parts.first?.name == "done" {
      if dates > 0 { take("doneAt") }
      if dates > 1 { take("createdAt") }
    } else if dates > 0 {
      take("createdAt")
    }

    var title: [Substring] = []
    var hasGroup = false
    for word in words {
      if word.utf8.count > 1, word.utf8.first == UInt8(ascii: "+") {
        parts.append(Part(hasGroup ? "tag" : "group", String(word)))
        hasGroup = true
      } else if word.utf8.count > 1, word.utf8.first == UInt8(ascii: "@") {
        parts.append(Part("tag", String(word)))
      } else if let key = key(of: word) {
        parts.append(Part(name(ofKey: key, value: word.afterColon), String(word)))
      } else {
        title.append(word)
      }
    }
    if title.isEmpty {
      // A line of words such as note:milk alone has no other text, so they are its title.
      let isText = { (part: Part) in !fieldNames.contains(part.name) && !isNearlyField(part.name) }
      title = parts.filter(isText).map { $0.text[...] }
      parts.removeAll(where: isText)
    }
    if !title.isEmpty { parts.append(Part("title", title.joined(separator: " "))) }
    return parts
  }

  /// The letter of `(A)`; nil for anything else, such as `(a)`.
  private static func priority(ofToken token: Substring) -> Substring? {
    let bytes = Array(token.utf8)
    guard bytes.count == 3, bytes[0] == UInt8(ascii: "("), bytes[2] == UInt8(ascii: ")"),
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[1])
    else { return nil }
    return token.dropFirst().dropLast()
  }

  /// The key of `key:value`; nil for a URL, a time of day, or a word with a colon at an end.
  private static func key(of word: Substring) -> Substring? {
    guard let first = word.utf8.first, first.isLetter,
      let colon = word.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let key = word.utf8[..<colon]
    let value = word.utf8[word.utf8.index(after: colon)...]
    let isKey = key.allSatisfy {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard isKey, !value.isEmpty, !value.starts(with: "//".utf8) else { return nil }
    return Substring(key)
  }

  /// The part that a key is; a key whose value is not understood is a part of its own name.
  private static func name(ofKey key: Substring, value: Substring) -> String {
    switch key {
    case "due" where TaskDate.day(dashed: value) != nil: "due"
    case "t" where TaskDate.day(dashed: value) != nil: "start"
    case "rec": "repeat"
    case "star" where value == "1": "star"
    case "uid", "id": "id"
    case "pri" where Self.priority(ofToken: "(\(value))") != nil: "priority"
    // A key that has the name of one of our parts is kept apart from it.
    default: fieldNames.contains(String(key)) || key == lineName ? "\(key):" : String(key)
    }
  }

  /// Whether a part has the key of a field, with a value that is not understood.
  private static func isNearlyField(_ name: String) -> Bool {
    name.hasSuffix(":") || ["t", "pri"].contains(name)
  }

  // MARK: Parts

  /// The letters of priorities; any letter after B is a low one.
  private static let letters: [TaskPriority: String] = [.high: "A", .normal: "B", .low: "C"]

  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord {
    var record = TaskRecord(title: "")
    for part in parts {
      let value = String(part.text[...].afterColon)
      switch part.name {
      case "done": record.isDone = true
      case "priority":
        let letter = part.text.hasPrefix("pri:") ? value : String(part.text.dropFirst().dropLast())
        record.priority = letter == "A" ? .high : letter == "B" ? .normal : .low
      case "doneAt": record.doneAt = moment(part.text)
      case "createdAt": record.createdAt = moment(part.text)
      case "title": record.title = part.text
      case "group": record.group = record.group ?? String(part.text.dropSign)
      case "tag": record.tags.append(String(part.text.dropSign))
      case "due": record.due = record.due ?? TaskDate.day(dashed: value[...])
      case "start": record.start = record.start ?? TaskDate.day(dashed: value[...])
      case "repeat": record.repeats = record.repeats ?? TaskRepeat(.rec, value)
      case "star": record.isImportant = true
      case "id": record.foreignID = record.foreignID ?? value
      case "due:", "t":
        report(
          part.name == "t" ? .start : .due,
          "\(part.text.quotedBriefly) has no date such as 2026-06-01; it is kept unchanged.",
          "\(part.text.quotedBriefly)에 2026-06-01 같은 날짜가 없어 그대로 둡니다.")
      default: break
      }
    }
    if record.title.isEmpty {
      throw IssueText(
        "The line has no text beside its tags and dates.", "줄에 태그와 날짜 말고 글이 없습니다.")
    }
    return record
  }

  func canonicalParts(of record: TaskRecord) -> [Part] {
    var parts: [Part] = []
    parts.add("done", record.isDone ? "x" : nil)
    if let letter = Self.letters[record.priority] {
      parts.add("priority", record.isDone ? "pri:\(letter)" : "(\(letter))")
    }
    if record.isDone { parts.add("doneAt", day(record.doneAt)) }
    // Of a task that is done, one date alone is that of its completion.
    if !record.isDone || record.doneAt != nil { parts.add("createdAt", day(record.createdAt)) }
    parts.add("title", record.title.words.joined(separator: " ").lineTexts.joined(separator: " "))
    parts.add("group", record.group.map { "+" + $0.withoutBlanks })
    for tag in record.tags { parts.add("tag", "@" + tag.withoutBlanks) }
    parts.add("due", record.due.map { "due:" + $0.dashed })
    parts.add("start", record.start.map { "t:" + $0.dashed })
    parts.add("repeat", record.repeatText(in: .rec).map { "rec:" + $0.withoutBlanks })
    parts.add("star", record.isImportant ? "star:1" : nil)
    parts.add("id", record.foreignID.map { "uid:" + $0.withoutBlanks })
    return parts
  }
}

extension TaskDate {
  static func day(dashed text: Substring) -> TaskDate? {
    guard text.utf8.count == 10, let read = DateText(text), read.date.time == nil else {
      return nil
    }
    return read.date
  }
}

extension Substring {
  /// The text after the first colon, which may be a part of a character.
  fileprivate var afterColon: Substring {
    Substring(utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst())
  }
}

extension String {
  /// The text after a sign of one byte, which may be a part of its first character.
  fileprivate var dropSign: Substring { Substring(utf8.dropFirst()) }
}

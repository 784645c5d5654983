import Foundation
import TestSupport
import TodoFormats

/// Random tasks, and random bytes of files.
enum RandomRecord {
  private static let words = [
    "Buy", "milk", "우유", "사기", "\u{1112}\u{1161}\u{11AB}글", "😀", "\u{1F469}\u{200D}\u{1F4BB}",
    "a,b",
    "\"q\"", "c;d", "x", "(A)", "e\\f", "2+2", "me@host.org", "é", "e\u{301}", "100%", "10:30",
    "http://a.b/c", "#1", "'", "`", "=1+1", "TRUE", "null", "한 글",
  ]
  /// Words that formats read as something else than a word of a title.
  private static let signs = [
    "+p", "@c", "#tag", "due:2026-01-01", "key:value", "📅", "2026-01-01", "* ", "\\#x", "\u{301}x",
    "\n", "  ", "\t", "\u{2028}", "\u{85}", "⏫", "BEGIN:VTODO", "\r\n", "\u{0}", "x:y", "a\u{FEFF}",
  ]

  /// A text of words, and of signs where they are asked for.
  static func text(_ random: inout SeededGenerator, signs: Bool = true) -> String {
    let count = 1 + random.below(4)
    return (0..<count).map { _ in
      signs && random.oneIn(3) ? random.pick(Self.signs) : random.pick(words)
    }.joined(separator: " ")
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    random.pick(["home", "집", "a-b", "work", "\u{1112}\u{1161}", "x1", "é", "😀", "장보기"])
  }

  private static func day(_ random: inout SeededGenerator) -> TaskDate? {
    TaskDate(
      year: 1970 + random.below(100), month: 1 + random.below(12), day: 1 + random.below(28))
  }

  private static func moment(_ random: inout SeededGenerator) -> Date {
    Date(timeIntervalSince1970: TimeInterval(random.below(4_000_000_000)))
  }

  /// A task that a format can say, with titles that it reads as they are.
  static func sayable(in format: TaskFormat, _ random: inout SeededGenerator) -> TaskRecord {
    var record = TaskRecord(title: text(&random, signs: false))
    // At the start of a line of todo.txt these are signs.
    if ["x", "(A)"].contains(record.title.split(separator: " ").first) {
      record.title = "b " + record.title
    }
    if random.oneIn(2), format != .todoist, format != .markdown {
      record.foreignID =
        format == .taskwarrior
        ? "00000000-0000-4000-8000-\(100_000_000_000 + random.below(1_000_000_000))"
        : "id-\(random.below(1000))"
    }
    if random.oneIn(2), format != .todoist {
      record.createdAt = midnight(moment(&random), format)
    }
    if random.oneIn(3), format != .todoist {
      record.isDone = true
      if record.createdAt != nil || random.oneIn(2) {
        record.doneAt = midnight(moment(&random), format)
      }
      if [.todoTxt, .markdown].contains(format), record.doneAt == nil { record.createdAt = nil }
    } else if random.oneIn(6), ![.todoTxt, .todoist].contains(format) {
      record.isCancelled = true
    }
    if random.oneIn(2) { record.due = day(&random) }
    if random.oneIn(3), format != .todoist { record.start = day(&random) }
    if random.oneIn(4), [.taskwarrior, .markdown, .csv, .json, .ndjson].contains(format) {
      record.wait = day(&random)
    }
    if random.oneIn(2), ![.todoTxt, .markdown].contains(format) {
      record.due?.time = TaskDate.Time(hour: random.below(24), minute: random.below(60))
      if format == .ticktick { record.start = nil }
      // Programs that keep moments write a day as its first one.
      if format == .taskwarrior, record.due?.time == TaskDate.Time(hour: 0, minute: 0) {
        record.due = nil
      }
    }
    record.priority = random.pick(TaskPriority.allCases)
    if format == .todoist, record.priority == .low { record.priority = .none }
    record.isImportant = random.oneIn(3) && ![.todoist, .ticktick, .markdown].contains(format)
    record.tags = Set((0..<random.below(3)).map { _ in word(&random) }).sorted()
    if random.oneIn(2) { record.group = word(&random) }
    fillFurther(&record, in: format, &random)
    return record
  }

  private static func fillFurther(
    _ record: inout TaskRecord, in format: TaskFormat, _ random: inout SeededGenerator
  ) {
    let kinds: [TaskFormat: TaskRepeat.Kind] = [
      .todoTxt: .rec, .taskwarrior: .recur, .vtodo: .rrule, .ticktick: .rrule, .markdown: .phrase,
      .csv: .phrase, .json: .rec, .ndjson: .rrule,
    ]
    if random.oneIn(4), let kind = kinds[format] {
      let texts: [TaskRepeat.Kind: String] = [
        .rec: "+1w", .recur: "weekly", .rrule: "FREQ=WEEKLY;BYDAY=MO,TU", .phrase: "every week",
      ]
      record.repeats = TaskRepeat(kind, texts[kind] ?? "")
    }
    if random.oneIn(2), format != .todoTxt {
      let lines = (0...random.below(3)).map { _ in text(&random, signs: false) }
      record.notes = [TaskNote(lines.joined(separator: "\n"))]
      if random.oneIn(2), [.taskwarrior, .json, .ndjson].contains(format) {
        record.notes.append(TaskNote(text(&random), at: moment(&random)))
      }
    }
    if random.oneIn(3), [.vtodo, .ticktick, .csv, .json, .ndjson].contains(format) {
      record.parent = "id-\(random.below(1000))"
      record.order = Int64(random.below(1_000_000)) - 500_000
    }
    if random.oneIn(4), [.csv, .json, .ndjson].contains(format) { record.level = random.below(4) }
  }

  /// A task of which a format may say only a part.
  static func any(for format: TaskFormat, _ random: inout SeededGenerator) -> TaskRecord {
    var record = sayable(in: random.pick([.json, .vtodo, .taskwarrior]), &random)
    record.title = text(&random)
    if record.title.split(whereSeparator: { $0.isWhitespace || $0 == "\0" }).isEmpty {
      record.title = "a"
    }
    record.tags = (0..<random.below(3)).map { _ in text(&random) }
    record.group = random.oneIn(2) ? text(&random) : nil
    record.notes = (0..<random.below(3)).map { _ in TaskNote(text(&random)) }
    record.foreignID = random.oneIn(2) ? text(&random) : nil
    record.repeats =
      random.oneIn(2) ? TaskRepeat(random.pick(TaskRepeat.Kind.allCases), text(&random)) : nil
    record.level = random.below(6)
    if random.oneIn(3) { record.due?.zone = random.pick(["Europe/Berlin", "nowhere", "a:b;c"]) }
    if random.oneIn(4) {
      // The verbatim parts of a format are those that its reader keeps.
      record.source = random.pick(TaskFormat.allCases.filter { $0 != format })
      record.unknown = [
        .init(
          random.pick(["line", "title", "DUE", "uda", "Kind", "note", "status"]), text(&random)),
        .init(random.pick(["x", "SUMMARY", "due", "CONTENT", "description"]), text(&random)),
      ]
    }
    return record
  }

  /// The first moment of a day in Seoul, for formats that keep days.
  private static func midnight(_ moment: Date, _ format: TaskFormat) -> Date {
    guard [.todoTxt, .markdown].contains(format) else { return moment }
    let zone = TimeZone(identifier: "Asia/Seoul") ?? .gmt
    return TaskDate(day: moment, in: zone).moment(in: zone)
  }

  /// A sample with pieces of it moved, doubled, removed or replaced by random bytes.
  static func broken(_ text: String, _ random: inout SeededGenerator) -> Data {
    var bytes = Array(text.utf8)
    for _ in 0..<(1 + random.below(4)) where !bytes.isEmpty {
      let start = random.below(bytes.count)
      let end = min(bytes.count, start + random.below(30))
      switch random.below(5) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: Array(bytes[start..<end]), at: random.below(bytes.count))
      case 2: bytes[start] = UInt8(random.below(256))
      case 3:
        let sign = random.pick([
          "\"", "\\", ":", ";", "{", "}", "[", "]", "\n", "\r", " ", "\u{301}", "-",
        ])
        bytes.insert(contentsOf: Array(sign.utf8), at: start)
      default: bytes.removeSubrange(start...)
      }
    }
    return Data(bytes)
  }
}

import Foundation

/// The to-dos of iCalendar (RFC 5545).
struct CalendarFile {
  let options: FormatOptions

  typealias Part = TaskRecord.Part

  /// The name of the part that keeps a definition of a time zone, which is written once for all.
  private static let zoneName = "VTIMEZONE"

  // MARK: Reading

  func read(_ bytes: ArraySlice<UInt8>, handle: (TaskReader.Event) throws -> Void) throws {
    var calendar = OpenCalendar()
    try ContentLine.lines(of: bytes) { line, number in
      guard let content = ContentLine(line) else {
        let text = "\(line.quotedBriefly) is no line of iCalendar; it is left out."
        if !line.trimmedBlanks.isEmpty {
          try handle(.issue(TaskIssue(.warning, row: number, text)))
        }
        return
      }
      switch content.name {
      case "BEGIN":
        let name = content.value.trimmedBlanks.uppercased()
        let issue = calendar.begin(name, line: line, number: number)
        if let issue { try handle(.issue(issue)) }
      case "END":
        let name = content.value.trimmedBlanks.uppercased()
        if let issue = calendar.end(name, line: line, number: number) { try handle(.issue(issue)) }
        if name == "VCALENDAR" { try finish(&calendar, handle: handle) }
      default: calendar.add(line, content, number: number)
      }
    }
    for issue in calendar.unclosed { try handle(.issue(issue)) }
    try finish(&calendar, handle: handle)
  }

  /// Hands over the tasks of a calendar, whose name and zones may come behind them.
  private func finish(
    _ calendar: inout OpenCalendar, handle: (TaskReader.Event) throws -> Void
  ) throws {
    let format = CalendarTask(timeZone: options.timeZone, now: options.now)
    for task in calendar.tasks {
      var issues: [TaskIssue] = []
      do {
        let zones = calendar.zones(of: task.parts).map { Part(Self.zoneName, $0) }
        var record = try format.record(of: task.parts + zones) { field, sentence in
          issues.append(TaskIssue(.warning, row: task.line, field: field, sentence))
        }
        record.group = record.group ?? calendar.name ?? options.fileStem
        for issue in issues { try handle(.issue(issue)) }
        try handle(.record(record, row: task.line))
      } catch let error as RowError {
        try handle(.issue(TaskIssue(.error, row: task.line, error.text)))
      }
    }
    calendar = OpenCalendar()
  }

  /// What was read of a calendar so far.
  private struct OpenCalendar {
    struct Task {
      let line: Int
      var parts: [Part] = []
    }

    private struct Component {
      let name: String
      let line: Int
      var lines: [String]
    }

    var name: String?
    var tasks: [Task] = []
    private var zones: [String: String] = [:]
    private var task: Task?
    /// The components that are open, the outermost first.
    private var open: [Component] = []

    /// Opens a component; an issue tells of a task that was not closed before the next one.
    mutating func begin(_ name: String, line: String, number: Int) -> TaskIssue? {
      var issue: TaskIssue?
      if name == "VTODO" {
        if let place = open.firstIndex(where: { $0.name == name }) {
          let text = "This VTODO is not closed before the next one begins."
          issue = TaskIssue(.error, row: open[place].line, text)
          open.removeSubrange(place...)
        }
        task = Task(line: number)
      }
      open.append(Component(name: name, line: number, lines: [line]))
      return issue
    }

    mutating func add(_ line: String, _ content: ContentLine, number: Int) {
      guard let inner = open.indices.last else { return }
      switch open[inner].name {
      case "VCALENDAR":
        if content.name == "X-WR-CALNAME", !content.text.isEmpty { name = content.text }
      case "VTODO": task?.parts.append(Part(content.name, line))
      default: open[inner].lines.append(line)
      }
    }

    /// Closes a component; an issue tells what is left out.
    mutating func end(_ name: String, line: String, number: Int) -> TaskIssue? {
      guard let place = open.lastIndex(where: { $0.name == name }) else {
        return TaskIssue(.warning, row: number, "END:\(name) closes nothing.")
      }
      if place < open.count - 1 {
        let inner = open[place + 1]
        open.removeSubrange(place...)
        if name == "VTODO" || name == "VCALENDAR" { task = nil }
        return TaskIssue(
          .error, row: inner.line, "This \(inner.name) is not closed before the end of \(name).")
      }
      var component = open.removeLast()
      component.lines.append(line)
      let text = component.lines.joined(separator: "\n")
      switch name {
      case "VCALENDAR": return nil
      case "VTODO":
        if let task { tasks.append(task) }
        task = nil
      case CalendarFile.zoneName where task == nil:
        let zone = component.lines.lazy.compactMap(ContentLine.init).first { $0.name == "TZID" }
        if let zone { zones[zone.value] = text }
      case CalendarFile.zoneName where open.last?.name == "VTODO":
        return TaskIssue(
          .warning, row: component.line, "This \(name) is inside a to-do and is left out.")
      case _ where task != nil && open.last?.name == "VTODO": task?.parts.append(Part(name, text))
      case _ where open.count > 1 || open.last.map { $0.name != "VCALENDAR" } ?? false:
        // A part of a component that is kept, or left out, as a whole.
        open[open.count - 1].lines += component.lines
      default:
        return TaskIssue(
          .warning, row: component.line, "This \(name) is no to-do and is left out.")
      }
      return nil
    }

    /// The definitions of the zones that some properties name.
    func zones(of parts: [Part]) -> [String] {
      if zones.isEmpty { return [] }
      let names = parts.compactMap { ContentLine($0.text)?.parameter("TZID") }
      return Set(names).sorted().compactMap { zones[$0] }
    }

    /// An error for each component that the end of the file cuts, but one for the calendar alone.
    var unclosed: [TaskIssue] {
      guard let last = open.last else { return [] }
      return [
        TaskIssue(
          .error, row: last.line, "The file ends inside this \(last.name): the end may be missing.")
      ]
    }
  }

  // MARK: Writing

  func write(_ records: [TaskRecord]) -> TaskWriter.Output {
    var output = TaskWriter.Output()
    let format = CalendarTask(timeZone: options.timeZone, now: options.now)
    let groups = Set(records.map(\.group))
    let name = groups.count == 1 ? groups.first ?? nil : nil
    // The name is kept unless it has line ends of other systems.
    let isNameKept = name.map { ContentLine("X:" + ContentLine.escaped($0))?.text == $0 } ?? true
    var zones: [String] = []
    var tasks: [String] = []
    for (index, record) in records.enumerated() {
      var copy = record
      if name != nil { copy.group = nil }
      let (parts, lost) = format.parts(of: copy)
      for part in parts where part.name == Self.zoneName && !zones.contains(part.text) {
        zones.append(part.text)
      }
      tasks.append("BEGIN:VTODO")
      tasks += parts.filter { $0.name != Self.zoneName }.flatMap(\.contentLines)
      tasks.append("END:VTODO")
      output.warn(isNameKept ? lost : lost + [.group], row: index + 1, format: .vtodo)
    }
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//todo//TodoFormats//EN"]
    if let name { lines.append("X-WR-CALNAME:" + ContentLine.escaped(name)) }
    lines += zones.flatMap { Part(Self.zoneName, $0).contentLines } + tasks + ["END:VCALENDAR"]
    output.text = lines.map(ContentLine.folded).joined()
    return output
  }
}

extension TaskRecord.Part {
  /// The content lines of a property or a component.
  fileprivate var contentLines: [String] {
    text.utf8.split(separator: .lineFeed).map { String(Substring($0)) }
  }
}

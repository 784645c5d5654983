/// The to-dos of iCalendar (RFC 5545).
struct CalendarFormat: FileFormat {
  var options: FormatOptions

  /// The name of the part that keeps a definition of a time zone, which is written once for all.
  private static let zoneName = "VTIMEZONE"

  /// The properties of a calendar that say nothing about its tasks.
  private static let usualNames: Set<String> = ["VERSION", "PRODID", "CALSCALE", "METHOD"]

  // MARK: Reading

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    var calendar = OpenCalendar()
    try ContentLine.lines(of: bytes) { line, number in
      guard let content = ContentLine(line) else {
        if line.trimmedBlanks.isEmpty { return }
        return file.warn(
          number, "\(line.quotedBriefly) is not a line of iCalendar and is left out.",
          "\(line.quotedBriefly.with(.topic)) iCalendar의 줄이 아니어서 뺍니다.")
      }
      let component = content.value.trimmedBlanks.uppercased()
      switch content.name {
      case "BEGIN": calendar.begin(component, line: line, number: number, &file)
      case "END": calendar.end(component, line: line, number: number, &file)
      default: calendar.add(line, content, number: number, &file)
      }
      if content.name == "END", component == "VCALENDAR" { try finish(&calendar, into: &file) }
    }
    calendar.reportUnclosed(&file)
    try finish(&calendar, into: &file)
  }

  /// Adds the tasks of a calendar, whose name and zones may come after them.
  private func finish(_ calendar: inout OpenCalendar, into file: inout TaskFile) throws {
    var occurrences: [String: [TaskDate]] = [:]
    let first = file.records.count
    for task in calendar.tasks {
      try file.add(row: task.line) { report in
        let zones = calendar.zones(of: task.parts).map { Part(Self.zoneName, $0) }
        var record = try self.record(of: task.parts + zones, report: report)
        record.group = record.group ?? calendar.name ?? options.fileStem
        if let id = record.foreignID, let day = occurrence(in: task.parts) {
          occurrences[id, default: []].append(day)
        }
        return record
      }
    }
    for index in first..<file.records.count {
      let record = file.records[index]
      if record.repeats != nil, record.occurrence == nil {
        file.records[index].otherOccurrences =
          record.foreignID.flatMap { occurrences[$0]?.inOrder }
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
      /// The index of its first line in `lines`.
      let start: Int
    }

    var name: String?
    var tasks: [Task] = []
    private var zones: [String: String] = [:]
    private var task: Task?
    /// The components that are open, the outermost first.
    private var open: [Component] = []
    /// How many components of a name are open: a file may nest them as deep as it likes.
    private var openCounts: [String: Int] = [:]
    /// The lines of the components that are open; those of inner ones follow those of their outer ones.
    private var lines: [String] = []

    /// Opens a component; a task that was not closed before the next one is an error.
    mutating func begin(_ name: String, line: String, number: Int, _ file: inout TaskFile) {
      if name == "VTODO" {
        if let index = index(of: name) {
          file.fail(
            open[index].line, "This VTODO is not closed before the next one begins.",
            "이 VTODO가 닫히기 전에 다음 것이 시작됩니다.")
          close(from: index)
        }
        task = Task(line: number)
      }
      open.append(Component(name: name, line: number, start: lines.count))
      openCounts[name, default: 0] += 1
      lines.append(line)
    }

    /// The index of the innermost open component of a name; nil without one.
    private func index(of name: String) -> Int? {
      // The components after the found one are closed next, so all searches together are linear.
      openCounts[name, default: 0] == 0 ? nil : open.lastIndex { $0.name == name }
    }

    /// Forgets open components and their lines, from an index to the innermost one.
    private mutating func close(from index: Int) {
      lines.removeSubrange(open[index].start...)
      for component in open[index...] { openCounts[component.name, default: 1] -= 1 }
      open.removeSubrange(index...)
    }

    /// Adds a property; one of the calendar itself that is left out is a warning.
    mutating func add(
      _ line: String, _ content: ContentLine, number: Int, _ file: inout TaskFile
    ) {
      guard let inner = open.last else { return }
      switch inner.name {
      case "VCALENDAR":
        if content.name == "X-WR-CALNAME" {
          if !content.text.isEmpty { name = content.text }
        } else if !CalendarFormat.usualNames.contains(content.name) {
          file.warn(
            number, "The calendar's property \(content.name) is left out.",
            "달력의 속성 \(content.name.with(.object)) 뺍니다.")
        }
      case "VTODO": task?.parts.append(Part(content.name, line))
      default: lines.append(line)
      }
    }

    /// Closes a component; an issue tells what is left out.
    mutating func end(_ name: String, line: String, number: Int, _ file: inout TaskFile) {
      guard let index = index(of: name) else {
        return file.warn(
          number, "END:\(name) closes nothing.", "END:\(name.with(.subject)) 닫을 것이 없습니다.")
      }
      if index < open.count - 1 {
        let inner = open[index + 1]
        close(from: index)
        if name == "VTODO" || name == "VCALENDAR" { task = nil }
        return file.fail(
          inner.line, "This \(inner.name) is not closed before the end of \(name).",
          "이 \(inner.name.with(.subject)) 닫히기 전에 \(name.with(.subject)) 끝납니다.")
      }
      let component = open[index]
      let outer = index > 0 ? open[index - 1].name : nil
      lines.append(line)
      // A part of a component that is kept, or left out, as a whole.
      let isKeptByOuter = outer.map { $0 != "VTODO" && $0 != "VCALENDAR" } ?? false
      if isKeptByOuter, name != "VTODO", name != "VCALENDAR",
        name != CalendarFormat.zoneName || task != nil
      {
        openCounts[name, default: 1] -= 1
        open.removeLast()
        return
      }
      let own = lines[component.start...]
      defer { close(from: index) }
      switch name {
      case "VCALENDAR": break
      case "VTODO":
        if let task { tasks.append(task) }
        task = nil
      case CalendarFormat.zoneName where task == nil:
        let zone = own.lazy.compactMap(ContentLine.init).first { $0.name == "TZID" }
        if let zone { zones[zone.value] = own.joined(separator: "\n") }
      case CalendarFormat.zoneName where outer == "VTODO":
        file.warn(
          component.line, "This \(name) is inside a to-do and is left out.",
          "할일 안에 있는 \(name.with(.object)) 뺍니다.")
      case _ where task != nil && outer == "VTODO":
        task?.parts.append(Part(name, own.joined(separator: "\n")))
      default:
        file.warn(
          component.line, "This \(name) is not a to-do and is left out.",
          "할일이 아닌 \(name.with(.object)) 뺍니다.")
      }
    }

    /// The definitions of the zones that some properties name.
    func zones(of parts: [Part]) -> [String] {
      if zones.isEmpty { return [] }
      let names = parts.compactMap { ContentLine($0.text)?.parameter("TZID") }
      return Set(names).sorted().compactMap { zones[$0] }
    }

    /// Adds an error for the innermost component that the end of the file leaves open.
    func reportUnclosed(_ file: inout TaskFile) {
      guard let last = open.last else { return }
      file.fail(
        last.line, "The file ends inside this \(last.name): its end may be missing.",
        "이 \(last.name) 안에서 파일이 끝납니다. 끝이 없을 수 있습니다.")
    }
  }

  // MARK: Writing

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    let groups = Set(records.map(\.group))
    let name = groups.count == 1 ? groups.first ?? nil : nil
    // The name is kept unless it has line ends of other systems.
    let isNameKept = name.map { ContentLine("X:" + ContentLine.escaped($0))?.text == $0 } ?? true
    var zones: [String] = []
    var written: Set<String> = []
    var tasks: [String] = []
    for (index, record) in records.enumerated() {
      var copy = record
      if name != nil { copy.group = nil }
      let (parts, lost) = inZone(of: record).parts(of: copy)
      for part in parts where part.name == Self.zoneName && written.insert(part.text).inserted {
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

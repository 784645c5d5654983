import Foundation

/// The task lists of Markdown: headings are groups, indentation is nesting, text below is a note.
struct MarkdownFormat: FileFormat {
  var options: FormatOptions

  private struct OpenTask {
    /// The width of the blanks before its sign.
    let indent: Int
    var notes: [MarkdownLine] = []

    /// The lines below the task, without the blanks that all of them begin with.
    var note: String {
      let width = notes.filter { !$0.text.isEmpty }.map(\.indent).min() ?? 0
      let lines = notes.map { $0.unindented(by: width) }
      return lines.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n")
    }
  }

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    var group: String?
    var open: OpenTask?
    var indents: [Int] = []
    var fence: String?
    var passedOver: (count: Int, first: Int) = (0, 0)
    func close(_ file: inout TaskFile) {
      if let note = open?.note, !note.isEmpty {
        file.records[file.records.count - 1].notes = [TaskNote(note)]
      }
      open = nil
    }

    for line in LineScanner(bytes) {
      let parsed = MarkdownLine(try line.text())
      if let sign = fence {
        let indent = open?.indent ?? -1
        let isOther = parsed.task != nil || parsed.heading != nil
        if parsed.indent > indent || !isOther {
          if parsed.text.hasPrefix(sign) { fence = nil }
          open?.notes.append(parsed)
          continue
        }
        // The code of a note ends where another task or group begins.
        fence = nil
      }
      if let task = parsed.task {
        close(&file)
        while let last = indents.last, last >= parsed.indent { indents.removeLast() }
        let isTask = try file.add(row: line.number) { report in
          var record = try self.record(ofLine: task, report: report)
          record.group = group
          record.level = indents.count
          return record
        }
        if isTask {
          indents.append(parsed.indent)
          open = OpenTask(indent: parsed.indent)
        }
      } else if parsed.text.isEmpty {
        open?.notes.append(parsed)
      } else if let task = open, parsed.indent > task.indent {
        fence = parsed.fence
        open?.notes.append(parsed.isEscaped ? MarkdownLine(parsed.unescaped) : parsed)
      } else {
        close(&file)
        fence = parsed.fence
        if let heading = parsed.heading {
          group = heading.isEmpty ? nil : heading
          indents = []
        } else {
          if passedOver.count == 0 { passedOver.first = line.number }
          passedOver.count += 1
        }
      }
    }
    close(&file)
    if passedOver.count > 0 {
      let lines = passedOver.count == 1 ? "1 line is" : "\(passedOver.count) lines are"
      file.warn(
        passedOver.first, "From here on \(lines) left out: neither tasks nor headings.",
        "여기부터 할일도 제목도 아닌 \(passedOver.count)줄을 뺍니다.")
    }
  }

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    var groups: [String?] = []
    var members: [String?: [Int]] = [:]
    for (index, record) in records.enumerated() {
      let group = record.group?.onOneLine.trimmedBlanks
      if members[group] == nil { groups.append(group) }
      members[group, default: []].append(index)
    }
    // Tasks of no group come first: after a heading there is no way out of it.
    for group in groups.filter({ $0 == nil }) + groups.filter({ $0 != nil }) {
      if let group { output.text += (output.text.isEmpty ? "" : "\n") + "## \(group)\n\n" }
      var level = -1
      for index in members[group] ?? [] {
        let record = records[index]
        level = min(record.level, level + 1)
        var lost = Set(inZone(of: record).append(record, level: level, to: &output.text))
        if level != record.level { lost.insert(.level) }
        if group != record.group || group.map({ MarkdownLine("## \($0)").heading != $0 }) ?? false {
          lost.insert(.group)
        }
        output.warn(TaskField.allCases.filter(lost.contains), row: index + 1, format: .markdown)
      }
    }
    return output
  }

  /// Writes a task with its notes, and gives the fields that the lines do not say.
  private func append(_ record: TaskRecord, level: Int, to text: inout String) -> [TaskField] {
    var bare = record
    bare.group = nil
    bare.level = 0
    bare.notes = []
    let (line, lost) = self.line(of: bare)
    let indent = String(repeating: "  ", count: level)
    var block = "- \(line)\n"
    for note in record.notes {
      var fence: String?
      for line in note.text.lineTexts {
        let parsed = MarkdownLine(line)
        var text = line
        if let sign = fence {
          if parsed.text.hasPrefix(sign) { fence = nil }
        } else {
          fence = parsed.fence
          // Without the backslash, it would be a task below this one.
          if parsed.task != nil || parsed.isEscaped { text = parsed.escaped }
        }
        block += line.isEmpty ? "\n" : "  \(text)\n"
      }
      // Code that does not end would continue into the tasks below this one.
      if let fence { block += "  \(fence)\n" }
    }
    text += block.lineTexts.map { $0.isEmpty ? "\n" : "\(indent)\($0)\n" }.joined()
    if record.notes.isEmpty { return lost }
    let read = TaskFormat.markdown.read(Data(block.utf8), options).records
    return read.flatMap(\.notes) == record.notes ? lost : lost + [.notes]
  }
}

/// A line of Markdown, with what can be seen of it without the lines around it.
private struct MarkdownLine {
  /// The width of the blanks before the text; a tab goes to the next multiple of four.
  let indent: Int
  /// The text without blanks around it.
  let text: String
  private let line: String

  init(_ line: String) {
    var indent = 0
    for byte in line.utf8.prefix(while: \.isBlank) {
      indent = byte == 0x09 ? (indent / 4 + 1) * 4 : indent + 1
    }
    self.indent = indent
    self.line = line
    text = line.trimmedBlanks
  }

  /// The line without the blanks of an indentation, or of as much of it as there is.
  func unindented(by width: Int) -> String {
    var passed = 0
    let rest = line.utf8.drop { byte in
      guard byte.isBlank, passed < width else { return false }
      passed = byte == 0x09 ? (passed / 4 + 1) * 4 : passed + 1
      return true
    }
    return String(Substring(rest.trimmedEnd))
  }

  /// The text of a heading; nil for any other line.
  var heading: String? {
    let signs = text.utf8.prefix { $0 == UInt8(ascii: "#") }.count
    let rest = text.utf8.dropFirst(signs)
    guard (1...6).contains(signs), rest.first.map(\.isBlank) ?? true else { return nil }
    let heading = String(Substring(rest)).trimmedBlanks
    // Signs after the text close a heading.
    let end = heading.utf8.reversed().drop { $0 == UInt8(ascii: "#") }
    guard end.first.map(\.isBlank) ?? true else { return heading }
    return String(decoding: end.reversed(), as: UTF8.self).trimmedBlanks
  }

  /// Whether the line is a task but for backslashes before it.
  var isEscaped: Bool {
    let rest = text.utf8.drop { $0 == UInt8(ascii: "\\") }
    return rest.count < text.utf8.count && MarkdownLine(String(Substring(rest))).task != nil
  }

  /// The line with a backslash before its text.
  var escaped: String { blanks + "\\" + String(Substring(line.utf8.dropFirst(blanks.utf8.count))) }

  /// The line without the first of its backslashes.
  var unescaped: String { blanks + String(Substring(line.utf8.dropFirst(blanks.utf8.count + 1))) }

  private var blanks: String { String(Substring(line.utf8.prefix(while: \.isBlank))) }

  /// The signs that open a block of code; nil for any other line.
  var fence: String? {
    if text.hasPrefix("~~~") { return "~~~" }
    // With a backquote after them, the signs are those of code within a line.
    let isFence =
      text.hasPrefix("```")
      && !text.utf8.drop { $0 == UInt8(ascii: "`") }.contains(UInt8(ascii: "`"))
    return isFence ? "```" : nil
  }

  /// What follows the sign of a list, from the brackets on; nil for any other line.
  var task: String? {
    var rest = text.utf8[...]
    if let first = rest.first, "-*+".utf8.contains(first) {
      rest.removeFirst()
    } else {
      let digits = rest.prefix(while: \.isDigit).count
      rest.removeFirst(digits)
      guard digits > 0, let sign = rest.first, ".)".utf8.contains(sign) else { return nil }
      rest.removeFirst()
    }
    guard let blank = rest.first, blank.isBlank else { return nil }
    let item = String(Substring(rest)).trimmedBlanks
    let scalars = Array(item.unicodeScalars.prefix(4))
    guard scalars.count > 2, scalars[0] == "[", scalars[2] == "]",
      scalars.count == 3 || scalars[3] == " " || scalars[3] == "\t"
    else { return nil }
    return item
  }
}

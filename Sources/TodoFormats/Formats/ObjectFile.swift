import Foundation

/// JSON with keys of our own: an array of objects, or one object a line.
///
/// An object with a title is a task, one with a name and no title is a group.
struct ObjectFile {
  let format: TaskFormat

  func read(_ bytes: ArraySlice<UInt8>, handle: (TaskReader.Event) throws -> Void) throws {
    var stream = ObjectStream(bytes)
    while let element = try stream.next() {
      switch element {
      case .malformed(let text, let line):
        try handle(.issue(TaskIssue(.error, row: line, text)))
      case .object(let members, let line):
        do {
          let event: TaskReader.Event
          let unknownKeys: [String]
          if GroupObject.isGroup(members) {
            let (group, keys) = try GroupObject.group(of: members, line: line)
            (event, unknownKeys) = (.group(group), keys)
          } else {
            let (record, keys) = try TaskObject.record(of: members, line: line)
            let omissions = TaskObject.omissions(of: members)
            (event, unknownKeys) = (.record(record, row: line, omissions: omissions), keys)
          }
          for key in unknownKeys {
            let text = IssueText(
              "The key \(key.quotedBriefly) is unknown and left out.",
              "알 수 없는 키 \(key.quotedBriefly.with(.object)) 뺍니다.")
            try handle(.issue(TaskIssue(.warning, row: line, text)))
          }
          try handle(event)
        } catch let error as RowError {
          try handle(.issue(TaskIssue(.error, row: line, error.text)))
        } catch let failure as JSONScanner.Failure {
          try handle(.issue(TaskIssue(.error, row: line, .notJSON(failure))))
        }
      }
    }
  }

  func write(_ records: [TaskRecord], groups: [TaskGroup]) -> TaskWriter.Output {
    var output = TaskWriter.Output()
    let objects = records.map { TaskObject.text(of: $0) } + groups.map(GroupObject.text)
    if format == .ndjson {
      output.text = objects.map { $0 + "\n" }.joined()
    } else {
      output.text = objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
    }
    return output
  }
}

/// JSON with keys of our own: an array of objects, or one object a line.
///
/// An object with a title is a task, one with a name and no title is a group.
struct ObjectFormat: FileFormat {
  let format: TaskFormat
  let groups: [TaskGroup]

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    var stream = ObjectStream(bytes)
    while let (members, line) = try file.next(of: { try stream.next() }) {
      if GroupObject.isGroup(members) {
        let group = try file.value(ofRow: line) { report in
          try GroupObject.group(of: members, line: line, report: report)
        }
        if let group { file.groups.append(group) }
      } else {
        try file.add(row: line, omissions: TaskObject.omissions(of: members)) { report in
          try TaskObject.record(of: members, line: line, report: report)
        }
      }
    }
  }

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    let objects = records.map { TaskObject.text(of: $0) } + groups.map(GroupObject.text)
    output.text = format == .ndjson ? objects.map { $0 + "\n" }.joined() : objects.jsonFile
    return output
  }
}

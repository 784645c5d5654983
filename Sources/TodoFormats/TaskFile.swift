package import Foundation

/// Everything that was read from a file.
package struct TaskFile: Sendable {
  /// The tasks, in the order of the file.
  package var records: [TaskRecord] = []
  /// The line or row at which each record begins.
  package var rows: [Int] = []
  /// The fields that the file leaves out of each record.
  package var omissions: [Omissions] = []
  /// The groups of which the file has more than the name.
  package var groups: [TaskGroup] = []
  /// An issue about a row that could not be read, or about a value that is left out.
  package var issues: [TaskIssue] = []

  /// The issues that are errors: each is a row that could not be read, or ended the reading.
  package var errors: [TaskIssue] { issues.filter { $0.severity != .warning } }
  /// The issues that are warnings.
  package var warnings: [TaskIssue] { issues.filter { $0.severity == .warning } }
}

extension TaskFormat {
  /// Reads the tasks of a file.
  ///
  /// A malformed row is an error with its number, and reading continues after it where the format
  /// shows where the next row begins. Bytes that are not UTF-8 end the reading.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - options: The options of the reader.
  /// - Complexity: Linear in the bytes.
  package func read(_ data: Data, _ options: FormatOptions = FormatOptions()) -> TaskFile {
    var file = TaskFile()
    let bytes = [UInt8](data)[...].withoutByteOrderMark
    do {
      try self.file(options).read(bytes, into: &file)
    } catch let line as UndecodableLine {
      file.issues.append(
        TaskIssue(
          .fatal, row: line.number,
          "The bytes here are not UTF-8: save the file as UTF-8 and import it again.",
          "UTF-8이 아닌 바이트가 있습니다. 파일을 UTF-8로 저장한 뒤 다시 가져오세요."))
    } catch var issue as TaskIssue {
      issue.severity = .fatal
      file.issues.append(issue)
    } catch {
      file.issues.append(
        TaskIssue(
          .fatal, row: nil, "The file cannot be read: \(error).", "파일을 읽을 수 없습니다: \(error)."))
    }
    return file
  }
}

extension TaskFile {
  /// Adds the record of a row with its warnings; a row that is not a task is an error instead.
  ///
  /// - Returns: Whether there is a record.
  /// - Throws: `UndecodableLine`, and no other error of `read`.
  @discardableResult
  mutating func add(
    row: Int, omissions: Omissions = Omissions(), _ read: (Report) throws -> TaskRecord
  ) throws -> Bool {
    guard let record = try value(ofRow: row, read) else { return false }
    records.append(record)
    rows.append(row)
    self.omissions.append(omissions)
    return true
  }

  /// The value that a row is, with its warnings; nil and an error for a malformed row.
  mutating func value<Value>(ofRow row: Int, _ read: (Report) throws -> Value) throws -> Value? {
    let report = Report()
    let text: IssueText
    do {
      let value = try read(report)
      issues += report.warnings.map { TaskIssue(.warning, row: row, field: $0, $1) }
      return value
    } catch let sentence as IssueText {
      text = sentence
    } catch let failure as JSONScanner.Failure {
      text = .notJSON(failure)
    }
    issues.append(TaskIssue(.error, row: row, text))
    return nil
  }

  /// The next element of a source; each malformed one before it is an issue.
  mutating func next<Element>(of source: () throws -> Element?) throws -> Element? {
    while true {
      do { return try source() } catch let issue as TaskIssue { issues.append(issue) }
    }
  }

  /// Adds a warning about a row.
  mutating func warn(_ row: Int, field: TaskField? = nil, _ english: String, _ korean: String) {
    issues.append(TaskIssue(.warning, row: row, field: field, english, korean))
  }
  /// Adds an error about a row.
  mutating func fail(_ row: Int, _ english: String, _ korean: String) {
    issues.append(TaskIssue(.error, row: row, english, korean))
  }
}

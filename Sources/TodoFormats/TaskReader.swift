package import Foundation

/// Reads the tasks of a file.
///
/// A row that cannot be taken is an error with its number, and reading continues after it where the
/// format shows where the next row begins. Bytes that are not UTF-8 end the reading.
package struct TaskReader: Sendable {
  /// The format of the files.
  package let format: TaskFormat
  /// The options of the reader.
  package let options: FormatOptions

  /// Makes a reader of a format.
  package init(_ format: TaskFormat, options: FormatOptions = FormatOptions()) {
    self.format = format
    self.options = options
  }

  /// An element that was read.
  package enum Event: Sendable {
    /// A task, with the line or row at which it begins, counted from 1, and what the file leaves out.
    case record(TaskRecord, row: Int, omissions: Omissions = Omissions())
    /// A group with more than a name.
    case group(TaskGroup)
    /// An issue about a row that could not be read, or about a value that is left out.
    case issue(TaskIssue)
  }

  /// Everything that was read from a file.
  package struct File: Sendable {
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

  /// Reads a file and passes each record and issue to a closure.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - handle: Takes a record or an issue; what it throws ends the reading.
  /// - Throws: What `handle` throws.
  /// - Complexity: Linear in the bytes.
  package func read(_ data: Data, handle: (Event) throws -> Void) throws {
    do {
      try read([UInt8](data)[...].withoutByteOrderMark, handle: handle)
    } catch let line as UndecodableLine {
      let text = IssueText(
        "The bytes here are not UTF-8: save the file as UTF-8 and import it again.",
        "UTF-8이 아닌 바이트가 있습니다. 파일을 UTF-8로 저장한 뒤 다시 가져오세요.")
      try handle(.issue(TaskIssue(.fatal, row: line.number, text)))
    }
  }

  private func read(_ bytes: ArraySlice<UInt8>, handle: (Event) throws -> Void) throws {
    switch format {
    case .todoTxt: try TodoTxtFile(options: options).read(bytes, handle: handle)
    case .taskwarrior: try TaskwarriorFile(options: options).read(bytes, handle: handle)
    case .vtodo: try CalendarFile(options: options).read(bytes, handle: handle)
    case .todoist: try TodoistFile(options: options).read(bytes, handle: handle)
    case .ticktick: try TickTickFile(options: options).read(bytes, handle: handle)
    case .markdown: try MarkdownFile(options: options).read(bytes, handle: handle)
    case .csv: try TableFile(options: options).read(bytes, handle: handle)
    case .json, .ndjson: try ObjectFile(format: format).read(bytes, handle: handle)
    }
  }

  /// Reads a whole file.
  package func read(_ data: Data) -> File {
    var file = File()
    do {
      try read(data) { event in
        switch event {
        case .record(let record, let row, let omissions):
          file.records.append(record)
          file.rows.append(row)
          file.omissions.append(omissions)
        case .group(let group): file.groups.append(group)
        case .issue(let issue): file.issues.append(issue)
        }
      }
    } catch {
      let text = IssueText("The file cannot be read: \(error).", "파일을 읽을 수 없습니다: \(error).")
      file.issues.append(TaskIssue(.fatal, row: nil, text))
    }
    return file
  }
}

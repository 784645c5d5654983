/// Writes tasks as a file of a format.
///
/// Each task is compared with the one that a reader of the format makes from the written text, so
/// nothing is left out without a warning. Times are compared to the second, or to the day in formats
/// that store only days.
package struct TaskWriter: Sendable {
  /// The format of the file.
  package let format: TaskFormat
  /// The options of the writer.
  package let options: FormatOptions

  /// Makes a writer of a format.
  package init(_ format: TaskFormat, options: FormatOptions = FormatOptions()) {
    self.format = format
    self.options = options
  }

  /// A file that was written.
  package struct Output: Sendable {
    /// The text of the file, which ends with a line end unless it is empty.
    package var text = ""
    /// The values that the format cannot represent; the row is the number of the record, from 1.
    package var warnings: [TaskIssue] = []
  }

  /// Writes records in their order, or by group in formats that need that.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - groups: The groups, of which Todo's own JSON has more than the name.
  /// - Complexity: Linear in the records and their texts.
  package func write(_ records: [TaskRecord], groups: [TaskGroup] = []) -> Output {
    switch format {
    case .todoTxt: TodoTxtFile(options: options).write(records)
    case .taskwarrior: TaskwarriorFile(options: options).write(records)
    case .vtodo: CalendarFile(options: options).write(records)
    case .todoist: TodoistFile(options: options).write(records)
    case .ticktick: TickTickFile(options: options).write(records)
    case .markdown: MarkdownFile(options: options).write(records)
    case .csv: TableFile(options: options).write(records)
    case .json, .ndjson: ObjectFile(format: format).write(records, groups: groups)
    }
  }
}

extension TaskWriter.Output {
  /// Adds a warning for each field that the format does not keep.
  mutating func warn(_ lost: [TaskField], row: Int, format: TaskFormat) {
    for field in lost {
      warnings.append(
        TaskIssue(
          .warning, row: row, field: field,
          IssueText(
            "\(format.name) cannot hold the \(field.words.english) of this task exactly.",
            "\(format.name) 형식은 이 할일의 \(field.words.korean.with(.object)) 그대로 담지 못합니다.")))
    }
  }
}

/// A file that was written.
package struct TaskOutput: Sendable {
  /// The text of the file, which ends with a line end unless it is empty.
  package var text = ""
  /// The values that the format cannot represent; the row is the number of the record, from 1.
  package var warnings: [TaskIssue] = []
}

extension TaskFormat {
  /// Writes records in their order, or by group in formats that need that.
  ///
  /// Each task is compared with the one that a reader of the format makes from the written text, so
  /// nothing is left out without a warning. Times are compared to the second, or to the day in formats
  /// that store only days.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - groups: The groups, of which Todo's own JSON has more than the name.
  ///   - options: The options of the writer.
  /// - Complexity: Linear in the records and their texts.
  package func write(
    _ records: [TaskRecord], groups: [TaskGroup] = [], _ options: FormatOptions = FormatOptions()
  ) -> TaskOutput {
    file(options, groups: groups).write(records)
  }
}

extension TaskOutput {
  /// Adds a warning for each field that the format does not keep.
  mutating func warn(_ lost: [TaskField], row: Int, format: TaskFormat) {
    for field in lost {
      warnings.append(
        TaskIssue(
          .warning, row: row, field: field,
          "\(format.name) cannot hold the \(field.words.english) of this task exactly.",
          "\(format.name) 형식은 이 할일의 \(field.words.korean.with(.object)) 그대로 담지 못합니다."))
    }
  }
}

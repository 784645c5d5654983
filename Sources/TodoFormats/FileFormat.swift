/// A format of files, which reads and writes all records of a file.
protocol FileFormat {
  /// Adds the records of a file, and the issues about them.
  ///
  /// - Throws: `UndecodableLine` for bytes that are not UTF-8; a `TaskIssue` that ends the reading.
  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws
  /// Writes records in their order, or by group in formats that need that.
  func write(_ records: [TaskRecord]) -> TaskOutput
}

extension TaskFormat {
  /// The reader and writer of files of the format.
  func file(_ options: FormatOptions, groups: [TaskGroup] = []) -> any FileFormat {
    switch self {
    case .todoTxt: TodoTxtFormat(options: options)
    case .taskwarrior: TaskwarriorFormat(options: options)
    case .vtodo: CalendarFormat(options: options)
    case .todoist: TodoistFormat(options: options)
    case .ticktick: TickTickFormat(options: options)
    case .markdown: MarkdownFormat(options: options)
    case .csv: TableFormat(options: options)
    case .json, .ndjson: ObjectFormat(format: self, groups: groups)
    }
  }
}

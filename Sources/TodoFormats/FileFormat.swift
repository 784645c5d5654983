/// A format of files, which reads and writes all records of a file.
protocol FileFormat {
  /// Adds the records of a file, and the issues about them.
  ///
  /// - Throws: `UndecodableLine` for bytes that are not UTF-8; a `TaskIssue` that ends the reading.
  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskReader.File) throws
  /// Writes records in their order, or by group in formats that need that.
  func write(_ records: [TaskRecord]) -> TaskWriter.Output
}

extension TaskFormat {
  /// The reader and writer of files of the format.
  func file(_ options: FormatOptions, groups: [TaskGroup] = []) -> any FileFormat {
    switch self {
    case .todoTxt: TodoTxtFile(options: options)
    case .taskwarrior: TaskwarriorFile(options: options)
    case .vtodo: CalendarFile(options: options)
    case .todoist: TodoistFile(options: options)
    case .ticktick: TickTickFile(options: options)
    case .markdown: MarkdownFile(options: options)
    case .csv: TableFile(options: options)
    case .json, .ndjson: ObjectFile(format: self, groups: groups)
    }
  }

  /// The reader and writer of single tasks as parts; nil for our JSON, whose fields are the record's.
  func task(_ options: FormatOptions) -> (any PartFormat)? {
    switch self {
    case .todoTxt: TodoTxtLine(options: options)
    case .taskwarrior: TaskwarriorTask(options: options)
    case .vtodo: CalendarTask(options: options)
    case .todoist: TodoistTask(options: options)
    case .ticktick: TickTickTask(options: options)
    case .markdown: MarkdownTask(options: options)
    case .csv: TableTask(options: options)
    case .json, .ndjson: nil
    }
  }
}

/// A command of the shell, which begins with a point.
enum ShellCommand: Equatable {
  case models
  case schema(model: String?)
  case indexes(model: String?)
  case explain(String)
  case operation(FileOperation)
  case mode(OutputFormat)
  case help
  case quit

  /// A line that is not understood: the reason as a sentence.
  struct Problem: Error, Equatable {
    let reason: String
  }

  /// Reads a line that begins with a point.
  init(_ line: String) throws(Problem) {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    let name = words.first ?? ""
    let rest = words.count > 1 ? words[1].trimmingSpaces : nil
    switch (name, rest) {
    case (".models", nil): self = .models
    case (".schema", let model): self = .schema(model: model)
    case (".indexes", let model): self = .indexes(model: model)
    case (".explain", let query?): self = .explain(query)
    case (".explain", nil): throw Problem(reason: ".explain needs a query")
    case (".help", nil): self = .help
    case (".quit", nil), (".exit", nil): self = .quit
    case (".mode", let name?):
      guard let format = OutputFormat(rawValue: name) else {
        throw Problem(reason: "there is no format \(name); there are \(OutputFormat.names)")
      }
      self = .mode(format)
    case (".import", let words):
      self = .operation(.importRows(try ImportRequest(line: words ?? "")))
    case (".mode", nil): throw Problem(reason: ".mode needs a format: \(OutputFormat.names)")
    default:
      // What follows an operation is one name, which may have spaces.
      let words = rest.map { [$0] } ?? []
      guard let operation = try FileOperation(String(name.dropFirst()), words) else {
        throw Problem(reason: "there is no command \(line); .help lists them")
      }
      self = .operation(operation)
    }
  }

  /// The commands, one a line.
  static let list = """
      .models            the models, with the numbers and bytes of their objects
      .schema [MODEL]    properties, types, keys, references and cases of enums
      .indexes [MODEL]   indexes
      .explain QUERY     how a query is run
      .stats             sizes of the file, its models and its log
      .readers           the transactions that read the file, and what they keep
      .log               the commits that the file's log has
      .verify            read all pages, objects and indexes, and name what is damaged
      .backup COPY       copy the last commit into a new file
      .compact COPY      do the same without free pages
      .repair COPY       make a new file of all that can be read of a damaged one
      .diff OTHER        how another file differs
      .import MODEL ROWS insert objects of a table (CSV) or of lines of JSON
      .dump              write the models and objects as lines of JSON
      .mode FORMAT       write results as \(OutputFormat.names)
      .help              this list
      .quit              leave; so does the end of the input
    """
}

extension String {
  /// The text without white space around it.
  var trimmingSpaces: String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
    return String(self[start..<end])
  }
}

/// A command of the shell, which begins with a point.
enum ShellCommand: Equatable {
  case models
  case schema(model: String?)
  case indexes(model: String?)
  case explain(String)
  case watch(String)
  /// Nil for the query before it.
  case export(String, query: String?)
  case operation(FileOperation)
  case mode(OutputFormat)
  case help
  case operatorHelp
  case quit

  /// A line that is not understood: the reason as a sentence.
  struct Problem: Error, Equatable {
    let reason: String
  }

  /// Reads a line that begins with a point, and may end with a semicolon.
  init(_ line: String) throws(Problem) {
    let line = Self.ended(line)
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    let name = words.first ?? ""
    let rest = words.count > 1 ? words[1].trimmingSpaces : nil
    switch (name, rest) {
    case (".models", nil): self = .models
    case (".schema", let model): self = .schema(model: model)
    case (".indexes", let model): self = .indexes(model: model)
    case (".explain", let query?): self = .explain(query)
    case (".explain", nil): throw Problem(reason: ".explain needs a query")
    case (".watch", let query?): self = .watch(query)
    case (".watch", nil): throw Problem(reason: ".watch needs a query")
    case (".export", let words?):
      let (path, query) = Self.fileAndRest(words)
      self = .export(path, query: query.flatMap { $0.isEmpty ? nil : $0 })
    case (".export", nil):
      throw Problem(
        reason: ".export needs the name of a file, which ends with a format: "
          + "\(OutputFormat.endingNames); it takes a query after that")
    case (".help", nil): self = .help
    case (".help", OperatorHelp.topic?): self = .operatorHelp
    case (".help", let topic?):
      throw Problem(
        reason: "there is no help about \(topic.escaped()); .help lists the commands, and "
          + ".help \(OperatorHelp.topic) the operators of conditions")
    case (".quit", nil), (".exit", nil): self = .quit
    case (".mode", let name?):
      guard let format = OutputFormat(rawValue: name) else {
        throw Problem(reason: "there is no format \(name); there are \(OutputFormat.names)")
      }
      self = .mode(format)
    case (".import", let words):
      self = .operation(.importRows(try ImportRequest(line: words ?? "")))
    case (".diff", let words?):
      let (path, models) = Self.fileAndRest(words)
      let names = models?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
      self = .operation(.diff(with: path, models: names))
    case (".mode", nil): throw Problem(reason: ".mode needs a format: \(OutputFormat.names)")
    default:
      // What follows an operation is one name, which may have spaces.
      let words = rest.map { [$0] } ?? []
      guard let operation = try FileOperation(String(name.dropFirst()), words) else {
        let near = Spelling.nearest(to: name, among: Self.usages.map(\.name))
        throw Problem(
          reason: "there is no command \(near == nil ? line : name); "
            + (near.map { "did you mean \($0)?" } ?? ".help lists them"))
      }
      self = .operation(operation)
    }
  }

  /// A line without the semicolon at its end, which may belong to a text in a query.
  private static func ended(_ line: String) -> String {
    let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    guard line.hasSuffix(";"), let name = parts.first else { return line }
    if parts.count > 1, name == ".explain" || name == ".watch" {
      return "\(name) \(Entry.ended(parts[1]))"
    }
    if parts.count > 1, name == ".export", let query = fileAndRest(parts[1]).rest {
      return String(line.dropLast(query.count)) + Entry.ended(query)
    }
    return String(line.dropLast()).trimmingSpaces
  }

  /// What `.help` writes.
  static let overview = """
    A line is a query (Book where year > 2000), insert, update, delete, begin, commit, rollback, or:
    \(list)
    """

  /// The commands, one a line.
  static let list = """
      .models            the models, with the numbers and bytes of their objects
      .schema [MODEL]    properties, types, keys, references and cases of enums
      .indexes [MODEL]   indexes
      .explain QUERY     how a query is run
      .watch QUERY       the result, and then each change of it as it is committed, until ^C
      .export FILE [QUERY]  write the result of a query, or of the last one, into a new file,
                         whose ending says the format: \(OutputFormat.endingNames)
      .stats             sizes of the file, its models and its log
      .readers           the transactions that read the file, and what they keep
      .log               the commits that the file's log has
      .verify            read all pages, objects and indexes, and name what is damaged
      .backup COPY       copy the last commit into a new file
      .compact COPY      do the same without free pages
      .repair COPY       make a new file of all that can be read of a damaged one
      .diff OTHER [MODEL ...]  how another file differs, in all models or in some
      .import MODEL ROWS insert objects of a table (CSV) or of lines of JSON
      .dump              write the models and objects as lines of JSON
      .mode FORMAT       write results as \(OutputFormat.names)
      .help [operators]  this list, or the operators of conditions; the word help gives it, too
      .quit              leave; so do quit, exit, and the end of the input
    """
}

extension ShellCommand {
  /// How a command is written: its name, and the words that follow, such as `MODEL`.
  struct Usage: Equatable {
    let name: String
    let words: [String]

    /// Whether a word that follows stands for a name or a text, and is not that word itself.
    var takesNames: Bool { words.contains { $0 == $0.uppercased() } }
  }

  /// How each command is written, as the list has it.
  static let usages: [Usage] = list.split(separator: "\n").compactMap { line in
    let words = line.trimmingSpaces.firstPart(before: "  ").split(separator: " ")
    // A line that continues the one before it has no name.
    guard let name = words.first, name.hasPrefix(".") else { return nil }
    return Usage(
      name: String(name),
      words: words.dropFirst().map { $0.filter { $0 != "[" && $0 != "]" } })
  }

  /// The command that a word stands for without its point; nil for other lines.
  init?(word: String) {
    switch word.lowercased() {
    case "help", "?": self = .help
    case "help \(OperatorHelp.topic)": self = .operatorHelp
    case "exit", "quit": self = .quit
    default: return nil
    }
  }

  /// The query after the word `watch`; nil for another line, and without a blank after the word.
  static func watchedQuery(in line: String) -> String? {
    let line = line.drop(while: \.isWhitespace)
    let word = line.prefix { !$0.isWhitespace }
    let rest = line[word.endIndex...]
    return word.lowercased() == "watch" && !rest.isEmpty
      ? String(rest.drop(while: \.isWhitespace)) : nil
  }

  /// The name of a file, which may be in quotes, and the text after it; nil without a blank between
  /// them.
  static func fileAndRest(_ words: String) -> (file: String, rest: String?) {
    let isQuoted = words.hasPrefix("\"")
    let text = isQuoted ? words.dropFirst() : words[...]
    let name = text.prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace }
    let rest = text[name.endIndex...].dropFirst(isQuoted ? 1 : 0)
    return (String(name), rest.isEmpty ? nil : String(rest.drop(while: \.isWhitespace)))
  }
}

extension StringProtocol {
  /// The text up to another one; all of it without that.
  fileprivate func firstPart(before end: String) -> String {
    firstRange(of: end).map { String(self[..<$0.lowerBound]) } ?? String(self)
  }
}

extension StringProtocol {
  /// The text without white space around it.
  var trimmingSpaces: String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
    return String(self[start..<end])
  }
}

import Croft

// Lines of an input without a prompt: somebody may take several for one statement.
extension Shell {
  /// The words with which lines begin that continue a query or a statement.
  private static let clauseWords: Set<String> = [
    "where", "set", "and", "or", "select", "group", "distinct", "sort", "order", "limit",
  ]

  /// Refuses a statement about all objects that no semicolon ends: its condition may be on the next
  /// line.
  ///
  /// - Throws: ``ShellCommand/Problem``.
  func checkExtent(of statement: DynamicStatement) throws(ShellCommand.Problem) {
    guard hasWholeLines, statement.isAboutAllObjects else { return }
    let start = "\(statement.kind.rawValue) \(statement.model)".escaped()
    throw ShellCommand.Problem(
      reason: "\(start) is about all objects: end it with ; or write where true; a statement is on "
        + "one line here")
  }

  /// Refuses a line that begins in the middle of a query or a statement.
  ///
  /// - Throws: ``ShellCommand/Problem``.
  func checkBeginning(of line: String) throws(ShellCommand.Problem) {
    let first = String(line.prefix(while: \.isLetter))
    guard hasWholeLines, Self.clauseWords.contains(first.lowercased()), !hasModel(first) else {
      return
    }
    // A query of SQL has advice of its own.
    let words = line.lowercased().split(whereSeparator: \.isWhitespace)
    if first.lowercased() == "select", words.contains("from") { return }
    throw ShellCommand.Problem(
      reason: "\(first) begins no query and no statement: a query or a statement is on one line "
        + "here")
  }
}

extension Shell {
  /// Why a text that is a statement is refused where a query is asked for; nil for a query.
  static func refusal(ofStatement text: String) -> String? {
    guard DynamicStatement.isStatement(text) else { return nil }
    let words = text.trimmingSpaces.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard words.count > 1 else { return nil }
    let start = "a query is needed here, and not \(words[0].lowercased())".escaped()
    let objects = words[1].split(whereSeparator: \.isWhitespace)
    // Of an update the query ends before set, of a delete with the text; an insert has none.
    let ends = objects.filter { $0.lowercased() == "set" }.map(\.startIndex) + [words[1].endIndex]
    for end in ends {
      let query = words[1][..<end].trimmingSpaces
      // The error is ignored: a text that is wrong elsewhere, too, has no query to show.
      if (try? DynamicQuery(query)) != nil { return "\(start): write \(query.escaped())" }
    }
    return "\(start): a query begins with the name of a model"
  }
}

extension DynamicStatement {
  /// Whether it updates or deletes objects, and has no condition.
  var isAboutAllObjects: Bool {
    if kind == .insert { return false }
    // The text was read as a statement: after the model there is where, set or the end.
    let text = text.trimmingSpaces.drop { !$0.isWhitespace && $0 != "`" }
      .drop(while: \.isWhitespace)
    let isQuoted = text.first == "`"
    let name = text.dropFirst(isQuoted ? 1 : 0).prefix { isQuoted ? $0 != "`" : !$0.isWhitespace }
    let rest = text[name.endIndex...].dropFirst(isQuoted ? 1 : 0).drop(while: \.isWhitespace)
    return !rest.lowercased().hasPrefix("where")
  }
}

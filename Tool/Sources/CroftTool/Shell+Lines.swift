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

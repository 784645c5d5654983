import Croft

/// What was typed at the prompt so far: a line, or the lines of a query or a statement that is not
/// complete.
struct Entry {
  private(set) var lines: [String] = []

  /// The lines together.
  var text: String { lines.joined(separator: "\n") }
  /// Whether nothing was typed.
  var isEmpty: Bool { lines.isEmpty }

  mutating func add(_ line: String) { lines.append(line) }

  /// Whether nothing more is asked for: an empty line and a semicolon end a text that is not
  /// complete.
  var isComplete: Bool {
    guard let last = lines.last else { return false }
    let text = text.trimmingSpaces
    if lines.count > 1, last.trimmingSpaces.isEmpty { return true }
    if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(".") { return true }
    if ["begin", "commit", "rollback", "watch"].contains(text.lowercased()) { return true }
    if let ended = Self.withoutSemicolon(text), !Self.isUnfinishedText(ended) { return true }
    return !Self.isUnfinished(ShellCommand.watchedQuery(in: text) ?? text)
  }

  /// The text without the semicolon at its end; nil without one.
  private static func withoutSemicolon(_ text: String) -> String? {
    text.hasSuffix(";") ? String(text.dropLast()).trimmingSpaces : nil
  }

  /// A query or a statement without the semicolon that may end it.
  ///
  /// A text within quotes that nothing closes keeps its semicolon.
  static func ended(_ text: String) -> String {
    guard let ended = withoutSemicolon(text), !isUnfinishedText(ended) else { return text }
    return ended
  }

  /// Whether a text ends within quotes.
  private static func isUnfinishedText(_ text: String) -> Bool {
    guard let error = error(of: text) else { return false }
    return error.isUnfinished && error.position < text.unicodeScalars.count
  }

  /// Whether a query or a statement ends too early.
  private static func isUnfinished(_ text: String) -> Bool {
    error(of: text)?.isUnfinished ?? false
  }

  private static func error(of text: String) -> QueryTextError? {
    do throws(QueryTextError) {
      if DynamicStatement.isStatement(text) {
        _ = try DynamicStatement(text)
      } else {
        _ = try DynamicQuery(text)
      }
      return nil
    } catch {
      return error
    }
  }
}

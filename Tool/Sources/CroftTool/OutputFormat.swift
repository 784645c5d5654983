/// How results are written.
public enum OutputFormat: String, CaseIterable, Sendable {
  /// Aligned columns with a head, for people.
  case table
  /// Values with tabs between them, without a head.
  case plain
  /// One array of objects.
  case json
  /// One object a line.
  case ndjson
  /// As RFC 4180 says, with a head.
  case csv
  /// A table in Markdown.
  case md

  /// The names, for messages.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Refuses names of which an object of JSON would have one twice.
  ///
  /// - Throws: ``ShellCommand/Problem``.
  func check(_ names: [String]) throws(ShellCommand.Problem) {
    guard self == .json || self == .ndjson else { return }
    var seen: Set<String> = []
    guard let name = names.first(where: { !seen.insert($0).inserted }) else { return }
    throw ShellCommand.Problem(
      reason: "two values of the result have the name \(name.escaped()), and an object of JSON has "
        + "a name once: write as and another name after one of them")
  }
}

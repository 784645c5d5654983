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
}

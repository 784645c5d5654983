import TerminalText

extension String {
  /// Writes a JSON array of values that are JSON.
  package init(jsonArray values: [String]) { self = "[" + values.joined(separator: ",") + "]" }

  /// Writes a JSON object of keys and of values that are JSON.
  package init(jsonObject members: [(String, String)]) {
    self = "{" + members.map { "\($0.0.jsonQuoted):\($0.1)" }.joined(separator: ",") + "}"
  }
}

extension [String] {
  /// The values as a file of JSON: an array with one of them a line.
  var jsonFile: String { isEmpty ? "[]\n" : "[\n" + joined(separator: ",\n") + "\n]\n" }
}

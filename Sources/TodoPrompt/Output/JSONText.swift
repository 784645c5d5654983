import TodoFormats

/// JSON as the prompt writes it (RFC 8259), with all code points escaped that a terminal acts on.
enum JSONText {
  /// An object of keys and values; the values are JSON.
  static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\($0.0.jsonQuoted):\($0.1)" }.joined(separator: ",") + "}"
  }

  /// A list with an object on each line; `[]` for an empty list.
  static func array(of objects: [String]) -> String {
    objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }
}

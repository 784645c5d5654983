extension String {
  /// The text as a JSON string (RFC 8259), with all code points escaped that a terminal acts on.
  package var jsonQuoted: String {
    var json = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where scalar.isControl:
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

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

extension Unicode.Scalar {
  /// Whether a terminal would act on the code point rather than draw it.
  package var isControl: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The text with all code points escaped that a terminal would act on.
  ///
  /// Control characters and the marks that turn the direction of writing become
  /// `\u{1b}` and the like; a line feed and a tab become `\n` and `\t`.
  ///
  /// - Parameter keepingLines: Whether line feeds stay.
  /// - Complexity: O(n) in the bytes of the text.
  package func escapingControls(keepingLines: Bool = false) -> String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where keepingLines: text += "\n"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.isControl: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text as a JSON string (RFC 8259), with all code points escaped that a terminal would act on.
  ///
  /// - Complexity: O(n) in the bytes of the text.
  public var jsonQuoted: String {
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
}

extension Unicode.Scalar {
  /// Whether a terminal would act on the code point rather than draw it.
  public var isControl: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

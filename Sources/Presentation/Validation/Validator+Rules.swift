extension Validator where Input == String, Output == String {
  /// Removes white space at both ends; it refuses nothing.
  ///
  /// White space is what Unicode calls so, the ideographic space (U+3000) included.
  public static var trimmed: Validator { .transform(\.trimmed) }

  /// Trims a text; one without a visible character has the issue `blank`.
  ///
  /// Zero-width and other format characters are invisible, as white space is.
  public static var notBlank: Validator { Validator(.blank) { $0.isBlank ? nil : $0.trimmed } }

  /// Refuses a text of fewer characters than a limit, with the issue `tooShort`.
  ///
  /// - Parameter limit: The number of characters (`Character`), which is the issue's `limit` too.
  public static func minLength(_ limit: Int) -> Validator {
    .check(.tooShort, params: ["limit": .integer(limit)]) { $0.count >= limit }
  }

  /// Refuses a text of more characters than a limit, with the issue `tooLong`.
  ///
  /// - Parameter limit: The number of characters (`Character`), which is the issue's `limit` too.
  public static func maxLength(_ limit: Int) -> Validator {
    .check(.tooLong, params: ["limit": .integer(limit)]) { $0.count <= limit }
  }

  /// Refuses a text whose length is not in a range, with the issue `tooShort` or `tooLong`.
  ///
  /// - Parameter range: The numbers of characters (`Character`) that are accepted; the bound that
  ///   is exceeded is the issue's parameter `limit`.
  public static func length(_ range: ClosedRange<Int>) -> Validator {
    minLength(range.lowerBound).then(maxLength(range.upperBound))
  }
}

extension Validator where Input == Output, Output: Numeric & Comparable & Sendable {
  /// Refuses a number outside of a range, with the issue `outOfRange`, `least` and `most`.
  public static func within(_ range: ClosedRange<Output>) -> Validator {
    .check(
      .outOfRange,
      params: [
        "least": ValidationIssue.Value(range.lowerBound),
        "most": ValidationIssue.Value(range.upperBound),
      ]
    ) { range.contains($0) }
  }
}

extension ValidationIssue.Value {
  fileprivate init(_ number: some Numeric) {
    self = (number as? Int).map(Self.integer) ?? .text("\(number)")
  }
}

extension Validator where Input == Output? {
  /// Refuses nil, with the issue `required`; the output is the value.
  public static var chosen: Validator { Validator(.required) { $0 } }
}

extension String {
  /// Whether no character is visible: there is only white space, or characters never drawn alone.
  ///
  /// The joiner of emoji sequences, for example, is not drawn alone.
  package var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
        || properties.generalCategory == .format
    }
  }

  /// The text without white space at both ends.
  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, each at its first position.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

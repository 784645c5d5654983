extension Validator where Input == String, Output == String {
  /// Takes white space off both ends; it refuses nothing.
  ///
  /// White space is what Unicode calls so, the ideographic space (U+3000) included.
  ///
  /// - Complexity: O(n) in the length of the text.
  public static var trimmed: Validator {
    .transform { text in
      guard let first = text.firstIndex(where: { !$0.isWhitespace }),
        let last = text.lastIndex(where: { !$0.isWhitespace })
      else { return "" }
      return String(text[first...last])
    }
  }

  /// There is something beside white space, which comes out trimmed; else it is `blank`.
  public static var notBlank: Validator { trimmed.then(.check(.blank) { !$0.isEmpty }) }

  /// The text has so many characters; else it is `tooShort` or `tooLong`, with `limit`.
  ///
  /// - Parameter range: How many characters, as people count them, there may be.
  /// - Complexity: O(n) in the length of the text.
  public static func length(_ range: ClosedRange<Int>) -> Validator {
    .check(.tooShort, params: ["limit": .integer(range.lowerBound)]) {
      $0.count >= range.lowerBound
    }
    .then(
      .check(.tooLong, params: ["limit": .integer(range.upperBound)]) {
        $0.count <= range.upperBound
      })
  }
}

extension Validator where Input == Int, Output == Int {
  /// The number lies within bounds; else it is `outOfRange`, with `least` and `most`.
  public static func within(_ range: ClosedRange<Int>) -> Validator {
    .check(
      .outOfRange,
      params: ["least": .integer(range.lowerBound), "most": .integer(range.upperBound)]
    ) { range.contains($0) }
  }
}

extension Validator where Input == Output? {
  /// Something was chosen; else it is `required`.
  public static var chosen: Validator { Validator(.required) { $0 } }
}

extension String {
  /// Whether there is nothing to read: only white space, and what draws nothing by itself.
  ///
  /// Characters that join others, as in pictures of families, show nothing alone.
  ///
  /// - Complexity: O(n) in the length of the text.
  package var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
        || properties.generalCategory == .format
    }
  }

  /// The text without white space at both ends.
  ///
  /// - Complexity: O(n) in the length of the text.
  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

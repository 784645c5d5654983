extension DynamicQuery {
  /// Sentences on what the text means here, where other languages have another meaning.
  ///
  /// `like` has `*` and `?`, and takes the `%` and `_` of SQL for the characters themselves, so that
  /// `title like "%sea%"` finds nothing. `matches` is a search for words, and takes no regular expression. A shell shows
  /// the sentences beside the result, which they do not change.
  ///
  /// - Returns: One sentence for each pattern that has `%` or `_`, and neither `*` nor `?`, and for each search that
  ///   looks like a regular expression; mostly none.
  /// - Complexity: O(*n*) for a text of *n* characters.
  public var hints: [String] { statement.condition?.hints(parameters) ?? [] }
}

extension DynamicStatement {
  /// Sentences on what the text means here, where other languages have another meaning.
  ///
  /// - Returns: As ``DynamicQuery/hints``.
  /// - Complexity: O(*n*) for a text of *n* characters.
  public var hints: [String] { statement.condition?.hints(parameters) ?? [] }
}

extension QuerySyntax {
  /// What a shell tells of the patterns and the searches of a condition.
  fileprivate func hints(_ parameters: QueryParameters) -> [String] {
    let inner = kind.parts.flatMap { $0.hints(parameters) }
    switch kind {
    case .text(_, .matches, _, let query), .search(let query):
      guard case .literal(let literal) = query.kind, let text = parameters.text(of: literal),
        let hint = Self.hint(onExpression: text)
      else { return inner }
      return inner + [hint]
    default: break
    }
    guard case .text(_, .like, _, let pattern) = kind, case .literal(let literal) = pattern.kind,
      let text = parameters.text(of: literal),
      text.contains(where: { $0 == "%" || $0 == "_" }),
      !text.contains(where: { $0 == "*" || $0 == "?" })
    else { return inner }
    let written = text.replacing("%", with: "*").replacing("_", with: "?")
    return inner + [
      "like \(QueryTextWriter.quoted(text)) takes % and _ for themselves, and has * for any number of "
        + "characters and ? for one: write like \(QueryTextWriter.quoted(written)) for a pattern"
    ]
  }

  /// What regular expressions have, and texts hardly do.
  private static let expressionSigns = [".*", ".+", "\\", "^", "|", "["]

  /// What to write in place of a search for a regular expression; nil for a search for words.
  private static func hint(onExpression text: String) -> String? {
    guard expressionSigns.contains(where: { text.contains($0) }) else { return nil }
    var (plain, last) = ("", Character(" "))
    var repeatsLetters = false
    for character in text {
      // An escaped letter is a class of characters, or a place.
      plain.append(last == "\\" || character == "\\" ? " " : character)
      repeatsLetters = repeatsLetters || "?*+".contains(character) && last != "."
      last = last == "\\" ? " " : character
    }
    var pattern = plain.replacing(".*", with: "*").replacing(".+", with: "?*")
      .filter { $0 != "^" && $0 != "$" }
    // Of an expression with one anchor the other end is open.
    if text.hasPrefix("^"), !text.hasSuffix("$"), !pattern.hasSuffix("*") { pattern += "*" }
    if text.hasSuffix("$"), !text.hasPrefix("^"), !pattern.hasPrefix("*") {
      pattern = "*" + pattern
    }
    func isOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    let words = pattern.split { !isOfWord($0) }
    guard let longest = words.max(by: { $0.count < $1.count }) else { return nil }
    let isPattern =
      !repeatsLetters && plain == text && pattern.allSatisfy { isOfWord($0) || " *?".contains($0) }
    return "matches \(QueryTextWriter.quoted(text)) searches for words, and knows no regular "
      + "expressions: write contains \(QueryTextWriter.quoted(String(longest)))"
      + (isPattern ? " or like \(QueryTextWriter.quoted(pattern))" : "")
  }
}

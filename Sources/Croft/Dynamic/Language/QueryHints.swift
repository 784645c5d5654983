extension DynamicQuery {
  /// Sentences on what the text means here, where other languages have another meaning.
  ///
  /// `like` has `*` and `?`, and takes the `%` and `_` of SQL for the characters themselves, so that
  /// `title like "%sea%"` finds nothing. A shell shows the sentences beside the result, which they do not change.
  ///
  /// - Returns: One sentence for each pattern that has `%` or `_`, and neither `*` nor `?`; mostly none.
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
  /// What a shell tells of the patterns of a condition.
  fileprivate func hints(_ parameters: QueryParameters) -> [String] {
    let inner = kind.parts.flatMap { $0.hints(parameters) }
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
}

/// A word, a literal or a sign of a query text.
struct QueryToken: Hashable {
  enum Kind: Hashable {
    /// A name or a keyword.
    case name(String)
    /// A name in backticks, which is never a keyword.
    case quotedName(String)
    case number(String)
    case text(String)
    case bytes([UInt8])
    /// A date or a moment, as it is written.
    case moment(String)
    case uuid(String)
    /// A number of units of time, such as 7 and "d".
    case duration(Int, String)
    /// A parameter without its sign: a number or a name.
    case parameter(String)
    case sign(String)
    case end
  }

  let kind: Kind
  /// Where it begins, as a number of scalars.
  let position: Int
  /// Where it ends.
  let end: Int

  /// The keyword in small letters; nil for anything else.
  var keyword: String? {
    if case .name(let name) = kind { name.lowercased() } else { nil }
  }

  /// Whether it may be the query of a search.
  var isTextOrParameter: Bool {
    switch kind {
    case .text, .parameter: true
    default: false
    }
  }

  /// Whether it may be the count of a limit.
  var isNumberOrParameter: Bool {
    switch kind {
    case .number, .parameter: true
    default: false
    }
  }

  /// The token as an error names it.
  var shown: String {
    switch kind {
    case .name(let name), .quotedName(let name), .number(let name), .moment(let name),
      .uuid(let name), .sign(let name):
      "\"\(name)\""
    case .text: "a text"
    case .bytes: "bytes"
    case .duration(let count, let unit): "\"\(count)\(unit)\""
    case .parameter(let name): "\"$\(name)\""
    case .end: "the end"
    }
  }
}

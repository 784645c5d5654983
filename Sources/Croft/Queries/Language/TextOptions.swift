/// What a comparison of texts takes no notice of.
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Makes options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Upper and lower case are one, by Unicode's full case folding: ß is SS.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Marks such as accents are left out: é is e.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// What a text is tested for.
@usableFromInline
struct TextPattern: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case equal, contains, hasPrefix, hasSuffix, like
  }

  let kind: Kind
  let text: String
  let options: TextOptions

  /// What every matching text begins with, and whether every text that does so matches.
  var literalStart: (String, isAll: Bool)? {
    switch kind {
    case .hasPrefix: return (text, true)
    case .like:
      let tokens = LikePattern(text).tokens
      let literals = tokens.prefix { if case .scalar = $0 { true } else { false } }
      var start = ""
      for case .scalar(let scalar) in literals { start.unicodeScalars.append(scalar) }
      // The last scalar may compose with what a wildcard stands for.
      if tokens.count > literals.count, !start.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
      return (start, tokens.count == literals.count + 1 && tokens.last == .any)
    case .equal, .contains, .hasSuffix: return nil
    }
  }
}

/// A pattern with `*` for any text and `?` for one character; `\` takes either by its word.
struct LikePattern {
  enum Token: Hashable {
    case scalar(Unicode.Scalar)
    case one
    case any
  }

  let tokens: [Token]

  init(_ text: String) {
    var tokens: [Token] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        tokens.append(.scalar(scalar))
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "*" {
        if tokens.last != .any { tokens.append(.any) }
      } else {
        tokens.append(scalar == "?" ? .one : .scalar(scalar))
      }
    }
    if isEscaped { tokens.append(.scalar("\\")) }
    self.tokens = tokens
  }
}

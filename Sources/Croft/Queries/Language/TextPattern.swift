extension QueryColumn where Value: StoredText {
  /// Holds where the text equals another one under the options; never for nil.
  ///
  /// - Parameters:
  ///   - text: The other text.
  ///   - options: The differences that are ignored.
  public func equals(_ text: String, options: TextOptions = []) -> QueryCondition<M> {
    condition(.equal, text, options)
  }

  /// Holds where the text contains another one; never for nil.
  ///
  /// Every text contains the empty one.
  public func contains(_ text: String, options: TextOptions = []) -> QueryCondition<M> {
    condition(.contains, text, options)
  }

  /// Holds where the text begins with another one; never for nil.
  ///
  /// An index reads it as a range.
  /// An empty beginning is that of every text.
  public func hasPrefix(_ prefix: String, options: TextOptions = []) -> QueryCondition<M> {
    condition(.hasPrefix, prefix, options)
  }

  /// Holds where the text ends with another one; never for nil.
  ///
  /// An empty end is that of every text.
  public func hasSuffix(_ suffix: String, options: TextOptions = []) -> QueryCondition<M> {
    condition(.hasSuffix, suffix, options)
  }

  /// Holds where the whole text matches a pattern; never for nil.
  ///
  /// `*` matches any text, `?` one Unicode scalar; `\*` and `\?` match the signs themselves. An index
  /// reads the characters before the first wildcard as a range.
  public func like(_ pattern: String, options: TextOptions = []) -> QueryCondition<M> {
    condition(.like, pattern, options)
  }

  private func condition(
    _ kind: TextPattern.Kind, _ text: String, _ options: TextOptions
  ) -> QueryCondition<M> {
    QueryCondition(.text(path, TextPattern(kind: kind, text: text, options: options)))
  }
}

/// A text, or an optional one.
public protocol StoredText: Storable {}

extension String: StoredText {}

extension Optional: StoredText where Wrapped: StoredText {}

/// The differences that a comparison of texts ignores.
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Makes options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Ignores case, by Unicode's full case folding: ß equals SS.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Ignores diacritical marks such as accents: é equals e.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// A test of a text: how it is compared, with which text, and under which options.
@usableFromInline
struct TextPattern: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case equal, contains, hasPrefix, hasSuffix, like
    /// A search, whose query is the text.
    case matches
  }

  let kind: Kind
  let text: String
  let options: TextOptions

  /// The text that every matching text begins with, and whether each text that does so matches.
  var literalStart: (String, isAll: Bool)? {
    switch kind {
    case .hasPrefix: return (text, true)
    case .like:
      let tokens = LikePattern(text).tokens
      let literals = tokens.prefix { if case .scalar = $0 { true } else { false } }
      var start = ""
      for case .scalar(let scalar) in literals { start.unicodeScalars.append(scalar) }
      // The last scalar may compose with the text that a wildcard matches.
      if tokens.count > literals.count, !start.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
      return (start, tokens.count == literals.count + 1 && tokens.last == .any)
    case .equal, .contains, .hasSuffix, .matches: return nil
    }
  }
}

/// A pattern with `*` for any text and `?` for one scalar; after `\` either is literal.
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

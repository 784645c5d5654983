extension Column where Value: Storable {
  /// Holds where the property equals the value; texts by canonical equivalence.
  ///
  /// As in Swift, no number equals NaN, NaN included.
  public static func == (column: Self, value: Value) -> Condition<M> {
    switch value.stored {
    case .none: Condition(.isNil(column.path))
    case let stored: Condition(.compare(column.path, .equal, stored))
    }
  }

  /// Holds exactly where `==` does not; so `!= v` includes nil.
  public static func != (column: Self, value: Value) -> Condition<M> {
    Condition(.negation(of: (column == value).expression))
  }

  /// Holds where the property is one of the values.
  ///
  /// - Parameter values: The values; nil may be among those for an optional property.
  /// - Complexity: O(1) for each row, however many values there are.
  public func `in`(_ values: some Sequence<Value>) -> Condition<M> {
    Condition(.within(path, values.map(\.stored)))
  }
}

extension Column where Value: Ordered {
  /// Holds where the property is less than the value; never for nil.
  public static func < (column: Self, value: Value) -> Condition<M> {
    column.compare(.less, value)
  }

  /// Holds where the property is at most the value; never for nil.
  public static func <= (column: Self, value: Value) -> Condition<M> {
    column.compare(.lessOrEqual, value)
  }

  /// Holds where the property is greater than the value; never for nil.
  public static func > (column: Self, value: Value) -> Condition<M> {
    column.compare(.greater, value)
  }

  /// Holds where the property is at least the value; never for nil.
  public static func >= (column: Self, value: Value) -> Condition<M> {
    column.compare(.greaterOrEqual, value)
  }

  /// Holds where the property is between two values, both included; never for nil.
  ///
  /// - Parameters:
  ///   - lower: The least value that passes.
  ///   - upper: The greatest value that passes.
  public func between(_ lower: Value, _ upper: Value) -> Condition<M> {
    self >= lower && self <= upper
  }

  private func compare(_ comparison: Comparison, _ value: Value) -> Condition<M> {
    switch value.stored {
    // An order with nil never holds.
    case .none: Condition(.constant(false))
    case let stored: Condition(.compare(path, comparison, stored))
    }
  }
}

extension Column where Value: Ordered, Value.Unwrapped: Ordered & Comparable {
  /// Holds where the property is in a range, both ends included; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: ClosedRange<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(path, .greaterOrEqual, range.lowerBound.stored),
        .compare(path, .lessOrEqual, range.upperBound.stored)))
  }

  /// Holds where the property is in a range, its end excluded; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: Range<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(path, .greaterOrEqual, range.lowerBound.stored),
        .compare(path, .less, range.upperBound.stored)))
  }
}

extension Column where Value: OptionalStorable {
  /// Holds where an optional property has no value.
  public var isNil: Condition<M> {
    // A struct has a column of its own that holds whether it is there.
    Value.Unwrapped.self is any Embedded.Type
      ? Condition(.not(.compare(path, .equal, .bool(true)))) : Condition(.isNil(path))
  }
}

/// An optional property.
public protocol OptionalStorable: StorableProperty {}

extension Optional: OptionalStorable where Wrapped: StorableProperty {}

extension Column where Value: Storable {
  /// Holds where two properties of an object are equal; nil equals nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func == <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .equal, right.path))
  }

  /// Holds exactly where `==` does not.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func != <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.not(.columns(left.path, .equal, right.path)))
  }
}

extension Column where Value: Ordered {
  /// Holds where one property is less than another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func < <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .less, right.path))
  }

  /// Holds where one property is at most another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func <= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .lessOrEqual, right.path))
  }

  /// Holds where one property is greater than another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func > <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .greater, right.path))
  }

  /// Holds where one property is at least another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func >= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .greaterOrEqual, right.path))
  }
}

// Texts are compared as bytes of UTF-8 in normalisation form C, as the keys of an index are.

extension Column where Value: StoredText {
  /// Holds where the text equals another one under the options; never for nil.
  ///
  /// - Parameters:
  ///   - text: The other text.
  ///   - options: The differences that are ignored.
  public func equals(_ text: String, options: TextOptions = []) -> Condition<M> {
    matches(.equal, text, options)
  }

  /// Holds where the text contains another one; never for nil.
  ///
  /// - Parameters:
  ///   - text: The text to search for; every text contains the empty one.
  ///   - options: The differences that are ignored.
  public func contains(_ text: String, options: TextOptions = []) -> Condition<M> {
    matches(.contains, text, options)
  }

  /// Holds where the text begins with another one; never for nil.
  ///
  /// An index reads it as a range.
  ///
  /// - Parameters:
  ///   - prefix: The beginning; an empty one is that of every text.
  ///   - options: The differences that are ignored.
  public func hasPrefix(_ prefix: String, options: TextOptions = []) -> Condition<M> {
    matches(.hasPrefix, prefix, options)
  }

  /// Holds where the text ends with another one; never for nil.
  ///
  /// - Parameters:
  ///   - suffix: The end; an empty one is that of every text.
  ///   - options: The differences that are ignored.
  public func hasSuffix(_ suffix: String, options: TextOptions = []) -> Condition<M> {
    matches(.hasSuffix, suffix, options)
  }

  /// Holds where the whole text fits a pattern; never for nil.
  ///
  /// An index reads the characters before the first wildcard as a range.
  ///
  /// - Parameters:
  ///   - pattern: `*` matches any text, `?` one Unicode scalar; after `\` either is taken
  ///     literally.
  ///   - options: The differences that are ignored.
  public func like(_ pattern: String, options: TextOptions = []) -> Condition<M> {
    matches(.like, pattern, options)
  }

  private func matches(
    _ kind: TextPattern.Kind, _ text: String, _ options: TextOptions
  ) -> Condition<M> {
    Condition(.text(path, TextPattern(kind: kind, text: text, options: options)))
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
    case .equal, .contains, .hasSuffix: return nil
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

extension Column where Value: Storable {
  /// Holds where the property equals the value; texts by canonical equivalence.
  ///
  /// As in Swift, no number equals NaN, NaN included.
  public static func == (column: Self, value: Value) -> Condition<M> {
    switch value.stored {
    case .none: Condition(.isNil(column.place))
    case let stored: Condition(.compare(column.place, .equal, stored))
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
    Condition(.within(place, values.map(\.stored)))
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

  /// Holds where the property lies between two values, both of which belong to it; never for nil.
  ///
  /// - Parameters:
  ///   - lower: The least value that passes.
  ///   - upper: The greatest value that passes.
  public func between(_ lower: Value, _ upper: Value) -> Condition<M> {
    self >= lower && self <= upper
  }

  private func compare(_ comparison: Comparison, _ value: Value) -> Condition<M> {
    switch value.stored {
    // Nothing is in order with nil.
    case .none: Condition(.constant(false))
    case let stored: Condition(.compare(place, comparison, stored))
    }
  }
}

extension Column where Value: Ordered, Value.Unwrapped: Ordered & Comparable {
  /// Holds where the property lies in a range, both ends included; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: ClosedRange<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(place, .greaterOrEqual, range.lowerBound.stored),
        .compare(place, .lessOrEqual, range.upperBound.stored)))
  }

  /// Holds where the property lies in a range, its end excluded; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: Range<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(place, .greaterOrEqual, range.lowerBound.stored),
        .compare(place, .less, range.upperBound.stored)))
  }
}

extension Column where Value: OptionalStorable {
  /// Holds where an optional property has no value.
  public var isNil: Condition<M> {
    // A column of its own tells whether a struct is there.
    Value.Unwrapped.self is any Embedded.Type
      ? Condition(.not(.compare(place, .equal, .bool(true)))) : Condition(.isNil(place))
  }
}

/// An optional property.
public protocol OptionalStorable: StorableProperty {}

extension Optional: OptionalStorable where Wrapped: StorableProperty {}

// Two properties of one object, compared with each other.

extension Column where Value: Storable {
  /// Holds where two properties of an object are equal; nil equals nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func == <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .equal, right.place))
  }

  /// Holds exactly where `==` does not.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func != <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.not(.columns(left.place, .equal, right.place)))
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
    Condition(.columns(left.place, .less, right.place))
  }

  /// Holds where one property is at most another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func <= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .lessOrEqual, right.place))
  }

  /// Holds where one property is greater than another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func > <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .greater, right.place))
  }

  /// Holds where one property is at least another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func >= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .greaterOrEqual, right.place))
  }
}

// Texts are compared as bytes of UTF-8 in normalisation form C: what an index can do.

extension Column where Value: StoredText {
  /// Holds where the text equals another one but for what the options leave out; never for nil.
  ///
  /// - Parameters:
  ///   - text: The other text.
  ///   - options: What is not looked at.
  public func equals(_ text: String, options: TextOptions = []) -> Condition<M> {
    matches(.equal, text, options)
  }

  /// Holds where the text has another one in it; never for nil.
  ///
  /// - Parameters:
  ///   - text: What to look for; an empty text is in every text.
  ///   - options: What is not looked at.
  public func contains(_ text: String, options: TextOptions = []) -> Condition<M> {
    matches(.contains, text, options)
  }

  /// Holds where the text begins with another one; never for nil.
  ///
  /// An index reads it as a range.
  ///
  /// - Parameters:
  ///   - prefix: The beginning; an empty one is that of every text.
  ///   - options: What is not looked at.
  public func hasPrefix(_ prefix: String, options: TextOptions = []) -> Condition<M> {
    matches(.hasPrefix, prefix, options)
  }

  /// Holds where the text ends with another one; never for nil.
  ///
  /// - Parameters:
  ///   - suffix: The end; an empty one is that of every text.
  ///   - options: What is not looked at.
  public func hasSuffix(_ suffix: String, options: TextOptions = []) -> Condition<M> {
    matches(.hasSuffix, suffix, options)
  }

  /// Holds where the whole text fits a pattern; never for nil.
  ///
  /// What stands before the first wildcard is a range of an index.
  ///
  /// - Parameters:
  ///   - pattern: `*` stands for any text, `?` for one Unicode scalar; `\` before either takes it
  ///     by its word.
  ///   - options: What is not looked at.
  public func like(_ pattern: String, options: TextOptions = []) -> Condition<M> {
    matches(.like, pattern, options)
  }

  private func matches(
    _ kind: TextPattern.Kind, _ text: String, _ options: TextOptions
  ) -> Condition<M> {
    Condition(.text(place, TextPattern(kind: kind, text: text, options: options)))
  }
}

/// A text, or an optional one.
public protocol StoredText: Storable {}

extension String: StoredText {}
extension Optional: StoredText where Wrapped: StoredText {}

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

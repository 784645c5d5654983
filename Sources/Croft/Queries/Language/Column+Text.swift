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

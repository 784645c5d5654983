/// What may take the place of the last word of a query text or a statement.
///
/// ```swift
/// let completion = try store.completions(of: "Book where author.na")
/// // completion.word == "na", and the candidate is "name"
/// ```
public struct QueryCompletion: Sendable, Hashable {
  /// What a candidate is.
  public enum Kind: Sendable, Hashable {
    /// The name of a model.
    case model
    /// The name of a property; in an insert or an update with the sign after it.
    case property
    /// The name of a reference, a struct, or a model that refers.
    ///
    /// A point and another name may follow.
    case reference
    /// The name of a function, with its parenthesis.
    case function
    /// A word of the language, or two as in `sort by`.
    case keyword
    /// A comparison, or another sign.
    case sign
    /// A literal: the case of an enum, a truth value, nil or a date.
    case value
  }

  /// A text that may take the place of the word.
  public struct Candidate: Sendable, Hashable {
    /// The text.
    public let text: String
    /// What it is.
    public let kind: Kind
  }

  /// The word at the end of the text, which may be empty.
  public let word: String
  /// The texts that begin with the word, in small or capital letters, the most likely first.
  public let candidates: [Candidate]
}

extension ReadTransaction {
  /// What may take the place of the last word of a text, by the grammar and the models of the file.
  ///
  /// - Parameter text: The beginning of a query or of a statement, up to a cursor. It may end within a word.
  /// - Returns: The candidates; none within a literal, and where the text before the word cannot be read.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)``.
  /// - Complexity: O(*n*) in the length of the text and the number of models and properties.
  public func completions(of text: String) throws -> QueryCompletion {
    do {
      return QueryCompleter(text, try storedModels().schemas).completion
    } catch { throw failing(error) }
  }
}

extension ReadableStore {
  /// What may take the place of the last word of a text, by the grammar and the models of the file.
  ///
  /// - Throws: As ``ReadTransaction/completions(of:)``, and for a read.
  public func completions(of text: String) throws -> QueryCompletion {
    try read { try $0.completions(of: text) }
  }
}

/// One problem of the input: its field, its code and its severity.
///
/// An issue has no text for users. A message catalogue provides the text when it is shown, so rules
/// and their tests use codes and no language.
public struct ValidationIssue: Error, Hashable, Sendable {
  /// Whether an issue refuses the input.
  public enum Severity: Hashable, Sendable {
    /// The input is refused.
    case error
    /// The input is accepted, and the user should know.
    case warning
  }

  /// A number or a text that an issue's message contains.
  public enum Value: Hashable, Sendable {
    /// A whole number, such as a limit.
    case integer(Int)
    /// A piece of text, such as the word that was not understood.
    case text(String)
  }

  /// The field in question; empty when the input as a whole is meant.
  public let path: FieldPath
  /// The kind of the issue.
  public let code: Code
  /// The parameters of the message, by their names.
  public let params: [String: Value]
  /// Whether the issue refuses the input.
  public let severity: Severity

  /// Makes an issue; one without a path is about the input as a whole.
  public init(
    _ code: Code, at path: FieldPath = [], params: [String: Value] = [:],
    severity: Severity = .error
  ) {
    self.path = path
    self.code = code
    self.params = params
    self.severity = severity
  }

  /// The same issue with a path that begins with the given one, as for a nested form.
  public func prefixed(by prefix: FieldPath) -> ValidationIssue {
    ValidationIssue(code, at: prefix.appending(path), params: params, severity: severity)
  }
}

extension ValidationIssue.Value: CustomStringConvertible {
  /// The number or the text, without quotes.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text
    }
  }
}

/// An error as a front end shows it: a code for the user's text, and the cause for developers.
///
/// The text is looked up when it is shown, as that of an issue.
public struct PresentableError: Error, Sendable {
  /// The name under which message catalogues hold its text.
  public let code: ValidationIssue.Code
  /// The values that the text may contain.
  public let params: [String: ValidationIssue.Value]
  /// The field of the error; empty unless the error is an issue of one.
  public let path: FieldPath
  /// The error that was thrown.
  public let cause: any Error

  /// Makes a presentable error from any error.
  ///
  /// A ``FieldError`` has the code and the field of its first issue. An error that has no code is ``ValidationIssue/Code/unexpected``, with its own
  /// description as the parameter `reason`.
  public init(_ error: any Error) {
    switch error {
    case let error as PresentableError: self = error
    case let error as any CodedError:
      (code, params, path, cause) = (error.code, error.params, [], error)
    default:
      let issue = (error as? any FieldError)?.validationIssues.first
      code = issue?.code ?? .unexpected
      params = issue?.params ?? ["reason": .text("\(error)")]
      path = issue?.path ?? []
      cause = error
    }
  }
}

extension PresentableError: Equatable {
  /// Whether both have the same text; causes are not compared.
  public static func == (first: PresentableError, second: PresentableError) -> Bool {
    first.code == second.code && first.params == second.params && first.path == second.path
  }
}

/// An error with a code for the text that a user is shown.
public protocol CodedError: Error {
  /// The name under which message catalogues hold its text.
  var code: ValidationIssue.Code { get }
  /// The values that the text may contain.
  var params: [String: ValidationIssue.Value] { get }
}

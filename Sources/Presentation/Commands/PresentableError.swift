/// An error as a front end shows it: what to tell a person, and the cause for those who look into it.
///
/// The text is looked up when it is shown, as that of an issue.
public struct PresentableError: Error, Sendable {
  /// The name under which message catalogues hold its text.
  public let code: ValidationIssue.Code
  /// What the text may name.
  public let params: [String: ValidationIssue.Value]
  /// The field in question; empty unless the error is an issue of one.
  public let path: FieldPath
  /// What went wrong, as it was thrown.
  public let cause: any Error

  /// Makes of an error what can be shown of it.
  ///
  /// An error that has no code is ``ValidationIssue/Code/unexpected``, with its own
  /// description as the parameter `reason`.
  public init(_ error: any Error) {
    switch error {
    case let error as PresentableError: self = error
    case let issue as ValidationIssue:
      self.init(code: issue.code, params: issue.params, path: issue.path, cause: issue)
    case let error as any CodedError:
      self.init(code: error.code, params: error.params, cause: error)
    default:
      self.init(code: .unexpected, params: ["reason": .text("\(error)")], cause: error)
    }
  }

  private init(
    code: ValidationIssue.Code, params: [String: ValidationIssue.Value], path: FieldPath = [],
    cause: any Error
  ) {
    self.code = code
    self.params = params
    self.path = path
    self.cause = cause
  }
}

extension PresentableError: Equatable {
  /// Whether both tell a person the same; causes are not compared.
  public static func == (first: PresentableError, second: PresentableError) -> Bool {
    first.code == second.code && first.params == second.params && first.path == second.path
  }
}

/// An error that says by a code what a person is to be told.
public protocol CodedError: Error {
  /// The name under which message catalogues hold its text.
  var code: ValidationIssue.Code { get }
  /// What the text may name.
  var params: [String: ValidationIssue.Value] { get }
}

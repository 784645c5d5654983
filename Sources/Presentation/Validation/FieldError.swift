/// An error that a form shows at its fields.
///
/// An error type of a domain or of a store conforms to it, so that the forms of a program show its
/// errors without code of their own:
///
/// ```swift
/// enum AccountError: FieldError {
///   case nameTaken, connectionLost
///
///   var validationIssues: [ValidationIssue] {
///     switch self {
///     case .nameTaken: [ValidationIssue(.notUnique, at: "name")]
///     case .connectionLost: []
///     }
///   }
/// }
/// ```
public protocol FieldError: Error {
  /// The issues at the fields that they are about; none if the error is not about the input.
  var validationIssues: [ValidationIssue] { get }
}

extension ValidationIssue: FieldError {
  /// The issue itself.
  public var validationIssues: [ValidationIssue] { [self] }
}

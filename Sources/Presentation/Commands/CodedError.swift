/// An error that says by a code what a person is to be told.
public protocol CodedError: Error {
  /// The name under which message catalogues hold its text.
  var code: ValidationIssue.Code { get }
  /// What the text may name.
  var params: [String: ValidationIssue.Value] { get }
}

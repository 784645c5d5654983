/// A line of a dump that cannot be loaded: which one, and why.
public struct DumpError: Error, Sendable, Hashable {
  /// The number of the line, from 1; that after the last one where a line is missing.
  public let line: Int
  /// What is wrong.
  public let reason: String

  init(_ line: Int, _ reason: String) { (self.line, self.reason) = (line, reason) }

  /// The error for a line that is not the expected JSON.
  init(_ line: Int, _ error: DecodingError) {
    let context: DecodingError.Context? =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context): context
      case .keyNotFound(let key, let context):
        DecodingError.Context(
          codingPath: context.codingPath + [key], debugDescription: "It is missing.")
      case .dataCorrupted(let context): context
      @unknown default: nil
      }
    let path = context?.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue } ?? []
    let reason = context?.debugDescription ?? "\(error)"
    self.init(line, path.isEmpty ? reason : "\(path.joined(separator: ".")): \(reason)")
  }
}

extension DumpError: CustomStringConvertible {
  /// The number of the line, and the reason.
  public var description: String { "line \(line) of the dump: \(reason)" }
}

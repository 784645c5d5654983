/// A query text that cannot be read, or that does not fit the models: where, and what would fit.
public struct QueryTextError: Error, Sendable, Hashable {
  /// The text of the query.
  public let query: String
  /// Where in the text it is, as a number of Unicode scalars from its start.
  public let position: Int
  /// What is wrong, and what would fit.
  public let reason: String
  /// Whether the text ends too early, so that it may be right with more of it.
  ///
  /// A shell reads another line then: `Book where (year > 2000` is unfinished, and `Book where )` is not.
  public let isUnfinished: Bool

  init(
    _ reason: String, at position: Int, in query: String = "", isUnfinished: Bool = false
  ) {
    (self.query, self.position, self.reason) = (query, position, reason)
    self.isUnfinished = isUnfinished
  }

  /// The same error of a text.
  func inText(_ query: String) -> QueryTextError {
    let count = query.unicodeScalars.count
    let isAtEnd = position >= count && count < QueryLexer.scalarsMax
    return QueryTextError(
      reason, at: position, in: query, isUnfinished: isUnfinished || isAtEnd)
  }
}

extension QueryTextError: CustomStringConvertible {
  /// The most scalars of a line that are shown before the place, and from it on.
  private static let scalarsShown = 200

  /// The line of the text, a caret below the place, and the reason.
  ///
  /// Of a long line that is what is near the place, with `...` for the rest.
  public var description: String {
    let scalars = Array(query.unicodeScalars)
    let place = Swift.min(position, scalars.count)
    let lineStart = scalars[..<place].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    let lineEnd = scalars[place...].firstIndex(of: "\n") ?? scalars.count
    let start = Swift.max(lineStart, place - Self.scalarsShown)
    let end = Swift.min(lineEnd, place + Self.scalarsShown)
    let (before, after) = (start > lineStart ? "..." : "", end < lineEnd ? "..." : "")
    let text = before + String(String.UnicodeScalarView(scalars[start..<end])) + after
    let indent = scalars[start..<place].reduce(before.count) { $0 + Self.columns(of: $1) }
    return "\(reason)\n\(text)\n\(String(repeating: " ", count: indent))^"
  }

  /// How many columns of a terminal a scalar takes: two for Hangul, Han and kana.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.properties.canonicalCombiningClass != .notReordered { return 0 }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60: 2
    default: 1
    }
  }
}

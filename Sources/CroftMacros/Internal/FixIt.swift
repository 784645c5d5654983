import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
  init(_ remedy: Remedy, _ changes: Change...) {
    self.init(message: remedy, changes: changes)
  }
}

extension FixIt.Change {
  /// Replaces the text of a node; the trivia around it is kept.
  static func replacing(_ node: some SyntaxProtocol, with text: String) -> Self {
    let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
    return .replaceText(range: range, with: text, in: Syntax(node))
  }

  /// Removes a node and the space after it.
  static func removing(_ node: some SyntaxProtocol) -> Self {
    let range = node.positionAfterSkippingLeadingTrivia..<node.endPosition
    return .replaceText(range: range, with: "", in: Syntax(node))
  }

  /// Inserts text before a node, after its comments.
  static func inserting(_ text: String, before node: some SyntaxProtocol) -> Self {
    let start = node.positionAfterSkippingLeadingTrivia
    return .replaceText(range: start..<start, with: text, in: Syntax(node))
  }

  /// Inserts text directly after a node.
  static func inserting(_ text: String, after node: some SyntaxProtocol) -> Self {
    let end = node.endPositionBeforeTrailingTrivia
    return .replaceText(range: end..<end, with: text, in: Syntax(node))
  }
}

import SwiftSyntax

extension MemberBlockSyntax {
  /// A new first member to insert after the opening brace; on its own line if the others are.
  func inserted(_ member: String) -> String {
    guard let first = members.first else { return " \(member) " }
    let trivia = first.leadingTrivia.description
    guard let lineBreak = trivia.lastIndex(where: \.isNewline) else { return " \(member);" }
    let indentation = trivia[trivia.index(after: lineBreak)...].prefix(while: \.isWhitespace)
    return "\n\(indentation)\(member)"
  }
}

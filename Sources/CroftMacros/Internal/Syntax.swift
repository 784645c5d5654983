import SwiftSyntax

extension SyntaxProtocol {
  /// Whether this is the declaration of a type or an extension, as a lexical context.
  var isTypeOrExtension: Bool { asProtocol((any DeclGroupSyntax).self) != nil }

  /// Whether this is a declaration with generic parameters.
  var isGeneric: Bool {
    asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
  }
}

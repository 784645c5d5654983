package import SwiftSyntax
package import SwiftSyntaxMacros

/// Marks a reference with a rule for deletes; it generates nothing.
package enum RelationMacro: PeerMacro {
  /// Adds nothing; reports a property that holds no references, and a rule that it cannot follow.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = context.markedProperty(declaration, by: .relation, node),
      let type = property.annotation
    else { return [] }
    if type.isWithoutReferences {
      context.diagnose(
        .relationOffReference(property.name), at: node, remedies: node.removal)
    } else if type.isRef, let rule = node.argument(named: "nullify") {
      context.diagnose(.nullifiedRequired(property.name), at: rule)
    }
    return []
  }
}

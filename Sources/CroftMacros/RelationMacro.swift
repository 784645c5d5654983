package import SwiftSyntax
package import SwiftSyntaxMacros

/// Marks a reference with a rule for deletes; it generates nothing.
package enum RelationMacro: PeerMacro {
  /// Adds nothing; reports a place where it has no effect.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = context.markedProperty(declaration, by: .relation, node) else { return [] }
    if property.isTransient {
      context.diagnose(
        .transientMarked(property.name, .relation), at: node, remedies: node.removal)
    }
    return []
  }
}

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
    _ = context.markedProperty(declaration, by: .relation, node)
    return []
  }
}

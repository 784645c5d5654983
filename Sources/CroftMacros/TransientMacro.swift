package import SwiftSyntax
package import SwiftSyntaxMacros

/// Marks a property that is not stored; it generates nothing.
package enum TransientMacro: PeerMacro {
  /// Adds nothing; reports where it has no effect.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    _ = context.markedProperty(declaration, by: .transient, node)
    return []
  }
}

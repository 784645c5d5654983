package import SwiftSyntax
package import SwiftSyntaxMacros

/// Marks a property that is stored as JSON; it generates nothing.
package enum CodedMacro: PeerMacro {
  /// Adds nothing; reports where it has no effect.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    _ = context.markedProperty(declaration, by: .coded, node)
    return []
  }
}

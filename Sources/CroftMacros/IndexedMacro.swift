package import SwiftSyntax
package import SwiftSyntaxMacros

/// Marks an indexed property; it generates nothing, and reports a wrong place.
package enum IndexedMacro: PeerMacro {
  /// Adds nothing; reports a misplaced index and one on what has no order.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = context.markedProperty(declaration, by: .indexed, node) else {
      return []
    }
    let unordered =
      property.annotation?.unorderedDescription ?? property.initializer?.unorderedDescription
    if let unordered {
      context.diagnose(
        .unorderedIndex(property.name, type: unordered), at: node,
        remedies: node.removal)
    }
    return []
  }
}

package import SwiftSyntax
package import SwiftSyntaxMacros

/// Marks an indexed property; it generates nothing, and reports its misuse.
package enum IndexedMacro: PeerMacro {
  /// Adds nothing; reports an index that is misplaced or that the type cannot have.
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
    } else if let option = node.argument(named: "caseFolded"),
      let type = property.annotation?.textless
    {
      context.diagnose(.caseFoldedOffText(property.name, type: type), at: option)
    }
    return []
  }
}

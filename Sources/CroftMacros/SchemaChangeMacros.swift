package import SwiftSyntax
package import SwiftSyntaxMacros

/// Says what a model or a property was called before; it generates nothing.
package enum RenamedMacro: PeerMacro {
  /// Adds nothing; reports where it has no effect.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if node.writtenArguments.isEmpty {
      context.diagnose(.namesNothing("Renamed"), at: node, remedies: node.removal)
      return []
    }
    if let type = declaration.asProtocol((any DeclGroupSyntax).self) {
      if !type.attributes.contains(named: StructRole.model.rawValue) {
        context.diagnose(.renamedOffModel, at: node, remedies: node.removal)
      }
      return []
    }
    _ = context.markedProperty(declaration, by: .renamed, node)
    return []
  }
}

/// Names stored fields that are to be dropped; it generates nothing.
package enum RemovedMacro: PeerMacro {
  /// Adds nothing; reports where it has no effect.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let type = declaration.asProtocol((any DeclGroupSyntax).self)
    if type?.attributes.contains(named: StructRole.model.rawValue) != true {
      context.diagnose(.removedOffModel, at: node, remedies: node.removal)
    } else if node.writtenArguments.isEmpty {
      context.diagnose(.namesNothing("Removed"), at: node, remedies: node.removal)
    }
    return []
  }
}

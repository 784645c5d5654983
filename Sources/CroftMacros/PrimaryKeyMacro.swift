package import SwiftSyntax
package import SwiftSyntaxMacros

/// Marks the primary key; it generates nothing, and reports its misuse.
package enum PrimaryKeyMacro: PeerMacro {
  /// Adds nothing; reports a misplaced, untyped, optional or unfit key.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = context.markedProperty(declaration, by: .primaryKey, node) else {
      return []
    }
    guard let annotation = property.annotation else {
      context.diagnose(
        .primaryKeyNeedsAnnotation(property.name), at: property.binding.pattern,
        remedies: property.annotating)
      return []
    }
    if annotation.isOptional {
      context.diagnose(
        .optionalPrimaryKey(property.name), at: annotation, remedies: property.unwrapping)
    } else if annotation.isUnfitForKeys {
      context.diagnose(
        .unfitPrimaryKey(property.name, type: annotation.trimmedDescription), at: annotation)
    }
    return []
  }
}

import SwiftSyntax
import SwiftSyntaxMacros

/// A declaration of indexes: `@Model` reads it, and it generates nothing.
protocol IndexDeclaration: DeclarationMacro {}

extension IndexDeclaration {
  /// Adds nothing; reports an index that belongs to no model, or has no columns.
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let name = node.macroName.text
    if !context.isInside(.model) {
      context.diagnose(.indexOutsideModel(name), at: node)
    } else if node.arguments.isEmpty && node.trailingClosure == nil
      || node.arguments.contains(where: {
        $0.expression.as(ArrayExprSyntax.self)?.elements.isEmpty == true
      })
    {
      context.diagnose(.indexOfNothing(name), at: node)
    }
    return []
  }
}

/// Declares indexes over several properties.
package enum IndexMacro: IndexDeclaration {}

/// Declares unique indexes.
package enum UniqueMacro: IndexDeclaration {}

/// Declares an index for searches.
package enum FullTextMacro: IndexDeclaration {}

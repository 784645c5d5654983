package import SwiftSyntax
package import SwiftSyntaxMacros

/// Declares indexes over several properties; `@Model` reads it, and it generates nothing.
package enum IndexMacro: DeclarationMacro {
  /// Adds nothing; reports where it has no effect.
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    context.checkIndex(node)
    return []
  }
}

/// Declares unique indexes; `@Model` reads it, and it generates nothing.
package enum UniqueMacro: DeclarationMacro {
  /// Adds nothing; reports where it has no effect.
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    context.checkIndex(node)
    return []
  }
}

extension MacroExpansionContext {
  /// Reports an index that belongs to no model, or has no columns.
  fileprivate func checkIndex(_ node: some FreestandingMacroExpansionSyntax) {
    let name = node.macroName.text
    if !isInside(.model) {
      diagnose(.indexOutsideModel(name), at: node)
    } else if node.arguments.isEmpty && node.trailingClosure == nil
      || node.arguments.contains(where: {
        $0.expression.as(ArrayExprSyntax.self)?.elements.isEmpty == true
      })
    {
      diagnose(.indexOfNothing(name), at: node)
    }
  }
}

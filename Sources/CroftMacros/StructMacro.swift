import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A macro of a struct that rows are read into: what it generates is in one extension.
protocol StructMacro: ExtensionMacro, MemberMacro {
  /// What the struct becomes.
  static var role: StructRole { get }
  /// The inheritance clause: those of the macro's conformances that the user did not declare.
  static func conformances(
    of declaration: ModelDeclaration, missing protocols: [TypeSyntax]
  ) -> String
  /// The members of the extension; those of a misused declaration have no code.
  static func members(
    of declaration: ModelDeclaration, _ type: some TypeSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [String?]
}

extension StructMacro {
  /// Writes the extension, or reports why the declaration cannot have it.
  package static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let model = ModelDeclaration(declaration, as: role, in: context) else { return [] }
    let type = type.trimmed
    let members = members(of: model, type, in: context).compactMap(\.self)
    let source: DeclSyntax = """
      nonisolated extension \(type)\(raw: conformances(of: model, missing: protocols)) {
      \(raw: members.joined(separator: "\n\n"))
      }
      """
    return [source.cast(ExtensionDeclSyntax.self)]
  }

  /// Repeats the defaults that an extension cannot see, and diagnoses a local type.
  ///
  /// A local type cannot have the extension: the compiler reports that without expanding the
  /// macro's extension role, and suggests no remedy. It does expand this role, so the remedy is
  /// given here.
  package static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let model = declaration.as(StructDeclSyntax.self) else { return [] }
    if context.isLocal {
      context.diagnose(.localType(role, model.name.nameWithoutBackticks), at: model.name)
      return []
    }
    return [model.repeatedDefaults(in: context.lexicalContext)].compactMap(\.self)
  }
}

package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// Makes a struct a part of models: its properties become columns of those that hold it.
package enum EmbeddedMacro: ExtensionMacro {
  /// Writes the extension, or reports why the declaration cannot be embedded.
  package static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let part = ModelDeclaration(declaration, as: .embedded, in: context) else { return [] }
    let type = type.trimmed
    let members =
      part.isWellFormed
      ? [
        part.fields(of: type), part.initializer("_record") { $0.decoding },
        part.initializer("_present") { $0.decodingPresent }, part.encodingMethod,
        part.optionalEncodingMethod, part.memberwiseInitializer,
        part.storableCheck(of: type, in: context),
      ] : part.placeholders(of: type)
    let conformances = protocols.isEmpty ? "" : ": Croft.Embedded"
    return [members.inExtension(of: type, conformances: conformances)]
  }
}

extension EmbeddedMacro: MemberMacro {
  /// Repeats defaults and diagnoses a local type, as for models.
  package static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    context.checkPlace(of: declaration, as: .embedded)
    return context.repeatedDefaults(of: declaration)
  }
}

extension ModelDeclaration {
  /// Members without code, for a declaration of which a mistake was reported.
  fileprivate func placeholders(of type: some TypeSyntaxProtocol) -> [String?] {
    [
      """
      \(access)nonisolated static var _fields: Croft._EmbeddedFields<\(type)> {
      Swift.fatalError()
      }
      """,
      placeholder(for: "_record"), placeholder(for: "_present"),
      "\(access)nonisolated func _encode(into row: inout Croft._RecordEncoder) {\n}",
      """
      \(access)nonisolated static func _encode(
      _ value: Self?, into row: inout Croft._RecordEncoder
      ) {
      }
      """,
    ]
  }

  /// The properties, typed by their key paths.
  fileprivate func fields(of type: some TypeSyntaxProtocol) -> String {
    """
    \(access)nonisolated static let _fields = Croft._EmbeddedFields<\(type)>([
    \(properties.map { $0.field(of: type) + "," }.joined(separator: "\n"))
    ])
    """
  }

  /// Writes the fields in declaration order.
  fileprivate var encodingMethod: String {
    """
    \(access)nonisolated func _encode(into row: inout Croft._RecordEncoder) {
    \(properties.map(\.encoding).joined(separator: "\n"))
    }
    """
  }

  /// Writes the fields of a struct that may be absent.
  fileprivate var optionalEncodingMethod: String {
    let fields = properties.map { property in
      property.isCoded
        ? "row.encode(optional: value.map { Croft._Coded($0.\(property.spelling), "
          + "\(property.name.literal)) })"
        : "row.encode(optional: value?.\(property.spelling))"
    }
    return """
      \(access)nonisolated static func _encode(
      _ value: Self?, into row: inout Croft._RecordEncoder
      ) {
      \(fields.joined(separator: "\n"))
      }
      """
  }
}

package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// Makes a struct a model: everything it generates is in one extension.
///
/// An initializer in the struct's body would take away the memberwise one, and the generated
/// decoding initializer needs that one: only through it can a value be made without evaluating
/// the properties' defaults first.
package enum ModelMacro: ExtensionMacro {
  /// Writes the extension, or reports why the declaration cannot be a model.
  package static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let model = ModelDeclaration(declaration, as: .model, in: context) else { return [] }
    let type = type.trimmed
    let members =
      model.isWellFormed
      ? [
        model.schema(of: type), model.primaryKeyProperty, model.primaryKeyType,
        model.decodingInitializer, model.encodingMethod, model.memberwiseInitializer,
        model.storableCheck(of: type, in: context),
      ] : model.placeholders(of: type)
    return [members.inExtension(of: type, conformances: model.conformances(missing: protocols))]
  }
}

extension ModelMacro: MemberMacro {
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
    context.checkPlace(of: declaration, as: .model)
    return context.repeatedDefaults(of: declaration)
  }
}

extension MacroExpansionContext {
  /// Reports a struct inside a function.
  func checkPlace(of declaration: some DeclGroupSyntax, as role: StructRole) {
    if let name = declaration.as(StructDeclSyntax.self)?.name, isLocal {
      diagnose(.localType(role, name.nameWithoutBackticks), at: name)
    }
  }
}

extension MacroExpansionContext {
  /// The member with the defaults that a struct has to repeat.
  func repeatedDefaults(of declaration: some DeclGroupSyntax) -> [DeclSyntax] {
    guard !isLocal, let model = declaration.as(StructDeclSyntax.self) else { return [] }
    return model.repeatedDefaults(in: lexicalContext).map { [$0] } ?? []
  }
}

extension [String?] {
  /// An extension with the members that are not nil.
  func inExtension(of type: some TypeSyntaxProtocol, conformances: String) -> ExtensionDeclSyntax {
    let source: DeclSyntax = """
      nonisolated extension \(type)\(raw: conformances) {
      \(raw: compactMap { $0 }.joined(separator: "\n\n"))
      }
      """
    return source.cast(ExtensionDeclSyntax.self)
  }
}

extension ModelDeclaration {
  /// The inheritance clause: those of the macro's conformances that the user did not declare.
  fileprivate func conformances(missing protocols: [TypeSyntax]) -> String {
    let missing = protocols.map(\.baseName)
    var names: [String] = []
    if missing.contains("Model") { names.append("Croft.Model") }
    if missing.contains("Identifiable"), primaryKey.map(\.property.name) == ["id"] {
      names.append("Swift.Identifiable")
    }
    return names.isEmpty ? "" : ": " + names.joined(separator: ", ")
  }

  /// The schema: one column per property, typed by its key path and built once.
  fileprivate func schema(of type: some TypeSyntaxProtocol) -> String {
    let columns = properties.map { $0.column(of: type, isKeyCompound: isKeyCompound) + "," }
    var arguments = [name.literal, "[\n" + columns.joined(separator: "\n") + "\n]"]
    if !indexes.isEmpty {
      let list = indexes.map { index in
        "Croft._Index<\(type)>(\(index.columns)\(index.isUnique ? ", isUnique: true" : "")),"
      }
      arguments.append("indexes: [\n" + list.joined(separator: "\n") + "\n]")
    }
    if let aliases { arguments.append("renamedFrom: [\(aliases.withoutLabel)]") }
    if let removed { arguments.append("removed: [\(removed)]") }
    return """
      \(access)nonisolated static let _schema = Croft._ModelSchema<\(type)>(
      \(arguments.joined(separator: ",\n")))
      """
  }

  /// Members without code, for a declaration of which a mistake was reported.
  ///
  /// Without a conformance every use of the model would be an error too, and hide that one.
  fileprivate func placeholders(of type: some TypeSyntaxProtocol) -> [String?] {
    let part = primaryKey.first { !$0.property.isCoded }
    let key = part?.annotation.trimmedDescription ?? "Swift.Int"
    return [
      """
      \(access)nonisolated static var _schema: Croft._ModelSchema<\(type)> {
      Swift.fatalError()
      }
      """,
      """
      \(access)nonisolated var _primaryKey: \(isKeyCompound ? "PrimaryKey" : key) {
      Swift.fatalError()
      }
      """,
      primaryKeyType, placeholder(for: "_record"),
      "\(access)nonisolated func _encode(into row: inout Croft._RecordEncoder) {\n}",
    ]
  }

  /// The key's value, under the one name that the store knows.
  fileprivate var primaryKeyProperty: String {
    guard !isKeyCompound, let part = primaryKey.first else {
      let parts = primaryKey.map { "\($0.property.label): self.\($0.property.spelling)" }
      return """
        \(access)nonisolated var _primaryKey: PrimaryKey {
        PrimaryKey(\(parts.joined(separator: ", ")))
        }
        """
    }
    return """
      \(access)nonisolated var _primaryKey: \(part.annotation.trimmedDescription) {
      self.\(part.property.spelling)
      }
      """
  }

  /// The type of a compound key: its parts by their names.
  fileprivate var primaryKeyType: String? {
    guard isKeyCompound else { return nil }
    let parts = primaryKey.map { ($0.property, $0.annotation.trimmedDescription) }
    return """
      \(access)nonisolated struct PrimaryKey: Croft.CompoundKey {
      \(parts.map { "\(access)var \($0.spelling): \($1)" }.joined(separator: "\n"))

      \(access)init(\(parts.map { "\($0.spelling): \($1)" }.joined(separator: ", "))) {
      \(parts.map { "self.\($0.0.spelling) = \($0.0.spelling)" }.joined(separator: "\n"))
      }

      \(access)static let _parts: [Croft.StorageType] = [
      \(parts.map { "\($1).storage," }.joined(separator: "\n"))
      ]

      \(access)init(_key row: inout Croft._RecordDecoder) throws {
      \(parts.map { "self.\($0.0.spelling) = try row.decodeKey()" }.joined(separator: "\n"))
      }

      \(access)func appendKey(to key: inout Croft._ByteBuffer) {
      \(parts.map { "key.appendKeyPart(self.\($0.0.spelling))" }.joined(separator: "\n"))
      }
      }
      """
  }

  /// Writes a row's fields in declaration order.
  fileprivate var encodingMethod: String {
    let fields = properties.map { property in
      if property.isPrimaryKey {
        return "row.\(isKeyCompound ? "encodeKeyPart" : "encodeKey")(self.\(property.spelling))"
      }
      return property.encoding
    }
    return """
      \(access)nonisolated func _encode(into row: inout Croft._RecordEncoder) {
      \(fields.joined(separator: "\n"))
      }
      """
  }

  /// Reads a row's fields in declaration order.
  fileprivate var decodingInitializer: String {
    initializer("_record") { property in
      property.isPrimaryKey && !isKeyCompound
        ? "Self._decodeKey(&row) { $0.\(property.spelling) }" : property.decoding
    }
  }
}

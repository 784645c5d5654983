package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// Makes a struct a model: everything it generates stands in one extension.
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
    guard let model = ModelDeclaration(declaration, in: context) else { return [] }
    let type = type.trimmed
    let members = [
      model.schema(of: type), model.primaryKeyProperty, model.decodingInitializer,
      model.encodingMethod, model.publicMemberwiseInitializer,
    ]
    let body = members.compactMap { $0 }.joined(separator: "\n\n")
    let conformances = model.conformances(missing: protocols)
    let source: DeclSyntax = """
      nonisolated extension \(type)\(raw: conformances) {
      \(raw: body)
      }
      """
    return [source.cast(ExtensionDeclSyntax.self)]
  }
}

extension ModelMacro: MemberMacro {
  /// Adds no member: it says what to do about a local type.
  ///
  /// The compiler refuses an extension for one without asking the macro, in words that name no
  /// remedy; for members it does ask.
  package static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let name = declaration.as(StructDeclSyntax.self)?.name, context.isLocal {
      context.diagnose(.localType(name.nameWithoutBackticks), at: name)
    }
    return []
  }
}

extension ModelDeclaration {
  /// The inheritance clause: those of the macro's conformances that the user did not declare.
  fileprivate func conformances(missing protocols: [TypeSyntax]) -> String {
    let missing = protocols.map(\.baseName)
    var names: [String] = []
    if missing.contains("Model") { names.append("Croft.Model") }
    if missing.contains("Identifiable"), primaryKey.name == "id" {
      names.append("Swift.Identifiable")
    }
    return names.isEmpty ? "" : ": " + names.joined(separator: ", ")
  }

  /// The schema: one column per property, typed by its key path and built once.
  fileprivate func schema(of type: some TypeSyntaxProtocol) -> String {
    let columns = properties.map { property in
      let function =
        property.isPrimaryKey ? "_keyColumn" : property.isIndexed ? "_indexedColumn" : "_column"
      return "Croft.\(function)(\\\(type).\(property.spelling), \(property.name.literal)),"
    }
    return """
      \(access)nonisolated static let _schema = Croft._ModelSchema<\(type)>(
      \(name.literal),
      [
      \(columns.joined(separator: "\n"))
      ])
      """
  }

  /// The key's value, under the one name that the store knows.
  fileprivate var primaryKeyProperty: String {
    """
    \(access)nonisolated var _primaryKey: \(primaryKey.annotation.trimmedDescription) {
    self.\(primaryKey.property.spelling)
    }
    """
  }

  /// Reads a row's fields in declaration order.
  ///
  /// The closures are never called: each pins the type that is read to its property's, so an
  /// optional stays one, and an initializer of the user's with the same labels but other types
  /// makes nothing ambiguous.
  fileprivate var decodingInitializer: String {
    let fields = properties.map { property in
      let function = property.isPrimaryKey ? "_decodeKey" : "_decode"
      return (property, "Self.\(function)(&row) { $0.\(property.spelling) }")
    }
    let body =
      hasMemberwiseInitializer
      ? "try self.init(\n"
        + fields.map { property, call in "\(property.label): \(call)" }.joined(separator: ",\n")
        + "\n)"
      : fields.map { property, call in "self.\(property.spelling) = try \(call)" }
        .joined(separator: "\n")
    return """
      \(access)nonisolated init(_row row: inout Croft._RowDecoder) throws {
      \(body)
      }
      """
  }

  /// Writes a row's fields in declaration order.
  fileprivate var encodingMethod: String {
    let fields = properties.map { property in
      "row.\(property.isPrimaryKey ? "encodeKey" : "encode")(self.\(property.spelling))"
    }
    return """
      \(access)nonisolated func _encode(into row: inout Croft._RowEncoder) {
      \(fields.joined(separator: "\n"))
      }
      """
  }

  /// What other modules make values with, where the struct declares no initializer of its own.
  ///
  /// It forwards to the memberwise initializer of the compiler, which is at most internal. No
  /// argument can be given for the last parameter: it keeps the two apart, and the attribute lets
  /// calls inside the module take the compiler's.
  fileprivate var publicMemberwiseInitializer: String? {
    guard needsPublicInitializer else { return nil }
    let signature = parameters.map { property in
      let type = property.annotation?.trimmedDescription ?? ""
      let value = property.parameterDefault.map { " = \($0)" } ?? ""
      return "\(property.spelling): \(type)\(value)"
    }
    let body =
      hasMemberwiseInitializer
      ? "self.init(\n" + parameters.map { "\($0.label): \($0.spelling)" }.joined(separator: ",\n")
        + "\n)"
      : parameters.map { "self.\($0.spelling) = \($0.spelling)" }.joined(separator: "\n")
    return """
      @_disfavoredOverload
      \(access)nonisolated init(
      \((signature + ["_: Never..."]).joined(separator: ",\n"))
      ) {
      \(body)
      }
      """
  }
}

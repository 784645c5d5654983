import SwiftSyntax
import SwiftSyntaxMacros

/// Makes a struct a model: everything it generates is in one extension.
///
/// An initializer in the struct's body would take away the memberwise one, and the generated
/// decoding initializer needs that one: only through it can a value be made without evaluating
/// the properties' defaults first.
package enum ModelMacro: StructMacro {
  static let role = StructRole.model

  static func conformances(of model: ModelDeclaration, missing protocols: [TypeSyntax]) -> String {
    let missing = protocols.map(\.baseName)
    var names: [String] = []
    if missing.contains("Model") { names.append("Croft.Model") }
    if missing.contains("Identifiable"), model.primaryKey.map(\.property.name) == ["id"] {
      names.append("Swift.Identifiable")
    }
    if missing.contains("SearchableModel"),
      model.indexes.contains(where: { $0.macro == "FullText" })
    {
      names.append("Croft.SearchableModel")
    }
    return names.isEmpty ? "" : ": " + names.joined(separator: ", ")
  }

  static func members(
    of model: ModelDeclaration, _ type: some TypeSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [String?] {
    guard model.isWellFormed else { return model.placeholders(of: type) }
    return [
      model.schema(of: type), model.primaryKeyProperty, model.primaryKeyType,
      model.decodingInitializer, model.encodingMethod(model.encodings), model.memberwiseInitializer,
      model.storableCheck(of: type, in: context),
    ]
  }
}

extension ModelDeclaration {
  /// The schema: one column per property, typed by its key path and built once.
  fileprivate func schema(of type: some TypeSyntaxProtocol) -> String {
    let columns = properties.map { $0.column(of: type, isKeyCompound: isKeyCompound) + "," }
    var arguments = [name.literal, "[\n" + columns.joined(separator: "\n") + "\n]"]
    if !indexes.isEmpty {
      let list = indexes.map { index in
        switch index.macro {
        case "FullText": "Croft._Index<\(type)>(searching: \(index.columns)),"
        case "Unique": "Croft._Index<\(type)>(\(index.columns), isUnique: true),"
        default: "Croft._Index<\(type)>(\(index.columns)),"
        }
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
      encodingMethod([]),
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

  /// The source that writes each field.
  fileprivate var encodings: [String] {
    properties.map { property in
      guard property.isPrimaryKey else { return property.encoding }
      return "row.\(isKeyCompound ? "encodeKeyPart" : "encodeKey")(self.\(property.spelling))"
    }
  }

  /// Reads a row's fields in declaration order.
  fileprivate var decodingInitializer: String {
    initializer("_record") { property in
      property.isPrimaryKey && !isKeyCompound
        ? "Self._decodeKey(&row) { $0.\(property.spelling) }" : property.decoding
    }
  }
}

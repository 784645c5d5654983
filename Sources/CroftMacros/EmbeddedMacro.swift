import SwiftSyntax
import SwiftSyntaxMacros

/// Makes a struct a part of models: its properties become columns of those that hold it.
package enum EmbeddedMacro: StructMacro {
  static let role = StructRole.embedded

  static func conformances(of part: ModelDeclaration, missing protocols: [TypeSyntax]) -> String {
    protocols.isEmpty ? "" : ": Croft.Embedded"
  }

  static func members(
    of part: ModelDeclaration, _ type: some TypeSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [String?] {
    guard part.isWellFormed else { return part.placeholders(of: type) }
    return [
      part.fields(of: type), part.initializer("_record") { $0.decoding },
      part.initializer("_present") { $0.decodingPresent },
      part.encodingMethod(part.properties.map(\.encoding)),
      part.optionalEncodingMethod, part.memberwiseInitializer,
      part.storableCheck(of: type, in: context),
    ]
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
      encodingMethod([]),
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

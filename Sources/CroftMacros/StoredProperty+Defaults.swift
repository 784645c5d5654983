import SwiftSyntax
import SwiftSyntaxBuilder

// Defaults that are evaluated at the place of the struct.
//
// Generated code is in an extension, which is at file scope: there a default of a struct inside
// a type cannot name what that type declares. So such defaults are repeated in the struct itself.

extension StoredProperty {
  /// The type inside the struct that holds the defaults.
  static let defaultsName = "_Defaults"

  /// What makes the property's default, where generated code can call it.
  ///
  /// - Parameter type: The struct, as it is called there.
  func defaultMaker(of type: some SyntaxProtocol) -> String? {
    guard let initializer else { return nil }
    return isDefaultRepeated
      ? "\(type).\(Self.defaultsName).\(spelling)" : "{ \(initializer.trimmedDescription) }"
  }

  /// The property's default, where generated code needs the value.
  var defaultValue: String? {
    guard let initializer else { return nil }
    return isDefaultRepeated
      ? "Self.\(Self.defaultsName).\(spelling)()" : initializer.trimmedDescription
  }

  /// Whether the default may name something that is not seen from file scope.
  ///
  /// `Self` is another type where the default is repeated, and the same in an extension.
  fileprivate var isDefaultRepeated: Bool {
    guard isNested, !isPrimaryKey, let initializer else { return false }
    return initializer.namesSomething && !initializer.namesSelf
  }
}

extension StructDeclSyntax {
  /// A type with the defaults that have to be repeated; nil where there are none.
  var repeatedDefaults: DeclSyntax? {
    let properties = variables.flatMap(\.storedProperties).filter { !$0.isTransient }
    let makers = properties.compactMap { property -> String? in
      var property = property
      property.isNested = true
      guard property.isDefaultRepeated, let initializer = property.initializer else { return nil }
      let value = initializer.trimmedDescription
      guard let type = property.annotation?.trimmedDescription else {
        return "nonisolated static let \(property.spelling) = { @Sendable in \(value) }"
      }
      return "nonisolated static let \(property.spelling): @Sendable () -> \(type) = { \(value) }"
    }
    if makers.isEmpty { return nil }
    return """
      private enum \(raw: StoredProperty.defaultsName) {
      \(raw: makers.joined(separator: "\n"))
      }
      """
  }
}

extension SyntaxProtocol {
  /// Whether the expression names anything but members of the type that is expected.
  fileprivate var namesSomething: Bool {
    if let name = self.as(DeclReferenceExprSyntax.self) {
      return name.parent?.as(MemberAccessExprSyntax.self)?.declName.id != name.id
    }
    return self.is(IdentifierTypeSyntax.self)
      || children(viewMode: .sourceAccurate).contains(where: \.namesSomething)
  }

  /// Whether the expression names `Self`.
  fileprivate var namesSelf: Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.Self) }
  }
}

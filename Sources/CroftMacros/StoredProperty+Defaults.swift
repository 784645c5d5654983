import SwiftSyntax
import SwiftSyntaxBuilder

// Defaults that are evaluated at the place of the struct.
//
// Generated code is in an extension, which is at file scope: there a default of a struct inside
// a type cannot name what that type declares, and a public initializer's default cannot name what is
// not public. So such defaults are repeated in the struct itself.

extension StoredProperty {
  /// The type inside the struct that holds the defaults.
  static let defaultsName = "_Defaults"

  /// The source of a closure or function that makes the property's default in generated code.
  ///
  /// - Parameter type: The struct's name in that code.
  func defaultMaker(of type: some SyntaxProtocol) -> String? {
    guard let initializer else { return nil }
    return isDefaultRepeated
      ? "\(type).\(Self.defaultsName).\(spelling)" : "{ \(initializer.trimmedDescription) }"
  }

  /// The source of the property's default as a value in generated code.
  var defaultValue: String? {
    guard let initializer else { return nil }
    return isDefaultRepeated
      ? "Self.\(Self.defaultsName).\(spelling)()" : initializer.trimmedDescription
  }

  /// Whether the default may name something that generated code cannot name.
  ///
  /// Names inside a type are not seen from file scope, and a default of a public parameter names public
  /// declarations only. `Self` is another type where the default is repeated, and the same in an
  /// extension.
  fileprivate var isDefaultRepeated: Bool {
    guard isNested || isPublicParameter, !isPrimaryKey, let initializer else { return false }
    return initializer.namesSomething && !initializer.namesSelf
  }

  /// The constant that makes the default; nil where it is not repeated.
  fileprivate var repeatedDefault: String? {
    guard isDefaultRepeated, let initializer else { return nil }
    let value = initializer.trimmedDescription
    let access = isPublicParameter ? "@usableFromInline " : "fileprivate "
    guard let type = annotation?.trimmedDescription else {
      return "\(access)nonisolated static let \(spelling) = { @Sendable in \(value) }"
    }
    return "\(access)nonisolated static let \(spelling): @Sendable () -> \(type) = { \(value) }"
  }
}

extension StructDeclSyntax {
  /// A type with the defaults that have to be repeated; nil where there are none.
  func repeatedDefaults(in lexicalContext: [Syntax]) -> DeclSyntax? {
    let properties = modelProperties(in: lexicalContext)
    let makers = properties.compactMap(\.repeatedDefault)
    if makers.isEmpty { return nil }
    let isUsed = properties.contains { $0.isPublicParameter && $0.repeatedDefault != nil }
    return """
      \(raw: isUsed ? "@usableFromInline" : "private") enum \(raw: StoredProperty.defaultsName) {
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

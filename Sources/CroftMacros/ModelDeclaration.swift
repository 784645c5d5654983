import SwiftSyntax
import SwiftSyntaxMacros

/// The syntax of a struct that may become a model or a part of models; no types are resolved.
struct ModelDeclaration {
  /// A property that is the primary key, or a part of it, and the type it is annotated with.
  struct KeyPart {
    let property: StoredProperty
    let annotation: TypeSyntax
  }

  /// One list of `#Index`, `#Unique` or `#FullText`.
  struct Index {
    /// The list, as it is written.
    let columns: String
    /// The name of the macro.
    let macro: String
  }

  /// The type's name without backticks: what the file's catalog calls the model.
  let name: String

  /// `public ` or `package `, with the space, for generated members; empty for lower access.
  let access: String

  /// The properties that are stored in a row, in the order of declaration.
  let properties: [StoredProperty]

  /// The properties that are marked as such: one, or the parts of a compound key.
  let primaryKey: [KeyPart]

  /// The indexes that `#Index`, `#Unique` and `#FullText` declare.
  let indexes: [Index]

  /// The arguments of `@Renamed` on the struct.
  let aliases: String?

  /// The arguments of `@Removed`.
  let removed: String?

  /// Whether nothing in the declaration was reported.
  ///
  /// If something was, only the conformance is generated.
  var isWellFormed: Bool

  /// Whether the primary key has several parts.
  var isKeyCompound: Bool { primaryKey.count > 1 }

  /// Whether the body declares an initializer, under any condition of compilation.
  let declaresInitializer: Bool

  /// Whether a private property makes the compiler's memberwise initializer private, too.
  let hasPrivateProperty: Bool

  /// Whether a memberwise initializer must be generated.
  ///
  /// The compiler makes an internal one, or a private one where a property is private. A public
  /// struct has to annotate its properties for it; another one has it where the types are known, and
  /// where they can be named in an extension at file scope.
  var needsInitializer: Bool {
    if declaresInitializer { return false }
    if !access.isEmpty { return true }
    return hasPrivateProperty
      && parameters.allSatisfy {
        $0.annotation != nil && !$0.isNested && !$0.declaration.modifiers.isPrivate
      }
  }

  /// The parameters of that initializer: all properties except private ones that have a default.
  var parameters: [StoredProperty] { properties.filter { !$0.isPrivateWithDefault } }

  /// Whether the compiler synthesizes an initializer that takes every property.
  ///
  /// It does unless the body declares one. Future compilers leave private properties with a default
  /// out of it (SE-0502), so a struct that has one is treated as having no such initializer.
  var hasMemberwiseInitializer: Bool {
    !declaresInitializer && !properties.contains(where: \.isPrivateWithDefault)
  }
}

extension ModelDeclaration {
  /// The method that writes a row's fields, in declaration order.
  func encodingMethod(_ statements: [String]) -> String {
    """
    \(access)nonisolated func _encode(into row: inout Croft._RecordEncoder) {
    \(statements.map { $0 + "\n" }.joined())}
    """
  }

  /// A function, never called, that does not compile where a property's type cannot be stored.
  func storableCheck(
    of type: some TypeSyntaxProtocol, in context: some MacroExpansionContext
  ) -> String? {
    let checks = properties.compactMap { $0.storableCheck(of: type, in: context) }
    if checks.isEmpty { return nil }
    return """
      private nonisolated static func _checkStorable() {
      \(checks.joined(separator: "\n"))
      #sourceLocation()
      }
      """
  }
}

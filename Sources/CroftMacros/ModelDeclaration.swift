import SwiftSyntax
import SwiftSyntaxMacros

/// A struct that may become a model or a part of models, as far as its syntax tells: types are never interpreted.
struct ModelDeclaration {
  /// A property that is the primary key, or a part of it, and the type it is annotated with.
  struct KeyPart {
    let property: StoredProperty
    let annotation: TypeSyntax
  }

  /// One list of `#Index` or `#Unique`, as it is written.
  struct Index {
    let columns: String
    let isUnique: Bool
  }

  /// The type's name without backticks: what the file's catalog calls the model.
  let name: String

  /// `public ` or `package `, with the space, for the witnesses; empty below that.
  let access: String

  /// What a row holds, in the order of declaration.
  let properties: [StoredProperty]

  /// The properties that are marked as such: one, or the parts of a compound key.
  let primaryKey: [KeyPart]

  /// What `#Index` and `#Unique` ask for.
  let indexes: [Index]

  /// The arguments of `@Renamed` on the struct.
  let aliases: String?

  /// The arguments of `@Removed`.
  let removed: String?

  /// Whether nothing in the declaration was reported.
  ///
  /// Of another one the conformance alone is made.
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

  /// What that initializer takes: all but the private properties that have a default.
  var parameters: [StoredProperty] { properties.filter { !$0.isPrivateWithDefault } }

  /// Whether the compiler synthesizes an initializer that takes every property.
  ///
  /// It does unless the body declares one. Private properties with a default are on their way out
  /// of it (SE-0502), so that nothing relies on them.
  var hasMemberwiseInitializer: Bool {
    !declaresInitializer && !properties.contains(where: \.isPrivateWithDefault)
  }
}

extension ModelDeclaration {
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

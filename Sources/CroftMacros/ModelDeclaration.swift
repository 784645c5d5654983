import SwiftSyntax

/// A struct that may become a model, as far as its syntax tells: types are never interpreted.
struct ModelDeclaration {
  /// The property that holds the primary key, and the type it is annotated with.
  struct PrimaryKey {
    let property: StoredProperty
    let annotation: TypeSyntax
    var name: String { property.name }
  }

  /// The type's name without backticks: what the file's catalog calls the model.
  let name: String

  /// `public ` or `package `, with the space, for the witnesses; empty below that.
  let access: String

  /// What a row holds, in the order of declaration.
  let properties: [StoredProperty]

  /// The one property that is marked as such.
  let primaryKey: PrimaryKey

  /// Whether the body declares an initializer, under any condition of compilation.
  let declaresInitializer: Bool

  /// Whether a public initializer must be generated, as the compiler makes internal ones only.
  var needsPublicInitializer: Bool { !access.isEmpty && !declaresInitializer }

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

import SwiftSyntax
import SwiftSyntaxMacros

/// A macro of an attribute on a property: it generates nothing, and reports misuse.
protocol MarkerMacro: PeerMacro {
  /// The attribute.
  static var marker: Marker { get }
  /// Reports what the attribute cannot say of a stored property.
  static func check(
    _ property: StoredProperty, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
  )
}

extension MarkerMacro {
  static func check(
    _ property: StoredProperty, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
  ) {}

  /// Adds nothing; reports where the attribute has no effect.
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let property = context.markedProperty(declaration, by: marker, node) {
      check(property, node, in: context)
    }
    return []
  }
}

/// Marks a property that is stored as JSON.
package enum CodedMacro: MarkerMacro {
  static let marker = Marker.coded
}

/// Marks a property that is not stored.
package enum TransientMacro: MarkerMacro {
  static let marker = Marker.transient
}

/// Marks the primary key; an untyped, optional or unfit one is misuse.
package enum PrimaryKeyMacro: MarkerMacro {
  static let marker = Marker.primaryKey

  static func check(
    _ property: StoredProperty, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
  ) {
    guard let annotation = property.annotation else {
      return context.diagnose(
        .primaryKeyNeedsAnnotation(property.name), at: property.binding.pattern,
        remedies: property.annotating)
    }
    if annotation.isOptional {
      context.diagnose(
        .optionalPrimaryKey(property.name), at: annotation, remedies: property.unwrapping)
    } else if annotation.isUnfitForKeys {
      context.diagnose(
        .unfitPrimaryKey(property.name, type: annotation.trimmedDescription), at: annotation)
    }
  }
}

/// Marks an indexed property; an index that the type cannot have is misuse.
package enum IndexedMacro: MarkerMacro {
  static let marker = Marker.indexed

  static func check(
    _ property: StoredProperty, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
  ) {
    let unordered =
      property.annotation?.unorderedDescription ?? property.initializer?.unorderedDescription
    if let unordered {
      context.diagnose(
        .unorderedIndex(property.name, type: unordered), at: attribute,
        remedies: attribute.removal)
    } else if let option = attribute.argument(named: "caseFolded"),
      let type = property.annotation?.textless
    {
      context.diagnose(.caseFoldedOffText(property.name, type: type), at: option)
    }
  }
}

/// Marks a reference with a rule for deletes, which a property without references cannot follow.
package enum RelationMacro: MarkerMacro {
  static let marker = Marker.relation

  static func check(
    _ property: StoredProperty, _ attribute: AttributeSyntax, in context: some MacroExpansionContext
  ) {
    guard let type = property.annotation else { return }
    if type.isWithoutReferences {
      context.diagnose(
        .relationOffReference(property.name), at: attribute, remedies: attribute.removal)
    } else if type.isRef, let rule = attribute.argument(named: "nullify") {
      context.diagnose(.nullifiedRequired(property.name), at: rule)
    }
  }
}

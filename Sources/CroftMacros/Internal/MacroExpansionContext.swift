import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
  /// Reports a misuse at a node, with fix-its.
  func diagnose(_ misuse: Misuse, at node: some SyntaxProtocol, remedies: [FixIt] = []) {
    diagnose(Diagnostic(node: node, message: misuse, fixIts: remedies))
  }

  /// The one stored property of a model that a marker is attached to; reports every other use.
  func markedProperty(
    _ declaration: some DeclSyntaxProtocol, by marker: Marker, _ attribute: AttributeSyntax
  ) -> StoredProperty? {
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      diagnose(.markerOffProperty(marker), at: attribute, remedies: attribute.removal)
      return nil
    }
    guard isInside(.model) || isInside(.embedded) else {
      diagnose(.markerOutsideModel(marker), at: attribute, remedies: attribute.removal)
      return nil
    }
    if !isInside(.model), [.primaryKey, .indexed, .relation].contains(marker) {
      diagnose(.markerInEmbedded(marker), at: attribute, remedies: attribute.removal)
      return nil
    }
    // The compiler asks once for each variable of a list; the model reports it once.
    guard variable.bindings.count == 1 else { return nil }
    guard let property = variable.storedProperties.first else {
      let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
      let misuse: Misuse =
        variable.isStatic ? .markerOnStatic(marker, name) : .markerOnComputed(marker, name)
      diagnose(misuse, at: attribute, remedies: attribute.removal)
      return nil
    }
    if property.isTransient, marker != .transient {
      diagnose(.transientMarked(property.name, marker), at: attribute, remedies: attribute.removal)
      return nil
    }
    return property
  }

  /// Whether the declaration is in a function, a closure or an accessor.
  var isLocal: Bool { !lexicalContext.allSatisfy(\.isTypeOrExtension) }

  /// Whether the innermost enclosing declaration is marked as this.
  func isInside(_ role: StructRole) -> Bool {
    lexicalContext.first?.asProtocol((any DeclGroupSyntax).self)?.attributes
      .contains(named: role.rawValue) == true
  }
}

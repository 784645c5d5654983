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
    func refuse(_ misuse: Misuse) -> StoredProperty? {
      diagnose(misuse, at: attribute, remedies: attribute.removal)
      return nil
    }
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      return refuse(.markerOffProperty(marker))
    }
    guard isInside(.model) || isInside(.embedded) else {
      return refuse(.markerOutsideModel(marker))
    }
    if !isInside(.model), [.primaryKey, .indexed, .relation].contains(marker) {
      return refuse(.markerInEmbedded(marker))
    }
    // The compiler asks once for each variable of a list; the model reports it once.
    guard variable.bindings.count == 1 else { return nil }
    guard let property = variable.storedProperties.first else {
      let name = variable.bindings.first?.pattern.trimmedDescription ?? ""
      return refuse(
        variable.isStatic ? .markerOnStatic(marker, name) : .markerOnComputed(marker, name))
    }
    if property.isTransient, marker != .transient {
      return refuse(.transientMarked(property.name, marker))
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

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension VariableDeclSyntax {
  /// Whether every property of the declaration can be stored; reports those that cannot.
  func isModelProperty(in context: some MacroExpansionContext) -> Bool {
    guard !isStatic else { return true }
    if let pattern = bindings.first(where: { $0.pattern.is(TuplePatternSyntax.self) })?.pattern {
      context.diagnose(.tuplePattern, at: pattern)
      return false
    }
    if bindings.count > 1, let (marker, attribute) = attributes.firstMarker {
      context.diagnose(.markerOnList(marker), at: attribute)
      return false
    }
    return storedProperties.map { $0.isStorable(in: context) }.allSatisfy { $0 }
  }
}

extension StoredProperty {
  /// Whether a row can be read into the property and nothing else happens then.
  fileprivate func isStorable(in context: some MacroExpansionContext) -> Bool {
    if isTransient { return hasValue(in: context) }
    if isPrimaryKey, let marker = [Marker.coded, .indexed].first(where: isMarked),
      let attribute = declaration.attributes.attribute(named: marker.rawValue)
    {
      context.diagnose(
        .markerOnPrimaryKey(marker, name), at: attribute, remedies: attribute.removal)
      return false
    }
    if isCoded, isIndexed, let attribute = declaration.attributes.attribute(named: "Indexed") {
      context.diagnose(.indexOnCoded(name), at: attribute, remedies: attribute.removal)
      return false
    }
    if let lazy = declaration.modifiers.first(of: .lazy) {
      context.diagnose(
        .lazyProperty(name), at: lazy, remedies: [FixIt(.remove("lazy"), .removing(lazy))])
      return false
    }
    if let annotation, annotation.isOptionalOfOptional, !isCoded {
      context.diagnose(.optionalOfOptional(name), at: annotation, remedies: unwrapping)
      return false
    }
    if isConstant, initializer != nil {
      let keyword = declaration.bindingSpecifier
      context.diagnose(
        .constantWithDefault(name), at: keyword,
        remedies: [FixIt(.replace("let", with: "var"), .replacing(keyword, with: "var"))])
      return false
    }
    if let observers = binding.accessorBlock {
      context.diagnose(
        .observedProperty(name), at: observers,
        remedies: [FixIt(.removeObservers, .removing(observers))])
      return false
    }
    return true
  }

  /// Whether reading a row leaves a transient property with a value.
  private func hasValue(in context: some MacroExpansionContext) -> Bool {
    if startsByItself { return true }
    context.diagnose(
      .transientNeedsDefault(name), at: binding.pattern,
      remedies: [FixIt(.addDefault, .inserting(" = <#value#>", after: binding))])
    return false
  }

  /// The fix-it that inserts a placeholder for a type annotation.
  var annotating: [FixIt] {
    [FixIt(.annotate, .inserting(": <#Type#>", after: binding.pattern))]
  }

  /// The fix-it that removes the `?` from the annotation.
  var unwrapping: [FixIt] {
    guard let annotation, let wrapped = annotation.wrapped else { return [] }
    let text = wrapped.trimmedDescription
    return [
      FixIt(
        .replace(annotation.trimmedDescription, with: text), .replacing(annotation, with: text))
    ]
  }
}

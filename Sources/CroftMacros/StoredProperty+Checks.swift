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
    guard let (misuse, node, remedies) = misuse else { return true }
    context.diagnose(misuse, at: node, remedies: remedies)
    return false
  }

  /// The first reason for which the property cannot be stored, with its node and its remedies.
  private var misuse: (Misuse, Syntax, [FixIt])? {
    if isTransient {
      // Reading a row leaves it with its default.
      let remedy = FixIt(.addDefault, .inserting(" = <#value#>", after: binding))
      return startsByItself
        ? nil : (.transientNeedsDefault(name), Syntax(binding.pattern), [remedy])
    }
    if isPrimaryKey, let marker = [Marker.coded, .indexed].first(where: isMarked),
      let attribute = declaration.attributes.attribute(named: marker.rawValue)
    {
      return (.markerOnPrimaryKey(marker, name), Syntax(attribute), attribute.removal)
    }
    if isCoded, let attribute = declaration.attributes.attribute(named: "Indexed") {
      return (.indexOnCoded(name), Syntax(attribute), attribute.removal)
    }
    if let lazy = declaration.modifiers.first(of: .lazy) {
      return (.lazyProperty(name), Syntax(lazy), [FixIt(.remove("lazy"), .removing(lazy))])
    }
    if let annotation, annotation.isOptionalOfOptional, !isCoded {
      return (.optionalOfOptional(name), Syntax(annotation), unwrapping)
    }
    if isConstant, initializer != nil {
      let keyword = declaration.bindingSpecifier
      let remedy = FixIt(.replace("let", with: "var"), .replacing(keyword, with: "var"))
      return (.constantWithDefault(name), Syntax(keyword), [remedy])
    }
    if let observers = binding.accessorBlock {
      let remedy = FixIt(.removeObservers, .removing(observers))
      return (.observedProperty(name), Syntax(observers), [remedy])
    }
    return nil
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

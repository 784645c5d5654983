import SwiftSyntax
import SwiftSyntaxBuilder

/// One stored instance property of a struct: a binding, with what its declaration says about it.
struct StoredProperty {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax

  /// The name as it is written, with its backticks.
  let spelling: String

  /// The name without backticks: what the file's catalog calls the field.
  let name: String

  /// The name as an argument label, without backticks that Swift would warn about.
  var label: String {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain && !["inout", "let", "var"].contains(name) ? name : spelling
  }

  /// Whether the struct is inside a type.
  var isNested = false

  /// Whether the property is a parameter of a public initializer.
  var isPublicParameter = false

  /// The written type, also if it follows a later name (`var a, b: Int`), or the type of a literal.
  let annotation: TypeSyntax?

  var isPrimaryKey: Bool { isMarked(.primaryKey) }
  var isIndexed: Bool { isMarked(.indexed) }
  var isCoded: Bool { isMarked(.coded) }
  var isTransient: Bool { isMarked(.transient) }
  var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

  /// Whether the declaration has a marker.
  func isMarked(_ marker: Marker) -> Bool { declaration.attributes.contains(marker) }

  /// The written default.
  var initializer: ExprSyntax? { binding.initializer?.value }

  /// Whether the property is private and has a default, so that no other file can set it.
  var isPrivateWithDefault: Bool { declaration.modifiers.isPrivate && initializer != nil }

  /// Whether the property has a value even if no initializer sets it.
  var startsByItself: Bool {
    initializer != nil || (!isConstant && annotation?.isSugaredOptional == true)
  }

  /// The text between the parentheses of a marker; nil if the property does not have the marker.
  func arguments(of marker: Marker) -> String? {
    declaration.attributes.attribute(named: marker.rawValue)?.writtenArguments
  }

  /// The default of the memberwise parameter; that of an optional variable without a value is nil.
  var parameterDefault: String? {
    if let defaultValue { return defaultValue }
    return !isConstant && annotation?.isSugaredOptional == true ? "nil" : nil
  }
}

extension VariableDeclSyntax {
  /// The instance properties that this declaration stores; none when it is static or computed.
  var storedProperties: [StoredProperty] {
    guard !isStatic else { return [] }
    let bindings = Array(bindings)
    return bindings.indices.compactMap { index in
      let binding = bindings[index]
      guard !binding.isComputed,
        let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
      else { return nil }
      return StoredProperty(
        declaration: self, binding: binding, spelling: identifier.text,
        name: identifier.nameWithoutBackticks,
        annotation: bindings[index...].sharedAnnotation ?? binding.initializer?.value.literalType)
    }
  }
}

extension ArraySlice<PatternBindingSyntax> {
  /// The first binding's type: its own, or, without a default, the next one's.
  fileprivate var sharedAnnotation: TypeSyntax? {
    for binding in self {
      if let annotation = binding.typeAnnotation { return annotation.type }
      if binding.initializer != nil { return nil }
    }
    return nil
  }
}

extension ExprSyntax {
  /// The type that the compiler gives a variable with this literal; nil for other expressions.
  fileprivate var literalType: TypeSyntax? {
    switch kind {
    case .booleanLiteralExpr: "Swift.Bool"
    case .integerLiteralExpr: "Swift.Int"
    case .floatLiteralExpr: "Swift.Double"
    case .stringLiteralExpr: "Swift.String"
    case .prefixOperatorExpr:
      self.as(PrefixOperatorExprSyntax.self).flatMap { negation in
        negation.operator.text == "-" ? negation.expression.literalType : nil
      }
    default: nil
    }
  }
}

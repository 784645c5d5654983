import SwiftSyntax

extension TypeSyntaxProtocol {
  /// The last name of a path, without type arguments: `Swift.Array<Int>` gives `Array`.
  var baseName: String {
    if let type = self.as(IdentifierTypeSyntax.self) { return type.name.text }
    if let type = self.as(MemberTypeSyntax.self) { return type.name.text }
    return trimmedDescription
  }

  /// The name where it can only be the standard library's: unqualified, or `Swift.` before it.
  private var standardName: String? {
    if let qualified = self.as(MemberTypeSyntax.self) {
      return qualified.baseType.trimmedDescription == "Swift" ? baseName : nil
    }
    return baseName
  }

  /// Whether the type is written with `?` or `!`.
  var isSugaredOptional: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }

  /// Whether the type is an optional, as far as its spelling tells.
  var isOptional: Bool { isSugaredOptional || standardName == "Optional" }

  /// The type inside the `?` or `!`.
  var wrapped: TypeSyntax? {
    self.as(OptionalTypeSyntax.self)?.wrappedType
      ?? self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
  }

  /// Whether the type is written as an optional of an optional.
  var isOptionalOfOptional: Bool { wrapped?.isOptional == true }

  /// Whether no primary key has the type, as far as its spelling tells.
  var isUnfitForKeys: Bool {
    switch Syntax(self).kind {
    case .arrayType, .inlineArrayType, .dictionaryType, .functionType: true
    case .tupleType: self.as(TupleTypeSyntax.self)?.elements.count != 1
    default: standardName.map(Self.namesUnfitForKeys.contains) ?? false
    }
  }

  private static var namesUnfitForKeys: Set<String> {
    ["Bool", "Float", "Double", "URL", "Decimal", "Array", "Set", "Dictionary"]
  }

  /// A name for a type that an index cannot sort; nil if the spelling does not show such a type.
  var unorderedDescription: String? {
    if let wrapped { return wrapped.unorderedDescription }
    if let inner = self.as(TupleTypeSyntax.self), inner.elements.count == 1,
      let element = inner.elements.first
    {
      return element.type.unorderedDescription
    }
    switch Syntax(self).kind {
    case .inlineArrayType: return "an inline array"
    case .dictionaryType: return "a dictionary"
    case .tupleType: return "a tuple"
    case .functionType: return "a function"
    case .attributedType: return self.as(AttributedTypeSyntax.self)?.baseType.unorderedDescription
    case .someOrAnyType: return "a value of any type"
    default: break
    }
    switch standardName {
    case "ContiguousArray": return "a contiguous array"
    case "Dictionary": return "a dictionary"
    case "Any", "AnyObject", "AnyHashable": return "a value of any type"
    default: return nil
    }
  }
}

extension ExprSyntaxProtocol {
  /// A name for a type that an index cannot sort, if the literal shows such a type.
  var unorderedDescription: String? {
    switch Syntax(self).kind {
    case .dictionaryExpr: "a dictionary"
    case .closureExpr: "a function"
    case .tupleExpr where self.cast(TupleExprSyntax.self).elements.count != 1: "a tuple"
    default: nil
    }
  }
}

extension TypeSyntax {
  /// Whether the type, as it is written, is one that Croft stores.
  var isStoredByCroft: Bool { element.isStoredValue }

  /// The name of a type that holds no text, as far as the spelling tells.
  var textless: String? {
    isWithoutReferences && !["String", "URL"].contains(element.baseName)
      ? trimmedDescription : nil
  }

  /// The name of a type that a search cannot read, as far as the spelling tells.
  var unsearched: String? {
    let holdsOther = element.isStoredValue && element.baseName != "String"
    return holdsOther || self.is(DictionaryTypeSyntax.self) ? trimmedDescription : nil
  }

  /// Whether the spelling shows that the type contains no references.
  var isWithoutReferences: Bool { element.isStoredValue && !element.isRef }

  /// Whether the type is written as `Ref<...>`, without a `?`.
  var isRef: Bool { self.as(IdentifierTypeSyntax.self)?.name.text == "Ref" }

  /// The type of single values: that of an array's elements, without a `?`.
  private var element: TypeSyntax {
    unwrapped.as(ArrayTypeSyntax.self)?.element.unwrapped ?? unwrapped
  }

  /// The type without its `?`, where it has one.
  private var unwrapped: TypeSyntax { self.as(OptionalTypeSyntax.self)?.wrappedType ?? self }

  /// Whether the type, as it is written, is a single value that Croft stores.
  private var isStoredValue: Bool {
    if isRef { return true }
    let hasArguments = self.as(IdentifierTypeSyntax.self)?.genericArgumentClause != nil
    return !hasArguments && TypeSyntax.storedNames.contains(baseName)
  }

  private static let storedNames: Set = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Float", "Double", "String", "Date", "Duration", "Data", "UUID", "URL", "Decimal",
  ]
}

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelDeclaration {
  /// Reads the declaration, and reports every misuse in it; a marker reports its own.
  ///
  /// It is nil for a declaration that cannot have the conformance, whatever its members are.
  init?(
    _ declaration: some DeclGroupSyntax, as role: StructRole,
    in context: some MacroExpansionContext
  ) {
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      context.diagnose(
        .notAStruct(role, keyword: declaration.introducer.text), at: declaration.introducer,
        remedies: declaration.as(ClassDeclSyntax.self)?.changeToStruct ?? [])
      return nil
    }
    let name = declaration.name.nameWithoutBackticks
    guard declaration.canBe(role, in: context) else { return nil }
    let areProperties = declaration.variables.map { $0.isModelProperty(in: context) }
    let isUnconditional = declaration.hasUnconditionalProperties(in: context)
    let areIndexes = role != .model || declaration.hasStoredPropertiesOfIndexes(in: context)
    let key = role == .model ? declaration.primaryKey(in: context) : []

    self.name = name
    self.access = declaration.witnessAccess(in: context.lexicalContext)
    self.properties = declaration.modelProperties(in: context.lexicalContext)
    self.indexes = declaration.indexes
    self.aliases = declaration.attributes.attribute(named: "Renamed")?.writtenArguments
    self.removed = declaration.attributes.attribute(named: "Removed")?.writtenArguments
    self.primaryKey = key ?? declaration.likelyKey
    self.declaresInitializer = declaration.declaresInitializer
    self.hasPrivateProperty = declaration.variables.contains {
      $0.modifiers.isPrivate && !$0.storedProperties.isEmpty
    }
    isWellFormed = areProperties.allSatisfy { $0 } && isUnconditional && areIndexes && key != nil
    guard needsInitializer else { return }
    // That initializer needs each parameter's type.
    for property in parameters where property.annotation == nil {
      isWellFormed = false
      context.diagnose(
        .initializerNeedsAnnotation(property.name, model: name), at: property.binding.pattern,
        remedies: property.annotating)
    }
  }
}

extension StructDeclSyntax {
  /// Whether the type's kind and the types around it allow a model: one schema, known to the whole program.
  fileprivate func canBe(_ role: StructRole, in context: some MacroExpansionContext) -> Bool {
    if let clause = genericParameterClause {
      context.diagnose(.genericType(role, name.nameWithoutBackticks), at: clause)
      return false
    }
    if context.lexicalContext.contains(where: \.isGeneric) {
      context.diagnose(.genericType(role, name.nameWithoutBackticks), at: name)
      return false
    }
    return !context.isLocal
  }

  /// The lists of `#Index`, `#Unique` and `#FullText` in the body, as they are written.
  fileprivate var indexes: [ModelDeclaration.Index] {
    indexMacros.flatMap { macro in
      let lists = macro.arguments.map(\.expression.trimmedDescription)
      return (lists + [macro.trailingClosure?.trimmedDescription].compactMap(\.self)).map {
        ModelDeclaration.Index(columns: $0, macro: macro.macroName.text)
      }
    }
  }

  /// The uses of `#Index`, `#Unique` and `#FullText` in the body.
  private var indexMacros: [MacroExpansionDeclSyntax] {
    memberBlock.members.compactMap { $0.decl.as(MacroExpansionDeclSyntax.self) }
      .filter { ["Index", "Unique", "FullText"].contains($0.macroName.text) }
  }

  /// Whether each key path of the indexes starts at a property that they can have; reports the others.
  ///
  /// The compiler would speak of the types of the key paths, and not of the property's name.
  fileprivate func hasStoredPropertiesOfIndexes(in context: some MacroExpansionContext) -> Bool {
    let properties = variables.flatMap(\.storedProperties).filter { !$0.isTransient }
    var areFit = true
    for macro in indexMacros {
      let isText = macro.macroName.text == "FullText"
      for path in macro.arguments.flatMap({ $0.expression.keyPaths }) {
        guard let first = path.components.first,
          let name = first.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
        else { continue }
        let property = properties.first { $0.name == name.nameWithoutBackticks }
        guard let misuse = misuse(of: property, name.nameWithoutBackticks, isText: isText) else {
          continue
        }
        areFit = false
        context.diagnose(misuse, at: first.component)
      }
    }
    for macro in indexMacros.filter({ $0.macroName.text == "FullText" }).dropFirst() {
      areFit = false
      context.diagnose(.secondFullText(model: name.nameWithoutBackticks), at: macro)
    }
    return areFit
  }

  /// Why a property cannot be in an index.
  private func misuse(of property: StoredProperty?, _ name: String, isText: Bool) -> Misuse? {
    guard let property else {
      return .indexOfUnknown(name, model: self.name.nameWithoutBackticks)
    }
    if property.isCoded { return .indexOnCoded(name) }
    guard isText, let type = property.annotation?.unsearched else { return nil }
    return .searchOffText(name, type: type)
  }

  /// Whether no stored property is inside `#if`; reports each that does.
  fileprivate func hasUnconditionalProperties(in context: some MacroExpansionContext) -> Bool {
    let conditional = conditionalMembers.compactMap { $0.as(VariableDeclSyntax.self) }
      .filter { !$0.storedProperties.isEmpty }
    for variable in conditional { context.diagnose(.conditionalProperty, at: variable) }
    return conditional.isEmpty
  }

  /// The marked properties, in order; reports that there is none.
  fileprivate func primaryKey(
    in context: some MacroExpansionContext
  ) -> [ModelDeclaration.KeyPart]? {
    let marked = variables.filter { $0.attributes.contains(.primaryKey) }
    guard !marked.isEmpty else {
      context.diagnose(
        .noPrimaryKey(model: name.nameWithoutBackticks), at: name, remedies: primaryKeyRemedies)
      return nil
    }
    let parts = marked.compactMap { variable -> ModelDeclaration.KeyPart? in
      guard variable.bindings.count == 1, let property = variable.storedProperties.first,
        let annotation = property.annotation, !annotation.isOptional,
        !annotation.isUnfitForKeys, !property.isTransient
      else { return nil }
      return ModelDeclaration.KeyPart(property: property, annotation: annotation)
    }
    return parts.count == marked.count ? parts : nil
  }

  /// The property that is meant to be the key where none is, so that a mistake is one error.
  fileprivate var likelyKey: [ModelDeclaration.KeyPart] {
    let properties = variables.flatMap(\.storedProperties)
    let marked = properties.first(where: \.isPrimaryKey)
    guard let property = marked ?? properties.first(where: { $0.name == "id" }),
      let annotation = property.annotation?.wrapped ?? property.annotation,
      !annotation.isOptional, !annotation.isUnfitForKeys
    else { return [] }
    return [ModelDeclaration.KeyPart(property: property, annotation: annotation)]
  }

  /// Marks the property that is called `id`, or adds one.
  private var primaryKeyRemedies: [FixIt] {
    if let id = variables.first(where: { $0.storedProperties.first?.name == "id" }) {
      return [FixIt(.mark("id", .primaryKey), .inserting("@PrimaryKey ", before: id))]
    }
    let access = modifiers.access == .public ? "public " : ""
    let property = "@PrimaryKey \(access)var id: UUID = .timeOrdered()"
    let text = memberBlock.inserted(property)
    return [FixIt(.addPrimaryKey, .inserting(text, after: memberBlock.leftBrace))]
  }

  /// The properties that are stored in a row, with the places where their defaults are used.
  func modelProperties(in lexicalContext: [Syntax]) -> [StoredProperty] {
    let isPublic = witnessAccess(in: lexicalContext) == "public " && !declaresInitializer
    return variables.flatMap(\.storedProperties).filter { !$0.isTransient }.map { property in
      var property = property
      property.isNested = !lexicalContext.isEmpty
      property.isPublicParameter =
        isPublic && !property.isPrivateWithDefault && property.annotation != nil
      return property
    }
  }

  /// The access that a witness of the public protocol needs, with a space; nothing below package.
  ///
  /// A type without a modifier takes its extension's.
  fileprivate func witnessAccess(in lexicalContext: [Syntax]) -> String {
    let access =
      modifiers.access ?? lexicalContext.first?.as(ExtensionDeclSyntax.self)?.modifiers.access
    return switch access {
    case .public: "public "
    case .package: "package "
    default: ""
    }
  }
}

extension ClassDeclSyntax {
  /// The fix-it that declares a struct instead.
  fileprivate var changeToStruct: [FixIt] {
    var changes = [FixIt.Change.replacing(classKeyword, with: "struct")]
    if let final = modifiers.first(of: .final) { changes.append(.removing(final)) }
    return [FixIt(message: Remedy.replace("class", with: "struct"), changes: changes)]
  }
}

extension ExprSyntax {
  /// The key paths of an array literal.
  fileprivate var keyPaths: [KeyPathExprSyntax] {
    self.as(ArrayExprSyntax.self)?.elements.compactMap {
      $0.expression.as(KeyPathExprSyntax.self)
    } ?? []
  }
}

import SwiftSyntax
import SwiftSyntaxMacros

// The generated code of one property.

extension StoredProperty {
  /// Its column in a model's schema.
  func column(of type: some TypeSyntaxProtocol, isKeyCompound: Bool) -> String {
    var function = isIndexed ? "_indexedColumn" : "_column"
    if isCoded { function = "_codedColumn" }
    if isPrimaryKey { function = isKeyCompound ? "_keyPartColumn" : "_keyColumn" }
    let options = arguments(of: .indexed).map { $0.isEmpty ? [] : [$0] } ?? []
    let rule = arguments(of: .relation).map { ".onDelete(\($0.withoutLabel))" } ?? ""
    return call(function, of: type, options) + rule
  }

  /// Its description among an embedded struct's fields.
  func field(of type: some TypeSyntaxProtocol) -> String {
    call(isCoded ? "_codedField" : "_field", of: type, [])
  }

  private func call(
    _ function: String, of type: some TypeSyntaxProtocol, _ options: [String]
  ) -> String {
    var arguments = ["\\\(type).\(spelling)", name.literal] + options
    // A primary key has no default: no row is without one.
    if !isPrimaryKey, let maker = defaultMaker(of: type) {
      arguments.append("default: \(maker)")
    }
    let names = self.arguments(of: .renamed).map { ".renamed(\($0))" } ?? ""
    return "Croft.\(function)(\(arguments.joined(separator: ", ")))\(names)"
  }

  /// A call that compiles where the property's type can be stored, at the property's own line.
  ///
  /// Its error is the only one of a type that cannot: what describes, reads and writes the property
  /// compiles for every type. Nil where the type is one that Croft stores.
  func storableCheck(
    of type: some TypeSyntaxProtocol, in context: some MacroExpansionContext
  ) -> String? {
    // The marker's macro tells what has no order, as far as the spelling shows it.
    let isReported = isIndexed && annotation?.unorderedDescription != nil
    guard !isCoded, !isReported, annotation?.isStoredByCroft == false,
      let place = context.location(of: binding, at: .afterLeadingTrivia, filePathMode: .filePath)
    else { return nil }
    return """
      #sourceLocation(file: \(place.file), line: \(place.line))
      Croft.\(requirement)(\\\(type).\(spelling))
      """
  }

  /// The function that compiles for the types that the property can have.
  private var requirement: String {
    if isPrimaryKey { return "_requireKey" }
    return isIndexed ? "_requireIndexable" : "_requireStorable"
  }

  /// Reads it.
  ///
  /// The closure is never called: it pins the type that is read to the property's, so an
  /// optional stays one, and an initializer of the user's with the same labels but other types
  /// makes nothing ambiguous.
  var decoding: String {
    "Self.\(isCoded ? "_decodeCoded" : "_decode")(&row) { $0.\(spelling) }"
  }

  /// Reads it where the struct that holds it may be absent, and is not.
  var decodingPresent: String {
    let value = defaultValue.map { ", default: \($0)" } ?? ""
    return "Self.\(isCoded ? "_decodePresentCoded" : "_decodePresent")(&row\(value)) "
      + "{ $0.\(spelling) }"
  }

  /// Writes it.
  var encoding: String {
    isCoded
      ? "row.encode(Croft._Coded(self.\(spelling), \(name.literal)))"
      : "row.encode(self.\(spelling))"
  }
}

extension String {
  /// Written arguments without the first one's label.
  var withoutLabel: String {
    guard let colon = firstIndex(of: ":"), !hasPrefix("\"") else { return self }
    return String(self[index(after: colon)...].drop(while: \.isWhitespace))
  }
}

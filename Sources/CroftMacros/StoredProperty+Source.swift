import SwiftSyntax
import SwiftSyntaxMacros

// The generated code of one property.

extension StoredProperty {
  /// The source of the property's column in a model's schema.
  func column(of type: some TypeSyntaxProtocol, isKeyCompound: Bool) -> String {
    var function = isIndexed ? "_indexedColumn" : "_column"
    if isCoded { function = "_codedColumn" }
    if isPrimaryKey { function = isKeyCompound ? "_keyPartColumn" : "_keyColumn" }
    let options = arguments(of: .indexed).map { $0.isEmpty ? [] : [$0] } ?? []
    let rule = arguments(of: .relation).map { ".onDelete(\($0.withoutLabel))" } ?? ""
    return call(function, of: type, options) + rule
  }

  /// The source of the property's description among the fields of an embedded struct.
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

  /// A call at the property's line that compiles only if the property's type can be stored.
  ///
  /// Its error is the only one for a type that cannot: the code that describes, reads and writes
  /// the property compiles for every type. Nil if Croft itself stores the type.
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

  /// The name of the function that accepts only the types that the property can have.
  private var requirement: String {
    if isPrimaryKey { return "_requireKey" }
    return isIndexed ? "_requireIndexable" : "_requireStorable"
  }

  /// The source that reads the property.
  ///
  /// The closure is never called: it fixes the type that is read to the property's. So an optional
  /// is read as one, and the call is not ambiguous if the user declares an initializer with the
  /// same labels and other types.
  var decoding: String {
    "Self.\(isCoded ? "_decodeCoded" : "_decode")(&row) { $0.\(spelling) }"
  }

  /// The source that reads the property of an optional struct that is present.
  var decodingPresent: String {
    let value = defaultValue.map { ", default: \($0)" } ?? ""
    return "Self.\(isCoded ? "_decodePresentCoded" : "_decodePresent")(&row\(value)) "
      + "{ $0.\(spelling) }"
  }

  /// The source that writes the property.
  var encoding: String {
    isCoded
      ? "row.encode(Croft._Coded(self.\(spelling), \(name.literal)))"
      : "row.encode(self.\(spelling))"
  }
}

extension String {
  /// The text of arguments, without the label of the first.
  var withoutLabel: String {
    guard let colon = firstIndex(of: ":"), !hasPrefix("\"") else { return self }
    return String(self[index(after: colon)...].drop(while: \.isWhitespace))
  }
}

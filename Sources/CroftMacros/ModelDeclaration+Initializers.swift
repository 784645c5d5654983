import SwiftSyntax

extension ModelDeclaration {
  /// An initializer that reads a row's fields in declaration order.
  ///
  /// - Parameters:
  ///   - label: The row's label, which tells what kind of columns are read.
  ///   - read: The call that reads one property.
  func initializer(_ label: String, _ read: (StoredProperty) -> String) -> String {
    let fields = properties.map { ($0, read($0)) }
    let body =
      hasMemberwiseInitializer
      ? "try self.init(\n"
        + fields.map { property, call in "\(property.label): \(call)" }.joined(separator: ",\n")
        + "\n)"
      : fields.map { property, call in "self.\(property.spelling) = try \(call)" }
        .joined(separator: "\n")
    return """
      \(access)nonisolated init(\(label) row: inout Croft._RecordDecoder) throws {
      \(body)
      }
      """
  }

  /// An initializer without code, for a declaration of which a mistake was reported.
  func placeholder(for label: String) -> String {
    """
    \(access)nonisolated init(\(label) row: inout Croft._RecordDecoder) throws {
    Swift.fatalError()
    }
    """
  }

  /// The memberwise initializer for other modules and files, if the struct declares no initializer.
  ///
  /// It forwards to the memberwise initializer of the compiler, which is at most internal, and
  /// leaves out private properties that have a default. Its last parameter takes no argument: it
  /// makes the signature differ from the compiler's. The attribute makes calls that see both use
  /// the compiler's.
  var memberwiseInitializer: String? {
    guard needsInitializer else { return nil }
    let signature = parameters.map { property in
      let type = property.annotation?.trimmedDescription ?? ""
      let value = property.parameterDefault.map { " = \($0)" } ?? ""
      return "\(property.spelling): \(type)\(value)"
    }
    let body =
      hasMemberwiseInitializer
      ? "self.init(\n" + parameters.map { "\($0.label): \($0.spelling)" }.joined(separator: ",\n")
        + "\n)"
      : parameters.map { "self.\($0.spelling) = \($0.spelling)" }.joined(separator: "\n")
    return """
      @_disfavoredOverload
      \(access)nonisolated init(
      \((signature + ["_: Never..."]).joined(separator: ",\n"))
      ) {
      \(body)
      }
      """
  }
}

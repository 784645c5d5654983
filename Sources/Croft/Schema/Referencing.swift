/// A property's type that holds references: a `Ref`, an optional one, or a collection of them.
protocol Referencing {
  /// The model referred to, asked for late.
  static var target: @Sendable () -> Schema { get }
  /// Whether there must be a reference, so that it cannot be taken away.
  static var isRequired: Bool { get }
}

extension Ref: Referencing {
  static var target: @Sendable () -> Schema { { Target._schema.erased } }
  static var isRequired: Bool { true }
}

extension Optional: Referencing where Wrapped: Referencing {
  static var target: @Sendable () -> Schema { Wrapped.target }
  static var isRequired: Bool { false }
}

extension Array: Referencing where Element: Referencing {
  static var target: @Sendable () -> Schema { Element.target }
  static var isRequired: Bool { false }
}

extension Set: Referencing where Element: Referencing {
  static var target: @Sendable () -> Schema { Element.target }
  static var isRequired: Bool { false }
}

extension Dictionary: Referencing where Key == String, Value: Referencing {
  static var target: @Sendable () -> Schema { Value.target }
  static var isRequired: Bool { false }
}

extension ForeignKeyDefinition {
  /// What a property of a type refers to; nil for a type without references.
  ///
  /// - Parameters:
  ///   - type: The property's type.
  ///   - onDelete: The rule that the program declares; without one, references that can be
  ///     taken away are, and others deny.
  ///   - property: The property's name, for the message of a rule that cannot be kept.
  /// - Precondition: The rule is not `nullify` where there must be a reference.
  init?(_ type: Any.Type, onDelete: DeleteRule?, property: String) {
    guard let type = type as? any Referencing.Type else { return nil }
    precondition(
      !(onDelete == .nullify && type.isRequired),
      "\(property) must refer to an object, so it cannot be nullified: make it optional, or "
        + "choose .cascade or .deny.")
    self.init(target: type.target, onDelete: onDelete ?? (type.isRequired ? .deny : .nullify))
  }
}

import SwiftSyntax

extension VariableDeclSyntax {
  /// Whether the variable belongs to the type.
  var isStatic: Bool { modifiers.first(of: .static, .class) != nil }
}

extension PatternBindingSyntax {
  /// Whether the binding has accessors of its own and so no storage.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors): !accessors.allSatisfy(\.isObserver)
    }
  }

  /// Whether storage is there and something watches it.
  var isObserved: Bool { accessorBlock != nil && !isComputed }
}

extension AccessorDeclSyntax {
  /// Whether it watches the storage instead of replacing it.
  var isObserver: Bool {
    switch accessorSpecifier.tokenKind {
    case .keyword(.willSet), .keyword(.didSet): true
    default: false
    }
  }
}

import SwiftSyntax

extension VariableDeclSyntax {
  /// Whether the variable is a static or class one.
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
}

extension AccessorDeclSyntax {
  /// Whether the accessor is `willSet` or `didSet`.
  var isObserver: Bool {
    switch accessorSpecifier.tokenKind {
    case .keyword(.willSet), .keyword(.didSet): true
    default: false
    }
  }
}

import SwiftSyntax

extension DeclGroupSyntax {
  /// The declaration's members, those in `#if` blocks left out.
  var variables: [VariableDeclSyntax] {
    memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
  }

  /// Whether the body declares an initializer, under whatever condition.
  var declaresInitializer: Bool {
    memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
      || conditionalMembers.contains { $0.is(InitializerDeclSyntax.self) }
  }

  /// The members inside of `#if` blocks.
  var conditionalMembers: [DeclSyntax] {
    memberBlock.members.flatMap { $0.decl.as(IfConfigDeclSyntax.self)?.members ?? [] }
  }
}

extension IfConfigDeclSyntax {
  /// The members of all clauses, nested ones included.
  var members: [DeclSyntax] {
    clauses.flatMap { clause -> [DeclSyntax] in
      guard case .decls(let members) = clause.elements else { return [] }
      return members.flatMap { $0.decl.as(IfConfigDeclSyntax.self)?.members ?? [$0.decl] }
    }
  }
}

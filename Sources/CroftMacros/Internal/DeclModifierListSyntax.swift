import SwiftSyntax

extension DeclModifierListSyntax {
  /// The first modifier among the keywords, such as `public`; `private(set)` is not `private`.
  func first(of keywords: Keyword...) -> DeclModifierSyntax? {
    first { modifier in
      modifier.detail == nil && keywords.contains { modifier.name.tokenKind == .keyword($0) }
    }
  }

  /// The written access level, when there is one.
  var access: Keyword? {
    for keyword in [Keyword.public, .package, .internal, .fileprivate, .private]
    where first(of: keyword) != nil {
      return keyword
    }
    return nil
  }

  /// Whether only the file or the type sees the declaration.
  var isPrivate: Bool { access == .private || access == .fileprivate }
}

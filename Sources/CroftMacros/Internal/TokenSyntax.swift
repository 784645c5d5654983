import SwiftSyntax
import SwiftSyntaxBuilder

extension TokenSyntax {
  /// The name that the token stands for: `` `default` `` is `default`.
  var nameWithoutBackticks: String { identifier?.name ?? text }
}

extension String {
  /// The string as source: a literal, raw where it must be.
  var literal: String { StringLiteralExprSyntax(content: self).description }
}

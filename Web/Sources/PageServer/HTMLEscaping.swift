import Mustache

/// Escapes the texts of templates for HTML, scalar by scalar, as browsers read them.
///
/// Mustache escapes characters. `<` with a combining mark after it is another character than `<`, which it leaves
/// unchanged, and for a browser the tag begins all the same.
package struct HTMLEscaping: MustacheContentType {
  private static let name = "SCALARS"

  /// The line that a template begins with.
  ///
  /// A partial template does not take it from the one that includes it.
  package static let pragma = "{{% CONTENT_TYPE:\(name)}}\n"

  /// Makes the pragma known to templates that are read from now on.
  package static func register() { MustacheContentTypes.register(HTMLEscaping(), named: name) }

  /// Replaces the signs that HTML gives a meaning.
  package func escapeText(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;".unicodeScalars
      case ">": escaped += "&gt;".unicodeScalars
      case "&": escaped += "&amp;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      case "'": escaped += "&#39;".unicodeScalars
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

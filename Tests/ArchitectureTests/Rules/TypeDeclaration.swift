/// A type or an extension that is declared at the top of a file or one level below.
struct TypeDeclaration {
  /// Counted from 1.
  let line: Int
  /// `struct`, `extension` and so on.
  let keyword: String
  /// The name; with its points, where a nested type is extended.
  let name: String
  /// The declaration from the name to the opening brace: type parameters, what is inherited.
  let head: String
  /// 0 at the top of the file.
  let depth: Int
  /// Whether only the file can see it.
  let isPrivate: Bool

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "extension",
  ]

  /// The declarations of a file in order.
  static func all(in file: SourceFile) -> [TypeDeclaration] {
    let depths = Declaration.depthsAtLineStart(of: file)
    return file.code.indices.compactMap { index in
      guard depths[index] < 2, let (modifiers, keyword) = Declaration.head(of: file.code[index]),
        keywords.contains(keyword),
        let start = file.code[index].firstRange(of: keyword + " ")?.upperBound
      else { return nil }
      let code = ([String(file.code[index][start...])] + file.code[(index + 1)...].prefix(9))
        .joined(separator: " ")
      return TypeDeclaration(
        line: index + 1, keyword: keyword,
        name: String(code.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }),
        head: String(code.prefix { $0 != "{" }), depth: depths[index],
        isPrivate: !modifiers.isDisjoint(with: ["private", "fileprivate"]))
    }
  }
}

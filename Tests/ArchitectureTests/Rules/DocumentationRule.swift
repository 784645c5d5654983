import Foundation

/// Every public and package declaration says in one sentence what it is.
struct DocumentationRule: Rule {
  private static let longestSummary = 100

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources", "Web/Sources", "Postgres/Sources", "Tool/Sources").flatMap {
      file in
      Declaration.visible(in: file).compactMap { finding(for: $0, in: file) }
    }
  }

  private func finding(for declaration: Declaration, in file: SourceFile) -> Finding? {
    let comment = documentation(above: declaration.line, in: file)
    guard let first = comment.first else {
      return Finding(
        path: file.path, line: declaration.line,
        remedy: "say in a `///` comment what this \(declaration.keyword) is")
    }
    let summary = comment.prefix { !$0.text.isEmpty }.map(\.text).joined(separator: " ")
    let problem: String? =
      if summary.count > DocumentationRule.longestSummary {
        "end the first sentence within \(DocumentationRule.longestSummary) characters,"
          + " and leave a line free after it"
      } else if summary.last.map({ !".!?".contains($0) }) ?? true {
        "make the first paragraph one sentence, with its full stop"
      } else if summary.first?.isLowercase ?? true {
        "begin the first sentence with a capital letter"
      } else {
        nil
      }
    return problem.map { Finding(path: file.path, line: first.line, remedy: $0) }
  }

  /// The documentation comment that belongs to a line, attributes in between not counted.
  private func documentation(
    above line: Int, in file: SourceFile
  ) -> [(line: Int, text: String)] {
    var number = line - 1
    var openParentheses = 0
    while number > 0 {
      let code = file.code[number - 1]
      openParentheses += code.filter { $0 == ")" }.count - code.filter { $0 == "(" }.count
      let trimmed = code.trimmingCharacters(in: .whitespaces)
      let isAttribute = trimmed.hasPrefix("@") || openParentheses > 0 || trimmed.hasPrefix("#if")
      guard isAttribute else { break }
      number -= 1
    }
    var comment: [(line: Int, text: String)] = []
    while let found = file.comment(atLine: number), found.hasPrefix("///") {
      let text = found.dropFirst(3).trimmingCharacters(in: .whitespaces)
      comment.insert((number, text), at: 0)
      number -= 1
    }
    return comment
  }
}

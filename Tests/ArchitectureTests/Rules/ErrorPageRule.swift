/// Each error of the store stands on the page that says what to do about it.
struct ErrorPageRule: Rule {
  private static let errors = "Sources/Croft/Store/StoreError.swift"
  private static let page = "Sources/Croft/Croft.docc/WhenSomethingGoesWrong.md"

  func findings(in project: Project) -> [Finding] {
    guard let errors = project.file(Self.errors) else { return [] }
    let page = project.file(Self.page)?.lines ?? []
    return errors.code.enumerated().compactMap { index, line in
      guard let name = line.firstMatch(of: /^  case ([a-z]\w*)/)?.1 else { return nil }
      let isThere = page.contains {
        $0.contains("``StoreError/\(name)(") || $0.contains("``StoreError/\(name)``")
      }
      if isThere { return nil }
      return Finding(
        path: Self.errors, line: index + 1,
        remedy: "say in \(Self.page) what \(name) means and what to do")
    }
  }
}

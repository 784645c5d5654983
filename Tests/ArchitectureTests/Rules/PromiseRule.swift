/// Every promise of an article called Promises names the tests that show it, and they are there.
///
/// A promise is an item of a numbered list. Its tests stand behind the words "Shown by", each as
/// its suite and its function: `StoreTests.reopensWhatWasWritten`.
struct PromiseRule: Rule {
  func findings(in project: Project) -> [Finding] {
    let pages = project.prose.filter { $0.path.hasSuffix("/Promises.md") }
    let tests = pages.isEmpty ? [] : project.testNames
    return pages.flatMap { page in
      promises(of: page).flatMap { promise in
        problems(of: promise.text, tests).map {
          Finding(path: page.path, line: promise.line, remedy: $0)
        }
      }
    }
  }

  /// The items of the numbered lists, each with the line where it begins.
  private func promises(of page: SourceFile) -> [(line: Int, text: String)] {
    var promises: [(line: Int, text: String)] = []
    var isInside = false
    for (index, line) in page.lines.enumerated() {
      if line.contains(/^[0-9]+\.\s/) {
        promises.append((index + 1, String(line)))
        isInside = true
      } else if line.isEmpty || line.hasPrefix("#") {
        isInside = false
      } else if isInside {
        promises[promises.count - 1].text += " " + line
      }
    }
    return promises
  }

  private func problems(of promise: String, _ tests: Set<String>) -> [String] {
    guard let mark = promise.firstRange(of: "Shown by ") else {
      return ["end the promise with: Shown by `SuiteTests.test`"]
    }
    let named = promise[mark.upperBound...].matches(of: /`([A-Z]\w*\.\w+)`/).map { String($0.1) }
    if named.isEmpty { return ["name a test behind \"Shown by\", as `SuiteTests.test`"] }
    return named.filter { !tests.contains($0) }.map { "there is no test \($0): mend it" }
  }
}

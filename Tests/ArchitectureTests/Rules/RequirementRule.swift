/// Every requirement has a row in the article Requirements, and what the row names is there.
///
/// A row is a number, a few words, and two columns: the tests of the library, each as its suite and
/// its function, and what shows the requirement in the prompt, a golden script or a test. A column
/// that is open has nothing to show yet; one that asks nothing is a dash.
struct RequirementRule: Rule {
  /// How many requirements there are, by the beginning of their numbers.
  var counts = ["S000": 37, "S001": 1, "S002": 15, "S003": 17, "S004": 17, "T": 10]
  /// The requirements that ask nothing of the library: drawing, gestures, other front ends.
  var withoutLibrary: Set<String> = [
    "S000-12", "S000-13", "S000-15", "S002-06", "S003-16", "S003-17", "S004-17",
  ]
  /// The requirements that ask nothing of the prompt, besides the defects.
  var withoutPrompt: Set<String> = [
    "S000-19", "S000-22", "S000-23", "S000-24", "S000-25", "S000-26", "S000-27", "S000-28",
    "S000-29", "S000-31", "S000-33", "S000-34", "S000-35", "S001", "S002-09", "S002-12", "S002-13",
    "S002-14", "S003-01", "S003-03", "S003-06", "S003-07", "S003-15", "S004-15",
  ]

  static let page = "Sources/TodoKit/TodoKit.docc/Requirements.md"
  private static let scripts = "Tests/TodoPromptTests/Golden/"

  /// A row of the table.
  struct Row {
    let line: Int
    let number: String
    let text: String
    let library: String
    let prompt: String
  }

  func findings(in project: Project) -> [Finding] {
    guard let page = project.file(RequirementRule.page) else { return [] }
    let rows = RequirementRule.rows(of: page)
    let tests = project.testNames
    let missing = missingNumbers(in: rows).map {
      Finding(path: page.path, line: 0, remedy: "there is no row of \($0), or more than one")
    }
    return missing
      + rows.flatMap { row in
        problems(of: row, tests, in: project).map {
          Finding(path: page.path, line: row.line, remedy: $0)
        }
      }
  }

  /// The columns that show nothing yet, as `S000-10 prompt: pictures of dogs and cats`.
  static func open(in project: Project) -> [String] {
    (project.file(page).map(rows(of:)) ?? []).flatMap { row in
      [("library", row.library), ("prompt", row.prompt)].filter { $0.1 == "open" }.map {
        "\(row.number) \($0.0): \(row.text)"
      }
    }
  }

  static func rows(of page: SourceFile) -> [Row] {
    page.lines.enumerated().compactMap { index, line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(\.trimmed)
      guard cells.count == 6, cells[1].contains(/^[ST]\d/) else { return nil }
      return Row(
        line: index + 1, number: String(cells[1]), text: String(cells[2]),
        library: String(cells[3]), prompt: String(cells[4]))
    }
  }

  private func missingNumbers(in rows: [Row]) -> [String] {
    let expected = counts.flatMap { start, count in
      switch (start, count) {
      case ("T", _): (1...count).map { "T\($0)" }
      case (_, 1): [start]
      default: (1...count).map { "\(start)-\($0 < 10 ? "0" : "")\($0)" }
      }
    }
    return (expected + rows.map(\.number)).filter { number in
      !expected.contains(number) || rows.count { $0.number == number } != 1
    }.uniqued()
  }

  private func problems(of row: Row, _ tests: Set<String>, in project: Project) -> [String] {
    let isDefect = row.number.hasPrefix("T")
    let asksLibrary = !withoutLibrary.contains(row.number)
    let asksPrompt = !isDefect && !withoutPrompt.contains(row.number)
    let library = names(in: row.library)
    let prompt = names(in: row.prompt)
    let missing =
      library.filter { !tests.contains($0) }
      + prompt.filter { name in
        name.contains(".")
          ? !tests.contains(name)
          : !project.paths.contains(RequirementRule.scripts + name + ".txt")
      }
    var problems = missing.map { "there is no test and no script \($0): mend it" }
    if !isFilled(row.library, library, isAsked: asksLibrary) {
      problems.append("name tests of the library, or write 'open'")
    }
    if !isFilled(row.prompt, prompt, isAsked: asksPrompt) {
      problems.append("name scripts or tests of the prompt, or write 'open'")
    }
    if isDefect, !library.contains(where: { isTest($0, ofDefect: row.number) }) {
      problems.append("name a test that begins with \(row.number.lowercased())")
    }
    return problems
  }

  private func names(in cell: String) -> [String] {
    cell.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  /// Whether a column says what it has to: names or `open` where it is asked, else a dash.
  private func isFilled(_ cell: String, _ names: [String], isAsked: Bool) -> Bool {
    if cell == "-" || cell == "open" { return isAsked == (cell == "open") }
    return isAsked && !names.isEmpty
  }

  private func isTest(_ name: String, ofDefect number: String) -> Bool {
    let function = name.split(separator: ".").last ?? ""
    return function.hasPrefix(number.lowercased())
      && function.dropFirst(number.count).first?.isNumber == false
  }
}

extension Substring {
  /// The text without the spaces around it.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension [String] {
  /// The elements in ascending order, each once.
  fileprivate func uniqued() -> [String] { Set(self).sorted() }
}

/// Every page of a catalogue is in the index of all articles by task.
struct ArticleIndexRule: Rule {
  private static let index = "Sources/Croft/Croft.docc/AllArticles.md"

  func findings(in project: Project) -> [Finding] {
    guard let index = project.file(Self.index) else { return [] }
    let text = index.lines.joined(separator: "\n")
    let links = Set(
      text.matches(of: /\]\(([^)\s]+)\)/).map {
        PathText.resolve(String($0.1), from: index)
      }
        + text.matches(of: /<doc:([^>]+)>/).map { "Sources/Croft/Croft.docc/\($0.1).md" })
    return project.prose.filter { page in
      page.module != nil && page.path != Self.index && page.path != Self.modulePage
        && !links.contains(page.path)
    }.map { page in
      Finding(path: page.path, line: 0, remedy: "name the page in \(Self.index), by its task")
    }
  }

  /// The page of the module that the index is a part of.
  private static let modulePage = "Sources/Croft/Croft.docc/Croft.md"
}

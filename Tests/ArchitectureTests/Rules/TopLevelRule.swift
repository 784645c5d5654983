/// The top of the project stays a short list: what is new finds its place below it.
struct TopLevelRule: Rule {
  private static let entries: Set<String> = [
    "Benchmarks", "LICENSE", "Package.swift", "Postgres", "README.md", "Scripts", "Sources",
    "Tests", "Tool",
    "Web", ".ci",
    ".gitignore", ".swift-format",
  ]

  func findings(in project: Project) -> [Finding] {
    project.paths.filter { !$0.contains("/") && !TopLevelRule.entries.contains($0) }.sorted().map {
      Finding(
        path: $0, line: 0, remedy: "move it into one of the folders, or delete what a run left")
    }
  }
}

/// Every module explains itself: it has a DocC catalogue with a page of its own name.
struct CatalogRule: Rule {
  func findings(in project: Project) -> [Finding] {
    project.modules.compactMap { module in
      let page = "Sources/\(module)/\(module).docc/\(module).md"
      if project.paths.contains(page) { return nil }
      return Finding(
        path: page, line: 0,
        remedy: "write the module's page: what it is for, and its articles as topics")
    }
  }
}

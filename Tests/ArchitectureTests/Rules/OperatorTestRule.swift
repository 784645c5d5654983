/// Every operator has a test file of its own.
struct OperatorTestRule: Rule {
  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources").compactMap { file in
      guard let module = file.module, file.components.contains("Operators") else { return nil }
      let tests = project.swiftFiles(in: "Tests/\(module)Tests")
      let names = ["\(file.stem)Tests", "Observable+\(file.stem)Tests"]
      if tests.contains(where: { names.contains($0.stem) }) { return nil }
      return Finding(
        path: file.path, line: 0,
        remedy: "write Tests/\(module)Tests/\(file.stem)Tests.swift")
    }
  }
}

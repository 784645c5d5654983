/// A file is about one thing: past the limit it is about two.
struct FileSizeRule: Rule {
  static let mostLines = 600

  /// Tables, which grow by rows and not by thoughts.
  private static let tables: Set<String> = []

  func findings(in project: Project) -> [Finding] {
    project.files.compactMap { file in
      guard isSource(file), !FileSizeRule.tables.contains(file.path) else { return nil }
      // The text ends with a line end, so the last of the lines is empty.
      let count = file.lines.count - 1
      if count <= FileSizeRule.mostLines { return nil }
      return Finding(
        path: file.path, line: FileSizeRule.mostLines + 1,
        remedy: "\(count) lines: find the second thing it does and give that a file")
    }
  }

  private func isSource(_ file: SourceFile) -> Bool {
    [".swift", ".c", ".h"].contains { file.path.hasSuffix($0) }
  }
}

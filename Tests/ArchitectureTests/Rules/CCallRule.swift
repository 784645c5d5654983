/// The names of liblmdb stand in one folder, so that every C call can be found and made to fail.
struct CCallRule: Rule {
  private static let home = "Sources/LMDB/C/"

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources").filter { !$0.path.hasPrefix(CCallRule.home) }
      .flatMap { file in
        file.words.filter { $0.text.hasPrefix("mdb_") || $0.text.hasPrefix("MDB_") }.map {
          Finding(
            path: file.path, line: $0.line,
            remedy: "\($0.text) is for \(CCallRule.home): give it a Swift name there and use that")
        }
      }
  }
}

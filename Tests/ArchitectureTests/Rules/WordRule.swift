/// Words that have no place in a folder, each with what to write instead.
struct WordRule: Rule {
  private struct Ban {
    let word: String
    /// What stands right behind the word to make it the banned one; nil for anything.
    var after: Character?
    let folders: [String]
    var exceptIn: [String] = []
    let instead: String
  }

  private static let everywhere = ["Sources", "Tests", "Benchmarks", "Web", "Postgres", "Tool"]

  private static let testFolders = [
    "Tests", "Benchmarks/Tests", "Web/Tests", "Postgres/Tests", "Tool/Tests",
  ]

  private static let bansInCode: [Ban] = [
    Ban(
      word: "try", after: "!", folders: everywhere,
      instead: "a plain `try`, in a function that throws"),
    Ban(
      word: "as", after: "!", folders: everywhere,
      instead: "`as?` and a way for what is not one, or a generic type"),
    Ban(
      word: "fatalError", after: "(", folders: everywhere,
      instead: "`preconditionFailure` with a sentence that tells the remedy"),
    Ban(
      word: "print", after: "(", folders: ["Sources"], exceptIn: ["Sources/TodoPrompt/"],
      instead: "a returned value: only TodoPrompt speaks"),
    Ban(
      word: "debugPrint", after: "(", folders: ["Sources"], instead: "a test that shows the value"),
    Ban(
      word: "NSLock", folders: ["Sources"], instead: "`Mutex`, which holds what it protects"),
    Ban(
      word: "XCTest",
      folders: ["Tests", "Benchmarks", "Web/Tests", "Postgres/Tests", "Tool/Tests"],
      instead: "`Testing`: Scripts/test runs Swift Testing's tests alone"),
    Ban(
      word: "sleep", after: "(", folders: testFolders,
      instead: "something to wait for: a semaphore, a pipe, a clock of the test's own"),
    Ban(
      word: "disabled", after: "(", folders: testFolders,
      instead: "a mended test, or none: a check is on or deleted"),
  ]

  private static let bansInText: [Ban] = [
    Ban(word: "FIXME", folders: everywhere, instead: "the mended code"),
    Ban(word: "TODO:", folders: everywhere, instead: "what is true now, or an open issue"),
    Ban(word: "XXX", folders: everywhere, instead: "a sentence that tells what is odd and why"),
  ]

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources", "Tests", "Benchmarks", "Web", "Postgres", "Tool").flatMap {
      file in
      codeFindings(in: file) + textFindings(in: file)
    }
  }

  private func codeFindings(in file: SourceFile) -> [Finding] {
    let bans = WordRule.bansInCode.filter { applies($0, to: file) }
    let banned = Dictionary(grouping: bans, by: \.word)
    return file.words.compactMap { word in
      guard let ban = banned[word.text]?.first(where: { $0.after == nil || $0.after == word.after })
      else { return nil }
      return finding(ban, in: file, line: word.line)
    }
  }

  private func textFindings(in file: SourceFile) -> [Finding] {
    // This folder spells the words it looks for.
    if file.path.hasPrefix("Tests/ArchitectureTests/") { return [] }
    let bans = WordRule.bansInText.filter { applies($0, to: file) }
    return file.lines.enumerated().flatMap { index, line in
      bans.filter { line.contains($0.word) }.map { finding($0, in: file, line: index + 1) }
    }
  }

  private func applies(_ ban: Ban, to file: SourceFile) -> Bool {
    ban.folders.contains { file.path.hasPrefix($0 + "/") }
      && !ban.exceptIn.contains { file.path.hasPrefix($0) }
  }

  private func finding(_ ban: Ban, in file: SourceFile, line: Int) -> Finding {
    let shown = ban.word + (ban.after.map(String.init) ?? "")
    return Finding(path: file.path, line: line, remedy: "write \(ban.instead), not '\(shown)'")
  }
}

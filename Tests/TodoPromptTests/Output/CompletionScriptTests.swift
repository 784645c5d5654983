import Foundation
import Testing
import TestSupport

@testable import TodoPrompt

/// The scripts are run by the shells that they are for, where these are installed.
@Suite struct CompletionScriptTests {
  /// Words before the cursor, and candidates that are among those for the last of them.
  private static let lines: [(words: [String], candidates: [String], others: [String])] = [
    (["ad"], ["add"], ["rm"]),
    (["--ye"], ["--yes"], ["--undone"]),
    (["ls", "--un"], ["--undone"], ["--pri"]),
    (["--db", "x", "ls", "--so"], ["--sort"], ["--skip-errors"]),
    (["ls", "--sort", ""], ["manual", "due"], ["ls"]),
    (["-o", "j"], ["json"], ["table", "ls"]),
    (["--lang", "ko", "ad"], ["add"], []),
    (["추가", "--pr"], ["--pri"], []),
    (["group", "im"], ["image"], []),
    (["view", ""], ["cards", "table"], ["dark"]),
    (["import", "a"], ["a b.txt"], ["add"]),
    (["--db", "a"], ["a b.txt"], ["add"]),
  ]

  /// Runs a shell in a folder with one file; nil where the shell is not installed.
  private func candidates(
    _ shell: CompletionScript, _ ending: String, prefix: String = ""
  ) throws -> [String]? {
    let path = ["/bin/", "/usr/bin/"].map { $0 + shell.rawValue }
      .first(where: FileManager.default.isExecutableFile(atPath:))
    guard let path else { return nil }
    let folder = TemporaryFolder()
    try "".write(toFile: folder.path + "/a b.txt", atomically: true, encoding: .utf8)
    let script = folder.path + "/script"
    try (prefix + shell.text + ending).write(toFile: script, atomically: true, encoding: .utf8)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = [script]
    process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func check(
    _ found: [String]?, _ line: (words: [String], candidates: [String], others: [String])
  ) {
    guard let found else { return }
    for candidate in line.candidates { #expect(found.contains(candidate), "\(line.words)") }
    for other in line.others { #expect(!found.contains(other), "\(line.words)") }
  }

  private func quoted(_ words: [String]) -> String {
    words.map { "'\($0)'" }.joined(separator: " ")
  }

  @Test(arguments: lines.indices) func bashCompletes(index: Int) throws {
    let line = Self.lines[index]
    let ending = """
      COMP_WORDS=(todo \(quoted(line.words)))
      COMP_CWORD=\(line.words.count)
      _todo
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    check(try candidates(.bash, ending), line)
  }

  /// Bash gives `--lang=k` as three words.
  @Test func bashCompletesAValueAfterAnEqualSign() throws {
    let ending = "COMP_WORDS=(todo --lang = k); COMP_CWORD=3; _todo; echo ${COMPREPLY[@]}"
    check(try candidates(.bash, ending), ([], ["ko"], []))
  }

  /// The script is the body of a function, and what it calls adds candidates.
  @Test(arguments: lines.indices) func zshCompletes(index: Int) throws {
    let line = Self.lines[index]
    let ending = """
      }
      _files() { print -l -- * }
      compadd() { shift; print -l -- $@ | grep -e "^$words[CURRENT]" || true }
      words=(todo \(quoted(line.words)))
      CURRENT=\(line.words.count + 1)
      _todo
      """
    let found = try candidates(.zsh, ending, prefix: "_todo() {\n")
    check(found, line)
  }

  @Test(arguments: lines.indices) func fishCompletes(index: Int) throws {
    let line = Self.lines[index]
    let typed = (["todo"] + line.words).joined(separator: " ")
    let found = try candidates(.fish, "complete -C '\(typed)'\n")
    check(found?.map { String($0.prefix { $0 != "\t" }) }, line)
  }
}

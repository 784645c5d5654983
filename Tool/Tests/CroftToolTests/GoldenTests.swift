import Croft
import Foundation
import Testing

/// Runs every script of the Golden folder, each with a store of its own.
///
/// A script has steps with an empty line between them. A step is the words after the shell's
/// prompt, `croft FILE ...`,
/// or `terminal croft FILE ...` where a person types and reads; lines that it reads, after `< `;
/// and after `---` what
/// it writes, messages after `! `, and its exit code after `= ` unless that is 0. `FOLDER` is the
/// store's folder.
///
/// `CROFT_REWRITE_GOLDEN=1` writes the answers of today into the files, for reading the difference
/// before it is kept.
@Suite struct GoldenTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test func thereAreScripts() {
    #expect(Self.names.count >= 4)
  }

  @Test(arguments: names) func answersAsWritten(name: String) throws {
    let file = Self.folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let store = try BookStore()
    let steps = text.trimmingCharacters(in: .newlines).components(separatedBy: "\n\n")
    let answers = steps.map { step in
      let asked = step.components(separatedBy: "\n---")[0]
      guard let answer = Self.answer(to: asked, store) else { return step }
      return asked + "\n---" + answer
    }
    if ProcessInfo.processInfo.environment["CROFT_REWRITE_GOLDEN"] != nil {
      try (answers.joined(separator: "\n\n") + "\n").write(
        to: file, atomically: true, encoding: .utf8)
    }
    for (step, answer) in zip(steps, answers) { #expect(answer == step, "\(name)") }
    #expect(try store.open().verify().problems == [])
    _ = try store.open().fetch(Book.all)
    _ = try store.open().fetch(Author.all)
  }

  /// What a step writes; nil for a comment.
  private static func answer(to step: String, _ store: BookStore) -> String? {
    let lines = step.components(separatedBy: "\n")
    guard let first = lines.first(where: { !$0.hasPrefix("#") }) else { return nil }
    let isTyped = first.hasPrefix("terminal ")
    let words = words(of: first).drop { $0 != "croft" }.dropFirst()
    func withFolder(_ text: String) -> String {
      text.replacingOccurrences(of: "FOLDER", with: store.folder.path)
    }
    let run = ToolRun(
      words.map { $0 == "FILE" ? store.file : withFolder($0) },
      input: lines.filter { $0.hasPrefix("< ") }.map { withFolder(String($0.dropFirst(2))) },
      isTyped: isTyped, isShown: isTyped)
    var answer = ""
    if !run.output.isEmpty { answer += "\n" + run.output.trimmingCharacters(in: .newlines) }
    for message in run.messages {
      for line in message.components(separatedBy: "\n") { answer += "\n! " + line }
    }
    for line in run.unread { answer += "\nunread: " + line }
    answer = answer.replacingOccurrences(of: store.folder.path, with: "FOLDER")
    return run.code == 0 ? answer : answer + "\n= \(run.code)"
  }

  /// The words of a line, of which some are between single quotes.
  private static func words(of line: String) -> [String] {
    line.components(separatedBy: "'").enumerated().flatMap { place, part in
      place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [part]
    }
  }
}

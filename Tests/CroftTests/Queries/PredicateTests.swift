import Foundation
import Testing

/// The compiler accepts conditions as programs write them, and reports a mistake at its token.
///
/// The conditions are in `Tests/Predicates`.
@Suite struct PredicateTests {
  @Test func usualConditionsCompile() throws {
    let output = try CompileTests.run(
      ["swiftc", "-emit-sil", "-wmo", "-module-name", "Predicates"]
        + Self.paths("Models", "Predicates"))
    #expect(output == "")
  }

  @Test func aMistakeIsFoundAtItsToken() throws {
    let paths = Self.paths("Models", "Wrong")
    let output = try CompileTests.run(
      ["swiftc", "-emit-sil", "-wmo", "-module-name", "Predicates"] + paths)
    let errors = output.split(separator: "\n").filter {
      $0.contains("Wrong.swift:") && $0.contains(": error: ")
    }
    let mistakes = try Self.mistakes(in: paths[1])
    #expect(mistakes.count == 20)
    #expect(errors.count == mistakes.count, "\(output)")
    for mistake in mistakes {
      #expect(
        errors.contains {
          $0.contains("Wrong.swift:\(mistake.place): ") && $0.contains(mistake.words)
        },
        "no error at \(mistake.place) says \(mistake.words): \(errors)")
    }
  }

  /// The line and column of each mistake, from the comment in the line before, and its words.
  private static func mistakes(in path: String) throws -> [(place: String, words: String)] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { number, line in
      guard let match = line.wholeMatch(of: #/ *// ([0-9]+): (.+)/#) else { return nil }
      return ("\(number + 2):\(match.output.1)", String(match.output.2))
    }
  }

  private static func paths(_ names: String...) -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Predicates")
    return names.map { folder.appending(path: "\($0).swift").path }
  }
}

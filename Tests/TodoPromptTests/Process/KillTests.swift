import Croft
import Foundation
import Testing
import TestSupport
import TodoKit

/// Acknowledged changes are stored, whatever happens to the process afterwards.
@Suite struct KillTests {
  /// How many lines the script has, and after which acknowledgement the process dies.
  private static let lineCount = 4_000
  private static let deadlyLine = 1_000

  @Test func aKilledProcessLosesNoAcknowledgedLine() throws {
    // Given a script that is still running when its 1,000th line has been acknowledged
    let todo = try TodoProcess()
    let titles = ScriptText(seed: 20_260_102).titles(count: Self.lineCount)
    let script = todo.folder.path + "/script"
    try titles.map { "add \($0) !n\n" }.joined()
      .write(toFile: script, atomically: true, encoding: .utf8)
    let acknowledged = try kill(todo, script: script)
    #expect(acknowledged.count >= Self.deadlyLine)

    // When its store is opened again
    let path = try #require(todo.environment["TODO_DB"])
    let store = try Store.open(at: URL(filePath: path), models: TodoItem.self)
    let verification = try store.verify()
    let items = try CroftTodoRepository(path: path).items(.all)

    // Then it is sound, holds the first lines of the script and no others, and no line is missing
    // whose acknowledgement was read
    #expect(verification.isSound, "\(verification.problems)")
    #expect(items.map(\.title) == Array(titles.prefix(items.count)))
    #expect(items.count >= acknowledged.count)
    #expect(items.count < Self.lineCount, "the process ended before it was killed")
    #expect(
      acknowledged.map(\.withoutIDs)
        == titles.prefix(acknowledged.count).enumerated().map { "Added \($0 + 1): \($1)" })
  }

  /// Runs a script, kills the process meanwhile, and returns the whole lines it wrote.
  private func kill(_ todo: TodoProcess, script: String) throws -> [String] {
    let process = Process()
    process.executableURL = TodoProcess.executable
    process.environment = todo.environment
    let input: FileHandle = try #require(FileHandle(forReadingAtPath: script))
    process.standardInput = input
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    try pipe.fileHandleForWriting.close()
    var bytes = Data()
    var isAlive = true
    while true {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
      if isAlive, bytes.count(where: { $0 == UInt8(ascii: "\n") }) >= Self.deadlyLine {
        Foundation.kill(process.processIdentifier, SIGKILL)
        isAlive = false
      }
    }
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    let text = String(
      decoding: bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)], as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}

/// Titles made of a licence's words, where the system has one, the same for one seed.
struct ScriptText {
  private let random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  func titles(count: Int) -> [String] {
    var random = random
    let words = Self.words
    return (0..<count).map { index in
      let length = 3 + Int(random.next() % 6)
      let title = (0..<length).map { _ in words[Int(random.next() % UInt64(words.count))] }
      return "\(index + 1) " + title.joined(separator: " ")
    }
  }

  private static let words: [String] = {
    let path = "/usr/share/common-licenses/GPL-3"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "할일 milk report 보고서 우유"
    return text.split { !$0.isLetter }.map(String.init)
  }()
}

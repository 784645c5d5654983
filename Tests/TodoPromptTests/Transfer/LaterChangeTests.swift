import Foundation
import Synchronization
import TestSupport
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// A file that is older than a change here does not undo the change.
@Suite struct LaterChangeTests {
  /// A clock that is one minute later at each look.
  private final class Clock: Sendable {
    private let minutes = Mutex(0)

    func now() -> Date {
      let passed = minutes.withLock { minutes in
        minutes += 1
        return minutes
      }
      return Date(timeIntervalSince1970: 1_767_323_040 + TimeInterval(60 * passed))
    }
  }

  /// A store with two items, one of them in a group.
  private func filled(_ clock: Clock) throws -> Place {
    let place = try Place(now: { clock.now() })
    for words in [
      ["group", "add", "Home"],
      ["add", "Call", "!l", "@Home", "#x", "due:2027-01-05"], ["add", "Write", "!n"],
    ] {
      #expect(place.terminal.run(words).status == .done)
    }
    return place
  }

  /// The path of a file with a text, which was written at a time.
  private func file(_ text: String, at time: Date, _ place: Place) throws -> String {
    let path = place.folder.path(to: "file")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    return path
  }

  private func run(_ words: String..., in place: Place) throws {
    let item = try #require(try place.repository.items(.all).first { $0.title == "Call" })
    let run = place.terminal.run([words[0], item.id.uuidString] + words.dropFirst())
    #expect(run.status == .done, "\(run.messages)")
  }

  /// Every import of an earlier export undid what had been changed here since then.
  @Test(arguments: TaskFormat.allCases.filter { $0 != .todoist })
  func anEarlierExportLeavesLaterChanges(format: TaskFormat) throws {
    let clock = Clock()
    let place = try filled(clock)
    let path = try file(place.export(format), at: clock.now(), place)
    try run("pri", "high", in: place)
    try run("due", "2027-02-03", in: place)
    try run("untag", "x", in: place)
    let stored = try place.repository.items(.all)
    let words = ["import", path, "--format", format.name]
    let dryRun = place.terminal.run(words + ["--dry-run"])
    #expect(
      dryRun.messages.contains(
        "\"Call\" keeps what was changed here after the file was written: "
          + "priority, due date, tags."), "\(dryRun.messages)")
    for _ in 0..<2 {
      let run = place.terminal.run(words)
      #expect(run.output.contains(": 0 added, 0 changed, 2 unchanged"), "\(run.output)")
      #expect(
        run.output.contains("1 item keeps what was changed here after the file was written."))
      #expect(!run.messages.contains("keeps"))
      #expect(try place.repository.items(.all) == stored)
    }
  }

  /// What the file changed besides comes in, and stays in with the next import.
  @Test(arguments: [TaskFormat.json, .csv, .todoTxt])
  func whatTheFileChangedComesIn(format: TaskFormat) throws {
    let clock = Clock()
    let place = try filled(clock)
    let text = place.export(format).replacing("Write", with: "Write now")
      .replacing("Call", with: "Call Mom")
    let path = try file(text, at: clock.now(), place)
    try run("pri", "high", in: place)
    let words = ["import", path, "--format", format.name]
    #expect(place.terminal.run(words).output.contains(": 0 added, 2 changed, 0 unchanged"))
    var items = try place.repository.items(.all)
    #expect(Set(items.map(\.title)) == ["Call Mom", "Write now"])
    #expect(items.first { $0.title == "Call Mom" }?.priority == .high)
    // A change of what the import brought is a later one too.
    let id = try #require(items.first { $0.title == "Write now" }).id.uuidString
    #expect(place.terminal.run(["edit", id, "Write", "later"]).status == .done)
    items = try place.repository.items(.all)
    let again = place.terminal.run(words)
    #expect(again.output.contains(": 0 added, 0 changed, 2 unchanged"), "\(again.output)")
    #expect(try place.repository.items(.all) == items)
  }

  /// A file that was written after the changes says what it says: it comes from elsewhere by then.
  @Test func aFileThatIsNewerChangesTheItem() throws {
    let clock = Clock()
    let place = try filled(clock)
    let text = place.export(.json)
    try run("pri", "high", in: place)
    let path = try file(text, at: clock.now(), place)
    let run = place.terminal.run(["import", path, "--format", "json"])
    #expect(run.output.contains(": 0 added, 1 changed") && !run.output.contains("keep"))
    let items = try place.repository.items(.all)
    #expect(items.first { $0.title == "Call" }?.priority == .low)
  }

  /// The answer is told in Korean, and to programs.
  @Test func theAnswerSaysHowManyItemsKeepTheirChanges() throws {
    let clock = Clock()
    let place = try filled(clock)
    let path = try file(place.export(.json), at: clock.now(), place)
    try run("star", in: place)
    let korean = place.terminal.run(
      ["--lang", "ko", "import", path, "--format", "json", "--dry-run"])
    #expect(korean.output.contains("할일 1개는 파일을 쓴 뒤에 여기서 바꾼 것을 그대로 둡니다."))
    #expect(korean.messages.contains("\"Call\": 파일을 쓴 뒤에 여기서 바꾼 것은 그대로 둡니다: 별표."))
    let json = place.terminal.run(["-o", "json", "import", path, "--format", "json"])
    #expect(json.output.contains("\"changed\":0,") && json.output.contains("\"kept\":1"))
  }
}

import Foundation
import Testing
import TestSupport

/// The program as a process: exit codes, streams, files.
@Suite struct ProcessTests {
  @Test func theFirstExampleWorksAcrossProcesses() throws {
    let todo = try TodoProcess()
    let added = try todo.run(["-c", #"add "보고서 쓰기" --pri high"#])
    #expect(added.status == 0)
    // A number would be refused by the next process.
    #expect(added.output.wholeMatch(of: #/Added [0-9a-f]{4,}: 보고서 쓰기\n/#) != nil)
    let listed = try todo.run(["-o", "json", "ls"])
    let items = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]]
    #expect(items?.count == 1)
    #expect(items?.first?["title"] as? String == "보고서 쓰기")
    #expect(listed.messages == "")
  }

  @Test func resultsAndMessagesHaveStreamsOfTheirOwn() throws {
    let todo = try TodoProcess()
    let result = try todo.run(
      ["--keep-going"], input: "add a !h\nadd b\nadd c !l\nls --done\nnonsense\n")
    #expect(result.status == 1)
    #expect(result.output.withoutIDs == "Added 1: a\nAdded 2: c\n")
    #expect(result.messages.contains("Please choose a priority."))
    #expect(result.messages.contains("line 2"))
    #expect(result.messages.contains("line 5"))
    #expect(result.messages.contains("add b"))
  }

  @Test(
    arguments: [
      (["ls"], 0), (["help"], 0), (["--help"], 0), (["quit"], 0), (["add", "x", "!h"], 0),
      (["add"], 1), (["add", "x"], 1), (["done", "1"], 1), (["rm", "beef"], 1),
      (["nonsense"], 64), (["-c", "nonsense"], 64), (["ls", "extra"], 1), (["--nonsense"], 64),
      (["done"], 64), (["undo"], 1), (["redo"], 1), (["group"], 0), (["group", "rm", "x"], 1),
      (["group", "x"], 64), (["show", "x"], 1), (["star"], 64), (["due", "1"], 64),
      (["-c", "add x !h", "-c", "add", "-c", "add y !h"], 1),
    ] as [([String], Int32)])
  func exitsWithACodeThatScriptsCanReadOff(arguments: [String], status: Int32) throws {
    #expect(try TodoProcess().run(arguments).status == status)
  }

  @Test func aScriptStopsAtItsFirstErrorWithOne() throws {
    let todo = try TodoProcess()
    let result = try todo.run([], input: "add a !h\nnonsense\nadd b !h\n")
    #expect(result.status == 1)
    #expect(result.output.withoutIDs == "Added 1: a\n")
    #expect(result.messages.hasPrefix("line 2: "))
    #expect(result.messages.contains("nonsense"))
  }

  @Test func commandsRunInTurnAndShareTheirList() throws {
    let todo = try TodoProcess()
    let result = try todo.run([
      "-c", "add a !h", "-c", "add b !n", "-c", "done 1", "-c", "ls --done",
    ])
    #expect(result.status == 0)
    #expect(result.output.contains("Done 1: a"))
    let stopped = try todo.run(["-c", "add x", "-c", "add c !h"])
    #expect(stopped.status == 1)
    #expect(stopped.output == "")
    let going = try todo.run(["--keep-going", "-c", "add x", "-c", "add c !h"])
    #expect(going.status == 1)
    #expect(going.output.withoutIDs == "Added 1: c\n")
  }

  @Test func inAFreshProcessNumbersAreRefusedWithIDs() throws {
    let todo = try TodoProcess()
    _ = try todo.run(["add", "우유", "!h"])
    let refused = try todo.run(["done", "1"])
    #expect(refused.status == 1)
    let id = try #require(
      refused.messages.split(separator: " ").first {
        $0.count == 4 && $0 != "none" && $0.allSatisfy(\.isHexDigit)
      })
    #expect(try todo.run(["done", String(id)]).output.hasSuffix(": 우유\n"))
  }

  @Test func deletingNeedsYesWhereNobodyCanBeAsked() throws {
    let todo = try TodoProcess()
    let result = try todo.run(["-c", "add a !h", "-c", "rm 1"])
    #expect(result.status == 1)
    #expect(result.messages.contains("--yes"))
    #expect(try todo.run(["-c", "ls", "-c", "rm 1 --yes"]).output.contains("Deleted \"a\"."))
  }

  @Test func undoAndRedoWorkAcrossProcesses() throws {
    let todo = try TodoProcess()
    _ = try todo.run(["-c", "group add 집안일", "-c", "add 우유 사기 !h @집안일 due:2026-06-01 #장보기"])
    let before = try todo.run(["-o", "json", "ls"]).output
    #expect(before.contains("우유 사기"))
    let deleted = try todo.run(["group", "rm", "집안일", "--yes"])
    #expect(deleted.output == "Deleted group \"집안일\" and 1 item. undo to bring them back.\n")
    #expect(try todo.run(["-o", "json", "ls"]).output == "[]\n")
    #expect(
      try todo.run(["undo"]).output == "Undone: delete group \"집안일\" and 1 item\n")
    let after = try todo.run(["-o", "json", "ls"])
    #expect(after.output == before, "\(after)")
    #expect(
      try todo.run(["--lang", "ko", "redo"]).output == "다시 실행: 그룹 삭제 \"집안일\", 할일 1개\n")
    #expect(try todo.run(["redo"]).status == 1)
    for _ in 0..<3 { #expect(try todo.run(["undo"]).status == 0) }
    #expect(try todo.run(["undo"]).messages == "There is nothing to undo.\n")
    #expect(try todo.run(["group"]).messages == "No groups yet. Try: group add home\n")
  }

  @Test func aGroupIsShownAsTheStoreHoldsIt() throws {
    let todo = try TodoProcess()
    let result = try todo.run(
      [],
      input: """
        group add 집안일 --color '#ff8800'
        add 청소 !h @집안일
        add 빨래 !l @집안일
        add 설거지 !l @집안일
        done 1-2
        star 3
        mv 3 top
        show 집안일
        ls important --undone
        group

        """)
    #expect(result.status == 0, "\(result.messages)")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("집안일  67% [######---] 2/3  #ff8800"))
    let table = ["Important   0% [---------] 0/1", "집안일     67% [######---] 2/3  #ff8800"]
    #expect(lines.suffix(2) == table[...])
    let shown = lines.drop { !$0.hasPrefix("집안일  67%") }.dropFirst().map { $0.suffix(3) }
    #expect(shown.prefix(4).map(String.init) == ["설거지", "ted", " 청소", " 빨래"])
  }

  /// What day it is depends on where: half a day apart, one of the two places is a day ahead.
  @Test func todayIsTheDayOfTheTimeZone() throws {
    func days(_ zone: String) throws -> Set<String> {
      let todo = try TodoProcess(environment: ["TZ": zone])
      let result = try todo.run(["-o", "json", "add", "x", "!h", "due:today"])
      let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      let due = (object as? [String: Any])?["due"] as? String
      return [try #require(due)]
    }
    // Places 26 hours apart never share a day.
    #expect(try days("AAA-14") != days("BBB+12"))
  }

  @Test func theUsualPlaceIsMadeAndANamedOneIsNot() throws {
    let todo = try TodoProcess(environment: ["TODO_DB": ""])
    #expect(try todo.run(["add", "a", "!h"]).status == 0)
    let file = todo.folder.path + "/.local/share/todo/todo.croft"
    #expect(FileManager.default.fileExists(atPath: file))
    let missing = todo.folder.path + "/missing/x.croft"
    let result = try todo.run(["--db", missing, "ls"])
    #expect(result.status == 1)
    #expect(!FileManager.default.fileExists(atPath: todo.folder.path + "/missing"))
  }

  @Test func aFileThatIsNoStoreIsRefusedAndLeftAlone() throws {
    let todo = try TodoProcess()
    let path = todo.folder.path + "/hostname"
    let text = "a file of somebody else's\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    for arguments in [["--db", path, "ls"], ["--db", path], ["--db", path, "-c", "add x !h"]] {
      let result = try todo.run(arguments, input: "add x !h\n")
      #expect(result.status == 1)
      #expect(result.output == "")
      #expect(result.messages.filter { $0 == "\n" }.count == 1, "\(result.messages)")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    let names = try FileManager.default.contentsOfDirectory(atPath: todo.folder.path)
    #expect(names.filter { $0.hasPrefix("hostname") } == ["hostname"])
  }

  @Test(arguments: ["", "/dev/null", "/", "/proc/version", "/dev/null/x.croft"])
  func aPlaceThatHoldsNoStoreIsAnErrorInOneLine(path: String) throws {
    let result = try TodoProcess().run(["--db", path, "ls"])
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.messages.filter { $0 == "\n" }.count == 1, "\(result.messages)")
  }

  /// Without care the store would be opened as standard output, and overwritten by results.
  @Test func aClosedStreamIsNotMistakenForTheStore() throws {
    let todo = try TodoProcess()
    _ = try todo.run(["add", "a", "!h"])
    for closing in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "'\(TodoProcess.executable.path)' add b !h \(closing)"]
      shell.environment = todo.environment
      shell.standardOutput = FileHandle.nullDevice
      shell.standardError = FileHandle.nullDevice
      try shell.run()
      shell.waitUntilExit()
    }
    let listed = try todo.run(["-o", "json", "ls"])
    #expect(listed.status == 0, "\(listed.messages)")
    #expect(listed.output.split(separator: "\n").count == 2 + 5)
  }

  @Test func whenTheReaderGoesAwayTheProgramEndsQuietly() throws {
    let todo = try TodoProcess()
    _ = try todo.run([], input: (1...50).map { "add item \($0) !h\n" }.joined())
    let process = Process()
    process.executableURL = TodoProcess.executable
    process.arguments = ["ls"]
    process.environment = todo.environment
    let output = Pipe()
    let messages = Pipe()
    process.standardOutput = output
    process.standardError = messages
    try output.fileHandleForReading.close()
    try process.run()
    process.waitUntilExit()
    try messages.fileHandleForWriting.close()
    #expect(try messages.fileHandleForReading.readToEnd() ?? Data() == Data())
  }
}

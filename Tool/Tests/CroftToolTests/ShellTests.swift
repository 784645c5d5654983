import Croft
import Foundation
import Testing

@testable import CroftTool

@Model struct Moment {
  @PrimaryKey var id: Int
  var at: Date
  var share: Decimal
}

/// The shell over a store that this test's models made: what it writes, and its exit codes.
@Suite struct ShellTests {
  private let folder: URL
  private let file: String

  init() throws {
    let store = try BookStore()
    (folder, file) = (store.folder, store.file)
  }

  private func run(
    _ words: [String], input: [String] = [], isTyped: Bool = false, isShown: Bool? = nil
  ) -> ToolRun {
    ToolRun(words, input: input, isTyped: isTyped, isShown: isShown ?? isTyped)
  }

  @Test func aTableAlignsHangulAndShowsNil() {
    let run = run(["-o", "table", file, "Book select id, author.name as author, year, title"])
    #expect(run.code == 0 && run.messages == [])
    #expect(
      run.output == """
        id  author  year  title
        1   우유    2001  바나나, "big"
        2   Bo      nil   line\\nfeed
        3   nil     1999  Sea

        """)
  }

  /// The signal of a pipe without a reader ended the program.
  @Test(arguments: [([], 0), (["--write"], 74)] as [([String], Int32)])
  func aPipeWithoutAReaderIsNoSignal(options: [String], code: Int32) throws {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft")
    process.arguments = options + [file, "Book"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try pipe.fileHandleForReading.close()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == code)
  }

  @Test func eachFormatHasItsForm() {
    func output(_ format: String, _ query: String) -> String {
      run(["-o", format, file, query]).output
    }
    let query = "Book where id <= 2 select id, title, year, tags, cover"
    #expect(
      output("json", query) == """
        [
          {"id":1,"title":"바나나, \\"big\\"","year":2001,"tags":["a","b|c"],"cover":"AP8="},
          {"id":2,"title":"line\\nfeed","year":null,"tags":[],"cover":""}
        ]

        """)
    #expect(
      output("ndjson", "Book where id == 2 select id, year") == "{\"id\":2,\"year\":null}\n")
    #expect(
      output("csv", query) == "id,title,year,tags,cover\n"
        + "1,\"바나나, \"\"big\"\"\",2001,\"[a, b|c]\",\"x\"\"00ff\"\"\"\n2,\"line\nfeed\",,[],\"x\"\"\"\"\"\n"
    )
    #expect(
      output("md", "Book where id == 1 select tags") == "| tags |\n| --- |\n| [a, b\\|c] |\n")
    #expect(output("plain", "Book where id == 2 select id, year, title") == "2\t\tline\\nfeed\n")
    #expect(output("json", "Book where id > 9") == "[]\n")
    #expect(output("csv", "Book where id > 9 select id") == "id\n")
    #expect(output("table", "Book where id > 9 select id") == "id\n")
  }

  @Test func commandsDescribeTheFile() {
    let models = run(["-o", "csv", file, ".models"]).output.split(separator: "\n")
    #expect(models.count == 3 && models[1].hasPrefix("Author,2,") && models[2].hasPrefix("Book,3,"))
    let schema = run(["-o", "csv", file, ".schema Book"]).output
    #expect(schema.contains("Book,id,int64,primary,,,\n"))
    #expect(schema.contains("Book,author,int64?,,Author,nullify,\n"))
    #expect(schema.contains("Book,tags,[string],,,,\n"))
    #expect(schema.contains("Book,form,string,,,,\"paper, screen = e-book\"\n"))
    #expect(schema.contains("Book,state,int64,,,,\"kept = 0, lent = 1\"\n"))
    let indexes = run(["-o", "csv", file, ".indexes"]).output
    #expect(
      indexes.contains("Author,name,true,true\n") && indexes.contains("Book,title,false,true\n"))
    #expect(run([file, ".explain Book where title == \"Sea\""]).output.contains("title"))
    #expect(run([file, ".verify"]).output.hasPrefix("The store is sound: 5 objects"))
    #expect(run([file, ".stats"]).output.hasPrefix("file\t"))
    #expect(run([file, ".help"]).output.contains(".models"))
  }

  @Test func linesAreReadUntilOneFails() {
    let lines = ["# a comment", "", "Book select count", "Bok", "Book select count"]
    let first = run([file], input: lines)
    #expect(first.code == 1 && first.output == "3\n")
    #expect(
      first.messages.count == 1
        && first.messages[0].hasPrefix("croft: line 4: the file has no model Bok"))
    let second = run(["--keep-going", file], input: lines)
    #expect(second.code == 1 && second.output == "3\n3\n")
    let typed = run([file], input: lines + [".quit", "Book"], isTyped: true)
    #expect(typed.code == 1 && typed.output.hasPrefix("croft> croft> croft> count\n3\n"))
    #expect(!typed.output.contains("Sea"))
    #expect(
      run(["-c", ".mode ndjson", "-c", "Book select count", file]).output == "{\"count\":3}\n")
  }

  @Test func exitCodesTellWhatWentWrong() throws {
    #expect(run([]).code == 64)
    #expect(run(["-o", "xml", file, "Book"]).code == 64)
    #expect(run(["--frob", file]).code == 64)
    #expect(run([folder.appending(path: "none.croft").path, "Book"]).code == 66)
    #expect(run([file, "Book where"]).code == 1)
    #expect(run([file, ".schema Nobody"]).code == 1)
    #expect(run([file, ".frob"]).code == 1)
    #expect(run(["--help"]).code == 0)
    let text = folder.appending(path: "text.croft")
    try Data("not a store".utf8).write(to: text)
    #expect(run([text.path, "Book"]).code == 66)
  }

  @Test func nothingIsWrittenToTheFile() throws {
    let before = try Data(contentsOf: URL(filePath: file))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for line in ["Book", ".models", ".verify", "Book select count group by year"] {
      _ = run([file, line])
      // Statements are allowed, and there is none.
      #expect(run(["--write", file, line]).code == 0)
    }
    for operation in ["verify", "stats", "readers"] {
      #expect(run([operation, file]).code == 0)
    }
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files)
  }

  @Test func aReaderThatLeavesEndsTheRunQuietly() {
    var messages: [String] = []
    let streams = Streams(
      readLine: { nil }, write: { _ in throw Streams.ReaderLeft() },
      report: { messages.append($0) })
    #expect(Program.run(["-o", "ndjson", file, "Book"], streams) == 0)
    #expect(messages == [])
  }

  /// What was done, or was not, is told: the results that would tell it have no reader.
  @Test(arguments: [false, true])
  func aReaderThatLeavesATransactionRollsItBack(failsOtherwise: Bool) throws {
    func run(_ lines: [String], writes: Int) -> (code: Int32, messages: [String]) {
      var (messages, lines, left) = ([String](), lines, writes)
      let streams = Streams(
        readLine: { lines.isEmpty ? nil : lines.removeFirst() },
        write: { _ in
          left -= 1
          if left >= 0 { return }
          if failsOtherwise { throw POSIXError(.ENOSPC) }
          throw Streams.ReaderLeft()
        }, report: { messages.append($0) })
      return (Program.run(["--write", "--keep-going", file], streams), messages)
    }
    func count() throws -> Int {
      try Store.open(at: URL(filePath: file), models: Author.self, Book.self).count(Book.all)
    }
    let lost = run(["begin", "delete Book where id == 1", "Book", "commit"], writes: 1)
    #expect(lost.code == (failsOtherwise ? 74 : 1))
    #expect(lost.messages.first?.contains("the transaction is rolled back") == true)
    #expect(try count() == 3)
    let done = run(["delete Book where id == 1", "Book"], writes: 0)
    #expect(done.code == 74)
    #expect(try count() == 2)
    #expect(run(["begin", "delete Book", "commit"], writes: 9).code == 0)
    #expect(try count() == 0)
  }

  /// Where people type, results may go into a file, in which a table and a prompt are of no use.
  @Test func theFormIsThatOfTheOutput() {
    let file = run([file], input: ["Book select id limit 1"], isTyped: true, isShown: false)
    #expect(file.output == "1\n")
    let piped = run([self.file], input: ["Book select id limit 1"], isShown: true)
    #expect(piped.output == "id\n1\n")
    let typed = run([self.file], input: [], isTyped: true)
    #expect(typed.output == "croft> \n")
  }

  /// A quote or a comma and a mark after it are one character for Swift, and two for other readers.
  @Test func cellsAreQuotedByScalars() throws {
    let titles = ["a,\u{301}b", "a\"\u{301}b", "|\u{301}", "\\n", "\u{202E}", " a"]
    try Store.open(at: URL(filePath: file), models: Author.self, Book.self).write { tx in
      try tx.delete(Book.all)
      try tx.insert(
        contentsOf: titles.indices.map { Book(id: $0, title: titles[$0], year: nil) })
    }
    func lines(_ format: String) -> [String] {
      run(["-o", format, file, "Book select title"]).output.split(separator: "\n").map(String.init)
    }
    #expect(
      lines("csv") == [
        "title", "\"a,\u{301}b\"", "\"a\"\"\u{301}b\"", "|\u{301}", "\\n", "\u{202E}", "\" a\"",
      ])
    #expect(
      lines("md").dropFirst(2).elementsEqual([
        "| a,\u{301}b |", "| a\"\u{301}b |", "| \\|\u{301} |", "| \\\\n |", "| \\u{202e} |",
        "|  a |",
      ]))
    #expect(
      lines("plain") == [
        "a,\u{301}b", "a\"\u{301}b", "|\u{301}", "\\\\n", "\\u{202e}", " a",
      ])
  }

  /// Each date that is printed is found by the text that was printed.
  @Test func printedDatesAreFoundAgain() throws {
    let dated = folder.appending(path: "dates.croft")
    let seconds = [14.605736136436462, 0, -61_999_999_999, 252_423_993_599, 8e8 + 1.0 / 3]
    try Store.open(at: dated, models: Moment.self).write { tx in
      try tx.insert(
        contentsOf: seconds.indices.map {
          Moment(id: $0, at: Date(timeIntervalSinceReferenceDate: seconds[$0]), share: .nan)
        })
    }
    for (id, _) in seconds.enumerated() {
      let printed = run([dated.path, "Moment where id == \(id) select at"]).output
      let text = printed.trimmingCharacters(in: .newlines)
      #expect(run([dated.path, "Moment where at == \(text) select id"]).output == "\(id)\n")
    }
    let json = run(["-o", "json", dated.path, "Moment"]).output
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
  }

  /// The program itself, and not its parts: what it writes into a file, and to a device that is
  /// full.
  @Test func theProgramTellsWhatCannotBeWritten() throws {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft")
    func code(_ output: String, _ words: [String]) throws -> (Int32, String) {
      let process = Process()
      process.executableURL = program
      process.arguments = words
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
      let messages = Pipe()
      process.standardError = messages
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let text = try messages.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
    let written = folder.appending(path: "out.txt").path
    try Data().write(to: URL(filePath: written))
    #expect(try code(written, [file, "Book select id"]) == (0, ""))
    #expect(try String(contentsOfFile: written, encoding: .utf8) == "1\n2\n3\n")
    let full = try code("/dev/full", ["-o", "json", file, "Book"])
    #expect(full.0 == 74 && full.1.hasPrefix("croft: the results cannot be written"))
  }
}

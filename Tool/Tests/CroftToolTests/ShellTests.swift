import Croft
import Foundation
import Testing

@testable import CroftTool

@Model struct Moment {
  @PrimaryKey var id: Int
  var at: Date
  var share: Decimal
}

enum Cabinet {
  @Model struct Room {
    @PrimaryKey var id: Int
  }
  @Model struct Shelf {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var room: Ref<Cabinet.Room>?
  }
  @Model struct Label {
    @PrimaryKey var id: Int
    var shelves: [Ref<Cabinet.Shelf>] = []
  }
}

/// A model that has the name of a command.
@Model struct Quit {
  @PrimaryKey var id: Int
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

  /// Each word was run as a query of its own.
  @Test func wordsWithoutQuotesAreRefused() throws {
    for words in [
      ["title", "contains", "x"], ["Book", "where", "year", ">", "2000"], ["Book", "limit", "2"],
      ["Book", "where year > 2000"], ["Author", "select", "name"], ["watch", "Book"],
    ] {
      let run = run([file] + words)
      #expect(run.code == 64 && run.output == "", "\(words)")
      #expect(run.messages.count == 1 && run.messages[0].contains("in quotes"), "\(run.messages)")
    }
    for words in [
      ["delete", "Book"], ["begin", "delete", "Book", "commit"], ["delete Book", "where id == 1"],
      ["delete Book", "id == 1"], ["-c", "delete Book", "where id == 1"],
      ["-c", "delete Book", "-c", "and year > 2000"],
    ] {
      let run = run(["--write", file] + words)
      #expect(run.code == 64 && run.messages[0].contains("is not a query of its own"), "\(words)")
    }
    #expect(try Store.open(at: URL(filePath: file), models: Book.self).count(Book.all) == 3)
    #expect(run([file, "Author select id", "Book select id", ".help"]).code == 0)
    #expect(run([file, "Author", "Book", "# nothing", "", "`Book`"]).code == 0)
    #expect(run([file, "-c", "Author", "-c", "Book"]).code == 0)
    #expect(run([file, "Author", "help", "?", "quit"]).code == 0)
  }

  /// There was no command `.schema;`, and the file that was exported had the semicolon in its name.
  @Test func aSemicolonMayEndACommand() throws {
    for (line, command) in [
      (".schema;", .schema(model: nil)), (".schema Book ;", .schema(model: "Book")),
      (".quit;", .quit), (".mode csv;", .mode(.csv)), (".explain Book;", .explain("Book")),
      (".watch Book where id == 1 ;", .watch("Book where id == 1")),
      (".explain Book where title == \"a;\"", .explain("Book where title == \"a;\"")),
      (".explain Book where title == \"a;", .explain("Book where title == \"a;")),
      (".export a.csv;", .export("a.csv", query: nil)),
      (".export \"a b.csv\";", .export("a b.csv", query: nil)),
      (".export \"a b.csv\" Book;", .export("a b.csv", query: "Book")),
      (".export \"a;.csv\"  Book", .export("a;.csv", query: "Book")),
      (".verify;", .operation(.verify)),
    ] as [(String, ShellCommand)] {
      #expect(try ShellCommand(line) == command, "\(line)")
    }
    let run = run([file], input: [".mode ndjson;", "Author select count;", ".quit;", "Book"])
    #expect(run.code == 0 && run.output == "{\"count\":2}\n" && run.unread == ["Book"])
  }

  /// The command wrote everything, and the model was a query of its own.
  @Test func aCommandWithoutItsWordsIsRefused() {
    for words in [
      [".schema", "Book"], [".indexes", " Book "], ["Author", ".explain", "Book"],
      ["-c", ".schema", "Book"],
    ] {
      let run = run([file] + words)
      #expect(run.code == 64 && run.output == "", "\(words)")
      #expect(run.messages.joined().contains("Book'; see"), "\(run.messages)")
    }
    for words in [
      [".schema Book", "Book"], [".models", "Book"], ["-c", ".schema", "-c", "Book"],
      [".schema", "Book where id == 1"], [".schema"],
    ] {
      #expect(run([file] + words).code == 0, "\(words)")
    }
  }

  /// Each was a query of a model that is not there.
  @Test func aWordMayBeACommandWithoutItsPoint() throws {
    for word in ["help", "HELP;", "?"] {
      #expect(run([file], input: [word]).output == ShellCommand.overview + "\n", "\(word)")
    }
    for word in ["exit", "quit", "Quit"] {
      let run = run([file], input: [word, "Author"], isTyped: true)
      #expect(run.code == 0 && run.messages == [] && run.unread == ["Author"], "\(word)")
    }
    let left = run(["--write", file], input: ["begin", "delete Book", "y", "exit"], isTyped: true)
    #expect(left.code == 1 && left.messages.joined().contains("rolled back"))
    let other = folder.appending(path: "quit.croft")
    _ = try Store.open(at: other, models: Quit.self)
    let asked = run([other.path, "-o", "csv"], input: ["Quit", ".mode json"])
    #expect(asked.output == "id\n" && asked.unread == [])
  }

  /// No help listed them.
  @Test func theOperatorsAreListedWithExamplesThatAreRead() throws {
    let help = run([file, ".help operators"])
    #expect(help.code == 0 && help.output == OperatorHelp.text + "\n")
    for words in [["help", "operators"], ["--help", "operators"], [file, "help operators"]] {
      #expect(run(words).output == help.output, "\(words)")
    }
    #expect(run([file, "Author", "help operators", "Author"]).code == 0)
    for words in [["help"], [file, ".help"]] {
      #expect(run(words).output.contains("\n  .help [operators] "), "\(words)")
    }
    #expect(run(["help"]).output.contains("croft help operators"))
    #expect(run([file, ".help frobs"]).messages.joined().contains(".help operators"))
    let lines = help.output.split(separator: "\n").dropFirst()
    #expect(lines.count == OperatorHelp.rows.count && lines.allSatisfy { $0.count <= 110 })
    for (row, line) in zip(OperatorHelp.rows, lines) {
      #expect(line.contains("  \(row.example)  ") && line.hasPrefix("  \(row.operators) "))
      #expect(throws: Never.self) { try DynamicQuery("Book where " + row.example) }
      // Books have no date.
      if row.example.contains("due") { continue }
      let answer = run([file, "Book where " + row.example])
      #expect(answer.code == 0 && answer.messages == [], "\(row.example): \(answer.messages)")
    }
    // What the parser would take is there.
    let words = help.output.split { $0.isWhitespace || $0 == "," }.map(String.init)
    let store = try Store.open(at: URL(filePath: file), models: [])
    for property in ["title", "tags", "year", "form", "state", "author"] {
      for candidate in try store.completions(of: "Book where \(property) ").candidates {
        #expect(candidate.text.split(separator: " ").allSatisfy { words.contains(String($0)) })
      }
    }
  }

  /// Nothing told that a value was not whole, and how to see it.
  @Test func aTableTellsWhatItShortens() throws {
    let long = String(repeating: "바나나", count: 40)
    do {
      let store = try Store.open(at: URL(filePath: file), models: Author.self)
      try store.write { tx in
        try tx.insert(contentsOf: [Author(id: 8, name: long), Author(id: 9, name: long + "!")])
      }
    }
    let table = run(["-o", "table", file, "Author where id >= 8"])
    #expect(
      table.messages == [
        "croft: 2 values are shortened to 60 columns, with ... at the end; -o plain, or "
          + ".mode plain, shows all of it"
      ])
    #expect(table.output.contains("...") && !table.output.contains(long))
    let typed = run(
      [file], input: ["Author where id == 8", ".mode plain", "Author where id == 8"], isTyped: true)
    #expect(typed.messages.count == 1 && typed.messages[0].contains("1 value is shortened"))
    #expect(typed.output.contains(long))
    #expect(run(["-o", "table", file, "Author where id < 8"]).messages == [])
  }

  @Test func aTableIsSortedByTwoProperties() {
    let run = run([
      "-o", "table", file, "Book select state, form, id sort by state desc, id desc limit 2",
      "Book select author, id sort by author, id desc", "Book select id, title sort by year, title",
    ])
    #expect(
      run.output == """
        state  form   id
        0      paper  3
        0      paper  2
        author  id
        nil     3
        1       1
        2       2
        id  title
        2   line\\nfeed
        3   Sea
        1   바나나, "big"

        """)
    #expect(run.code == 0 && run.messages == [])
  }

  /// Results had small letters, and errors and dumps capital ones.
  @Test func aUUIDIsWrittenOneWay() throws {
    let other = folder.appending(path: "samples.croft")
    _ = try Store.open(at: other, models: Sample.self)
    let uuid = "0199B0C2-7D3E-7A51-9D3C-5E0F2A7B1C44"
    let insert = "insert Sample {id: 1, text: \"a\", code: \(uuid.lowercased())}"
    #expect(run(["--write", other.path, insert]).code == 0)
    let query = "Sample where code == \(uuid.lowercased()) select code"
    for format in OutputFormat.allCases {
      #expect(run(["-o", format.rawValue, other.path, query]).output.contains(uuid), "\(format)")
    }
    #expect(run(["dump", other.path]).output.contains("\"\(uuid)\""))
  }

  @Test func anExportSaysItsFormats() throws {
    let missing = run([file, ".export"])
    #expect(missing.messages.joined().contains("csv, json, ndjson, jsonl, md, tsv, txt"))
    let path = folder.appending(path: "authors.dat").path
    let other = run(["-o", "json", file, ".export \(path) Author"])
    #expect(other.code == 0 && other.messages.joined().contains("the format of results, json"))
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("["))
    #expect(run([file, ".export \(folder.path)/authors.csv Author"]).messages == [])
  }

  @Test func aDeleteTellsItsConsequences() throws {
    let other = folder.appending(path: "rooms.croft")
    do {
      let models: [any Model.Type] = [Cabinet.Room.self, Cabinet.Shelf.self, Cabinet.Label.self]
      try Store.open(at: other, models: models).write { tx in
        try tx.insert(contentsOf: [Cabinet.Room(id: 1), Cabinet.Room(id: 2)])
        try tx.insert(contentsOf: (1...5).map { Cabinet.Shelf(id: $0, room: Ref($0 < 4 ? 1 : 2)) })
        try tx.insert(
          contentsOf: (1...5).map { Cabinet.Label(id: $0, shelves: [Ref($0), Ref(5)]) })
      }
    }
    let words = ["--write", "-o", "plain", other.path]
    let refused = run(words, input: ["delete Room where id == 1", "n"], isTyped: true)
    #expect(
      refused.output.contains(
        "1 object of Room: delete? Also deleted: 3 of Shelf. References are removed: 3 of Label. "
          + "[y/N] "))
    #expect(run(words + ["Room select count", "Shelf select count"]).output == "2\n5\n")
    let done = run(words, input: ["begin", "delete Room", "y", "commit"], isTyped: true)
    #expect(
      done.output.contains(
        "2 objects of Room: delete? Also deleted: 5 of Shelf. References are removed: 5 of Label. ")
    )
    let counts = run(words + ["Room select count", "Shelf select count", "Label select shelves"])
    #expect(counts.output == "0\n0\n" + String(repeating: "[]\n", count: 5))
  }

  @Test func parametersHaveTheTypeOfWhereTheyAreUsed() throws {
    func ids(_ words: [String], _ query: String) -> String {
      let run = run(words + [file, query])
      #expect(run.code == 0 && run.messages == [], "\(run.messages)")
      return run.output
    }
    #expect(ids(["--param", "1=2001"], "Book where year == $1 select id") == "1\n")
    #expect(ids(["--param=$t=Sea"], "Book where title == $t select id") == "3\n")
    #expect(ids(["--param", "t=a=b"], "Book where title != $t select count") == "3\n")
    #expect(
      ids(["--param", "1=1999", "--param", "2=nil"], "Book where year in [$1, $2] select id")
        == "2\n3\n")
    let statement = "update Book where id == $id set title = $title, year = $year"
    let words = ["--param", "id=2", "--param", "title=7", "--param", "year=1987"]
    #expect(run(["--write"] + words + [file, statement]).output == "1\n")
    #expect(ids([], "Book where year == 1987 select id, title") == "2\t7\n")
    #expect(!ids(["--param", "1=2001"], ".explain Book where year == $1").isEmpty)
    #expect(run(["--param", "1=old", "verify", file]).code == 64)
    let wrong = run([file, "--param", "1=old", "Book where year == $1"])
    #expect(wrong.code == 1 && wrong.messages.joined().contains("whole number"))
    let none = run([file, "--param", "1=old", "Book where year == $2"])
    #expect(none.messages.joined().contains("there is no value for $2: given are 1"))
    for words in [
      ["--param"], ["--param", "1"], ["--param", "=1"], ["--param=1=a", "--param=1=b"],
    ] {
      #expect(run([file] + words).code == 64, "\(words)")
    }
  }

  @Test func ofSeveralCommandsTheOneThatFailedIsNamed() {
    let run = run([file, "-c", "Author select id", "-c", "Author where wrong == 1", "-c", "Book"])
    #expect(run.code == 1 && run.output == "1\n2\n")
    #expect(run.messages.joined().hasPrefix("croft: command 2: Author has no property wrong"))
    #expect(self.run([file, "Author where wrong == 1"]).messages[0].hasPrefix("croft: Author has"))
    #expect(
      self.run([file, "-c", "Book", ".none"]).messages[0].hasPrefix("croft: command 2: there"))
  }

  // MARK: - Errors for people

  @Test func errorsTellWhatToTypeInTheShell() throws {
    let double = run(["--write", file, "insert Author {id: 1, name: \"Eve\"}"])
    #expect(double.code == 1 && double.messages.joined().contains("Change it with update"))
    let shelf = run(["--write", file, "update Book set shelf = 7"])
    #expect(shelf.messages.joined().contains("start croft with --force"))
    let rows = run(["--write", "import", file, "Book"], input: ["id,title,shelf", "9,a,1"])
    #expect(rows.messages.joined().contains("start croft with --force"), "\(rows.messages)")
    let none = StoreError.unknownModel(model: "Bok")
    #expect(ErrorText.text(of: none) == "The file has no model Bok.")
    #expect(ErrorText.text(of: StoreError.readOnly).hasSuffix("Start croft with --write."))
  }

  /// The texts that are replaced in errors are those of Croft.
  @Test func theAdviceOfErrorsIsStillTheirs() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let sources = root.appending(path: "Sources/Croft")
    let paths = try #require(FileManager.default.enumerator(atPath: sources.path))
    var code = ""
    for case let path as String in paths where path.hasSuffix(".swift") {
      code += try String(contentsOf: sources.appending(path: path), encoding: .utf8)
    }
    // Long texts are in two literals.
    code = code.replacing(#/"\s*\+\s*"/#, with: "")
    for (program, _) in ErrorText.advice { #expect(code.contains(program), "\(program)") }
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
        + "1,\"바나나, \"\"big\"\"\",2001,\"[\"\"a\"\", \"\"b|c\"\"]\",\"x\"\"00ff\"\"\"\n2,\"line\nfeed\",,[],\"x\"\"\"\"\"\n"
    )
    #expect(
      output("md", "Book where id == 1 select tags") == "| tags |\n| --- |\n| [a, b\\|c] |\n")
    #expect(output("plain", "Book where id == 2 select id, year, title") == "2\t\tline\\nfeed\n")
    #expect(output("json", "Book where id > 9") == "[]\n")
    #expect(output("csv", "Book where id > 9 select id") == "id\n")
    #expect(output("table", "Book where id > 9 select id") == "id\n")
  }

  /// An object had two values with one name, of which a reader takes one.
  @Test func anObjectOfJSONHasANameOnce() throws {
    let query = "Book select id, title as id"
    for format in ["json", "ndjson"] {
      for line in [query, "watch \(query)", "watch Book select id, title as change"] {
        let run = run(["-o", format, file, line])
        #expect(run.code == 1 && run.output == "", "\(line)")
        #expect(run.messages.joined().contains("write as and another name"), "\(run.messages)")
      }
      let path = folder.appending(path: "twice.\(format)").path
      #expect(run([file, ".export \(path) \(query)"]).messages.joined().contains("write as"))
      #expect(!FileManager.default.fileExists(atPath: path))
      let begun = run(["--write", "-o", format, file, "begin", query])
      #expect(begun.messages.joined().contains("write as"))
    }
    #expect(run(["-o", "csv", file, query]).output.hasPrefix("id,id\n"))
    #expect(run(["-o", "json", file, "Book select id, title as name"]).code == 0)
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
    let help = run([file, ".help"]).output
    #expect(help.contains("\n  .models ") && !help.contains("--write"))
    for word in ["a query", "insert", "update", "delete", "begin", "commit", "rollback"] {
      #expect(help.prefix { $0 != "\n" }.contains(word), "\(word)")
    }
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
    #expect(run(["begin", "delete Book;", "commit"], writes: 9).code == 0)
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

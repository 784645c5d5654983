import Croft
import Foundation
import Testing

@testable import CroftTool

@Model struct Sample {
  @PrimaryKey var id: Int
  var text: String
  var note: String?
  var share: Double = 0
  var price: Decimal = 0
  var at: Date?
  var code: UUID?
  var isDone = false
  var bytes = Data()
  var tags: [String] = []
  var small: Int8?
  var table: [String: Int] = [:]
}

/// Objects of tables and of lines of JSON; the Golden folder has what is refused.
@Suite struct ImportTests {
  private let store: BookStore

  init() throws { store = try BookStore() }

  private func run(_ words: [String], input: [String] = []) -> ToolRun {
    ToolRun(words, input: input, isShown: false)
  }

  private func samples() throws -> (file: String, open: () throws -> Store) {
    let url = store.folder.appending(path: "samples.croft")
    let open = { try Store.open(at: url, models: Sample.self) }
    _ = try open()
    return (url.path, open)
  }

  @Test func aCellIsWhatAStatementHas() throws {
    let (file, open) = try samples()
    let lines = [
      "id,text,note,share,price,at,code,isDone,bytes,tags,small,table",
      "1,\"a,\"\"b\"\"\",,0.1,12.50,2026-06-01T09:30:00Z,0199B0C2-7D3E-7A51-9D3C-5E0F2A7B1C44,true,"
        + "\"x\"\"00ff\"\"\",\"[\"\"a\"\", \"\"b,c\"\"]\",-128,\"[\"\"k\"\": 7]\"",
      "2,,\"\",-inf,-1e3,,,false,,,,",
      "3,\"two\r\nlines\",nil,,,,,,,[],127,[:]",
    ]
    let imported = run(["--write", "import", file, "Sample"], input: lines)
    #expect(imported.output == "Inserted 3 objects.\n" && imported.messages == [])
    let found = try open().fetch(Sample.all)
    try #require(found.count == 3)
    #expect(found[0].text == "a,\"b\"" && found[0].note == nil && found[0].share == 0.1)
    #expect(found[0].price == Decimal(string: "12.5") && found[0].bytes == Data([0, 255]))
    #expect(found[0].at == Date(timeIntervalSince1970: 1_780_306_200))
    #expect(found[0].code?.uuidString == "0199B0C2-7D3E-7A51-9D3C-5E0F2A7B1C44")
    #expect(found[0].isDone && found[0].tags == ["a", "b,c"] && found[0].small == -128)
    #expect(found[0].table == ["k": 7])
    // An empty field is nil, the empty text, or the default; in quotes it is the empty text.
    #expect(found[1].text == "" && found[1].note == "" && found[1].share == -.infinity)
    #expect(found[1].price == -1000 && found[1].at == nil && found[1].bytes == Data())
    // A text is itself, also where a statement has a word for it.
    #expect(found[2].text == "two\r\nlines" && found[2].note == "nil" && found[2].tags == [])
    #expect(found[2].small == 127 && found[2].share == 0)
    #expect(try open().verify().isSound)
  }

  /// What the shell writes of objects is read again, as a table and as lines of JSON.
  @Test(arguments: ["csv", "ndjson"]) func whatIsWrittenIsReadAgain(format: String) throws {
    let written = run(["-o", format, store.file, "Author"]).output
    #expect(run(["--write", store.file, "delete Book", "delete Author"]).code == 0)
    let rows = store.folder.appending(path: "rows").path
    try written.write(toFile: rows, atomically: true, encoding: .utf8)
    let imported = run(["--write", "import", store.file, "Author", rows])
    #expect(imported.output == "Inserted 2 objects.\n" && imported.messages == [])
    #expect(run(["-o", format, store.file, "Author"]).output == written)
  }

  @Test func linesOfJSONHaveTheValuesOfADump() throws {
    let (file, open) = try samples()
    let lines = [
      #"{"id":1,"text":"a\nb","share":"nan","price":"0.1","at":12.5,"bytes":"AP8=","tags":["x"]}"#,
      "",
      #"{"id":2,"text":"","at":"2026-06-01T09:30:00Z","isDone":true,"small":null,"table":{"k":1}}"#,
    ]
    let imported = run(["--write", "import", file, "Sample"], input: lines)
    #expect(imported.output == "Inserted 2 objects.\n" && imported.messages == [])
    let found = try open().fetch(Sample.all)
    try #require(found.count == 2)
    #expect(found[0].text == "a\nb" && found[0].share.isNaN && found[0].bytes == Data([0, 255]))
    #expect(found[0].at == Date(timeIntervalSinceReferenceDate: 12.5))
    #expect(found[1].at == Date(timeIntervalSince1970: 1_780_306_200) && found[1].isDone)
    #expect(found[1].small == nil && found[1].table == ["k": 1])
  }

  /// All rows are one commit: after many good ones a bad one undoes all, and the errors are bounded.
  @Test func allRowsAreWrittenOrNone() throws {
    let (file, open) = try samples()
    let good = (1...5_000).map { "\($0),text \($0)" }
    let bad = (0..<100).map { "\($0),text \($0),more" }
    let run1 = run(["--write", "import", file, "Sample"], input: ["id,text"] + good + bad)
    #expect(run1.code == 1 && run1.output == "")
    let message = run1.messages.first ?? ""
    let head = "croft: nothing was imported: 20 errors, and the rest was not read\n"
    #expect(message.hasPrefix(head))
    #expect(message.contains("\n  line 5002: it has 3 fields, and the first row names 2 columns\n"))
    #expect(message.split(separator: "\n").count == 21)
    #expect(try open().count(Sample.all) == 0)
    let run2 = run(["--write", "import", file, "Sample"], input: ["id,text"] + good)
    #expect(run2.code == 0 && run2.output == "Inserted 5000 objects.\n")
    #expect(try open().count(Sample.all) == 5_000)
    #expect(try open().verify().isSound)
  }

  /// Objects that are there: without --write nothing is, and a dry run counts and keeps them.
  @Test func aDryRunChangesNothing() throws {
    let before = try Data(contentsOf: URL(filePath: store.file))
    let rows = ["id,title", "1,One", "9,Nine"]
    let refused = run(["import", "--update", store.file, "Book"], input: rows)
    #expect(refused.code == 1 && refused.unread == rows)
    #expect(try Data(contentsOf: URL(filePath: store.file)) == before)
    let dump = run(["dump", store.file]).output
    let dry = run(["--write", "import", "--dry-run", "--update", store.file, "Book"], input: rows)
    #expect(
      dry.output == "Would insert 1 object, update 1. It was a dry run: nothing was changed.\n")
    #expect(run(["dump", store.file]).output == dump)
  }

  @Test func aQuotedFieldMayHaveAllSigns() throws {
    func rows(_ text: String, piece: Int = 3) throws -> [[String]] {
      var rest = Data(text.utf8)
      var reader = CSVReader(
        ByteReader {
          defer { rest = rest.dropFirst(piece) }
          return Data(rest.prefix(piece))
        })
      var rows: [[String]] = []
      while let row = try reader.next() { rows.append(row.fields.map(\.text)) }
      return rows
    }
    for piece in 1...5 {
      #expect(
        try rows("\u{FEFF}a,b\r\n\"1,\"\"\r\n\", 2 \r3,\n", piece: piece)
          == [["a", "b"], ["1,\"\r\n", " 2 "], ["3", ""]])
    }
    #expect(try rows("a\n\nb") == [["a"], [""], ["b"]])
    #expect(try rows("") == [])
    #expect(
      throws: CSVReader.Problem(
        line: 2, column: 2,
        reason: "the quote that begins here has no end; the end of the file may be missing")
    ) { try rows("a,b\n1,\"x\n\n") }
    #expect(throws: CSVReader.Problem.self) { try rows("a\"b\n") }
    #expect(throws: CSVReader.Problem.self) { try rows("\"a\"b\n") }
  }

  @Test func aCaseHasANameAndARawValue() throws {
    let rows = ["id,title,form,state", "4,a,screen,lent", "5,b,e-book,1", "6,c,paper,kept"]
    let imported = run(["--write", "import", store.file, "Book"], input: rows)
    #expect(imported.output == "Inserted 3 objects.\n" && imported.messages == [])
    let found = try store.open().fetch(Book.where { $0.id >= 4 })
    #expect(found.map(\.form) == [.screen, .screen, .paper])
    #expect(found.map(\.state) == [.lent, .lent, .kept])
    let other = ["id,title,form", "7,d,scroll"]
    let refused = run(["--write", "import", store.file, "Book"], input: other)
    #expect(refused.code == 1 && refused.messages.first?.contains("has the raw value") == true)
  }

  @Test func aCommandOfThePromptHasOptionsAndQuotes() throws {
    func request(_ line: String) throws -> ImportRequest { try ImportRequest(line: line) }
    let plain = try ImportRequest(["--map", "A=b,C D=e", "--update", "Book", "my rows.csv"])
    for line in [
      "--map 'A=b,C D=e' --update Book my rows.csv", "--update --map='A=b,C D=e' Book my rows.csv",
      "--map=\"A=b,C D=e\" --update Book \"my rows.csv\"",
      "Book --update --map A=b,'C D'=e 'my rows.csv'",
    ] {
      #expect(try request(line) == plain, "\(line)")
    }
    #expect(try request("Book it's mine.csv") == ImportRequest(["Book", "it's mine.csv"]))
    for line in ["--map Book", "--map", "--map 'A=b Book rows.csv", "Book", "'Book' 'rows'x y"] {
      #expect(throws: ShellCommand.Problem.self, "\(line)") { try request(line) }
    }
    let rows = store.folder.appending(path: "my rows.csv").path
    try Data("number,name\n3,Ada".utf8).write(to: URL(filePath: rows))
    let imported = run(["--write", store.file, ".import --map number=id Author \(rows)"])
    #expect(imported.output == "Inserted 1 object.\n" && imported.messages == [])
  }

  /// Lines are counted also within quotes, and after a row that cannot be read.
  @Test func errorsTellTheLine() throws {
    let (file, _) = try samples()
    let lines = ["id,text", "1,\"a", "b\"", "x\"y,c", "z,d"]
    let run = run(["--write", "import", file, "Sample"], input: lines)
    #expect(run.code == 1)
    #expect(run.messages.first?.contains("\n  line 4, column 1: a quote is in a field") == true)
    #expect(run.messages.first?.contains("\n  line 5, column 1: id") == true)
  }
}

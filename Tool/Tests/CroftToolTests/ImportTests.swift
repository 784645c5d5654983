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

@Model struct Shift {
  @PrimaryKey var id: Int
  var states: [BookState] = []
  var forms: Set<BookForm> = []
  var byName: [String: BookState] = [:]
  var last: BookState?
}

/// Models whose keys have other types than numbers.
enum Key {
  @Model struct Text {
    @PrimaryKey var id: String
    var note: String
  }
  @Model struct Code {
    @PrimaryKey var id: UUID
    var note: String
  }
  @Model struct Moment {
    @PrimaryKey var id: Date
    var note: String
  }
  @Model struct Link {
    @PrimaryKey var id: Ref<Key.Text>
    var note: String
  }
  @Model struct Pair {
    @PrimaryKey var left: Int8
    @PrimaryKey var right: String
    var note: String
    var other = 7
  }
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

  /// The exit code was 1, as for a model that is not there.
  @Test func refusedRowsOfACommandHaveTheCodeOfTheOperation() throws {
    let rows = store.folder.appending(path: "rows.csv")
    try Data("id,name\nx,Eve\n".utf8).write(to: rows)
    let line = ".import Author \(rows.path)"
    #expect(run(["--write", "import", store.file, "Author", rows.path]).code == 65)
    #expect(run(["--write", store.file, line]).code == 65)
    #expect(run(["--write", store.file], input: [line]).code == 65)
    #expect(run(["--write", store.file, "--keep-going", line, "Author", line]).code == 65)
    for lines in [[line, "Author where wrong == 1"], ["Author where wrong == 1", line]] {
      #expect(run(["--write", "--keep-going", store.file] + lines).code == 1)
    }
    #expect(run(["--write", store.file, ".import Nobody \(rows.path)"]).code == 1)
  }

  /// An array was a table without commas, and so was a table with other separators.
  @Test func rowsOfAnotherFormAreTold() {
    for input in [["[{\"id\": 9}]"], ["[", "  {\"id\": 9}", "]"]] {
      let run = run(["--write", "import", store.file, "Author"], input: input)
      #expect(
        run.messages == [
          "croft: the rows are an array: give one object a line, as -o ndjson writes them"
        ])
      #expect(run.code == 1)
    }
    for (head, name) in [("id;name", "semicolon"), ("id\tname", "tab")] {
      let run = run(["--write", "import", store.file, "Author"], input: [head, "9;Eve"])
      #expect(run.code == 1 && run.messages.count == 1)
      let text = run.messages.joined()
      #expect(text.hasPrefix("croft: the first row has no comma, and a \(name) in id"))
      #expect(text.hasSuffix("the separator of columns is a comma"))
    }
    let mapped = run(
      ["--write", "import", "--map", "[id]=id,a;b=name", store.file, "Author"],
      input: ["[id],a;b", "9,Eve"])
    #expect(mapped.code == 0, "\(mapped.messages)")
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

  /// The texts of lists had no quotes in tables, so that other lists were read, or none.
  @Test(arguments: ["csv", "ndjson"]) func listsOfTextsAreReadAgain(format: String) throws {
    let lists = [
      [""], ["\"a\""], ["a, b", "c"], ["b|c", "]"], ["C:\\data", "'"], ["a\nb", "12", "nil", "집"],
      [],
    ]
    try store.open().write { tx in
      for (id, tags) in lists.enumerated() {
        try tx.insert(Book(id: 100 + id, title: "list", tags: tags))
      }
    }
    let query = "Book where id >= 100 select id, title, tags"
    let written = run(["-o", format, store.file, query]).output
    #expect(run(["--write", store.file, "delete Book where id >= 100"]).code == 0)
    let rows = store.folder.appending(path: "rows").path
    try written.write(toFile: rows, atomically: true, encoding: .utf8)
    let imported = run(["--write", "import", store.file, "Book", rows])
    #expect(imported.output == "Inserted 7 objects.\n" && imported.messages == [])
    let books = try store.open().fetch(Book.where { $0.id >= 100 }.order(by: \.id))
    #expect(books.map(\.tags) == lists)
  }

  /// The name of a case was refused in lines of JSON.
  @Test func anEnumIsACaseOrARawValue() throws {
    let lines = [
      #"{"id":20,"title":"a","form":"screen","state":"lent"}"#,
      #"{"id":21,"title":"b","form":"e-book","state":1}"#,
      #"{"id":22,"title":"c","form":"paper","state":"kept"}"#,
    ]
    let table = [
      "id,title,form,state", "23,a,screen,lent", "24,b,e-book,1", "25,c,paper,kept",
    ]
    for input in [lines, table] {
      let imported = run(["--write", "import", store.file, "Book"], input: input)
      #expect(imported.output == "Inserted 3 objects.\n" && imported.messages == [])
    }
    let books = try store.open().fetch(Book.where { $0.id >= 20 })
    #expect(books.map(\.form) == [.screen, .screen, .paper, .screen, .screen, .paper])
    #expect(books.map(\.state) == [.lent, .lent, .kept, .lent, .lent, .kept])
    let wrong = run(
      ["--write", "import", store.file, "Book"],
      input: [
        #"{"id":30,"title":"a","form":"scren"}"#, #"{"id":31,"title":"a","state":"lnt"}"#,
        #"{"id":32,"title":"a","state":7}"#,
      ])
    let message = wrong.messages.joined()
    #expect(wrong.code == 65 && message.contains("3 errors"))
    #expect(message.contains("has the raw value \"scren\"; it has paper"), "\(message)")
    #expect(message.contains("state: there is no case lnt; it has lent"), "\(message)")
    #expect(try store.open().count(Book.where { $0.id >= 30 }) == 0)
  }

  /// Collections of enums take the names of cases, too.
  @Test func elementsAreCasesOrRawValues() throws {
    let url = store.folder.appending(path: "days.croft")
    let open = { try Store.open(at: url, models: Shift.self) }
    _ = try open()
    let lines = [
      #"{"id":1,"states":["lent",0],"forms":["screen","paper"],"byName":{"a":"lent"},"last":null}"#,
      #"{"id":2,"states":[],"forms":["e-book"],"byName":{"b":0},"last":"kept"}"#,
    ]
    #expect(
      run(["--write", "import", url.path, "Shift"], input: lines).output == "Inserted 2 objects.\n")
    let shifts = try open().fetch(Shift.all)
    #expect(shifts.map(\.states) == [[.lent, .kept], []])
    #expect(shifts.map(\.forms) == [[.screen, .paper], [.screen]])
    #expect(shifts.map(\.byName) == [["a": .lent], ["b": .kept]])
    #expect(shifts.map(\.last) == [nil, .kept])
  }

  /// All rows were inserted where the key has a default, and else each row had an error.
  @Test(arguments: ["--update", "--skip"]) func whatFindsObjectsNeedsTheirKey(option: String) throws
  {
    let url = store.folder.appending(path: "codes.croft")
    _ = try Store.open(at: url, models: Key.Code.self)
    let table = run(
      ["--write", "import", option, url.path, "Code"], input: ["note,rest", "a,b"])
    #expect(
      table.messages == [
        "croft: \(option) finds objects by their key, and no column is for id; the columns are note, "
          + "rest, and --map 'COLUMN=id' takes one of them"
      ])
    let lines = run(["--write", "import", option, url.path, "Code"], input: [#"{"note":"a"}"#])
    #expect(lines.code == 65 && lines.messages.joined().contains("id: \(option) finds objects by"))
    let pairs = store.folder.appending(path: "pairs.croft")
    _ = try Store.open(at: pairs, models: Key.Pair.self)
    let part = run(
      ["--write", "import", option, pairs.path, "Pair"], input: ["left,note", "1,b"])
    #expect(part.messages.joined().contains("no column is for right"))
    #expect(try Store.open(at: url, models: Key.Code.self).count(Key.Code.all) == 0)
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

  /// All rows are one commit: after many good ones a bad one undoes all; the errors are bounded.
  @Test func allRowsAreWrittenOrNone() throws {
    let (file, open) = try samples()
    let good = (1...5_000).map { "\($0),text \($0)" }
    let bad = (0..<100).map { "\($0),text \($0),more" }
    let run1 = run(["--write", "import", file, "Sample"], input: ["id,text"] + good + bad)
    #expect(run1.code == 65 && run1.output == "")
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

  /// The bytes of a text, some at a time.
  private static func reader(_ text: String, piece: Int, bytesMax: Int = 99) -> ByteReader {
    var rest = Data(text.utf8)
    return ByteReader(bytesMax: bytesMax) {
      defer { rest = rest.dropFirst(piece) }
      return Data(rest.prefix(piece))
    }
  }

  @Test func aQuotedFieldMayHaveAllSigns() throws {
    func rows(_ text: String, piece: Int = 3) throws -> [[String]] {
      var reader = CSVReader(Self.reader(text, piece: piece))
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
    // A text may begin with the first byte of the mark, and end without a line's end.
    for text in ["ＩＤ,b\n1,2", "\u{FEFF}ＩＤ,b\n1,\"2\"", "ＩＤ,b\r1,2\r"] {
      for piece in 1...5 {
        #expect(try rows(text, piece: piece) == [["ＩＤ", "b"], ["1", "2"]])
      }
    }
    #expect(try rows("\u{FEFF}") == [])
    #expect(
      throws: CSVReader.Problem(
        line: 2, column: 2,
        reason: "the quote that begins here has no end; the end of the file may be missing")
    ) { try rows("a,b\n1,\"x\n\n") }
    #expect(throws: CSVReader.Problem.self) { try rows("a\"b\n") }
    #expect(throws: CSVReader.Problem.self) { try rows("\"a\"b\n") }
  }

  /// A file ends with a line's end or without, and begins with a mark of UTF-8 or without.
  @Test(arguments: ["", "\u{FEFF}"], ["", "\n", "\r\n"])
  func theLastLineNeedsNoEnd(start: String, end: String) throws {
    let texts = [
      "id,text\n1,One\n2,Two", #"{"id":1,"text":"One"}"# + "\n" + #"{"id":2,"text":"Two"}"#,
    ]
    for text in texts {
      let (file, open) = try samples()
      let rows = store.folder.appending(path: "rows").path
      try Data((start + text + end).utf8).write(to: URL(filePath: rows))
      let imported = run(["--write", "import", file, "Sample", rows])
      #expect(imported.output == "Inserted 2 objects.\n" && imported.messages == [])
      #expect(try open().fetch(Sample.all).map(\.text) == ["One", "Two"])
      try open().write { _ = try $0.delete(Sample.all) }
    }
  }

  @Test func aFieldThatIsTooLongEndsTheImport() throws {
    for text in [
      "a,b\n\"12345678\",2\n", "a,b\n12345678,\"2", "a,b\n\"1234\n567", "a\"bcdefghij",
    ] {
      var reader = CSVReader(Self.reader(text, piece: 3, bytesMax: 7))
      var problem: ShellCommand.Problem?
      do { while try reader.next() != nil {} } catch let error as ShellCommand.Problem {
        problem = error
      } catch is CSVReader.Problem {}
      #expect(
        problem?.reason.contains("column 1: the field has more than 7 bytes") == true, "\(text)")
    }
    var line: [UInt8] = []
    #expect(throws: ByteReader.TooLong.self) {
      try Self.reader("{\"a\":1234}", piece: 2, bytesMax: 7).take(into: &line) { $0 == 10 }
    }
    var reader = CSVReader(Self.reader("1234567,\"1234567\"", piece: 3, bytesMax: 7))
    #expect(try reader.next()?.fields.map(\.text) == ["1234567", "1234567"])
  }

  /// A row for an object that is there may be a part of it, and break nothing that it leaves alone.
  @Test func anUpdateMayHaveSomeColumns() throws {
    func described(_ books: [Book]) -> [String] { books.map { "\($0)" } }
    let before = try store.open().fetch(Book.all)
    let updated = run(
      ["--write", "import", "--update", store.file, "Book"], input: ["id,year", "1,7", "3,"])
    #expect(updated.output == "Inserted 0 objects, updated 2.\n" && updated.messages == [])
    var after = before
    after[0].year = 7
    after[2].year = nil
    #expect(described(try store.open().fetch(Book.all)) == described(after))
    let line = run(
      ["--write", "import", "--update", store.file, "Book"], input: [#"{"id":2,"year":8}"#])
    #expect(line.output == "Inserted 0 objects, updated 1.\n" && line.messages == [])
    after[1].year = 8
    let skipped = run(
      ["--write", "import", "--skip", store.file, "Book"], input: ["id,year,author", "1,9,77"])
    #expect(skipped.output == "Inserted 0 objects, skipped 1.\n" && skipped.messages == [])
    // Author.name is unique; the object of the row has it itself.
    let unique = run(
      ["--write", "import", "--update", store.file, "Author"], input: ["id,name", "2,Bo"])
    #expect(unique.output == "Inserted 0 objects, updated 1.\n" && unique.messages == [])
    let taken = run(
      ["--write", "import", "--update", store.file, "Author"], input: ["id,name", "1,Bo"])
    #expect(taken.code == 65 && taken.messages.first?.contains("1 error\n  line 2") == true)
    // For an object that is not there, the insert tells what is missing.
    let refused = run(
      ["--write", "import", "--update", store.file, "Book"], input: ["id,year", "9,7"])
    #expect(refused.code == 65 && refused.messages.first?.contains("line 2") == true)
    #expect(described(try store.open().fetch(Book.all)) == described(after))
    #expect(try store.open().verify().isSound)
  }

  @Test func keysOfAllTypesAreFound() throws {
    let url = store.folder.appending(path: "keys.croft")
    _ = try Store.open(
      at: url, models: Key.Text.self, Key.Code.self, Key.Moment.self, Key.Link.self, Key.Pair.self)
    let rows: [(model: String, names: String, keys: [String])] = [
      ("Text", "id", ["\"\"", "a'`\\b", "e\u{301}"]),
      ("Code", "id", ["0199B0C2-7D3E-7A51-9D3C-5E0F2A7B1C44"]),
      ("Moment", "id", ["2026-06-01T09:30:00Z", "2026-06-01T09:30:00.125Z"]),
      ("Link", "id", ["\"\"", "e\u{301}"]), ("Pair", "left,right", ["-1,a", "-1,b", "127,nil"]),
    ]
    for (model, names, keys) in rows {
      func imported(_ option: [String], _ note: String) -> ToolRun {
        run(
          ["--write", "import"] + option + [url.path, model],
          input: ["\(names),note"] + keys.map { "\($0),\(note)" })
      }
      let objects = keys.count == 1 ? "1 object" : "\(keys.count) objects"
      #expect(imported(["--update"], "x").output == "Inserted \(objects), updated 0.\n")
      #expect(
        imported(["--update"], "y").output == "Inserted 0 objects, updated \(keys.count).\n")
      #expect(imported(["--skip"], "z").output == "Inserted 0 objects, skipped \(keys.count).\n")
      let notes = run([url.path, "\(model) select note"]).output
      #expect(notes == String(repeating: "y\n", count: keys.count))
    }
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
    #expect(refused.code == 65 && refused.messages.first?.contains("has the raw value") == true)
  }

  @Test func aColumnNeedsAName() throws {
    let rows = [",id,text", "0,1,One"]
    let (file, open) = try samples()
    let refused = run(["--write", "import", file, "Sample"], input: rows)
    let reason = "croft: column 1 has no name; --map '=' passes over it"
    #expect(refused.code == 1 && refused.messages == [reason])
    let imported = run(["--write", "import", "--map", "=", file, "Sample"], input: rows)
    #expect(imported.output == "Inserted 1 object.\n" && imported.messages == [])
    #expect(try open().fetch(Sample.all).map(\.text) == ["One"])
    let line = [#"{"":0,"id":2,"text":"Two"}"#]
    #expect(run(["--write", "import", file, "Sample"], input: line).code == 65)
    let passed = run(["--write", "import", "--map", "=", file, "Sample"], input: line)
    #expect(passed.output == "Inserted 1 object.\n" && passed.messages == [])
  }

  /// What a file has does not reach the terminal as signs that it obeys.
  @Test(arguments: [
    ["id,te\u{1B}xt", "1,One"], ["id,text", "\u{1B}[2J,One"], [#"{"id":1,"te\u001bxt":"One"}"#],
    [#"{"id":1,"text":"One","at":"\u001b[2J"}"#],
  ]) func whatIsRefusedIsEscaped(rows: [String]) throws {
    let (file, _) = try samples()
    let refused = run(["--write", "import", file, "Sample"], input: rows)
    #expect([1, 65].contains(refused.code) && refused.messages.count == 1)
    #expect(!refused.messages.joined().contains("\u{1B}"))
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
    #expect(run.code == 65)
    #expect(run.messages.first?.contains("\n  line 4, column 1: a quote is in a field") == true)
    #expect(run.messages.first?.contains("\n  line 5, column 1: id") == true)
  }
}

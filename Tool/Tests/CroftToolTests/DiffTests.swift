import Croft
import Foundation
import Testing

@testable import CroftTool

/// What `croft diff` writes, beside what a comparison in memory finds.
@Suite struct DiffTests {
  private let store: BookStore
  private var other: String { store.folder.appending(path: "other.croft").path }

  init() throws { store = try BookStore() }

  private func run(_ words: [String], input: [String] = []) -> ToolRun {
    ToolRun(words, input: input, isShown: false)
  }

  private func loadCopy() throws {
    let lines = run(["dump", store.file]).output.split(separator: "\n").map(String.init)
    #expect(run(["load", other], input: lines).code == 0)
  }

  private func change(_ body: (inout WriteTransaction) throws -> Void) throws {
    try Store.open(at: URL(filePath: other), models: Author.self, Book.self).write(body)
  }

  @Test func aLoadedDumpHasNoDifferences() throws {
    try loadCopy()
    let equal = run(["diff", store.file, other])
    #expect(equal.code == 0 && equal.messages == [])
    #expect(equal.output == "The files are equal: 5 objects.\n")
    #expect(run(["-o", "ndjson", "diff", store.file, other]).output == "")
    #expect(run(["-o", "json", "diff", store.file, other]).output == "[]\n")
    // A file is equal to itself.
    #expect(run(["diff", store.file, store.file]).code == 0)
  }

  @Test func eachKindOfDifferenceIsALine() throws {
    try loadCopy()
    try change { tx in
      try tx.delete(Book.where { $0.id == 1 })
      try tx.update(Book.where { $0.id == 2 }) {
        $0.title = "say \"hi\"\n"
        $0.year = 7
        $0.author = nil
        $0.cover = Data("123456789123456789".utf8)
      }
      try tx.insert(Author(id: 3, name: "Ada"))
    }
    let plain = run(["diff", store.file, other])
    #expect(plain.code == 1 && plain.messages == [])
    #expect(
      plain.output == """
        + Author {id: 3, name: "Ada"}
        - Book {id: 1, title: "바나나, \\"big\\"", year: 2001, tags: ["a", "b|c"], cover: x"00ff", \
        author: 1, form: "paper", state: 0, shelf: 0}
        ~ Book {id: 2} title: "line\\nfeed" → "say \\"hi\\"\\n", year: nil → 7, \
        cover: x"" → (18 bytes, CRC-32 \(Self.checksum("123456789123456789"))), author: 2 → nil
        Objects: 1 removed, 1 added, 1 changed, 3 equal. Differences of models: 0.

        """)
    #expect(
      run(["diff", store.file, other, "Author"]).output == """
        + Author {id: 3, name: "Ada"}
        Objects: 0 removed, 1 added, 0 changed, 2 equal. Differences of models: 0.

        """)
    #expect(
      run(["-o", "ndjson", "diff", store.file, other, "Author"]).output
        == "{\"change\":\"+\",\"model\":\"Author\",\"key\":{\"id\":3},\"old\":null,"
        + "\"new\":{\"id\":3,\"name\":\"Ada\"}}\n")
    let rows = run(["-o", "csv", "diff", store.file, other]).output.split(separator: "\n")
    #expect(rows.first == "change,model,part,name,property,old,new")
    #expect(rows.contains("~,Book,object,{id: 2},year,,7"))
    #expect(rows.contains("+,Author,object,{id: 3},name,,Ada"))
    let json = run(["-o", "json", "diff", store.file, other]).output
    let objects = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    #expect(objects?.map { $0["change"] as? String } == ["+", "-", "~"])
    // In a prompt the exit code is that of failures alone.
    let typed = run([store.file, ".diff \(other)", "Book select count"])
    #expect(typed.code == 0 && typed.output == plain.output + "3\n")
  }

  @Test func whatCannotBeComparedIsTrouble() throws {
    try loadCopy()
    let none = store.folder.appending(path: "none.croft").path
    let first = run(["diff", none, other])
    #expect(first.code == 2 && first.messages.first?.contains("there is no such file") == true)
    let second = run(["diff", store.file, none])
    #expect(second.code == 2 && second.messages.first?.contains("there is no such file") == true)
    let model = run(["diff", store.file, other, "Bok"])
    #expect(
      model.code == 2
        && model.messages == ["croft: neither file has a model Bok; they have Author, Book"])
    #expect(run(["diff", store.file]).code == 64)
  }

  /// A damaged page lacks objects, and is not a difference of the files: one without any sense, and
  /// one that has fewer entries than it had, which only their number in the tree tells.
  @Test(arguments: [true, false], [true, false])
  func aDamagedPageIsTrouble(isFirst: Bool, isShorter: Bool) throws {
    try store.open().write { tx in
      try tx.insert(
        contentsOf: (10..<3_010).map { Book(id: $0, title: "number \($0).", year: $0) })
    }
    try loadCopy()
    let damaged = URL(filePath: isFirst ? store.file : other)
    var bytes = try Data(contentsOf: damaged)
    var rest = bytes.startIndex..<bytes.endIndex
    let pageBytes = 4096
    while let place = bytes.range(of: Data("number 1500.".utf8), in: rest) {
      let start = place.lowerBound / pageBytes * pageBytes
      if isShorter {
        // The end of the places of entries, which LMDB has in the head of a page: after one.
        bytes.replaceSubrange(start + 12..<start + 14, with: [18, 0])
      } else {
        bytes.replaceSubrange(start..<start + pageBytes, with: Data(count: pageBytes))
      }
      rest = place.upperBound..<bytes.endIndex
    }
    try bytes.write(to: damaged)
    let run = run(["diff", store.file, other, "Book"])
    #expect(run.code == 2)
    let reason = run.messages.first ?? ""
    #expect(reason.contains("damaged"), "\(reason)")
    #expect(reason.contains("objects are in its pages") == isShorter, "\(reason)")
    #expect(!run.output.contains("Objects:"))
  }

  @Test func namesAreEscaped() throws {
    try loadCopy()
    let run = run(["diff", store.file, other, "none\u{1B}"])
    #expect(run.code == 2)
    #expect(run.messages == ["croft: neither file has a model none\\u{1b}; they have Author, Book"])
  }

  @Test func differencesOfModelsComeFirst() throws {
    let file = store.folder.appending(path: "later.croft")
    try Store.open(at: file, models: Later.Book.self).write { tx in
      try tx.insert(Later.Book(id: 3, title: "Tea", year: "1999", pages: 7))
    }
    let run = run(["diff", store.file, file.path])
    #expect(run.code == 1)
    #expect(
      run.output == """
        - model Author: 2 objects
        ~ Book property year: int64? → string?
        - Book property tags: [string]
        - Book property cover: data
        - Book property author: int64?, refers to Author, on delete nullify
        - Book property form: string, cases paper = paper, screen = e-book
        - Book property state: int64, cases kept = 0, lent = 1
        - Book property shelf: int64
        + Book property pages: int64
        ~ Book index title: not unique → unique
        - Book index author: not unique
        - Book {id: 1, title: "바나나, \\"big\\"", year: 2001, tags: ["a", "b|c"], cover: x"00ff", \
        author: 1, form: "paper", state: 0, shelf: 0}
        - Book {id: 2, title: "line\\nfeed", year: nil, tags: [], cover: x"", author: 2, \
        form: "paper", state: 0, shelf: 0}
        ~ Book {id: 3} title: "Sea" → "Tea"
        Objects: 2 removed, 0 added, 1 changed, 0 equal. Differences of models: 11.

        """)
    let keyed = store.folder.appending(path: "keyed.croft")
    _ = try Store.open(at: keyed, models: Keyed.Book.self)
    let lines = self.run(["diff", store.file, keyed.path, "Book"]).output.split(separator: "\n")
    #expect(lines.first == "~ Book primary key: id: int64 → title: string")
    #expect(!lines.contains { $0.hasPrefix("- Book {") })
  }

  /// Indexes over the same properties were told apart by nothing, so that a file differed from itself.
  @Test func aFileIsEqualToItself() throws {
    let file = store.folder.appending(path: "twice.croft")
    _ = try Store.open(at: file, models: Twice.Book.self)
    let run = run(["diff", file.path, file.path])
    #expect(run.code == 0 && !run.output.contains("index"))
  }

  /// Random books, random changes: the lines are those of a comparison of two dictionaries.
  @Test func theLinesAreThoseOfATwin() throws {
    var random = Random(Self.seed)
    try change { tx in
      try tx.insert(contentsOf: [Author(id: 1, name: "A"), Author(id: 2, name: "B")])
    }
    for round in 0..<8 {
      let before = Dictionary(
        uniqueKeysWithValues: (0..<600).filter { _ in random.below(2) == 0 }
          .map { ($0, random.book($0)) })
      var after = before
      for id in 0..<600 where random.below(8) == 0 {
        switch random.below(3) {
        case 0: after[id] = nil
        case 1: after[id] = random.book(id)
        default: after[id]?.year = random.below(3)
        }
      }
      for (file, books) in [(store.file, before), (other, after)] {
        try Store.open(at: URL(filePath: file), models: Author.self, Book.self).write { tx in
          try tx.delete(Book.all)
          try tx.insert(contentsOf: books.values.sorted { $0.id < $1.id })
        }
      }
      let run = run(["diff", store.file, other, "Book"])
      let lines = run.output.split(separator: "\n").map(String.init)
      let expected = Self.lines(before, after)
      #expect(lines.dropLast() == expected[...], "seed \(Self.seed), round \(round)")
      #expect(run.code == (expected.isEmpty ? 0 : 1))
    }
  }

  private static let seed: UInt64 = {
    let seed =
      ProcessInfo.processInfo.environment["CROFT_SEED"].flatMap { UInt64($0) }
      ?? .random(in: 0 ... .max)
    print("DiffTests: CROFT_SEED=\(seed)")
    return seed
  }()

  private static func lines(_ before: [Int: Book], _ after: [Int: Book]) -> [String] {
    Set(before.keys).union(after.keys).sorted().compactMap { id in
      switch (before[id], after[id]) {
      case (let old?, let new?):
        // Texts of other scalars differ, also where Swift has them for equal.
        let changes = zip(fields(old), fields(new)).filter { !$0.1.utf8.elementsEqual($1.1.utf8) }
          .map { "\($0.0): \($0.1) → \($1.1)" }
        return changes.isEmpty ? nil : "~ Book {id: \(id)} " + changes.joined(separator: ", ")
      case (let old?, nil): return "- Book {" + whole(old) + "}"
      case (nil, let new?): return "+ Book {" + whole(new) + "}"
      case (nil, nil): return nil
      }
    }
  }

  private static func whole(_ book: Book) -> String {
    fields(book).map { "\($0.0): \($0.1)" }.joined(separator: ", ")
  }

  private static func fields(_ book: Book) -> [(String, String)] {
    let bytes = book.cover.map { String(format: "%02x", $0) }.joined()
    let cover =
      book.cover.count > 16
      ? "(\(book.cover.count) bytes, "
        + "CRC-32 \(checksum(String(decoding: book.cover, as: UTF8.self))))"
      : "x\"\(bytes)\""
    return [
      ("id", "\(book.id)"), ("title", "\"\(book.title)\""),
      ("year", book.year.map { "\($0)" } ?? "nil"),
      ("tags", "[" + book.tags.map { "\"\($0)\"" }.joined(separator: ", ") + "]"),
      ("cover", cover), ("author", book.author.map { "\($0.key)" } ?? "nil"),
      ("form", "\"\(book.form.rawValue)\""), ("state", "\(book.state.rawValue)"),
      ("shelf", "\(book.shelf.rawValue)"),
    ]
  }

  /// CRC-32 bit by bit of the bits as they come, most significant first, other than the shell.
  private static func checksum(_ text: String) -> String {
    var rest: UInt64 = 0
    let bits = text.utf8.flatMap { byte in (0..<8).map { UInt64(byte >> UInt8($0) & 1) } }
    for (place, bit) in (bits + Array(repeating: 0, count: 32)).enumerated() {
      // The first 32 bits are inverted.
      rest = rest << 1 | (place < 32 ? bit ^ 1 : bit)
      if rest >> 32 == 1 { rest ^= 0x1_04C1_1DB7 }
    }
    let reversed = (0..<32).reduce(UInt32(0)) { $0 | UInt32(rest >> UInt64(31 - $1) & 1) << $1 }
    let digits = String(~reversed, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  @Test func theChecksumIsThatOfOthers() {
    #expect(Self.checksum("123456789") == "cbf43926")
  }
}

/// The models of another program.
enum Later {
  @Model struct Book {
    @PrimaryKey var id: Int
    @Indexed(.unique) var title: String
    var year: String?
    var pages: Int
  }
}

enum Twice {
  @Model struct Book {
    @PrimaryKey var id: Int
    var title: String
    #Unique<Book>([\.title])
    #Index<Book>([\.title.caseFolded])
  }
}

enum Keyed {
  @Model struct Book {
    var id: Int
    @PrimaryKey var title: String
  }
}

/// Random numbers that a seed repeats (SplitMix64).
private struct Random {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ (bits >> 31)) % UInt64(bound))
  }

  mutating func book(_ id: Int) -> Book {
    let titles = ["Sea", "e\u{301}", "é", "", "바다"]
    return Book(
      id: id, title: titles[below(titles.count)], year: below(2) == 0 ? nil : below(3),
      tags: (0..<below(3)).map { _ in ["a", "b"][below(2)] },
      cover: Data(repeating: UInt8(ascii: "a"), count: [0, 3, 40][below(3)]),
      author: below(2) == 0 ? nil : Ref(1 + below(2)),
      form: below(2) == 0 ? .paper : .screen, state: below(2) == 0 ? .kept : .lent)
  }
}

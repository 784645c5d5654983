import Foundation
import Testing

/// Code that must not compile, each beside a twin that differs in one line and does.
@Suite struct CompileTests {
  struct Fixture {
    let name: String
    let source: String
    /// The text for WRONG: the mistake, and the right code.
    let mistake: String
    let right: String
    /// Words that the compiler's output must have about the mistake.
    let words: [String]
    /// Whether only the compiler's later passes find it.
    var isFoundLate = false
  }

  static let fixtures = [
    Fixture(
      name: "unstorable",
      source: """
        @Model struct Trip {
          @PrimaryKey var id: Int
          WRONG
        }
        """,
      mistake: "var route: Substring", right: "var route: String",
      words: ["unstorable.swift:4:", "this type cannot be stored"]),
    Fixture(
      name: "unstorableKey",
      source: """
        @Model struct Ride {
          @PrimaryKey WRONG
        }
        """,
      mistake: "var id: Bool", right: "var id: Int",
      words: ["unstorableKey.swift:3:", "the primary key 'id' cannot be of type Bool"]),
    Fixture(
      name: "wrongLiteral", source: "func NAME() { _ = Book.where { $0.pages == WRONG } }",
      mistake: #""many""#, right: "300", words: ["'String'", "'Int'"]),
    Fixture(
      name: "nilOfARequiredProperty", source: "func NAME() { _ = Book.where { WRONG } }",
      mistake: "$0.pages.isNil", right: "$0.note.isNil", words: ["'isNil'"]),
    Fixture(
      name: "updateOfACopyByAClosure",
      source: "func NAME(_ store: Store, _ book: Book) throws { try store.write { tx in WRONG } }",
      mistake: "_ = try tx.update(book) { $0.pages = 3 }",
      right: "_ = try tx.update(Ref(book)) { $0.pages = 3 }",
      words: ["change the stored object, update(Ref(object))"]),
    Fixture(
      name: "anotherModelsProperty", source: "func NAME() { _ = Book.where { WRONG } }",
      mistake: "$0.plays == 3", right: "$0.pages == 3", words: ["'plays'"]),
    Fixture(
      name: "anOuterColumnBesideAnElement",
      source: "func NAME() { _ = Book.where { book in book.marks.any { WRONG } } }",
      mistake: "$0 > book.id", right: "$0 > 3", words: ["ElementOf<Book, Int>"]),
    Fixture(
      name: "anOuterColumnInAnElementCondition",
      source: "func NAME() { _ = Book.where { book in book.words.any { WRONG } } }",
      mistake: #"$0 == "red" && book.id > 1"#, right: #"$0 == "red" && $0 < "x""#,
      words: ["ElementOf<Book, String>"]),
    Fixture(
      name: "anOuterPathInAnElementCondition",
      source: "func NAME() { _ = Book.where { book in book.sequels.all { other in WRONG } } }",
      mistake: "book.first.pages == 2", right: "other.first.pages == 2",
      words: ["ElementOf<Book, Ref<Book>>"]),
    Fixture(
      name: "anOuterColumnBesideAReferrer",
      source: """
        func NAME() {
          _ = Book.where { book in book.referrers(by: \\Book.sequels).any { WRONG } }
        }
        """,
      mistake: "$0.pages > book.pages", right: "$0.pages > $0.id",
      words: ["ElementOf<Book, Book>"]),
    Fixture(
      name: "anOuterElementInAnInnerCondition",
      source: """
        func NAME() {
          _ = Book.where { $0.sequels.none { other in other.marks.any { mark in WRONG } } }
        }
        """,
      mistake: "mark > other.id", right: "mark > 3",
      words: ["ElementOf<Book, Ref<Book>>"]),
    Fixture(
      name: "referrersInAnElementCondition",
      source: "func NAME() { _ = Book.where { book in book.sequels.any { other in WRONG } } }",
      mistake: #"book.referrers(by: \Book.first).isEmpty"#, right: "other.sequels.isEmpty",
      words: ["ElementOf<Book, Ref<Book>>"]),
    Fixture(
      name: "writingInARead",
      source: "func NAME(_ store: Store) throws { try store.read { WRONG } }",
      mistake: "try $0.deleteAll(Book.self)", right: "_ = try $0.count(Book.all)",
      words: ["ReadTransaction", "'deleteAll'"]),
    Fixture(
      name: "asyncWithoutAwait",
      source: """
        func NAME(_ store: Store) async throws {
          WRONG store.write { try $0.insert(Book(id: 1, pages: 2)) }
        }
        """,
      mistake: "try", right: "try await", words: ["'async'", "'await'"]),
    Fixture(
      name: "transactionLeavesItsClosure",
      source: """
        func NAME(_ store: Store) throws {
          var kept: WriteTransaction?
          try store.write { tx throws in
            WRONG
          }
          print(kept == nil)
        }
        """,
      mistake: "kept = consume tx", right: "kept = nil; try tx.deleteAll(Book.self)",
      words: ["missing reinitialization of inout parameter 'tx'"], isFoundLate: true),
    Fixture(
      name: "transactionIsUsedByAnEscapingClosure",
      source: """
        func NAME(_ store: Store) throws -> [() -> Void] {
          try store.write { tx in
            var later: [() -> Void] = []
            later.append { WRONG }
            _ = try tx.count(Book.all)
            return later
          }
        }
        """,
      mistake: "_ = try? tx.count(Book.all)", right: "", words: ["escaping closure captures"],
      isFoundLate: true),
  ]

  private static let model = """
    import Croft
    @Model struct Book {
      @PrimaryKey var id: Int
      var pages: Int
      var note: String?
      var marks: Set<Int> = []
      var words: [String] = []
      var first: Ref<Book>?
      var sequels: [Ref<Book>] = []
    }
    """

  @Test func noMistakeCompiles() throws {
    for isLate in [false, true] {
      let fixtures = Self.fixtures.filter { $0.isFoundLate == isLate }
      let output = try compile(fixtures, \.mistake)
      for fixture in fixtures {
        let errors = Self.errors(in: output).filter { error in
          error.hasPrefix("macro expansion") || error.contains("/\(fixture.name).swift:")
        }
        #expect(
          errors.contains { error in fixture.words.allSatisfy { error.contains($0) } },
          "\(fixture.name) gave \(errors)")
      }
    }
  }

  @Test func everyTwinCompiles() throws {
    #expect(try compile(Self.fixtures, \.right) == "")
  }

  /// The compiler's output about some fixtures, each a file with a line in the place of WRONG.
  private func compile(_ fixtures: [Fixture], _ line: (Fixture) -> String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // A folder that cannot be removed is litter and no failure of the test.
      try? FileManager.default.removeItem(at: folder)
    }
    var files = [folder.appending(path: "Book.swift").path]
    try Self.model.write(toFile: files[0], atomically: true, encoding: .utf8)
    for fixture in fixtures {
      let path = folder.appending(path: "\(fixture.name).swift").path
      let source = fixture.source.replacing("WRONG", with: line(fixture))
        .replacing("NAME", with: fixture.name)
      try "import Croft\n\(source)\n".write(toFile: path, atomically: true, encoding: .utf8)
      files.append(path)
    }
    return try Self.run(["swiftc", "-emit-sil", "-wmo", "-module-name", "Fixtures"] + files)
  }

  /// The errors of an output, each with the lines that follow it.
  private static func errors(in output: String) -> [String] {
    var errors: [String] = []
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains(": error: "), line.hasPrefix("/") || line.hasPrefix("macro expansion") {
        errors.append("")
      }
      if !errors.isEmpty { errors[errors.count - 1] += line + "\n" }
    }
    return errors
  }

  /// The output of a command of the compiler, which finds the library that this test was built with.
  static func run(_ arguments: [String]) throws -> String {
    let products = try products()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments =
      arguments + [
        "-o", "/dev/null", "-swift-version", "6",
        "-I", products.appending(path: "Modules").path,
        "-load-plugin-executable", "\(plugin(beside: products))#CroftMacros",
        "-Xcc", "-fmodule-map-file=\(root.path)/Sources/CLMDB/module.modulemap",
      ]
    let pipe = Pipe()
    compiler.standardError = pipe
    compiler.standardOutput = FileHandle.nullDevice
    try compiler.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// The folder of the products that this very test was built with: near the test program.
  private static func products() throws -> URL {
    var folder = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let module = folder.appending(path: "Modules/Croft.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return folder }
    }
    throw NoProducts()
  }

  /// The compiler plugin: the one that the scripts have built, else the one that SwiftPM builds.
  private static func plugin(beside products: URL) -> String {
    ProcessInfo.processInfo.environment["CROFT_MACRO_PLUGIN"]
      ?? products.appending(path: "CroftMacros-tool").path
  }

  private struct NoProducts: Error {}
}

#if os(Linux)
  import Croft
  import Foundation
  import Testing

  /// The shell as a person uses it, on a terminal of its own.
  @Suite struct TerminalTests {
    private let store: BookStore
    private let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft").path

    init() throws { store = try BookStore() }

    private func start(_ words: [String]) throws -> PseudoTerminal {
      try PseudoTerminal(
        program, words + [store.file],
        environment: [
          "HOME": store.folder.path, "PATH": "/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8",
          "NO_COLOR": "1",
        ])
    }

    @Test func aLineIsCompletedAndRemembered() throws {
      var terminal = try start([])
      terminal.wait(for: "croft> ")
      terminal.type("Bo\twh\tau\t.na\t== \"우유\" sel\tid\r")
      terminal.wait(for: "id\r\n1\r\n")
      terminal.wait(for: "croft> ")
      // Several candidates are listed.
      terminal.type("Book where t\t")
      terminal.wait(for: "tags")
      terminal.type("\u{3}")
      terminal.wait(for: "^C")
      terminal.wait(for: "croft> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      let history = store.folder.appending(path: ".local/state/croft/history")
      #expect(
        try String(contentsOf: history, encoding: .utf8)
          == "Book where author.name == \"우유\" select id\n")
      let mode = try FileManager.default.attributesOfItem(atPath: history.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      // The next session has the line, and takes a mode away that others can read with.
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: history.path)
      terminal = try start([])
      terminal.wait(for: "croft> ")
      terminal.type("\u{1B}[A")
      terminal.wait(for: "select id")
      terminal.type("\r")
      terminal.wait(for: "id\r\n1\r\n")
      terminal.wait(for: "croft> ")
      terminal.type(".quit\r")
      #expect(terminal.waitForEnd() == 0)
      let after = try FileManager.default.attributesOfItem(atPath: history.path)[.posixPermissions]
      #expect(after as? Int == 0o600)
    }

    @Test func anUnfinishedEntryGoesOn() throws {
      let terminal = try start(["--write"])
      terminal.wait(for: "croft> ")
      terminal.type("insert Author {\r")
      terminal.wait(for: "...> ")
      terminal.type("id: 7, na\t\"Eve\"\r")
      terminal.wait(for: "...> ")
      terminal.type("}\r")
      terminal.wait(for: "inserted")
      terminal.wait(for: "croft> ")
      terminal.type("Author where (\r")
      terminal.wait(for: "...> ")
      terminal.type("\u{3}")
      terminal.wait(for: "croft> ")
      terminal.type("delete Author where id == 7\r")
      terminal.wait(for: "[y/N] ")
      terminal.type("y\r")
      terminal.wait(for: "deleted")
      terminal.wait(for: "croft> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      #expect(try store.open().fetch(Author.all).count == 2)
    }

    @Test func watchingEndsWithControlC() throws {
      let terminal = try start([])
      terminal.wait(for: "croft> ")
      terminal.type("watch Author select id, name\r")
      terminal.wait(for: "Bo")
      try store.open().write { try $0.insert(Author(id: 9, name: "Ada")) }
      terminal.wait(for: "+  9")
      terminal.type("\u{3}")
      terminal.wait(for: "croft> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      let single = try PseudoTerminal(
        program, [store.file, "watch Author select name"], environment: ["TERM": "xterm"])
      single.wait(for: "Ada")
      try store.open().write { try $0.delete(Author.where { $0.id == 9 }) }
      single.wait(for: "-  Ada")
      single.type("\u{3}")
      #expect(single.waitForEnd() == 130)
    }

    @Test func anEntryOfSeveralLinesIsRecalledWhole() throws {
      let terminal = try start([])
      terminal.wait(for: "croft> ")
      terminal.type("Author where (\r")
      terminal.wait(for: "...> ")
      terminal.type("name == \"Bo\") select id\r")
      terminal.wait(for: "id\r\n2\r\n")
      terminal.wait(for: "croft> ")
      terminal.type("\u{1B}[A")
      terminal.wait(for: "select id")
      terminal.type("\r")
      terminal.wait(for: "id\r\n2\r\n")
      terminal.wait(for: "croft> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func aLongResultEndsWithControlC() throws {
      let count = 20_000
      try store.open().write { tx in
        try tx.insert(
          contentsOf: (10..<10 + count).map { id in
            Book(id: id, title: id == 9 + count ? "the last" : "number \(id)", year: id)
          })
      }
      let terminal = try start(["-o", "plain"])
      terminal.wait(for: "croft> ")
      terminal.type("Book\r")
      terminal.wait(for: "number 10")
      terminal.type("\u{3}")
      let rest = terminal.wait(for: "croft: interrupted")
      #expect(!rest.contains("the last"))
      terminal.wait(for: "croft> ")
      terminal.type("Book select count\r")
      terminal.wait(for: "\(count + 3)")
      terminal.wait(for: "croft> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// An import could not be ended but with the process.
    @Test func anImportEndsWithControlC() throws {
      let rows = store.folder.appending(path: "rows.csv")
      let table = (10..<400_000).map { "\($0),name \($0)" }
      try (["id,name"] + table).joined(separator: "\n").write(
        to: rows, atomically: true, encoding: .utf8)
      let terminal = try start(["--write"])
      terminal.wait(for: "croft> ")
      terminal.type(".import Author \(rows.path)\r")
      terminal.wait(for: "1000 rows")
      terminal.type("\u{3}")
      terminal.wait(for: "interrupted: nothing was imported")
      terminal.wait(for: "croft> ")
      terminal.type("Author select count\r")
      terminal.wait(for: "count\r\n2\r\n")
      terminal.wait(for: "croft> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// The signal was not seen before all rows were written.
    @Test func aLongResultThatIsWatchedEndsWithControlC() throws {
      let count = 5_000
      try store.open().write { tx in
        try tx.insert(
          contentsOf: (10..<10 + count).map { id in
            Book(id: id, title: id == 9 + count ? "the last" : "number \(id)", year: id)
          })
      }
      let terminal = try PseudoTerminal(
        program, [store.file, "watch Book"], environment: ["TERM": "xterm"])
      terminal.wait(for: "number 10")
      terminal.type("\u{3}")
      #expect(terminal.waitForEnd() == 130)
      #expect(!terminal.seen.contains("the last"))
    }
  }
#endif

#if os(Linux)
  import Foundation
  import Testing
  import TestSupport

  /// Results that are longer than the terminal, shown by a program that the test writes.
  @Suite struct PagerTerminalTests {
    private func start(
      _ todo: TodoProcess, _ arguments: [String] = [], _ environment: [String: String] = [:],
      columns: Int = 60
    ) throws -> PseudoTerminal {
      let base = ["TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"]
      return try PseudoTerminal(
        arguments,
        environment: todo.environment.merging(base) { $1 }.merging(environment) { $1 },
        columns: columns)
    }

    /// Makes a program by a process of its own, and gives the line of a shell that runs it.
    ///
    /// While this one has a file open for writing, what another test starts inherits that for a moment, and the file
    /// cannot be run meanwhile (`ETXTBSY`).
    private func pager(_ todo: TodoProcess, _ lines: String) throws -> String {
      let path = todo.folder.path + "/pager"
      let text = path + ".txt"
      try ("#!/bin/sh\n" + lines + "\n").write(toFile: text, atomically: true, encoding: .utf8)
      let made = try todo.shell("cp '\(text)' '\(path)' && chmod 700 '\(path)'")
      #expect(made.status == 0, "\(made.messages)")
      return path
    }

    private func add(_ titles: [String], to todo: TodoProcess) throws {
      let file = todo.folder.path + "/todo.txt"
      try titles.map { "(A) \($0)\n" }.joined()
        .write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try todo.run(["import", file]).status == 0)
    }

    /// A list that has thirty items, more than the terminal has rows.
    private func filled() throws -> TodoProcess {
      let todo = try TodoProcess()
      try add((1...30).map { "할일 \($0)" }, to: todo)
      return todo
    }

    @Test func aLongListIsShownByThePager() throws {
      let todo = try filled()
      let program = try pager(todo, "echo \"SHOWN $1 $LESS\"; tail -n 1; echo end")
      let terminal = try start(todo, [], ["PAGER": program + " 'a b'"])
      terminal.wait(for: "todo> ")
      terminal.type("ls --all\r")
      terminal.wait(for: "SHOWN a b FRX")
      terminal.wait(for: "할일 30")
      terminal.wait(for: "end")
      terminal.wait(for: "todo> ")
      // What fits is printed, and so is everything where no pager is wanted.
      terminal.type("show 1\r")
      terminal.wait(for: "Title")
      #expect(!terminal.wait(for: "todo> ").contains("SHOWN"))
      for line in ["find 할일 --no-pager", "ls", "ls --all -o json --no-pager"] {
        terminal.type(line + "\r")
        #expect(!terminal.wait(for: "todo> ").contains("SHOWN"))
      }
      for line in ["find 할일", "help", "show none", "ls --undone"] {
        terminal.type(line + "\r")
        terminal.wait(for: "SHOWN")
        terminal.wait(for: "end")
        terminal.wait(for: "todo> ")
      }
      terminal.type("config pager none\r")
      terminal.wait(for: "pager = none")
      terminal.wait(for: "todo> ")
      terminal.type("ls --all\r")
      #expect(!terminal.wait(for: "todo> ").contains("SHOWN"))
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func aPagerThatLeavesAtOnceIsNoError() throws {
      let todo = try TodoProcess()
      // More than a pipe holds, so that the writer finds the pipe closed.
      let long = String(repeating: "긴 제목 ", count: 400)
      try add((1...60).map { "\(long) \($0)" }, to: todo)
      let program = try pager(todo, "exec 0<&-; echo left")
      let terminal = try start(todo, ["ls", "--all", "-o", "plain"], ["PAGER": program])
      terminal.wait(for: "left")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func controlCInThePagerEndsOnlyThePager() throws {
      let todo = try filled()
      let program = try pager(todo, "stty -echo -icanon </dev/tty; echo waiting; exec sleep 60")
      let terminal = try start(todo, [], ["PAGER": program])
      terminal.wait(for: "todo> ")
      terminal.type("ls --all\r")
      terminal.wait(for: "waiting")
      terminal.type("\u{3}")
      terminal.wait(for: "todo> ")
      terminal.type("add 빵 !h\r")
      terminal.wait(for: "Added 31: 빵")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      // The program changed the terminal's settings, and was ended before it could restore them.
      #expect(terminal.isSane)
    }

    @Test func controlCInThePagerOfOneCommandEndsWithItsAnswerShown() throws {
      let todo = try filled()
      let program = try pager(todo, "stty -echo </dev/tty; echo waiting; exec sleep 60")
      let terminal = try start(todo, ["find", "할일"], ["PAGER": program])
      terminal.wait(for: "waiting")
      terminal.type("\u{3}")
      #expect(terminal.waitForEnd() == 0)
      #expect(terminal.isSane)
    }

    @Test(arguments: ["no-such-pager -x", "", "sh -c 'exit 127'"])
    func withoutAProgramEverythingIsPrinted(pager: String) throws {
      let todo = try filled()
      let terminal = try start(todo, ["ls", "--all"], ["PAGER": pager])
      #expect(!terminal.wait(for: "할일 30").contains("not found"))
      #expect(terminal.waitForEnd() == 0)
    }

    /// Groups and items as cards and as a table, chosen with Korean words.
    @Test(arguments: [20, 80])
    func theViewIsChosenInKorean(columns: Int) throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, ["--lang", "ko"], columns: columns)
      func enter(_ line: String, _ answer: String) {
        terminal.wait(for: "todo> ")
        terminal.type(line + "\r")
        terminal.wait(for: answer)
      }
      enter("group add 집 --color '#f80'", "그룹 추가 \"집\"")
      enter("add 우유 사기 @집 !h", "추가 1: 우유 사기")
      enter("보기 카드", "목록을 카드로 보여 줍니다.")
      enter("group", columns > 20 ? "| #ff8800                |" : "| #ff8800          |")
      terminal.wait(for: "| [---------] 0%")
      enter("ls", "\n  우유 사기\r\n  @집")
      enter("보기 표", "목록을 표로 보여 줍니다.")
      enter("group", columns > 20 ? "0/1  #ff8800" : "0/1\r\n  #ff8800")
      enter("보기", "목록을 표로 보여 줍니다.")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }
  }
#endif

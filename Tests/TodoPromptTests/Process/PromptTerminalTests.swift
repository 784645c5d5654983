#if os(Linux)
  import Foundation
  import Glibc
  import Testing
  import TestSupport

  /// The prompt on a real terminal, typed at key by key.
  @Suite struct PromptTerminalTests {
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

    /// A long command ran on to its end, and ^C did nothing.
    @Test func controlCCancelsTheRunningCommandAndRollsItBack() throws {
      let todo = try TodoProcess()
      let lines = (1...40_000).map { "(B) task \($0) +home\n" }.joined()
      let file = todo.folder.path + "/todo.txt"
      try lines.write(toFile: file, atomically: true, encoding: .utf8)
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("import \(file)\r")
      terminal.wait(for: "1000 items ...")
      terminal.type("\u{3}")
      terminal.wait(for: "Cancelled; nothing was changed.")
      terminal.wait(for: "todo> ")
      terminal.type("group\r")
      terminal.wait(for: "No groups yet.")
      terminal.wait(for: "todo> ")
      terminal.type("add milk !h\r")
      terminal.wait(for: "Added 1: milk")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      #expect(try todo.run(["-o", "csv", "ls"]).output.split(separator: "\n").count == 2)
    }

    /// A list of many items was printed to its end.
    @Test func controlCEndsAListThatIsPrinted() throws {
      let todo = try TodoProcess()
      let lines = (1...5_000).map { "task \($0) of many\n" }.joined()
      let file = todo.folder.path + "/todo.txt"
      try lines.write(toFile: file, atomically: true, encoding: .utf8)
      _ = try todo.run(["import", file])
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      // Numbers counted in the list before then, and `rm 1` deleted another item.
      terminal.type("find 4999\r")
      terminal.wait(for: "task 4999 of many")
      terminal.wait(for: "todo> ")
      terminal.type("ls -o csv --no-pager\r")
      terminal.wait(for: "task 1 of many")
      terminal.type("\u{3}")
      terminal.wait(for: "todo> ")
      terminal.type("rm 1\r")
      terminal.wait(for: "Deleted \"task 1 of many\"")
      terminal.wait(for: "todo> ")
      terminal.type("ls --all --no-pager\r")
      terminal.wait(for: "task 2 of many")
      terminal.type("\u{3}")
      #expect(!terminal.wait(for: "todo> ").contains("task 5000 of many"))
      terminal.type("add milk !h\r")
      terminal.wait(for: ": milk")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func editShowsTheItemAsALineToEdit() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("add 우유 !h due:2027-01-05 #장보기\r")
      terminal.wait(for: "Added 1: 우유")
      terminal.wait(for: "todo> ")
      terminal.type("edit 1\r")
      terminal.wait(for: "edit> ")
      terminal.wait(for: "#장보기")
      // ^A is the beginning of the line, ^E its end, ^W the word before.
      terminal.type("\u{1}귀리 \u{5}\u{17}\r")
      terminal.wait(for: "Changed 1: 귀리 우유  due:2027-01-05 (Tue)")
      terminal.wait(for: "todo> ")
      // ^C leaves the item as it is.
      terminal.type("edit 1\r")
      terminal.wait(for: "edit> ")
      terminal.type("x\u{3}")
      terminal.wait(for: "Nothing was changed.")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      let listed = try todo.run(["-o", "csv", "ls"]).output
      #expect(listed.contains("귀리 우유") && !listed.contains("장보기"))
    }

    /// Lines that were pasted with the new text vanished without a word.
    @Test func linesAfterAnEditedItemAreTheNextCommands() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      // Lines that were pasted with the command are no text for the item, and are run after it.
      terminal.type("\u{1B}[200~add milk !h\nedit 1\nadd bread !h\u{1B}[201~\r")
      terminal.wait(for: "edit> ")
      terminal.wait(for: "!high")
      terminal.type("\u{15}\u{1B}[200~oat milk !l\nadd eggs !n\u{1B}[201~\r")
      terminal.wait(for: "Changed 1: oat milk")
      terminal.wait(for: ": bread")
      terminal.wait(for: ": eggs")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      let listed = try todo.run(["-o", "csv", "ls"]).output
      #expect(["oat milk", "bread", "eggs"].allSatisfy(listed.contains), "\(listed)")
    }

    /// Without a prompt nothing reads them.
    @Test func linesAfterAnItemThatIsEditedByACommandAreReported() throws {
      let todo = try TodoProcess()
      #expect(try todo.run(["add", "milk", "!h"]).status == 0)
      for (language, message) in [
        ("en", "2 more lines were not read."), ("ko", "뒤에 온 2줄은 읽지 않았습니다."),
      ] {
        let id = try #require(todo.run(["-o", "json", "ls"]).output.firstMatch(of: /[0-9a-f]{4}"/))
        let terminal = try start(todo, ["--lang", language, "edit", String(id.output.prefix(4))])
        terminal.wait(for: "edit> ")
        terminal.wait(for: "!high")
        terminal.type("\u{15}\u{1B}[200~bread !h\nls\nls\u{1B}[201~\r")
        terminal.wait(for: message)
        #expect(terminal.waitForEnd() == 0)
      }
      #expect(try todo.run(["-o", "csv", "ls"]).output.contains("bread"))
    }

    /// The runtime's backtracer asked for a key first, and waited half a minute for it.
    @Test func aCrashWaitsForNoKey() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, [], ["TERM": "dumb"])
      terminal.wait(for: "todo> ")
      terminal.type("\u{1C}")
      #expect(terminal.waitForEnd() == -SIGQUIT)
      #expect(!terminal.seen.contains("crashed"), "\(terminal.seen) \(todo.folder.path)")
    }

    @Test func koreanIsTypedAskedAboutAndListed() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("add 보고서 쓰기\r")
      terminal.wait(for: "[l]ow? ")
      terminal.type("h\r")
      terminal.wait(for: "Added 1: 보고서 쓰기")
      terminal.wait(for: "todo> ")
      terminal.type("ls\r")
      terminal.wait(for: "high")
      terminal.wait(for: "보고서 쓰기")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      #expect(try todo.run(["-o", "json", "ls"]).output.contains("보고서 쓰기"))
    }

    @Test func anOpenPromptAndAnotherProcessShareTheList() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("add 우유 !h\r")
      terminal.wait(for: "Added 1: 우유")
      terminal.wait(for: "todo> ")
      #expect(try todo.run(["add", "빵", "!l"]).status == 0)
      #expect(try todo.run(["ls"]).output.contains("우유"))
      terminal.type("ls\r")
      terminal.wait(for: "우유")
      terminal.wait(for: "빵")
      terminal.wait(for: "todo> ")
      terminal.type("undo\r")
      terminal.wait(for: "Undone: add \"빵\"")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      let left = try todo.run(["ls"]).output
      #expect(left.contains("우유") && !left.contains("빵"))
    }

    @Test func groupsAreKeptInKoreanAndDeletedOnlyAfterAYes() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, ["--lang", "ko"])
      func enter(_ line: String, _ answer: String) {
        terminal.wait(for: "todo> ")
        terminal.type(line + "\r")
        terminal.wait(for: answer)
      }
      enter("group add 집안일", "그룹 추가 \"집안일\"")
      enter("add 우유 사기 @집안일 due:2026-06-01 !h", "추가 1: 우유 사기  마감:2026-06-01 (월) @집안일")
      enter("star 1", "별표 1: 우유 사기")
      enter("show 집안일", "집안일  0% [---------] 0/1")
      enter("rm 1", "\"우유 사기\" 삭제함. undo로 되돌릴 수 있습니다.")
      enter("undo", "되돌림: 삭제 \"우유 사기\"")
      enter("group rm 집안일", "\"집안일\" 그룹과 할일 1개를 삭제할까요? [y/N] ")
      terminal.type("\r")
      terminal.wait(for: "아무것도 삭제하지 않았습니다.")
      enter("group rm 집안일", "[y/N] ")
      terminal.type("예\r")
      terminal.wait(for: "\"집안일\" 그룹과 할일 1개 삭제함.")
      // No Enter after it: a ^C right after a command may come at one prompt or the next.
      terminal.wait(for: "todo> ")
      terminal.type("gr\trm\t")
      // The editor writes what is new of the line.
      terminal.wait(for: "roup rm")
      terminal.type("\u{3}")
      terminal.wait(for: "^C")
      terminal.wait(for: "todo> ")
      #expect(terminal.isEditing)
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func underTheCLocaleKoreanSurvivesToo() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, ["--lang", "ko"], ["LC_ALL": "C"])
      terminal.wait(for: "todo> ")
      terminal.type("add 우유 !h\r")
      terminal.wait(for: "추가 1: 우유")
      terminal.wait(for: "todo> ")
      terminal.type("quit\r")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func tabCompletesUpGoesBackAndControlCDropsTheLine() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("ad\tmilk !h\r")
      terminal.wait(for: "Added 1: milk")
      terminal.wait(for: "todo> ")
      terminal.type("add never\u{3}")
      terminal.wait(for: "^C")
      terminal.wait(for: "todo> ")
      terminal.type("\u{3}")
      terminal.wait(for: "leaves")
      terminal.wait(for: "todo> ")
      terminal.type("\u{1B}[A\r")
      terminal.wait(for: "Added 2: milk")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      let history = todo.folder.path + "/.local/state/todo/history"
      #expect(try String(contentsOfFile: history, encoding: .utf8) == "add milk !h\n")
    }

    @Test func deletingAsksAndEnterMeansNo() throws {
      let todo = try TodoProcess()
      _ = try todo.run(["-c", "add 우유 !h", "-c", "add 빵 !h", "-c", "add 물 !h"])
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("ls\r")
      terminal.wait(for: "우유")
      terminal.wait(for: "todo> ")
      for (answer, reply) in [("\r", "Nothing"), ("\u{3}", "Nothing"), ("y\r", "Deleted \"물\".")] {
        terminal.type("rm 1-3\r")
        #expect(terminal.wait(for: "[y/N/e] ").contains("우유"))
        terminal.type(answer)
        terminal.wait(for: reply)
        terminal.wait(for: "todo> ")
        // Else a ^D would be the terminal's own, and lost when the editor takes over.
        #expect(terminal.isEditing)
      }
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func aDumbTerminalHasPlainLines() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, [], ["TERM": "dumb"])
      terminal.wait(for: "todo> ")
      terminal.type("add milk !h\n")
      terminal.wait(for: "Added 1: milk")
      terminal.wait(for: "todo> ")
      // The terminal's own echo of ^C was on one row with the hint.
      terminal.type("\u{3}")
      #expect(terminal.wait(for: "leaves.").contains("^C\r\n^D or"), "\(terminal.seen)")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// After `add` alone the next line began with it, and a line that was refused at `edit>` was lost.
    @Test func upShowsALineThatWasRefused() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("add\r")
      terminal.wait(for: "Please enter a to-do.")
      terminal.wait(for: "todo> ")
      terminal.type("add !h #a\r")
      terminal.wait(for: "Please enter a to-do.")
      terminal.wait(for: "todo> ")
      terminal.type("\u{1B}[A 우유\r")
      terminal.wait(for: "Added 1: 우유  #a")
      terminal.wait(for: "todo> ")
      terminal.type("edit 1\r")
      terminal.wait(for: "edit> ")
      terminal.type(" 귀리 due:tomorow\r")
      terminal.wait(for: "Unknown day or time: tomorow")
      terminal.wait(for: "todo> ")
      terminal.type("edit 1\r")
      terminal.wait(for: "edit> ")
      terminal.type("\u{1B}[A\u{17}\r")
      terminal.wait(for: "Changed 1: 우유 귀리")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// Each kind of terminal that people have, with Korean typed, corrected and shown.
    @Test(
      arguments: [
        [:], ["LC_ALL": "C"], ["TERM": "dumb"], ["NO_COLOR": ""],
        ["LC_ALL": "C", "TERM": "dumb", "NO_COLOR": ""],
      ] as [[String: String]], [20, 80])
    func koreanIsTypedOnEveryTerminal(environment: [String: String], columns: Int) throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, ["--lang", "ko"], environment, columns: columns)
      terminal.wait(for: "todo> ")
      // On a plain terminal the system itself erases, and here it does so by bytes.
      let isPlain = environment["TERM"] == "dumb"
      terminal.type("add 보고서를 쓰고 우유 \(isPlain ? "" : "사긱\u{7F}\u{7F}")사기 !h\r")
      terminal.wait(for: "추가 1: 보고서를 쓰고 우유 사기")
      terminal.wait(for: "todo> ")
      terminal.type("find 우유\r")
      // Under 40 columns an item is a record: its marks, and the title on lines of its own.
      terminal.wait(for: columns > 20 ? "우유 사기" : "!h")
      terminal.wait(for: "todo> ")
      #expect(terminal.isEditing == (environment["TERM"] != "dumb"))
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      #expect(try todo.run(["-o", "json", "ls"]).output.contains("보고서를 쓰고 우유 사기"))
    }

    /// A list that is shown follows other programs, and unchanged lines are not written again.
    @Test(arguments: [20, 80])
    func watchShowsWhatOthersChange(columns: Int) throws {
      let todo = try TodoProcess()
      #expect(try todo.run(["add", "우유 사기", "!h", "due:2027-01-01"]).status == 0)
      #expect(try todo.run(["add", "bread", "!l", "due:2027-01-02"]).status == 0)
      let terminal = try start(todo, columns: columns)
      terminal.wait(for: "todo> ")
      terminal.type("watch\r")
      #expect(terminal.wait(for: "q, Enter").contains("우유 사기"))
      #expect(try todo.run(["add", "빵집", "!l", "due:2027-01-03"]).status == 0)
      let change = terminal.wait(for: "빵집")
      #expect(!change.contains("우유") && !change.contains("bread"))
      terminal.resize(columns: columns + 5)
      terminal.wait(for: "우유 사기")
      terminal.wait(for: "q, Enter")
      terminal.type("q")
      // The list stays, and its numbers count.
      terminal.wait(for: "todo> ")
      terminal.type("done 2\r")
      terminal.wait(for: "Done 2: bread")
      terminal.wait(for: "todo> ")
      #expect(terminal.isEditing)
      for key in ["\u{3}", "\r", "\u{4}", "\u{1B}"] {
        terminal.type("watch is:open\r")
        terminal.wait(for: "q, Enter")
        terminal.type(key)
        terminal.wait(for: "todo> ")
      }
      terminal.type("watch @nowhere\r")
      terminal.wait(for: "There is no group")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// The first byte of an arrow key is Escape, which ended the list.
    @Test func arrowAndFunctionKeysDoNotEndWatching() throws {
      let todo = try TodoProcess()
      #expect(try todo.run(["add", "milk", "!h"]).status == 0)
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("watch\r")
      terminal.wait(for: "q, Enter")
      terminal.type("\u{1B}[A\u{1B}OP\u{1B}[15~\u{1B}[1;5C")
      #expect(try todo.run(["add", "bread", "!h"]).status == 0)
      #expect(!terminal.wait(for: "bread").contains("\u{1B}[?1049l"))
      terminal.type("\u{1B}")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func aWatchThatIsEndedLeavesTheTerminalAsItWas(signal: Int32) throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, ["watch"])
      terminal.wait(for: "watching.")
      terminal.send(signal)
      terminal.wait(for: "\u{1B}[?1049l")
      #expect(terminal.waitForEnd() == -signal)
      #expect(terminal.isSane)
    }

    /// The list became one of all items whose text was the old name.
    @Test func aGroupThatIsRenamedIsWatchedOn() throws {
      let todo = try TodoProcess()
      #expect(try todo.run(["--yes", "add", "milk", "!h", "@home"]).status == 0)
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("watch home\r")
      #expect(terminal.wait(for: "q, Enter").contains("milk"))
      #expect(try todo.run(["group", "edit", "home", "--name", "house"]).status == 0)
      terminal.wait(for: "house")
      #expect(try todo.run(["add", "bread", "!h", "@house"]).status == 0)
      terminal.wait(for: "bread")
      terminal.type("q")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// A group that is deleted elsewhere ends the watching of it.
    @Test func watchingAGroupEndsWithTheGroup() throws {
      let todo = try TodoProcess()
      #expect(try todo.run(["--yes", "add", "우유", "!h", "@집안일"]).status == 0)
      let terminal = try start(todo, ["--lang", "ko"])
      terminal.wait(for: "todo> ")
      terminal.type("지켜보기 @집안일\r")
      #expect(terminal.wait(for: "끝냅니다.").contains("집안일"))
      #expect(try todo.run(["group", "rm", "집안일", "--yes"]).status == 0)
      terminal.wait(for: "그룹은 없습니다")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func aLineIsEditedInTheUsersOwnEditor() throws {
      let todo = try TodoProcess()
      let script = todo.folder.path + "/editor"
      try "#!/bin/sh\nsed s/milk/bread/ \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n".write(
        toFile: script, atomically: true, encoding: .utf8)
      let terminal = try start(todo, [], ["EDITOR": "sh \(script)", "VISUAL": ""])
      terminal.wait(for: "todo> ")
      terminal.type("add milk !h\u{18}\u{5}")
      terminal.wait(for: "add bread !h")
      terminal.type("\r")
      terminal.wait(for: "Added 1: bread")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// ^C ended the command that ran, and the rest of the script was run.
    @Test func controlCStopsAPastedScript() throws {
      let todo = try TodoProcess()
      for title in ["a", "b", "c"] { #expect(try todo.run(["add", title, "!h"]).status == 0) }
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("\u{1B}[200~rm is:open\nadd later !h\nadd last !h\u{1B}[201~")
      terminal.wait(for: "add last !h")
      terminal.type("\r")
      terminal.wait(for: "Delete these 3 items?")
      terminal.type("\u{3}")
      terminal.wait(for: "Nothing was deleted.")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      let listed = try todo.run(["-o", "csv", "ls"]).output
      #expect(listed.split(separator: "\n").count == 4, "\(listed)")
    }

    @Test func aPasteRunsAtEnterAndLineByLine() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("\u{1B}[200~add 우유 !h\nadd 빵 !l\u{1B}[201~")
      terminal.wait(for: "add 빵 !l")
      #expect(try todo.run(["-o", "json", "ls"]).output == "[]\n")
      terminal.type("\r")
      terminal.wait(for: "Added 1: 우유")
      terminal.wait(for: "Added 2: 빵")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func aNewWidthIsDrawnAnew() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("add 가나다라마바사아자차카타파하")
      terminal.wait(for: "하")
      terminal.resize(columns: 20)
      // The rows of 20 columns: `todo> add 가나다라마`, and the rest.
      terminal.wait(for: "todo> add 가나다라마\r")
      terminal.wait(for: "바사아자차카타파하")
      terminal.type(" !h\r")
      terminal.wait(for: "Added 1: 가나다라마바사아자차카타파하")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    /// A ^D at `...>` ended the program, and with it everything that was typed.
    @Test func controlDLeavesAnOpenLineAndNotTheProgram() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("add \"우유\r")
      terminal.wait(for: "...> ")
      terminal.type("\u{4}")
      terminal.wait(for: "todo> ")
      terminal.type("add 빵 !h\r")
      terminal.wait(for: "Added 1: 빵")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func aSignalLeavesTheTerminalAsItWas(signal: Int32) throws {
      let todo = try TodoProcess()
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("add x")
      terminal.wait(for: "add x")
      #expect(!terminal.isSane)
      terminal.send(signal)
      terminal.wait(for: "\u{1B}[?2004l")
      #expect(terminal.waitForEnd() == -signal)
      #expect(terminal.isSane)
    }

    @Test func aPrivateSessionLeavesNoHistoryAndNoList() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, ["--private"])
      terminal.wait(for: "todo> ")
      terminal.type("add 비밀 !h\r")
      terminal.wait(for: "Added 1: 비밀")
      terminal.wait(for: "todo> ")
      terminal.type("ls\r")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      #expect(!FileManager.default.fileExists(atPath: todo.folder.path + "/.local/state/todo"))
    }

    @Test func tabCompletesGroupsTagsAndItems() throws {
      let todo = try TodoProcess()
      _ = try todo.run(["-c", "group add '집 안일'", "-c", "add 우유 !h #장보기"])
      let terminal = try start(todo)
      terminal.wait(for: "todo> ")
      terminal.type("ls\r")
      terminal.wait(for: "우유")
      terminal.wait(for: "todo> ")
      terminal.type("add 청소 #장\t@집\t!h\r")
      terminal.wait(for: "Added 2: 청소  @\"집 안일\" #장보기")
      terminal.wait(for: "todo> ")
      terminal.type("done 우\t\r")
      terminal.wait(for: "Done 1: 우유")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func controlCEndsAQuestionOfOneCommandWith130() throws {
      let todo = try TodoProcess()
      let terminal = try start(todo, ["add", "milk"])
      terminal.wait(for: "[l]ow? ")
      terminal.type("\u{3}")
      #expect(terminal.waitForEnd() == 130)
      #expect(try todo.run(["-o", "json", "ls"]).output == "[]\n")
    }
  }
#endif

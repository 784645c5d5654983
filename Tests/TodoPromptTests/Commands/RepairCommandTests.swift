import Croft
import Foundation
import TestSupport
import Testing
import TodoKit

@testable import TodoPrompt

#if os(Linux)
  /// `repair` of a list that was not closed, whose journal is lost.
  @Suite struct RepairCommandTests {
    private let terminal: TestTerminal
    private var list: String { terminal.folder.path(to: "list.croft") }

    /// Makes a list with one item, as a power cut leaves it when its journal has another one.
    init() throws {
      terminal = try TestTerminal(columns: 80)
      terminal.opensFiles = true
      let live = terminal.folder.path(to: "live.croft")
      _ = terminal.run(["--db", live, "add", "milk", "!h"])
      let store = try Store.open(
        at: URL(filePath: live), models: TodoItem.self, TodoGroup.self)
      let item = try #require(try store.fetch(TodoItem.all).first)
      for title in ["milk and bread", "bread"] {
        try store.write { tx in _ = try tx.update(TodoItem.self, item.id) { $0.title = title } }
      }
      try FileManager.default.copyItem(atPath: live, toPath: list)
    }

    private func run(_ words: String..., answers: [String] = []) -> TestTerminal.Run {
      terminal.run(["--db", list] + words, answers: answers)
    }

    @Test func whatOpeningSaysIsWhatToDo() {
      let listed = run("ls")
      #expect(listed.status == .failed)
      #expect(listed.messages.contains("-journal") && listed.messages.contains("todo repair"))
      #expect(run("--lang", "ko", "ls").messages.contains("복구(todo repair)"))
    }

    @Test func itSaysWhatIsGivenUpAndAsks() {
      let refused = run("repair", answers: [""])
      #expect(refused.status == .failed && refused.questions == ["Give these changes up? [y/N] "])
      #expect(refused.messages.contains("\(list)-journal, which is missing"))
      #expect(refused.messages.contains("Nothing was changed."), "\(refused.messages)")
      #expect(run("ls").status == .failed)
      let repaired = run("repair", answers: ["y"])
      #expect(repaired.output == "Repaired the list: it has 1 item.\n", "\(repaired.messages)")
      #expect(run("ls").output.contains("bread"))
      #expect(run("repair").output == "The list opens; there is nothing to repair.\n")
      #expect(run("add", "butter", "!h").status == .done)
    }

    @Test func whereNobodyCanBeAskedItNeedsYes() {
      terminal.columns = nil
      let refused = run("repair")
      #expect(refused.status == .failed && refused.messages.contains("so repair needs --yes."))
      #expect(run("--lang", "ko", "복구").messages.contains("--yes가 필요합니다"))
      #expect(run("repair", "--yes").output == "Repaired the list: it has 1 item.\n")
    }

    @Test func aListWithDamagedPagesIsLeftAsItIs() throws {
      var bytes = try Data(contentsOf: URL(filePath: list))
      for offset in 8_192..<bytes.count { bytes[offset] = 0x5A }
      try bytes.write(to: URL(filePath: list))
      let run = run("repair", "--yes")
      #expect(run.status == .failed && run.messages.contains("damaged"), "\(run.messages)")
      #expect(try Data(contentsOf: URL(filePath: list)) == bytes)
    }

    @Test func aListWithItsJournalIsOpenedAndNotRepaired() throws {
      try FileManager.default.copyItem(
        atPath: terminal.folder.path(to: "live.croft-journal"), toPath: list + "-journal")
      #expect(run("repair").output == "The list opens; there is nothing to repair.\n")
      #expect(run("ls").output.contains("bread"))
    }
  }
#endif

import Croft
import Foundation
import Testing

@testable import CroftTool

/// The commits of a file's log, as `croft log` writes them.
@Suite struct LogTests {
  private let store: BookStore

  init() throws { store = try BookStore() }

  private func log(_ words: [String]) -> ToolRun { ToolRun(words, isShown: false) }

  @Test func aFileThatNobodyElseHadOpenHasNoLog() throws {
    let run = log(["-o", "csv", "log", store.file])
    #expect(run.code == 0 && run.output == "commit,model,objects,keys\n")
    #expect(run.messages.count == 1)
    #expect(run.messages.first?.hasPrefix("The last commit is number ") == true)
    #expect(run.messages.first?.contains("; 0 of at most 100 are listed") == true)
  }

  @Test func loggedCommitsAreRowsByModel() throws {
    do {
      let (one, other) = (try store.open(), try store.open())
      try one.write { tx in
        try tx.insert(Author(id: 7, name: "Ada"))
        try tx.update(Book.where { $0.id <= 2 }) { $0.year = 1 }
      }
      try one.write { _ = try $0.delete(Author.self, 7) }
      withExtendedLifetime(other) {}
    }
    let run = log(["-o", "csv", "log", store.file])
    let rows = run.output.split(separator: "\n").map(String.init)
    try #require(rows.count == 4)
    let number = try #require(rows[1].split(separator: ",").first.flatMap { Int($0) })
    #expect(rows[1] == "\(number),Author,1,\"[\"\"7\"\"]\"")
    #expect(rows[2] == "\(number),Book,2,\"[\"\"1\"\", \"\"2\"\"]\"")
    #expect(rows[3] == "\(number + 1),Author,1,\"[\"\"7\"\"]\"")
    #expect(run.messages.first?.hasPrefix("The last commit is number \(number + 1). ") == true)
    #expect(log(["-o", "csv", store.file, ".log"]).output == run.output)
  }
}

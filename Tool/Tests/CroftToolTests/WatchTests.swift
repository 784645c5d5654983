import Croft
import Foundation
import Testing

@testable import CroftTool

/// Results that are followed: what is written of each commit.
@Suite struct WatchTests {
  private let store: BookStore
  /// How long a result is waited for before a test fails.
  private static let patience = DispatchTimeInterval.seconds(120)

  init() throws { store = try BookStore() }

  /// Runs the program while another process commits, and ends it as ^C does.
  ///
  /// - Parameter commits: Statements, of which each is performed when what the last one changed
  ///   was written.
  private func watch(
    _ words: [String], _ commits: [String]
  ) throws -> (code: Int32, output: String) {
    let changed = DispatchSemaphore(value: 0)
    var (output, commits) = ("", commits)
    var failure: (any Error)?
    var streams = Streams(
      readLine: { nil }, write: { output += String(decoding: $0, as: UTF8.self) },
      report: { output += "! \($0)\n" })
    streams.noteChange = { changed.signal() }
    streams.whileWaiting = { body in
      var isFirst = true
      try body {
        if !isFirst {
          guard !commits.isEmpty else { return false }
          do { try commit(commits.removeFirst()) } catch { failure = error }
        }
        isFirst = false
        guard failure == nil else { return false }
        guard changed.wait(timeout: .now() + Self.patience) == .success else {
          Issue.record("no result came of \(words)")
          return false
        }
        return true
      }
    }
    let code = Program.run(words, streams)
    if let failure { throw failure }
    return (code, output)
  }

  /// Performs a statement in another process.
  private func commit(_ statement: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "croft")
    process.arguments = ["--write", store.file, statement]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(statement)")
  }

  @Test func eachCommitIsWritten() throws {
    let run = try watch(
      [store.file, "watch Book where id < 9 select id, title, year"],
      [
        "update Book where id == 1 set year = 2002",
        "insert Book {id: 4, title: \"우유\", year: 7}",
        "delete Book where id == 2",
        "update Book where id == 3 set title = \"Lake\"",
      ])
    #expect(run.code == 130)
    #expect(
      run.output == """
        \t1\t바나나, "big"\t2001
        \t2\tline\\nfeed\t
        \t3\tSea\t1999
        ~\t1\t바나나, "big"\t2002
        +\t4\t우유\t7
        -\t2\tline\\nfeed\t
        ~\t3\tLake\t1999

        """)
  }

  @Test(arguments: ["json", "ndjson"])
  func objectsOfJSONSayWhatChanged(format: String) throws {
    let run = try watch(
      ["-o", format, store.file, "watch Author select id, name"],
      [
        "insert Author {id: 3, name: \"Eve\"}",
        "update Author where id == 2 set name = \"Bob\"",
        "delete Author where id == 3",
      ])
    #expect(
      run.output == """
        {"change":null,"id":1,"name":"우유"}
        {"change":null,"id":2,"name":"Bo"}
        {"change":"insert","id":3,"name":"Eve"}
        {"change":"update","id":2,"name":"Bob"}
        {"change":"delete","id":3,"name":"Eve"}

        """)
  }

  /// Rows without the key, such as those of groups, come and go; a table keeps its widths.
  @Test func groupsComeAndGo() throws {
    let run = try watch(
      ["-o", "table", store.file, ".watch Book select state, count group by state"],
      ["update Book where id == 1 set state = lent"])
    #expect(
      run.output == """
           state  count
           0      3
        -  0      3
        +  0      2
        +  1      1

        """)
    let empty = try watch(
      ["-o", "csv", store.file, "watch Author where id == 7 select id"],
      ["insert Author {id: 7, name: \"Ada\"}"])
    #expect(empty.output == "change,id\n+,7\n")
  }

  @Test func whatCannotBeWatchedIsSaid() throws {
    #expect(try watch([store.file, "watch Book where wrong == 1"], []).code == 1)
    let run = ToolRun(["--write", store.file, "begin", "watch Book"], isShown: false)
    #expect(run.code == 1 && run.messages.first?.contains("watch follows commits") == true)
  }

  /// The differences of random results, beside the results that they make of the old one.
  @Test func differencesMakeTheNewResult() {
    for seed in 0..<300 {
      var random = RowNumbers(seed: UInt64(seed) + 1)
      func result() -> [[StoredValue]] {
        (0..<random.below(8)).map { _ in
          [.int(Int64(random.below(6))), .int(Int64(random.below(3)))]
        }
      }
      let (old, new) = (result(), result())
      for keys in [[], [0], [0, 1]] {
        var made = old
        for (change, row) in RowDifferences(keys: keys).changes(from: old, to: new) {
          switch change {
          case .insert: made.append(row)
          case .delete: made.firstIndex(of: row).map { _ = made.remove(at: $0) }
          case .update:
            let place = made.firstIndex { other in keys.allSatisfy { row[$0] == other[$0] } }
            if let place { made[place] = row }
          }
        }
        func sorted(_ rows: [[StoredValue]]) -> [String] { rows.map { "\($0)" }.sorted() }
        #expect(sorted(made) == sorted(new), "seed \(seed), keys \(keys): \(old) \(new)")
      }
    }
  }
}

/// Random numbers with a seed (xorshift, Marsaglia 2003).
private struct RowNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}

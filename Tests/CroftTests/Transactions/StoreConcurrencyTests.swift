import Croft
import Foundation
import Testing
import TestSupport

/// Many threads of several processes on one file: no write that returned is lost, and nobody sees
/// half of one.
@Suite(.keepsFailedStores) struct StoreConcurrencyTests {
  private static let processes = 4

  @Test func threadsOfSeveralProcessesLoseNothingAndSeeWholeTransactions() async throws {
    #if THREAD_SANITIZER
      let steps = 20
    #else
      let steps = Torture.steps(short: 60, long: 400)
    #endif
    let rounds = Torture.steps(short: 1, long: 40)
    var random = SeededGenerator.forTest("StoreConcurrencyTests")
    try await withTemporaryStore(of: Ledger.models, options: LedgerProcess.options) { temporary in
      try Ledger.fill(try temporary.open())
      var all = LedgerTally()
      var crashed = 0
      for _ in 0..<rounds where all.lost.isEmpty && all.wrong.isEmpty && crashed == 0 {
        await run(at: temporary.url, steps: steps, seed: random.next())
        for process in 1...Self.processes {
          do {
            all.add(try LedgerTally(of: process, beside: temporary.url))
          } catch {
            crashed += 1
          }
        }
        try check(temporary, &all)
        try Store.compact(at: temporary.url, options: LedgerProcess.options)
      }
      print("Concurrency: \(all)")
      print(
        "counts: concurrent writes \(all.writes), lost \(all.lost.count), "
          + "wrong \(all.wrong.count), crashed \(crashed)")
      #expect(all.lost.isEmpty && all.wrong.isEmpty, "\((all.lost + all.wrong).prefix(20))")
      #expect(crashed == 0)
    }
  }

  /// Runs the processes, all at once.
  private func run(at url: URL, steps: Int, seed: UInt64) async {
    await withTaskGroup(of: Void.self) { group in
      for process in 1...Self.processes {
        group.addTask(executorPreference: OwnThreads()) {
          await #expect(processExitsWith: .success) {
            [
              url = url as URL, process = process as Int, steps = steps as Int,
              seed = seed as UInt64
            ]
            in
            var found = LedgerTally()
            do {
              let ledger = try LedgerProcess(process, at: url, steps: steps, seed: seed)
              await ledger.run(with: StoreConcurrencyTests.processes)
              found = ledger.found
            } catch {
              found.wrong.append("process \(process) did not open the store: \(error)")
            }
            try found.save(for: process, beside: url)
          }
        }
      }
    }
  }

  /// Looks at what the processes have left.
  private func check(_ temporary: TemporaryStore, _ tally: inout LedgerTally) throws {
    let store = try temporary.open()
    let view = try store.read { try LedgerView(&$0) }
    tally.check(view, knowing: tally.lasts, "afterwards")
    // A write that was told to have failed, and is there, leaves a number out.
    for (writer, numbers) in tally.acknowledged where numbers.count != view.lasts[writer] {
      tally.wrong.append("writer \(writer): \(numbers.count) writes returned, of \(view.lasts)")
    }
    tally.wrong += try store.verify().problems
    try Ledger.removeMarks(from: store)
  }
}

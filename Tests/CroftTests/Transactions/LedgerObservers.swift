import Croft
import Dispatch
import Synchronization
import TestSupport

/// The observers of a process, which check what they are told, and write while they are told it.
///
/// Each has a query that all marks are in: when those of all processes are there, nobody writes any
/// more, and the shown results must equal a fetch.
final class LedgerObservers: Sendable {
  private let process: LedgerProcess
  private let count: Int
  /// The observer that writes is called on it.
  private let queue = DispatchQueue(label: "croft.tests.ledger")
  private let begun = Mailbox<Bool>()
  private let tokens = Mutex<[ObservationToken]>([])
  private let endings = Mutex<[@Sendable () async throws -> Bool]>([])
  private let commits = Mutex<Task<Void, Never>?>(nil)
  private let random: Mutex<SeededGenerator>

  init(of process: LedgerProcess, among count: Int) {
    (self.process, self.count) = (process, count)
    random = Mutex(process.random(4))
    let next = process.number % count + 1
    observe(Ledger.Entry.where { $0.writer == next * 10 + 1 || $0.writer < 0 }, on: .queue(queue)) {
      self.checkNumbers($0)
      self.writeToo()
    }
    observe(Ledger.Entry.where { $0.balance.amount > Ledger.amountOfEach || $0.writer < 0 })
    observe(Ledger.Entry.all.order(by: \.writer, \.number.descending).limit(20)) { list in
      if list.containsAll(of: .begun, self.count) { self.begun.send(true) }
    }
    observe(
      Ledger.Balance.all.order(by: \.amount).limit(12), on: .queue(DispatchQueue(label: "own")))
    commits.withLock { $0 = Task { await self.readCommits() } }
  }

  private func observe<M: Model & Equatable & LedgerObject>(
    _ query: Query<M>, on delivery: Delivery = .background,
    _ body: @escaping @Sendable ([M]) -> Void = { _ in }
  ) {
    let (viewer, ended, store) = (Viewer<M>(keepsChanges: false), Mailbox<Bool>(), process.store)
    let token = store.observe(query, on: delivery) { error in
      self.process.note(error)
    } _: { [count] change in
      viewer.take(change)
      self.process.tally.withLock { $0.changes += 1 }
      body(viewer.list)
      if viewer.list.containsAll(of: .ended, count) { ended.send(true) }
    }
    tokens.withLock { $0.append(token) }
    endings.withLock { endings in
      endings.append {
        while await ended.next() != nil {
          if try self.process.trying({ try store.fetchNow(query) }) == viewer.list { return true }
        }
        return false
      }
    }
  }

  private func checkNumbers(_ entries: [Ledger.Entry]) {
    let numbers = entries.filter { $0.writer > 0 }.map(\.number)
    guard let first = numbers.first, numbers != Array(first..<first + numbers.count) else { return }
    process.tally.withLock { $0.wrong.append("an observer was told of \(numbers)") }
  }

  /// A write within the call of an observer.
  private func writeToo() {
    guard !process.isDone.now else { return }
    random.withLock { random in
      do {
        try process.write(as: 4, in: process.store, &random)
      } catch {
        process.note(error)
      }
    }
  }

  /// Each commit comes once, and what is known of it moves amounts, and makes none.
  private func readCommits() async {
    var last: UInt64 = 0
    for await commit in process.store.commits {
      let isLater = commit.sequence > last
      last = commit.sequence
      do {
        let deltas = try commit.changes(of: Ledger.Balance.self) ?? []
        let moved = deltas.reduce(0) { sum, delta in
          (delta.new ?? delta.old).map { $0.id < 0 } == true
            ? sum : sum + (delta.new?.amount ?? 0) - (delta.old?.amount ?? 0)
        }
        process.tally.withLock { tally in
          tally.commits += 1
          if !isLater { tally.wrong.append("commit \(last) was told twice, or late") }
          if moved != 0 { tally.wrong.append("commit \(last) made \(moved)") }
        }
      } catch {
        process.note(error)
      }
    }
  }

  /// Waits until the observer that writes does so no more; the others have ended.
  func endWriting() { queue.sync {} }

  /// Waits until all processes are so far.
  func waitForAll(_ mark: Ledger.Mark) async {
    switch mark {
    case .begun:
      if await begun.next() == nil { note("the other processes did not begin") }
    case .ended:
      await checkEndings()
      for token in tokens.withLock({ $0 }) { token.cancel() }
      commits.withLock { $0 }?.cancel()
    }
  }

  /// One that does not come to its end is waited for two minutes; the others are left then.
  private func checkEndings() async {
    for (place, isRight) in endings.withLock({ $0 }).enumerated() {
      do {
        if try await isRight() { continue }
        return note("observer \(place) does not show what a fetch gives")
      } catch {
        return process.note(error)
      }
    }
  }

  private func note(_ words: String) { process.tally.withLock { $0.wrong.append(words) } }
}

extension Ledger {
  /// What a process says to the others.
  enum Mark: Int {
    case begun = -1
    case ended = -2
  }

  static func mark(_ mark: Mark, _ process: Int, in store: Store) throws {
    try store.write { tx in
      try tx.insert(Entry(writer: mark.rawValue, number: process))
      if mark == .ended { try tx.insert(Balance(id: -process, amount: -1_000_000 - process)) }
    }
  }

  static func removeMarks(from store: Store) throws {
    try store.write { tx in
      try tx.delete(Entry.where { $0.writer < 0 })
      try tx.delete(Balance.where { $0.id < 0 })
    }
  }
}

/// Objects of which some are marks.
protocol LedgerObject {
  func isMark(_ mark: Ledger.Mark) -> Bool
}

extension Ledger.Entry: LedgerObject {
  func isMark(_ mark: Ledger.Mark) -> Bool { writer == mark.rawValue }
}

extension Ledger.Balance: LedgerObject {
  func isMark(_ mark: Ledger.Mark) -> Bool { mark == .ended && id < 0 }
}

extension Array where Element: LedgerObject {
  /// Whether the marks of all processes are among them.
  func containsAll(of mark: Ledger.Mark, _ count: Int) -> Bool {
    self.count { $0.isMark(mark) } == count
  }
}

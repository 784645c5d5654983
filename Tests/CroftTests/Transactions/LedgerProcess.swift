import Croft
import Dispatch
import Foundation
import Synchronization
import TestSupport

/// One of the processes of a ledger, with eight threads that write, read, copy and observe at once.
///
/// Two threads write by themselves, one of them through stores of its own; tasks write in groups, on
/// the writer's thread; an observer writes while it is called; the others read, hold snapshots, make
/// copies and verify, or are told of changes.
final class LedgerProcess: Sendable {
  let store: Store
  let url: URL
  /// The process's number, from 1 on.
  let number: Int
  private let steps: Int
  private let seed: UInt64
  let tally = Mutex(LedgerTally())
  /// What has been done and found up to now.
  var found: LedgerTally { tally.withLock { $0 } }
  /// Whether the writers have ended.
  let isDone = Atomic(false)

  init(_ number: Int, at url: URL, steps: Int, seed: UInt64) throws {
    (self.number, self.url, self.steps, self.seed) = (number, url, steps, seed)
    store = try Store.open(at: url, models: Ledger.models, options: Self.options)
  }

  /// The map begins small, so that all processes have to enlarge theirs.
  static let options = Store.Options.forTests { options in
    options.mapSizeBytes = 1 << 20
    options.writerTimeout = .seconds(100)
  }

  /// Runs everything once the others are there too, and waits until they have done so; an error is
  /// noted.
  func run(with count: Int) async {
    let observers = LedgerObservers(of: self, among: count)
    mark(.begun)
    await observers.waitForAll(.begun)
    await withTaskGroup(of: Void.self) { group in
      for (rounds, read) in [(steps, readAll), (steps / 3, holdSnapshots), (steps / 10, copy)] {
        group.addTask {
          await self.runAlone { for _ in 0..<rounds where !self.isDone.now { try read() } }
        }
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.runAlone { try self.writePlainly() } }
        group.addTask { await self.runAlone { try self.writeThroughOtherStores() } }
        for task in 0..<4 { group.addTask { await self.writeInGroups(task) } }
      }
      isDone.store(true, ordering: .sequentiallyConsistent)
    }
    observers.endWriting()
    mark(.ended)
    await observers.waitForAll(.ended)
  }

  /// Tells the other processes how far this one is.
  private func mark(_ mark: Ledger.Mark) {
    do {
      try trying { try Ledger.mark(mark, number, in: store) }
    } catch {
      note(error)
    }
  }

  // MARK: Writers

  private func writePlainly() throws {
    var random = random(1)
    for _ in 0..<steps {
      try write(as: 1, in: store, &random)
      if random.oneIn(4) { try look(at: store, "writer") }
    }
  }

  private func writeThroughOtherStores() throws {
    var random = random(2)
    for _ in 0..<steps / 10 {
      let models = Ledger.models.shuffled(using: &random)
      let other = try trying { try Store.open(at: url, models: models, options: Self.options) }
      for _ in 0..<10 { try write(as: 2, in: other, &random) }
      try look(at: other, "another store")
    }
  }

  /// A write, which is whole or fails as a whole; some are told to fail.
  func write(as role: Int, in store: Store, _ random: inout SeededGenerator) throws {
    let writer = number * 10 + role
    let isRefused = random.oneIn(6)
    do {
      let last = try trying {
        try store.write { tx in
          if random.oneIn(6) { try Ledger.rotate(&tx) }
          if random.oneIn(4) { try Self.undoMove(&tx, writer, &random) }
          let last = try Ledger.move(&tx, writer: writer, &random)
          if isRefused { throw Refused() }
          return last
        }
      }
      tally.withLock { $0.acknowledge(writer, last) }
    } catch is Refused {}
  }

  /// Tasks write as one writer, several at a time, of which some fail and some are cancelled.
  private func writeInGroups(_ number: Int) async {
    var random = random(30 + number)
    let writer = self.number * 10 + 3
    for _ in 0..<steps / 2 {
      let (seed, isRefused) = (random.next(), random.oneIn(5))
      let write = Task {
        try await trying {
          try await store.write { tx in
            var random = SeededGenerator(seed: seed)
            if random.oneIn(5) { try Self.undoMove(&tx, writer, &random) }
            let last = try Ledger.move(&tx, writer: writer, &random)
            if isRefused { throw Refused() }
            return last
          }
        }
      }
      if random.oneIn(9) { write.cancel() }
      do {
        let last = try await write.value
        tally.withLock { $0.acknowledge(writer, last) }
      } catch is Refused {
      } catch is CancellationError {
      } catch {
        note(error)
      }
    }
  }

  /// A savepoint that fails, of which nothing stays.
  private static func undoMove(
    _ tx: inout WriteTransaction, _ writer: Int, _ random: inout SeededGenerator
  ) throws {
    do {
      try tx.savepoint { tx in
        _ = try Ledger.move(&tx, writer: writer, &random)
        throw Refused()
      }
    } catch is Refused {}
  }

  // MARK: Readers

  private func readAll() throws { try look(at: store, "reader") }

  private func holdSnapshots() throws {
    let known = found.lasts
    let snapshot = try trying { try store.snapshot(named: "held") }
    let first = try snapshot.read { try LedgerView(&$0) }
    tally.withLock { tally in
      tally.check(first, knowing: known, "snapshot")
      tally.snapshots += 1
    }
    for _ in 0..<3 where try snapshot.read({ try LedgerView(&$0) }) != first {
      tally.withLock { $0.wrong.append("a snapshot changed") }
    }
  }

  private func copy() throws {
    for isCompacting in [false, true] {
      let known = found.lasts
      let place = url.deletingLastPathComponent().appending(path: "copy \(number)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      let file = place.appending(path: "copy.croft")
      try trying { try isCompacting ? store.compact(to: file) : store.backup(to: file) }
      let copy = try Store.open(at: file, models: Ledger.models, options: Self.options)
      try look(at: copy, knowing: known, "copy")
      try verify(copy, "copy")
      try FileManager.default.removeItem(at: place)
      tally.withLock { $0.copies += 1 }
    }
    try verify(store, "store")
  }

  private func verify(_ store: Store, _ place: String) throws {
    let problems = try trying { try store.verify().problems }
    tally.withLock { $0.wrong += problems.map { "verifying the \(place): \($0)" } }
  }

  /// Looks at all there is, which holds what has been written up to now.
  func look(at store: Store, knowing known: [Int: Int]? = nil, _ place: String) throws {
    let known = known ?? found.lasts
    let view = try trying { try store.read { try LedgerView(&$0) } }
    tally.withLock { $0.check(view, knowing: known, place) }
  }

  // MARK: Errors

  /// Does something again where its error says that this helps.
  ///
  /// What it takes to help may be the end of a snapshot here, after another process has grown the file.
  func trying<R>(_ body: () throws -> R) throws -> R {
    for _ in 0..<100_000 {
      do {
        return try body()
      } catch let error as StoreError where error.isRetryable {
        tally.withLock { $0.retries += 1 }
        sched_yield()
      }
    }
    return try body()
  }

  private func trying<R>(_ body: () async throws -> R) async throws -> R {
    for _ in 0..<100_000 {
      do {
        return try await body()
      } catch let error as StoreError where error.isRetryable {
        tally.withLock { $0.retries += 1 }
        await Task.yield()
      }
    }
    return try await body()
  }

  /// Runs a part on a thread of its own, which no error may end.
  private func runAlone(_ body: @escaping @Sendable () throws -> Void) async {
    await OwnThreads.run {
      do { try body() } catch { self.note(error) }
    }
  }

  func note(_ error: any Error) { tally.withLock { $0.wrong.append("\(error)") } }

  func random(_ role: Int) -> SeededGenerator {
    SeededGenerator(seed: seed &+ UInt64(number * 1_000 + role))
  }
}

extension Atomic where Value == Bool {
  /// What it is.
  var now: Bool { load(ordering: .sequentiallyConsistent) }
}

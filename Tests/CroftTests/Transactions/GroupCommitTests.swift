import Dispatch
import LMDB
import Testing
import TestSupport

@testable import Croft

@Suite(.keepsFailedStores) struct GroupCommitTests {
  /// Holds the writer with a write of its own, submits others, and lets all of them go.
  ///
  /// - Parameter scope: Runs what submits the others.
  /// - Returns: What became of the others, in the order they were submitted.
  private func together<Value: Sendable>(
    on store: Store, _ count: Int, within scope: (() -> Void) -> Void = { $0() },
    _ write: @escaping @Sendable (Int, inout Croft.WriteTransaction) throws -> Value
  ) async throws -> [Result<Value, any Error>] {
    let gate = Gate()
    let first = Task { try await store.write { _ in gate.pass() } }
    await gate.reached()
    let executor = QueueExecutor()
    var tasks: [Task<Value, any Error>] = []
    scope {
      tasks = (0..<count).map { id in
        Task(executorPreference: executor) { try await store.write { tx in try write(id, &tx) } }
      }
    }
    while store.asyncWrites.waitingCount < count { await Task.yield() }
    gate.open()
    _ = await first.result
    var results: [Result<Value, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  @Test func aThousandConcurrentWritesShareOneCommit() async throws {
    try await withStore(of: Song.self) { store in
      let before = try store.sequence
      let results = try await together(on: store, 1_000) { id, tx in
        try tx.insert(Song(id: id, title: "a", plays: id % 10))
      }
      for result in results { try result.get() }
      // Each commit waits twice for the disk; a thousand by themselves would be a thousand commits.
      #expect(try store.sequence == before + 1)
      #expect(try await store.count(Song.where { $0.plays == 3 }) == 100)
    }
  }

  @Test func aClosureThatFailsFailsAloneAndLaterOnesSeeTheEarlierOnes() async throws {
    try await withStore(of: Song.self) { store in
      let results = try await together(on: store, 30) { id, tx in
        try tx.insert(Song(id: id, title: "a", plays: 3))
        // Plans on the index, so that the buffers are applied inside the savepoint.
        let count = try tx.count(Song.where { $0.plays == 3 })
        if id % 3 == 1 { throw Refused() }
        return count
      }
      for (id, result) in results.enumerated() {
        switch result {
        case .success(let count): #expect(count == id + 1 - (id + 1) / 3 && id % 3 != 1)
        case .failure(let error): #expect(error is Refused && id % 3 == 1)
        }
      }
      #expect(try await store.count(Song.where { $0.plays == 3 }) == 20)
    }
  }

  @Test func aWriteCancelledWhileItWaitsInAGroupNeverRuns() async throws {
    try await withStore(of: Song.self) { store in
      let (gate, later) = (Gate(), Gate())
      let first = Task { try await store.write { _ in gate.pass() } }
      await gate.reached()
      let executor = QueueExecutor()
      let second = Task(executorPreference: executor) {
        try await store.write { tx in
          try tx.insert(Song(id: 2, title: "second"))
          later.pass()
        }
      }
      let third = Task(executorPreference: executor) {
        try await store.write { try $0.insert(Song(id: 3, title: "never")) }
      }
      while store.asyncWrites.waitingCount < 2 { await Task.yield() }
      gate.open()
      await later.reached()
      // The group is at work, and the third has yet to start. It is told at once.
      third.cancel()
      await #expect(throws: CancellationError.self) { try await third.value }
      later.open()
      try await first.value
      try await second.value
      #expect(try await store.fetch(Song.all).map(\.id) == [2])
    }
  }

  @Test func aWriteOfACancelledTaskNeverRuns() async throws {
    try await withStore(of: Song.self) { store async throws in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.write { try $0.insert(Song(id: 1, title: "never")) }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await store.count(Song.all) == 0)
    }
  }

  @Test func writersThatWaitForABusyStoreAreAllToldSo() async throws {
    let options = Store.Options.forTests { $0.writerTimeout = .milliseconds(20) }
    try await withStore(of: Song.self, options: options) { store in
      let results = Recorder<StoreError?>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        let gate = Gate()
        group.addTask { try await Self.hold(store, gate) }
        await gate.reached()
        for id in 0..<5 {
          group.addTask {
            do {
              try await store.write { try $0.insert(Song(id: id, title: "late")) }
              results.add(nil)
            } catch let error as StoreError {
              results.add(error)
            }
          }
        }
        while results.all.count < 5 { await Task.yield() }
        gate.open()
        try await group.waitForAll()
      }
      for error in results.all {
        guard case .busy = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
      }
      try await store.write { try $0.insert(Song(id: 9, title: "in time")) }
      #expect(try await store.fetch(Song.all).map(\.id) == [9])
    }
  }

  /// Holds the store from a thread of its own, by a synchronous write.
  private static func hold(_ store: Store, _ gate: Gate) async throws {
    try await OwnThreads.run { try store.write { _ in gate.pass() } }
  }

  /// One closure does not fit the map and fails alone; those after it find a larger one.
  @Test func aClosureThatFillsTheMapFailsAlone() async throws {
    let options = Store.Options.forTests { $0.mapSizeBytes = 1 << 20 }
    try await withStore(of: Song.self, options: options) { store in
      let long = String(repeating: "x", count: 1_200_000)
      let results = try await together(on: store, 4) { id, tx in
        try tx.insert(Song(id: id, title: id == 1 || id == 3 ? long : "short"))
      }
      let errors = results.map { result -> StoreError? in
        if case .failure(let error) = result { error as? StoreError } else { nil }
      }
      #expect(errors[0] == nil && errors[2] == nil && errors[3] == nil)
      #expect(errors[1]?.isRetryable == true)
      #expect(try await store.fetch(Song.all).map(\.id) == [0, 2, 3])
    }
  }

  @Test func synchronousWritesTakeTurnsWithGroups() async throws {
    try await withStore(of: Song.self) { store in
      let gate = Gate()
      let order = Recorder<String>()
      let first = Task { try await store.write { _ in gate.pass() } }
      await gate.reached()
      let executor = QueueExecutor()
      let grouped = Task(executorPreference: executor) {
        try await store.write { _ in order.add("group") }
      }
      while store.asyncWrites.waitingCount < 1 { await Task.yield() }
      // It asks for the store before the next group does, and so it is next.
      let synchronous = Task {
        try await OwnThreads.run { try store.write { _ in order.add("synchronous") } }
      }
      while store.environment.waitingWriterCount < 1 { await Task.yield() }
      gate.open()
      try await first.value
      try await synchronous.value
      try await grouped.value
      #expect(order.all == ["synchronous", "group"])
    }
  }

  @Test func writesOfManyTasksAreDoneWholeWhateverOthersDo() async throws {
    var random = SeededGenerator.forTest("group writes")
    try await withStore(of: Song.self) { store in
      let fates = (0..<400).map { _ in random.below(10) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (id, fate) in fates.enumerated() {
          group.addTask {
            do {
              let body: @Sendable (inout Croft.WriteTransaction) throws -> Void = { tx in
                try tx.insert(Song(id: 2 * id, title: "a", plays: fate))
                try tx.insert(Song(id: 2 * id + 1, title: "b", plays: fate))
                if fate == 0 { throw Refused() }
              }
              try await fate < 5 ? store.write(body) : { () throws in try store.write(body) }()
              #expect(fate != 0)
            } catch is Refused {
              #expect(fate == 0)
            }
          }
        }
        try await group.waitForAll()
      }
      let expected = fates.indices.filter { fates[$0] != 0 }.flatMap { [2 * $0, 2 * $0 + 1] }
      #expect(try await store.fetch(Song.all).map(\.id) == expected)
    }
  }

  #if DEBUG
    /// Every call of the engine fails once: what a task is told is what the store holds.
    @Test(arguments: [LMDBError.Code.outOfSpace, .mapFull])
    func whatEachTaskIsToldIsWhatTheStoreHolds(_ code: LMDBError.Code) async throws {
      var commitFailures = 0
      for call in 1...400 {
        let plan = FaultPlan(failingCall: call, with: code)
        try await withStore(of: Song.self) { store in
          let told = try await together(
            on: store, 6, within: { FaultPlan.$current.withValue(plan, operation: $0) }
          ) { id, tx in
            try tx.insert(Song(id: id, title: "a", plays: 3))
          }
          let kept = told.indices.filter {
            if case .success = told[$0] { true } else { false }
          }
          let found = try await store.fetch(Song.all).map(\.id)
          #expect(found == kept, "call \(call), \(code)")
          let counted = try await store.count(Song.where { $0.plays == 3 })
          #expect(counted == kept.count, "call \(call), \(code)")
          if kept.isEmpty { commitFailures += 1 }
        }
        if !plan.hasFailedCall { break }
      }
      #expect(commitFailures > 3)
    }
  #endif
}

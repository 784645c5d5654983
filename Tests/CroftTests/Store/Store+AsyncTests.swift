import Croft
import Testing

@Suite(.keepsFailedStores) struct StoreAsyncTests {
  @Test func theAsyncDoorsDoWhatTheOthersDo() async throws {
    try await withStore(of: Song.self) { store in
      let count = try await store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<20))
        return try tx.count(Song.all)
      }
      #expect(count == 20)
      #expect(try await store.read { try $0.count(Song.all) } == 20)
      let query = Song.where { $0.plays == 3 }
      #expect(try await store.fetch(query).map(\.id) == [3, 13])
      #expect(try await store.first(query)?.id == 3)
      #expect(try await store.count(query) == 2)
      #expect(try await store.get(Song.self, 13)?.id == 13)
      #expect(try await store.get(Song.self, 113) == nil)
    }
  }

  @Test func anAsyncWriteThatThrowsLeavesNothing() async throws {
    try await withStore(of: Song.self) { store in
      await #expect(throws: Refused.self) {
        try await store.write { tx in
          try tx.insert(Song(id: 1, title: "a"))
          throw Refused()
        }
      }
      let count = try await store.count(Song.all)
      #expect(count == 0)
    }
  }

  @Test func asyncWritesRunInTheOrderTheyWereAskedFor() async throws {
    try await withStore(of: Song.self) { store in
      let gate = Gate()
      let first = Task { try await store.write { _ in gate.pass() } }
      await gate.reached()
      // One queue starts the tasks one after another, so that they ask in this order.
      let executor = QueueExecutor()
      let order = Recorder<Int>()
      let later = (1...20).map { id in
        Task(executorPreference: executor) {
          try await store.write { tx in
            order.add(id)
            try tx.insert(Song(id: id, title: "later"))
          }
        }
      }
      gate.open()
      try await first.value
      for task in later { try await task.value }
      #expect(order.all == Array(1...20))
      #expect(try await store.count(Song.all) == 20)
    }
  }

  @Test func aTaskCancelledBeforeItsTurnDoesNotWrite() async throws {
    try await withStore(of: Song.self) { store in
      let gate = Gate()
      let first = Task { try await store.write { _ in gate.pass() } }
      await gate.reached()
      let second = Task { try await store.write { try $0.insert(Song(id: 1, title: "never")) } }
      second.cancel()
      gate.open()
      try await first.value
      await #expect(throws: CancellationError.self) { try await second.value }
      #expect(try await store.count(Song.all) == 0)
    }
  }

  @Test func aTaskCancelledWhileItsClosureRunsStillCommits() async throws {
    try await withStore(of: Song.self) { store in
      let gate = Gate()
      let write = Task {
        try await store.write { tx in
          gate.pass()
          try tx.insert(Song(id: 1, title: "kept"))
        }
      }
      await gate.reached()
      write.cancel()
      gate.open()
      try await write.value
      #expect(try await store.count(Song.all) == 1)
    }
  }

  @Test func readersAndWritersOfManyThreadsSeeWholeTransactions() async throws {
    try await withStore(of: Song.self) { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            for round in 0..<20 {
              let id = (writer * 20 + round) * 2
              try await store.write { tx in
                try tx.insert(Song(id: id, title: "even", plays: 1))
                try tx.insert(Song(id: id + 1, title: "odd", plays: 1))
              }
            }
          }
          group.addTask {
            for _ in 0..<40 {
              let count = try await store.count(Song.where { $0.plays == 1 })
              #expect(count.isMultiple(of: 2))
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.count(Song.all) == 160)
    }
  }
}

import Dispatch
import LMDB
import Synchronization
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct LiveHubTests {
  @Test func theFirstChangeSaysWhatThereIs() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      let (viewer, token) = store.show(Song.where { $0.plays > 1 })
      store.live.drain()
      #expect(viewer.changes.map(\.isInitial) == [true])
      #expect(viewer.changes.first?.sequence == (try store.sequence))
      #expect(viewer.list.map(\.id) == [2, 3, 4])
      token.cancel()
    }
  }

  @Test func enteringLeavingStayingAndMovingAreTold() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<8)) }
      let (viewer, token) = store.show(Song.where { $0.plays >= 2 }.order(by: \.plays))
      store.live.drain()
      try store.write { tx in
        try tx.update(Song.self, 0) { $0.plays = 9 }
        try tx.update(Song.self, 2) { $0.plays = 0 }
        try tx.update(Song.self, 3) { $0.title = "new" }
        try tx.update(Song.self, 7) { $0.plays = 2 }
      }
      store.live.drain()
      let change = try #require(viewer.changes.last)
      #expect(change.insertions == [5])
      #expect(change.deletions == [0])
      #expect(change.modifications == [1] && change.modificationsAfter == [1])
      #expect(change.moves == [ResultMove(from: 5, to: 0, isModified: true)])
      token.cancel()
    }
  }

  @Test func whatDoesNotConcernTheResultIsNotTold() throws {
    try withStore(of: Song.self, Album.self) { store in
      let (viewer, token) = store.show(Song.where { $0.plays > 5 })
      store.live.drain()
      try store.write { try $0.insert(Song(id: 1, title: "few plays", plays: 1)) }
      try store.write { try $0.insert(Album(name: "album")) }
      try store.write { tx in
        try tx.insert(Song(id: 2, title: "here and gone", plays: 9))
        try tx.delete(Song.self, 2)
      }
      store.live.drain()
      #expect(viewer.changes.count == 1)
      token.cancel()
    }
  }

  @Test func anUndoneSavepointIsSilent() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      let (viewer, token) = store.show(Song.all)
      store.live.drain()
      try store.write { tx in
        _ = try? tx.savepoint { tx in
          try tx.deleteAll(Song.self)
          throw Refused()
        }
        try tx.update(Song.self, 1) { $0.title = "kept" }
      }
      store.live.drain()
      #expect(viewer.changes.count == 2)
      #expect(viewer.changes.last?.modifications == [1])
      #expect(viewer.changes.last?.deletions == [])
      token.cancel()
    }
  }

  @Test func whoIsSlowGetsOneChangeForAllCommits() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      let queue = DispatchQueue(label: "slow")
      let (viewer, token) = store.show(Song.all, on: .queue(queue))
      let (other, otherToken) = store.show(Song.all)
      store.live.drain()
      queue.suspend()
      for id in 5..<25 {
        try store.write { tx in
          try tx.insert(Song(id: id, title: "later"))
          if id % 2 == 0 { try tx.delete(Song.self, id - 1) }
        }
        store.live.drain()
      }
      queue.resume()
      queue.sync {}
      // One delivery may have been under way before the queue rested.
      #expect(viewer.changes.count <= 3)
      #expect(viewer.list == (try store.fetch(Song.all)))
      #expect(other.changes.count == 21)
      token.cancel()
      otherToken.cancel()
    }
  }

  @Test func anObserverAddedInsideACallbackHearsFromThenOn() throws {
    try withStore(of: Song.self) { store in
      let inner = Viewer<Song>()
      let tokens = Mutex<[ObservationToken]>([])
      let token = store.observe(Song.all) { [unowned store] change in
        guard !change.isInitial, tokens.withLock({ $0.isEmpty }) else { return }
        let token = store.observe(Song.all) { inner.take($0) }
        tokens.withLock { $0.append(token) }
      }
      store.live.drain()
      try store.write { try $0.insert(Song(id: 1, title: "one")) }
      store.live.drain()
      store.live.drain()
      try store.write { try $0.insert(Song(id: 2, title: "two")) }
      store.live.drain()
      #expect(inner.list.map(\.id) == [1, 2])
      token.cancel()
      for token in tokens.withLock({ $0 }) { token.cancel() }
    }
  }

  @Test func anObserverCancelledInsideACallbackHearsNoMore() throws {
    try withStore(of: Song.self) { store in
      let calls = Mutex(0)
      let tokens = Mutex<[ObservationToken]>([])
      let token = store.observe(Song.all) { _ in
        calls.withLock { $0 += 1 }
        for token in tokens.withLock({ $0 }) { token.cancel() }
      }
      tokens.withLock { $0 = [token] }
      store.live.drain()
      try store.write { try $0.insert(Song(id: 1, title: "one")) }
      store.live.drain()
      // The first call may have come before the token was known.
      let heard = calls.withLock { $0 }
      #expect(heard <= 2)
      try store.write { try $0.insert(Song(id: 2, title: "two")) }
      store.live.drain()
      #expect(calls.withLock { $0 } == heard)
      #expect(store.live.observerCount == 0)
      #expect(store.live.inspect { $0.isEmpty })
    }
  }

  @Test func aCancelledObserverIsNotCalledByWhatWaitedAlready() throws {
    try withStore(of: Song.self) { store in
      let queue = DispatchQueue(label: "resting")
      let (viewer, token) = store.show(Song.all, on: .queue(queue))
      store.live.drain()
      queue.sync {}
      queue.suspend()
      try store.write { try $0.insert(Song(id: 1, title: "one")) }
      store.live.drain()
      token.cancel()
      queue.resume()
      queue.sync {}
      #expect(viewer.changes.count == 1)
    }
  }

  @Test func aTokenThatIsGoneEndsItsObservation() throws {
    try withStore(of: Song.self) { store in
      do {
        let (_, token) = store.show(Song.all)
        store.live.drain()
        #expect(token.error == nil)
      }
      store.live.drain()
      #expect(store.live.observerCount == 0)
      #expect(store.live.inspect { $0.isEmpty })
    }
  }

  @Test func aWriteInsideACallbackUntilTheListIsEmptyTellsEachDeletionOnce() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      let viewers = (0..<3).map { _ in store.show(Song.all) }
      let deletions = (0..<3).map { _ in Recorder<Int>() }
      let counters = (0..<3).map { place in
        store.observe(Song.all) { change in
          for index in change.deletions { deletions[place].add(change.before[index].id) }
        }
      }
      let writer = store.observe(Song.all) { [unowned store] change in
        guard let first = change.after.first else { return }
        do {
          _ = try store.write { try $0.delete(Song.self, first.id) }
        } catch {
          Issue.record(error)
        }
      }
      while try store.count(Song.all) > 0 { store.live.drain() }
      store.live.drain()
      for (viewer, _) in viewers { #expect(viewer.list == []) }
      for recorder in deletions { #expect(recorder.all.sorted() == Array(0..<20)) }
      writer.cancel()
      counters.forEach { $0.cancel() }
    }
  }

  @Test func twoQueriesThatFeedTwoSectionsAreConsistentInEachCallback() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<30)) }
      let queue = DispatchQueue(label: "screen")
      let (quiet, quietToken) = store.show(Song.where { $0.plays < 5 }, on: .queue(queue))
      let (loud, loudToken) = store.show(Song.where { $0.plays >= 5 }, on: .queue(queue))
      for round in 0..<40 {
        // Songs go from one section to the other.
        _ = try store.write { tx in
          try tx.update(Song.where { $0.id >= round % 20 && $0.id < round % 20 + 7 }) {
            $0.plays = (round * 3 + $0.id) % 10
          }
        }
      }
      store.live.drain()
      queue.sync {}
      // Each change starts and ends at one commit of its own: `Viewer` compares them with its list.
      #expect(quiet.list.count + loud.list.count == 30)
      let last = Dictionary(
        loud.changes.map { ($0.sequence, Set($0.after.map(\.id))) }, uniquingKeysWith: { $1 })
      for change in quiet.changes {
        guard let others = last[change.sequence] else { continue }
        #expect(others.union(change.after.map(\.id)).count == 30)
        #expect(others.isDisjoint(with: change.after.map(\.id)))
      }
      quietToken.cancel()
      loudToken.cancel()
    }
  }

  @Test func aTransactionThatBeganBeforeTheObserverIsNotMissed() throws {
    for logsCommits in [true, false] {
      try withStore(of: Song.self, options: .forTests { $0.logsCommits = logsCommits }) { store in
        var tx = try store.beginWrite()
        try tx.insert(Song(id: 1, title: "early"))
        let (viewer, token) = store.show(Song.all)
        let commits = store.commits.makeAsyncIterator()
        store.live.drain()
        #expect(viewer.list == [])
        try store.commit(tx)
        store.live.drain()
        #expect(viewer.list.map(\.id) == [1])
        token.cancel()
        withExtendedLifetime(commits) {}
      }
    }
  }

  @Test func aWriteThatFailsIsNotTold() throws {
    try withStore(of: Song.self) { store in
      let (viewer, token) = store.show(Song.all)
      store.live.drain()
      #expect(throws: Refused.self) {
        try store.write { tx in
          try tx.insert(Song(id: 1, title: "one"))
          throw Refused()
        }
      }
      store.live.drain()
      #expect(viewer.changes.count == 1)
      token.cancel()
    }
  }

  #if DEBUG
    @Test func nothingIsToldBeforeTheCommitIsDurable() throws {
      var (failed, told) = (0, 0)
      for call in 1... {
        let plan = FaultPlan(failingCall: call, with: .outOfSpace)
        try withTemporaryStore(of: Song.self) { temporary in
          let store = try temporary.open()
          let (viewer, token) = store.show(Song.all)
          store.live.drain()
          do {
            try FaultPlan.$current.withValue(plan) {
              try store.write { try $0.insert(Song(id: 1, title: "one")) }
            }
          } catch is StoreError {
            failed += 1
          }
          store.live.drain()
          let stored = try store.fetch(Song.all)
          #expect(viewer.list == stored, "call \(call)")
          #expect(viewer.changes.count == 1 + stored.count, "call \(call)")
          told += stored.count
          // The next commit has the same sequence, and is delivered.
          try store.write { try $0.insert(Song(id: 2, title: "two")) }
          store.live.drain()
          #expect(viewer.list.last?.id == 2)
          token.cancel()
        }
        guard plan.hasFailedCall else { break }
        guard call < 1_000 else { preconditionFailure("The write never succeeds.") }
      }
      #expect(failed > 3 && told > 0)
    }
  #endif

  @Test func observationPinsNoOldVersion() throws {
    try withStore(of: Song.self) { store in
      let (_, token) = store.show(Song.all)
      let link = store.observe(Song.object(1)) { _ in }
      for id in 0..<50 {
        try store.write { try $0.insert(Song(id: id, title: "\(id)")) }
        store.live.drain()
      }
      #expect(try store.statistics.oldestReader?.commitsBehind ?? 0 == 0)
      token.cancel()
      link.cancel()
    }
  }

  @Test func manyObserversOfOneQueryShareItsResult() throws {
    try withStore(of: Song.self) { store in
      let shown = (0..<100).map { _ in store.show(Song.where { $0.plays > 3 }) }
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      store.live.drain()
      #expect(store.live.inspect { $0.queries.count } == 1)
      for (viewer, _) in shown { #expect(viewer.list.count == 12) }
    }
  }

  @Test func ofTenThousandObserversOnlyTheOneTouchedIsEvaluated() throws {
    try withStore(of: Song.self) { store in
      let calls = Recorder<Int>()
      let tokens = (0..<10_000).map { plays in
        store.observe(Song.where { $0.plays == plays }) { change in
          if !change.isInitial { calls.add(plays) }
        }
      }
      store.live.drain()
      try store.write { try $0.insert(Song(id: 1, title: "one", plays: 7_000)) }
      store.live.drain()
      let evaluated = { @Sendable (state: LiveState) in
        state.queries.reduce(0) { $0 + $1.predicatesEvaluated }
      }
      #expect(calls.all == [7_000])
      #expect(store.live.inspect(evaluated) == 1)
      _ = try store.write { try $0.update(Song.self, 1) { $0.plays = 7_001 } }
      store.live.drain()
      #expect(calls.all.sorted() == [7_000, 7_000, 7_001])
      #expect(store.live.inspect(evaluated) == 3)
      for token in tokens { token.cancel() }
    }
  }

  @Test func commitsThatWaitPastTheBoundAreReadFromTheStore() throws {
    try withStore(of: Song.self) { store in
      let (viewer, token) = store.show(Song.all)
      store.live.drain()
      store.live.setPendingBound(100)
      for id in 0..<50 {
        try store.write { try $0.insert(Song(id: id, title: "\(id)")) }
      }
      store.live.drain()
      #expect(viewer.list.count == 50)
      token.cancel()
    }
  }

  @Test func aQueryThatFollowsReferencesIsToldOfWhatItLooksAt() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(Person(id: 1))
        try tx.insert(Person(id: 2, boss: Ref(1)))
        try tx.insert(Club(name: "a", founder: Ref(1)))
      }
      let (viewer, token) = store.show(Person.where { $0.home.chair.id == 1 })
      store.live.drain()
      #expect(viewer.list == [])
      _ = try store.write { try $0.update(Person.self, 2) { $0.home = Ref("a") } }
      _ = try store.write { try $0.update(Club.self, "a") { $0.chair = Ref(1) } }
      store.live.drain()
      #expect(viewer.list.map(\.id) == [2])
      token.cancel()
    }
  }
}

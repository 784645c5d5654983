import Synchronization
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct ResultChangesTests {
  /// A value that can be written but, where it is 13, not be read.
  struct Picky: Codable, Hashable {
    var number: Int

    init(_ number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
      if number == 13 { throw Refused() }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  @Model struct Box: Hashable {
    @PrimaryKey var id: Int
    @Coded var content: ResultChangesTests.Picky
  }

  @Test func whoAsksLateGetsOneChangeForAll() async throws {
    try await withStore(of: Song.self) { store in
      let changes = store.changes(of: Song.all)
      let iterator = changes.makeAsyncIterator()
      let first = try #require(await iterator.next())
      #expect(first.isInitial && first.after.isEmpty)
      for id in 0..<10 { try await store.write { try $0.insert(Song(id: id, title: "\(id)")) } }
      store.live.drain()
      let second = try #require(await iterator.next())
      #expect(second.insertions == Array(0..<10))
      #expect(second.before == first.after)
      #expect(changes.error == nil)
    }
  }

  @Test func oneThatWaitsIsWokenByACommit() async throws {
    try await withStore(of: Song.self) { store in
      let iterator = store.changes(of: Song.all).makeAsyncIterator()
      _ = await iterator.next()
      async let next = iterator.next()
      try await store.write { try $0.insert(Song(id: 1, title: "one")) }
      #expect(await next?.insertions == [0])
    }
  }

  @Test func aCancelledTaskEndsTheChanges() async throws {
    try await withStore(of: Song.self) { store in
      let task = Task {
        var count = 0
        for await _ in store.changes(of: Song.all) { count += 1 }
        return count
      }
      while store.live.observerCount == 0 { await Task.yield() }
      task.cancel()
      #expect(await task.value <= 1)
      store.live.drain()
      #expect(store.live.observerCount == 0)
    }
  }

  @Test func aModelThatTheStoreLacksEndsTheChangesWithItsError() async throws {
    try await withStore(of: Song.self) { store in
      store.onDiagnostic = { _ in }
      let changes = store.changes(of: Album.all)
      for await _ in changes { Issue.record("there are no changes") }
      #expect(changes.error as? StoreError == .unknownModel(model: "Album"))
    }
  }

  @Test func aRowThatCannotBeReadEndsTheObservationWithItsError() async throws {
    // The store's own check would find the row, too.
    try await withStore(of: Box.self) { store in
      let diagnostics = Recorder<StoreDiagnostic>()
      store.onDiagnostic = { diagnostics.add($0) }
      let iterator = store.changes(of: Box.all).makeAsyncIterator()
      _ = await iterator.next()
      let (viewer, errors) = (Viewer<Box>(), Recorder<StoreError>())
      let token = store.observe(
        Box.all, onError: { error in (error as? StoreError).map(errors.add) }
      ) { viewer.take($0) }
      store.live.drain()
      try await store.write { try $0.insert(Box(id: 1, content: Picky(13))) }
      #expect(await iterator.next() == nil)
      // The second time for the diagnostic that the first one's failure brought.
      store.live.drain()
      store.live.drain()
      #expect(iterator.error is StoreError && token.error is StoreError)
      #expect(diagnostics.all.count == 2 && errors.all.count == 1)
      #expect(viewer.changes.count == 1)
      #expect(await iterator.next() == nil)
      // Writes capture nothing for observations that have ended, though their tokens are kept.
      #expect(store.live.observerCount == 0)
      #expect(store.live.inspect { $0.isEmpty } && store.live.regionCount == 0)
      #expect("\(token)".contains("ended by: "))
    }
  }
}

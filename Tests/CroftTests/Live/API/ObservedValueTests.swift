import Observation
import Synchronization
import Testing

@testable import Croft

/// A value on the main actor follows the store, and tells the Observation framework of each change.
@MainActor @Suite struct ObservedValueTests {
  /// Waits until what is read on the way has changed so that the condition holds.
  private func wait(until holds: () -> Bool) async {
    while true {
      let waiting = AsyncStream<Void>.makeStream()
      let isDone = withObservationTracking(holds) { waiting.continuation.finish() }
      if isDone { return }
      for await _ in waiting.stream {}
    }
  }

  @Test func theObjectsOfAQueryFollowEachCommit() async throws {
    let store = try Store.inMemory(models: Song.self)
    try await store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
    let observed = ObservedValue(of: Song.where { $0.id >= 3 }, in: store)
    #expect(observed.value.isEmpty)
    await wait { !observed.value.isEmpty }
    #expect(observed.value.map(\.id) == [3, 4])
    try await store.write { try $0.insert(Song(id: 9, title: "nine")) }
    await wait { observed.value.count == 3 }
    #expect(observed.value.last?.title == "nine")
    #expect(observed.error == nil)
  }

  @Test func aCommitThatChangesNothingOfItTellsNobody() async throws {
    let store = try Store.inMemory(models: Song.self)
    let count = ObservedValue(-1, following: store.values(count: Song.where { $0.id < 10 }))
    await wait { count.value == 0 }
    let told = Atomic(0)
    withObservationTracking {
      _ = count.value
    } onChange: {
      told.add(1, ordering: .relaxed)
    }
    try await store.write { try $0.insert(Song(id: 100, title: "other")) }
    // What is delivered behind it tells that the first commit was not.
    let all = ObservedValue(0, following: store.values(count: Song.all))
    await wait { all.value == 1 }
    #expect(told.load(ordering: .relaxed) == 0)
    try await store.write { try $0.insert(Song(id: 1, title: "one")) }
    await wait { count.value == 1 }
    #expect(told.load(ordering: .relaxed) == 1)
  }

  @Test func theErrorThatEndsTheObservationIsKept() async throws {
    let store = try Store.inMemory(models: Song.self)
    let observed = ObservedValue(
      0,
      following: store.values { tx in
        let count = try tx.count(Song.all)
        if count == 2 { throw Refused() }
        return count
      })
    try await store.write { try $0.insert(Song(id: 1, title: "one")) }
    await wait { observed.value == 1 }
    try await store.write { try $0.insert(Song(id: 2, title: "two")) }
    await wait { observed.error != nil }
    #expect(observed.error is Refused)
    #expect(observed.value == 1)
  }

  @Test func nothingIsObservedAnyMoreAfterItsRelease() async throws {
    let store = try Store.inMemory(models: Song.self)
    var observed: ObservedValue<Int>? = ObservedValue(
      -1, following: store.values(count: Song.all))
    weak let kept = observed
    await wait { observed?.value == 0 }
    #expect(!store.live.inspect { $0.isEmpty })
    observed = nil
    #expect(kept == nil)
    #expect(store.live.inspect { $0.isEmpty })
  }
}

import Croft
import Dispatch
import Testing

/// A closure of the main actor is called on it, and the compiler takes it where it says so.
@MainActor @Suite struct ObservingOnMainTests {
  private let store: Store

  init() throws {
    store = try Store.inMemory(models: Song.self)
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<2)) }
  }

  /// What belongs to the main actor, as a screen does.
  private final class Screen {
    var shown: [String: [Int]] = [:]
    var errors: [any Error] = []
  }

  @Test func eachFormCallsAClosureOfTheMainActor() async throws {
    let screen = Screen()
    let tokens = [
      store.observe(Song.all) { @MainActor change in screen.shown["query"] = [change.after.count] },
      store.observe(Song.all.sections(by: \.genre)) { @MainActor change in
        screen.shown["sections"] = change.after.map(\.objects.count)
      },
      store.observe(Song.object(7)) { @MainActor change in
        screen.shown["key"] = change.new.map { [$0.id] } ?? []
      },
      store.observe(Song.object(0)) { @MainActor change in
        screen.shown["object"] = change.new.map { [$0.plays] } ?? []
      },
      store.observe(ReadRequest { tx in try tx.count(Song.all) }) { @MainActor count in
        screen.shown["reading"] = [count]
      },
    ]
    await Tracking {}.drain(store)
    #expect(
      screen.shown == [
        "query": [2], "sections": [1, 1], "key": [], "object": [0], "reading": [2],
      ])
    try await store.write { tx in
      try tx.insert(Song(id: 7, title: "new"))
      try tx.update(Song.self, 0) { $0.plays = 5 }
    }
    await Tracking {}.drain(store)
    #expect(
      screen.shown == [
        "query": [3], "sections": [2, 1], "key": [7], "object": [5], "reading": [3],
      ])
    for token in tokens { token.cancel() }
  }

  @Test func anErrorComesOnTheMainActor() async throws {
    store.onDiagnostic = { _ in }
    let screen = Screen()
    let token = store.observe(
      ReadRequest { _ -> Int in throw Refused() },
      onError: { @MainActor error in screen.errors.append(error) }
    ) { @MainActor count in screen.shown["reading"] = [count] }
    await Tracking {}.drain(store)
    #expect(screen.errors.first is Refused && screen.shown.isEmpty)
    #expect(token.error is Refused)
  }

  /// Without `@MainActor` a closure is called on the store's own queue.
  @Test func anotherClosureStaysOnItsQueue() async throws {
    let counts = Mailbox<Int>()
    let token = store.observe(Song.all) { change in
      dispatchPrecondition(condition: .notOnQueue(.main))
      counts.send(change.after.count)
    }
    #expect(await counts.next() == 2)
    token.cancel()
  }
}

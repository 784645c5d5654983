import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Croft

/// Every kind of request is fetched and observed by the same functions.
@Suite(.keepsFailedStores) struct StoreRequestTests {
  /// What a request gave last, as text, beside what a fetch gives.
  private struct Followed {
    let name: String
    let token: ObservationToken
    let values: Recorder<String>
    let fetched: () throws -> String
  }

  private func follow<Request: StoreRequest>(
    _ name: String, _ request: Request, in store: Store,
    _ valueText: @escaping @Sendable (Request.Value) -> String,
    _ fetchedText: @escaping (Request.Fetched) -> String
  ) -> Followed {
    let values = Recorder<String>()
    let token = store.observe(request) { values.add(valueText(Request._value(after: $0))) }
    return Followed(name: name, token: token, values: values) {
      fetchedText(try store.fetch(request))
    }
  }

  /// One request of each kind, and all of them in one.
  private func followAll(in store: Store) -> [Followed] {
    let rock = Song.where { $0.genre == .rock }.order(by: \.title)
    let groups = Song.all.grouped(by: \.genre, .count, .sum(\.plays))
    let read = ReadRequest { tx in try tx.fetch(Song.all.sum(\.plays)) }
    return [
      follow("query", rock, in: store, { "\(Array($0))" }, { "\($0)" }),
      follow("sections", Song.all.sections(by: \.genre), in: store) { sections in
        "\(sections.map { "\($0.key) \(Array($0.objects))" })"
      } _: { sections in
        "\(sections.map { "\($0.key) \($0.objects)" })"
      },
      follow("count", rock.count, in: store, { "\($0)" }, { "\($0)" }),
      follow("max", Song.all.max(\.plays), in: store, { "\($0 as Any)" }, { "\($0 as Any)" }),
      follow("groups", groups, in: store, { "\($0)" }, { "\($0)" }),
      follow("object", Song.object(3), in: store, { "\($0 as Any)" }, { "\($0 as Any)" }),
      follow("read", read, in: store, { "\($0)" }, { "\($0)" }),
      follow("combined", CombinedRequest(rock, Song.object(3), read, groups), in: store) {
        "\(Array($0)) \($1 as Any) \($2) \($3)"
      } _: {
        "\($0) \($1 as Any) \($2) \($3)"
      },
    ]
  }

  @Test func whatIsObservedIsWhatAFetchGives() throws {
    try withStore(of: Song.self) { store in
      var random = SeededGenerator.forTest("requests")
      let all = followAll(in: store)
      for _ in 0..<Torture.steps(short: 60, long: 3_000) {
        try store.write { tx in
          for _ in 0...random.below(3) {
            let id = random.below(8)
            switch random.below(4) {
            case 0: _ = try tx.delete(Song.self, id)
            default:
              _ = try tx.upsert(
                Song(
                  id: id, title: "\(random.below(5))", plays: random.below(9),
                  genre: Genre.allCases[random.below(Genre.allCases.count)]))
            }
          }
        }
        store.live.drain()
        for one in all {
          #expect(try one.values.all.last == one.fetched(), "\(one.name), seed \(random.seed)")
          #expect(zip(one.values.all, one.values.all.dropFirst()).allSatisfy { $0 != $1 })
        }
      }
      #expect(all.allSatisfy { $0.token.error == nil && $0.values.all.count > 3 })
      for one in all { one.token.cancel() }
      store.live.drain()
      #expect(store.live.inspect { $0.isEmpty } && store.live.regionCount == 0)
    }
  }

  /// The parts of a change of several requests are of one commit, also where only one of them differs.
  @Test func aDashboardIsToldTogether() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { try $0.insert(Song(id: 1, title: "one", plays: 2)) }
      let told = Recorder<String>()
      let request = CombinedRequest(
        Song.all, Album.all.count, Song.object(1), ReadRequest { try $0.count(Song.all) },
        Song.all.sections(by: \.genre))
      let token = store.observe(request) { songs, albums, song, count, sections in
        told.add(
          """
          \(songs.insertions) \(songs.modifications) \(albums) \(song.kind) \
          \(song.fields.map(\.name)) \(count) \(sections.after.count)
          """)
      }
      store.live.drain()
      try store.write { try $0.insert(Album(name: "a")) }
      store.live.drain()
      _ = try store.write { try $0.update(Song.self, 1) { $0.plays = 3 } }
      store.live.drain()
      try store.write { tx in
        try tx.insert(Song(id: 2, title: "two", genre: .rock))
        try tx.insert(Album(name: "b"))
      }
      store.live.drain()
      #expect(
        told.all == [
          "[] [] 0 initial [] 1 1", "[] [] 1 modified [] 1 1", "[] [0] 1 modified [\"plays\"] 1 1",
          "[1] [] 2 modified [] 2 2",
        ])
      token.cancel()
    }
  }

  /// The first change comes on the calling thread, and later ones where they should; none is lost.
  @Test func theFirstChangeIsImmediate() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<3)) }
      let key = DispatchSpecificKey<Bool>()
      let queue = DispatchQueue(label: "own")
      queue.setSpecific(key: key, value: true)
      for commitsBetween in [false, true] {
        let told = Recorder<String>()
        let counts = Recorder<String>()
        let hasCommitted = Mutex(!commitsBetween)
        let before = try store.count(Song.all)
        let tokens = [
          store.observe(Song.all, on: .immediate(then: .queue(queue))) { change in
            told.add("\(change.isInitial) \(DispatchQueue.getSpecific(key: key) ?? false)")
            let commits = hasCommitted.withLock { has in
              defer { has = true }
              return !has
            }
            guard commits else { return }
            do { try store.write { try $0.insert(Song(id: 100, title: "between")) } } catch {
              Issue.record(error)
            }
          },
          store.observe(Song.all.count, on: .immediate(then: .queue(queue))) {
            counts.add("\($0) \(DispatchQueue.getSpecific(key: key) ?? false)")
          },
        ]
        let now = before + (commitsBetween ? 1 : 0)
        #expect(told.all.first == "true false" && counts.all.first == "\(now) false")
        try store.write { try $0.insert(Song(id: 50 + before, title: "later")) }
        store.live.drain()
        queue.sync {}
        // What was committed between the first read and the observation may come with the next commit.
        #expect(Set(told.all.dropFirst()) == ["false true"])
        #expect(counts.all.last == "\(now + 1) true")
        for token in tokens { token.cancel() }
      }
    }
  }

  /// An error of the first reading is delivered at once, and the observation is not registered.
  @Test func anImmediateErrorEndsTheObservation() throws {
    try withStore(of: Song.self) { store in
      let errors = Recorder<String>()
      let token = store.observe(
        Album.all, on: .immediate(then: .background), onError: { errors.add("\($0)") }
      ) { _ in }
      #expect(errors.all.count == 1)
      #expect(token.error as? StoreError == .unknownModel(model: "Album"))
      store.live.drain()
      #expect(errors.all.count == 1 && store.live.observerCount == 0)
    }
  }

  @Test func aDeliveryOfOnesOwnIsCalled() throws {
    try withStore(of: Song.self) { store in
      let waiting = Mutex<[@Sendable () -> Void]>([])
      let counts = Recorder<Int>()
      let later = Delivery { work in waiting.withLock { $0.append(work) } }
      let token = store.observe(Song.all.count, on: later) { counts.add($0) }
      for id in 0..<3 {
        try store.write { try $0.insert(Song(id: id, title: "song")) }
        store.live.drain()
      }
      #expect(counts.all == [])
      // One call at a time waits, and delivers the latest value.
      let works = waiting.withLock { $0 }
      #expect(works.count == 1)
      for work in works { work() }
      #expect(counts.all == [3])
      token.cancel()
    }
  }
}

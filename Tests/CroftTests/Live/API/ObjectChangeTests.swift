import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct ObjectChangeTests {
  @Test func anObjectIsFollowedThroughItsLife() throws {
    try withStore(of: Song.self) { store in
      let changes = Recorder<ObjectChange<Song>>()
      let token = store.observe(Song.object(7)) { changes.add($0) }
      store.live.drain()
      try store.write { try $0.insert(Song(id: 7, title: "seven")) }
      store.live.drain()
      _ = try store.write { try $0.update(Song.self, 7) { ($0.title, $0.plays) = ("VII", 3) } }
      store.live.drain()
      _ = try store.write { try $0.delete(Song.self, 7) }
      store.live.drain()
      try store.write { try $0.insert(Song(id: 8, title: "another")) }
      try store.write { try $0.insert(Song(id: 7, title: "again")) }
      store.live.drain()
      #expect(changes.all.map(\.kind) == [.initial, .inserted, .modified, .deleted, .inserted])
      let changed = changes.all[2]
      #expect(
        changed.fields == [
          .init(name: "title", old: .string("seven"), new: .string("VII")),
          .init(name: "plays", old: .int(0), new: .int(3)),
        ])
      #expect(changed.values(of: \.title)?.old == "seven")
      #expect(changed.values(of: \.title)?.new == "VII")
      #expect(changed.values(of: \.note) == nil)
      #expect(changes.all[3].old?.title == "VII" && changes.all[3].new == nil)
      token.cancel()
    }
  }

  @Test func anObjectsChangesAreASequenceAsWell() async throws {
    try await withStore(of: Song.self) { store in
      let changes = store.changes(of: Song.object(7).observing(\.title)).makeAsyncIterator()
      #expect(await changes.next()?.kind == .initial)
      try await store.write { try $0.insert(Song(id: 7, title: "seven")) }
      #expect(await changes.next()?.new?.title == "seven")
    }
  }

  @Test func onlyTheFieldsAskedForAreTold() throws {
    try withStore(of: Song.self) { store in
      let song = Song(id: 1, title: "one")
      try store.write { try $0.insert(song) }
      let changes = Recorder<ObjectChange<Song>>()
      let token = store.observe(Song.object(song.id).observing(\.title)) { changes.add($0) }
      store.live.drain()
      _ = try store.write { try $0.update(Song.self, 1) { $0.plays = 9 } }
      store.live.drain()
      _ = try store.write { try $0.update(Song.self, 1) { ($0.title, $0.plays) = ("two", 10) } }
      store.live.drain()
      #expect(changes.all.map(\.kind) == [.initial, .modified])
      #expect(changes.all.last?.fields.map(\.name) == ["title"])
      token.cancel()
    }
  }

  @Test func resultsTellOnlyModificationsOfTheFieldsAskedFor() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<4)) }
      let changes = Recorder<ResultChange<Song>>()
      let token = store.observe(Song.all.observing(\.title)) { changes.add($0) }
      store.live.drain()
      _ = try store.write { try $0.update(Song.self, 1) { $0.plays = 90 } }
      store.live.drain()
      #expect(changes.all.count == 1)
      try store.write { tx in
        try tx.update(Song.self, 2) { $0.title = "two" }
        try tx.update(Song.self, 3) { $0.plays = 91 }
      }
      store.live.drain()
      #expect(changes.all.last?.modifications == [2])
      #expect(changes.all.last?.after[1].plays == 90)
      token.cancel()
    }
  }

  @Test func manyObjectsCostOneLookupForEachChangedRow() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<500)) }
      let calls = Recorder<Int>()
      let tokens = (0..<500).map { id in
        store.observe(Song.object(id)) { change in
          if change.kind != .initial { calls.add(id) }
        }
      }
      store.live.drain()
      _ = try store.write { try $0.update(Song.where { $0.plays == 3 }) { $0.note = "changed" } }
      store.live.drain()
      #expect(calls.all.sorted() == Array(stride(from: 3, to: 500, by: 10)))
      for token in tokens { token.cancel() }
    }
  }
}

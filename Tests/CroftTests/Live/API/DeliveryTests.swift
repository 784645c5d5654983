import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// Each change starts from the result that was delivered last, and errors reach their handlers.
@Suite(.keepsFailedStores) struct DeliveryTests {
  /// With fields a commit may deliver nothing; `before` once had its values all the same.
  @Test func aSilentCommitIsNoPartOfWhatWasTold() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<3)) }
      let results = Recorder<ResultChange<Song>>()
      let sections = Recorder<SectionedChange<Song, Genre>>()
      let objects = Recorder<ObjectChange<Song>>()
      let tokens = [
        store.observe(Song.all.observing(\.plays)) { results.add($0) },
        store.observe(Song.all.observing(\.plays).sections(by: \.genre)) { sections.add($0) },
        store.observe(Song.object(1).observing(\.plays)) { objects.add($0) },
      ]
      store.live.drain()
      for title in ["silent", "again"] {
        try store.write { _ = try $0.update(Song.self, 1) { $0.title = title } }
        store.live.drain()
      }
      #expect(results.all.count == 1 && sections.all.count == 1 && objects.all.count == 1)
      try store.write { _ = try $0.update(Song.self, 1) { $0.plays = 7 } }
      store.live.drain()
      let told = try #require(results.all.last)
      #expect(told.before.map(\.title) == ["Song 0", "Song 1", "Song 2"])
      #expect(told.after.map(\.title) == ["Song 0", "again", "Song 2"])
      #expect(told.modifications == [1] && results.all.count == 2)
      let sectioned = try #require(sections.all.last)
      #expect(
        sectioned.before.flatMap { $0.objects.map(\.title) }.sorted() == [
          "Song 0", "Song 1", "Song 2",
        ])
      #expect(
        sectioned.after.flatMap { $0.objects.map(\.title) }.sorted() == [
          "Song 0", "Song 2", "again",
        ])
      let object = try #require(objects.all.last)
      #expect(object.old?.title == "Song 1" && object.new?.title == "again")
      #expect(object.fields.map(\.name) == ["plays"])
      #expect(tokens.allSatisfy { $0.error == nil })
    }
  }

  /// Whatever is delivered or skipped, each change starts from the result of the one before.
  @Test(arguments: 0..<10)
  func eachChangeLeadsFromTheOneBefore(seed: Int) throws {
    try withStore(of: Song.self) { store in
      var random = SeededGenerator(seed: UInt64(seed))
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<6)) }
      let shown = Mutex<[Song]>([])
      let query = Song.where { $0.plays < 6 }.order(by: \.plays)
      let token = store.observe(query.observing(\.plays, \.note)) { change in
        shown.withLock { shown in
          #expect(shown == Array(change.before))
          shown = Array(change.after)
        }
      }
      store.live.drain()
      for round in 0..<60 {
        let (id, value) = (
          Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random)
        )
        try store.write { tx in
          switch value {
          case 0: try tx.delete(Song.self, id)
          case 1, 2: try tx.upsert(Song(id: id, title: "\(round)", plays: value))
          case 3: _ = try tx.update(Song.self, id) { $0.note = "\(round)" }
          default: _ = try tx.update(Song.self, id) { $0.title = "\(round)" }
          }
        }
        if Bool.random(using: &random) { store.live.drain() }
      }
      store.live.drain()
      let songs = try store.fetch(query)
      #expect(shown.withLock { $0.map(\.id) } == songs.map(\.id))
      #expect(shown.withLock { $0.map(\.note) } == songs.map(\.note))
      #expect(token.error == nil)
    }
  }

  /// The program's handler is called with the error, and no line is printed.
  @Test func whoHearsOfAnErrorNeedsNoLineOnTheStandardError() async throws {
    func lines(_ hears: Bool) async throws -> String {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) { [hears = hears as Bool] in
        try withStore(of: Song.self) { store in
          let errors = Recorder<String>()
          let token =
            hears
            ? store.observe(Album.all, onError: { errors.add("\($0)") }) { _ in }
            : store.observe(Album.all) { _ in }
          store.live.drain()
          store.live.drain()
          guard errors.all.count == (hears ? 1 : 0), token.error != nil else { exit(9) }
        }
      }
      return String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
    #expect(try await !lines(true).contains("croft:"))
    #expect(try await lines(false).contains("croft: An observation of Album ended"))
  }
}

import Foundation
import Testing

@testable import Croft

/// Keys of several properties in query texts, and their parts.
@Suite struct CompoundKeyTextTests {
  private let tracks = ["", "a\0", "ab", "é"].flatMap { album in
    ([-1, 0, 127] as [Int8]).map { Track(album: album, disc: $0, number: 256) }
  }

  @Test func aKeyIsMadeOfItsPartsAndHasThem() throws {
    let type = Ref<Track>.storage
    #expect(type.keyKinds == [.string, .int64, .uint64])
    for track in tracks {
      let stored = Ref(track).stored
      let parts = try #require(stored.keyParts(of: type))
      #expect(parts == [.string(track.album), .int(Int64(track.disc)), .uint(256)])
      #expect(StoredValue(keyParts: parts, of: type) == stored)
    }
  }

  @Test func whatIsNoKeyHasNoParts() throws {
    let type = Ref<Track>.storage
    let key = Ref(tracks[0]).stored
    guard case .data(let bytes) = key else {
      Issue.record("a key is bytes")
      return
    }
    #expect(StoredValue.data(Array(bytes.dropLast())).keyParts(of: type) == nil)
    #expect(StoredValue.data(bytes + [0]).keyParts(of: type) == nil)
    #expect(StoredValue.string("a").keyParts(of: type) == nil)
    #expect(key.keyParts(of: StorageType(.data)) == nil)
    #expect(StoredValue(keyParts: [.string("a"), .int(1)], of: type) == nil)
    #expect(StoredValue(keyParts: [.string("a"), .int(1), .int(2)], of: type) == nil)
    #expect(StoredValue(keyParts: [], of: StorageType(.int64)) == nil)
    #expect(StorageType(.string).keyKinds.isEmpty)
  }

  @Test func referencesToCompoundKeysAreCompared() throws {
    let store = try Store.inMemory(models: Track.self, Play.self)
    try store.write { tx in
      try tx.insert(contentsOf: tracks)
      for (id, track) in tracks.enumerated() {
        let next = id.isMultiple(of: 2) ? Ref(track) : nil
        try tx.insert(
          Play(id: id, track: Ref(track), next: next, queue: [Ref(track), Ref(tracks[0])]))
      }
    }
    for (id, track) in tracks.enumerated() {
      guard case .data(let bytes) = Ref(track).stored else { continue }
      let key = Data(bytes)
      func ids(_ text: String) throws -> [Int] {
        try store.fetch(DynamicQuery(text, key)).map { try $0["id"] }
      }
      #expect(try ids("Play where track == $1") == [id])
      #expect(try ids("Play where next == $1") == (id.isMultiple(of: 2) ? [id] : []))
      #expect(try ids("Play where track in [$1]") == [id])
      #expect(try ids("Play where queue contains $1").contains(id))
      #expect(try ids("Play where track != $1").count == tracks.count - 1)
    }
    for object in try store.fetch(DynamicQuery("Play")) {
      let id = try object["id", as: Int.self]
      func numbers(_ name: String) throws -> [[StoredValue]] {
        try store.fetch(name, of: object).map(\.values)
      }
      let (own, first) = (
        try store.fetch(DynamicQuery("Track"))[place(of: tracks[id])].values,
        try store.fetch(DynamicQuery("Track"))[place(of: tracks[0])].values
      )
      #expect(try numbers("track") == [own])
      #expect(try numbers("next") == (id.isMultiple(of: 2) ? [own] : []))
      #expect(try numbers("queue") == [own, first])
    }
    for text in ["Play where track == x\"00\"", "Play where track == \"a\""] {
      #expect(throws: QueryTextError.self) { try store.fetch(DynamicQuery(text)) }
    }
    #expect(throws: QueryTextError.self) { try store.fetch(DynamicQuery("Play sort by track")) }
  }

  /// The place of a track in the order of keys.
  private func place(of track: Track) -> Int {
    tracks.sorted { ($0.album, $0.disc) < ($1.album, $1.disc) }.firstIndex { $0 == track } ?? -1
  }
}

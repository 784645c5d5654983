import Foundation
import Testing

@testable import Croft

@Model struct Track: Hashable {
  @PrimaryKey var album: String
  var title = ""
  @PrimaryKey var disc: Int8
  @PrimaryKey var number: UInt16
  @Indexed var plays = 0
}

@Suite(.keepsFailedStores) struct CompoundKeyTests {
  private func tracks() -> [Track] {
    ["", "a", "a\0", "ab", "b", "é"].flatMap { album in
      ([-128, -1, 0, 127] as [Int8]).flatMap { disc in
        ([0, 1, 256, .max] as [UInt16]).map { number in
          Track(
            album: album, title: "\(album)-\(disc)-\(number)", disc: disc, number: number,
            plays: Int(number) % 3)
        }
      }
    }
  }

  @Test func objectsAreInTheOrderOfTheTuple() throws {
    try withTemporaryStore(of: Track.self) { temporary in
      let tracks = tracks()
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: tracks.shuffled()) }
      let sorted = tracks.sorted {
        ($0.album, $0.disc, $0.number) < ($1.album, $1.disc, $1.number)
      }
      #expect(try temporary.open().fetch(Track.all) == sorted)
      #expect(try temporary.open().verify().problems.isEmpty)
    }
  }

  @Test func objectsAreFoundChangedAndDeletedByTheirKeys() throws {
    try withTemporaryStore(of: Track.self) { temporary in
      let tracks = tracks()
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: tracks) }
      let key = Track.PrimaryKey(album: "a", disc: -1, number: 256)
      #expect(tracks.contains { $0._primaryKey == key })
      try store.write { tx in
        let found = try tx.get(Track.self, key)
        #expect(found?.title == "a--1-256")
        let changed = try tx.update(Track.self, key) { $0.title = "new" }
        #expect(changed?.title == "new")
        let isDeleted = try tx.delete(Track.self, key)
        let gone = try tx.get(Track.self, key)
        #expect(isDeleted && gone == nil)
      }
      #expect(try store.count(Track.all) == tracks.count - 1)
    }
  }

  @Test func conditionsOnItsPartsFindWhatTheyNameAlone() throws {
    try withTemporaryStore(of: Track.self) { temporary in
      let tracks = tracks()
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: tracks) }
      let one = try store.fetch(Track.where { $0.album == "a" && $0.disc == 0 })
      #expect(one == tracks.filter { $0.album == "a" && $0.disc == 0 })
      #expect(
        try store.count(Track.where { $0.album > "a" }) == tracks.count { $0.album > "a" })
      #expect(
        try store.count(Track.where { $0.album.in(["b", "é"]) })
          == tracks.count {
            ["b", "é"].contains($0.album)
          })
      #expect(
        try store.count(Track.where { $0.plays == 1 }) == tracks.count { $0.plays == 1 })
    }
  }

  @Test func aDuplicateOfAllPartsIsRefusedByItsKey() throws {
    try withTemporaryStore(of: Track.self) { temporary in
      try temporary.open().write { tx in
        try tx.insert(Track(album: "a", disc: 1, number: 2))
        try tx.insert(Track(album: "a", disc: 1, number: 3))
        let clash = StoreError.duplicateKey(
          model: "Track", fields: ["album", "disc", "number"], key: "(\"a\", 1, 2)")
        #expect(throws: clash) {
          try tx.insert(Track(album: "a", disc: 1, number: 2))
        }
      }
    }
  }
}

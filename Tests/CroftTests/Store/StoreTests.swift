import Foundation
import LMDB
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct StoreTests {
  @Test func aNewStoreIsEmptyAndKeepsWhatIsWrittenWhenItIsOpenedAgain() throws {
    try withTemporaryStore(of: Song.self, Album.self) { temporary in
      do {
        let store = try temporary.open()
        #expect(try store.fetch(Song.all).isEmpty)
        try store.write { tx in
          try tx.insert(contentsOf: Song.numbered(0..<100))
          try tx.insert(Album(name: "Kind of Blue", year: 1959))
        }
      }
      let store = try temporary.open()
      #expect(try store.fetch(Song.all) == Song.numbered(0..<100))
      #expect(try store.get(Album.self, "Kind of Blue")?.year == 1959)
    }
  }

  @Test func aStoreIsOneFileOfItsOwnerAndALockTable() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      try temporary.open().write { try $0.insert(Song(id: 1, title: "a")) }
      #expect(try temporary.files == ["store.croft", "store.croft-lock"])
      let attributes = try FileManager.default.attributesOfItem(atPath: temporary.url.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func aWriteReturnsWhatItsClosureReturns() throws {
    try withStore(of: Song.self) { store in
      let count = try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<3))
        return try tx.count(Song.all)
      }
      #expect(count == 3)
      #expect(try store.read { try $0.first(Song.all) }?.id == 0)
    }
  }

  @Test func aThrowingWriteLeavesNothing() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      #expect(throws: Refused.self) {
        try store.write { tx in
          try tx.insert(Song(id: 99, title: "gone"))
          try tx.delete(Song.self, 3)
          try tx.update(Song.self, 4) { $0.plays = 1000 }
          throw Refused()
        }
      }
      #expect(try store.fetch(Song.all) == Song.numbered(0..<10))
      #expect(try store.count(Song.where { $0.plays == 1000 }) == 0)
    }
  }

  @Test func aReadSeesOneVersionWhileOthersWrite() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      try store.read { tx in
        #expect(try tx.count(Song.all) == 10)
        try store.write { _ = try $0.deleteAll(Song.self) }
        #expect(try tx.count(Song.all) == 10)
        #expect(try tx.fetch(Song.all) == Song.numbered(0..<10))
      }
      #expect(try store.count(Song.all) == 0)
    }
  }

  @Test func aWriteInsideAWriteIsAnErrorAndNoDeadlock() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "a"))
        #expect(throws: StoreError.nestedWrite) {
          try store.write { try $0.insert(Song(id: 2, title: "b")) }
        }
        try tx.insert(Song(id: 3, title: "c"))
      }
      #expect(try store.fetch(Song.all).map(\.id) == [1, 3])
    }
  }

  @Test func aReadOnlyStoreReadsAndRefusesToWrite() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      let store = try Store.open(
        at: temporary.url, models: Song.self, options: .forTests { $0.isReadOnly = true })
      #expect(try store.count(Song.all) == 5)
      #expect(throws: StoreError.readOnly) { try store.write { try $0.delete(Song.self, 1) } }
      #expect(try store.count(Song.all) == 5)
    }
  }

  @Test func aReadOnlyStoreMustExistAndHoldTheModels() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let options = Store.Options.forTests { $0.isReadOnly = true }
      #expect(throws: StoreError.self) {
        _ = try Store.open(at: temporary.url, models: Song.self, options: options)
      }
      #expect(try temporary.files == [])
      _ = try temporary.open()
      let error = #expect(throws: StoreError.self) {
        _ = try Store.open(at: temporary.url, models: Song.self, Album.self, options: options)
      }
      #expect(error?.description.contains("isReadOnly") == true)
    }
  }

  @Test func aStoreInMemoryIsAStoreAndLeavesNothingOnDisk() throws {
    let store = try Store.inMemory(models: Song.self, Album.self)
    let path = store.environment.path
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    try store.write { tx in
      try tx.insert(contentsOf: Song.numbered(0..<1000))
      try tx.insert(Album(name: "a", year: nil))
    }
    #expect(try store.fetch(Song.where { $0.plays == 3 }).count == 100)
    #expect(try store.verify().isSound)
    let other = try Store.inMemory(models: Song.self)
    #expect(try other.count(Song.all) == 0)
    #expect(try store.count(Song.all) == 1000)
  }

  @Test func twoStoresOfOneFileShareItAndEachHasItsModels() throws {
    try withTemporaryStore(of: Song.self, Album.self) { temporary in
      let songs = try Store.open(at: temporary.url, models: Song.self, options: .forTests)
      try songs.write { try $0.insert(Song(id: 1, title: "a")) }
      let albums = try Store.open(at: temporary.url, models: Album.self, options: .forTests)
      try albums.write { try $0.insert(Album(name: "b", year: 1)) }
      // The first store learns of the new catalog and continues with its own models.
      try songs.write { try $0.insert(Song(id: 2, title: "c", plays: 5)) }
      #expect(try songs.fetch(Song.where { $0.plays == 5 }).map(\.id) == [2])
      #expect(throws: StoreError.unknownModel(model: "Album")) { try songs.count(Album.all) }
      #expect(throws: StoreError.unknownModel(model: "Song")) {
        try albums.write { try $0.insert(Song(id: 3, title: "d")) }
      }
      let both = try temporary.open()
      #expect(try both.count(Song.all) == 2)
      #expect(try both.count(Album.all) == 1)
    }
  }

  @Test func aSecondOpeningMustAgreeOnTheOptions() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      let error = #expect(throws: StoreError.self) {
        _ = try Store.open(at: temporary.url, models: Song.self)
      }
      #expect(error?.description.contains("other options") == true)
      #expect(try store.count(Song.all) == 0)
    }
  }

  @Test func anUnknownModelLeavesTheTransactionUsable() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        #expect(throws: StoreError.unknownModel(model: "Album")) {
          try tx.insert(Album(name: "a", year: nil))
        }
        try tx.insert(Song(id: 1, title: "a"))
      }
      #expect(try store.count(Song.all) == 1)
    }
  }

  @Test func aStoreMayHoldManyModelsAndObjectsOfAnyNumber() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20_000)) }
      #expect(try store.count(Song.all) == 20_000)
      #expect(try store.count(Song.where { $0.plays == 7 }) == 2_000)
      let verification = try store.verify()
      #expect(verification.rows == 20_000)
      #expect(verification.indexEntries == 40_000)
    }
  }
}

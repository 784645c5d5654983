import Croft
import Foundation
import TestSupport
import Testing

@Suite(.keepsFailedStores) struct StoreErasingTests {
  @Test func allObjectsAreGoneWhateverRefersToThem() throws {
    try withStore(of: Person.self, Club.self, Song.self) { store in
      let counts = Recorder<Int>()
      let token = store.observe(Song.all) { counts.add($0.after.count) }
      try store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 2, guarantor: Ref(1))])
        try tx.insert(Club(name: "chess", chair: Ref(2), founder: Ref(1)))
        try tx.insert(contentsOf: Song.numbered(0..<2_000))
      }
      try store.erase()
      #expect(try store.count(Person.all) + store.count(Club.all) + store.count(Song.all) == 0)
      #expect(try store.count(Song.where { $0.plays == 3 }) == 0, "and from indexes")
      store.drainObservers()
      #expect(counts.all.last == 0)
      #expect(try store.verify().isSound)
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      store.drainObservers()
      #expect(counts.all.last == 10)
      try store.erase()
      try store.erase()
      #expect(try store.count(Song.all) == 0)
      token.cancel()
    }
  }

  enum Before {
    @Model struct Note: Hashable {
      @PrimaryKey var id: Int = 0
      @Indexed var age: Int = 0
    }
    @Model struct Kept: Hashable {
      @PrimaryKey var id: Int = 0
    }
  }
  enum After {
    @Model struct Note: Hashable {
      @PrimaryKey var id: Int = 0
      var age: String = ""
      @Indexed(.unique) var name: String = ""
    }
  }

  @Test func aStoreThatDoesNotFitIsEmptiedWhereTheOptionSaysSo() throws {
    let folder = TemporaryFolder()
    let url = URL(filePath: folder.path(to: "store.croft"))
    do {
      let store = try Store.open(at: url, models: Before.Note.self, Before.Kept.self)
      try store.write { tx in
        try tx.insert(contentsOf: (0..<500).map { Before.Note(id: $0, age: $0) })
        try tx.insert(Before.Kept(id: 1))
      }
    }
    #expect(throws: StoreError.self) { try Store.open(at: url, models: After.Note.self) }
    var options = Store.Options()
    options.erasesOnSchemaMismatch = true
    do {
      let same = try Store.open(at: url, models: Before.Note.self, options: options)
      #expect(try same.count(Before.Note.all) == 500, "one that fits is left alone")
    }
    do {
      let store = try Store.open(at: url, models: After.Note.self, options: options)
      #expect(try store.count(After.Note.all) == 0)
      try store.write { try $0.insert(After.Note(id: 1, age: "one", name: "a")) }
      #expect(try store.verify().isSound)
    }
    let store = try Store.open(at: url, models: After.Note.self, Before.Kept.self)
    #expect(try store.fetch(After.Note.all).map(\.name) == ["a"])
    #expect(try store.count(Before.Kept.all) == 0, "all models' objects are gone")
    #expect(try store.verify().isSound)
  }

  @Test func aCopyOfAnOlderProgramsFileIsOpenedAndTheFileStaysAsItIs() throws {
    let folder = TemporaryFolder()
    let url = URL(filePath: folder.path(to: "fixture.croft"))
    do {
      let store = try Store.open(at: url, models: Before.Note.self)
      try store.write { try $0.insert(contentsOf: (0..<50).map { Before.Note(id: $0, age: $0) }) }
    }
    try FileManager.default.removeItem(atPath: url.path + "-lock")
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: url.path)
    let bytes = try Data(contentsOf: url)
    let migrated = try Store.inMemory(
      copyOf: url, models: After.Note.self,
      migrations: [
        .convert(\After.Note.age) { old, new in
          new?.age = "\(try old["age", as: Int.self])"
          let id = new?.id ?? 0
          new?.name = "\(id)"
        }
      ])
    #expect(try migrated.fetch(After.Note.where { $0.age == "7" }).map(\.id) == [7])
    try migrated.write { _ = try $0.deleteAll(After.Note.self) }
    #expect(try Data(contentsOf: url) == bytes)
    #expect(!FileManager.default.fileExists(atPath: url.path + "-lock"))
    #expect(throws: StoreError.self) {
      try Store.inMemory(copyOf: URL(filePath: folder.path(to: "none")), models: After.Note.self)
    }
  }
}

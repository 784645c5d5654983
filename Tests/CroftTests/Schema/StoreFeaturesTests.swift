import Foundation
import Testing

@testable import Croft

/// What a later version of Croft may add to the format, and what this one makes of it.
@Suite(.keepsFailedStores) struct StoreFeaturesTests {
  enum Plain {
    @Model struct Word {
      @PrimaryKey var id: Int
      var text: String
    }
  }
  enum Folded {
    @Model struct Word {
      @PrimaryKey var id: Int
      @Indexed(.caseFolded) var text: String
    }
  }

  private func header(_ url: URL) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try CatalogEditing(url: url).header { bytes = $0 }
    return bytes
  }

  @Test(arguments: ["encryption", "attachments", "geometry", "a feature yet to be named"])
  func aFeatureThatTheProgramLacksIsNamedAndTheFileIsUnchanged(name: String) throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      let open = try temporary.open()
      try open.write { try $0.insert(contentsOf: Song.numbered(0..<9)) }
      try CatalogEditing(url: temporary.url).addFeature(name)
      let before = try Data(contentsOf: temporary.url)
      let refusal = StoreError.unsupportedFeatures(path: temporary.url.path, features: [name])
      // A program that has the store open is refused at its next transaction.
      #expect(throws: refusal) { try open.count(Song.all) }
      #expect(throws: refusal) { try open.write { try $0.insert(Song(id: 99, title: "a")) } }
      #expect(throws: refusal) { try temporary.open() }
      var options = Store.Options.forTests
      options.erasesOnSchemaMismatch = true
      #expect(throws: refusal) {
        try Store.open(at: temporary.url, models: Song.self, options: options)
      }
      #expect(refusal.description.contains(name))
      #expect(try Data(contentsOf: temporary.url) == before)
    }
  }

  @Test func allFeaturesThatAreMissingAreNamedTogether() throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      _ = try temporary.open()
      for name in ["encryption", "versioned expressions", "sharding"] {
        try CatalogEditing(url: temporary.url).addFeature(name)
      }
      #expect(
        throws: StoreError.unsupportedFeatures(
          path: temporary.url.path, features: ["encryption", "sharding"])
      ) { try temporary.open() }
    }
  }

  @Test func aNameThatIsTruncatedIsDamage() throws {
    for rest in [[9], [200] + Array("encryption".utf8)] as [[UInt8]] {
      try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
        _ = try temporary.open()
        try CatalogEditing(url: temporary.url).header { $0 += rest }
        guard case .corrupt? = StoreError.thrown(by: { _ = try temporary.open() }) else {
          Issue.record("it was opened")
          return
        }
      }
    }
  }

  /// A program that knows replication, and not that changes may name earlier objects, refuses the file.
  ///
  /// It took such a change for damage.
  @Test func aReplicatedFileNamesWhatItsChangesMayHave() throws {
    try withTemporaryStore(of: Plain.Word.self, checksAtEnd: false) { temporary in
      let names = ["earlier insertions", "replication"]
      let used = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
      try temporary.open().replicate([Plain.Word.self], as: 1)
      #expect(try header(temporary.url).dropFirst(StoreHeader.size) == used[...])
      // One of such a program gets the name when it is opened.
      try CatalogEditing(url: temporary.url).header { header in
        header = Array(header.prefix(StoreHeader.size)) + used.suffix(names[1].utf8.count + 1)
      }
      try temporary.open().write { try $0.insert(Plain.Word(id: 1, text: "A")) }
      #expect(try header(temporary.url).dropFirst(StoreHeader.size) == used[...])
    }
  }

  /// A program that knows blocks of one term alone refuses a file that may have others.
  ///
  /// It built the index again in its own form, or took it for damaged.
  @Test func anIndexForSearchesNamesTheFormOfItsBlocks() throws {
    try withTemporaryStore(of: Essay.self, checksAtEnd: false) { temporary in
      let names = ["shared posting blocks", "text search", "versioned expressions"]
      let used = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
      _ = try temporary.open()
      #expect(try header(temporary.url).dropFirst(StoreHeader.size) == used[...])
      // One of such a program gets the name when it is opened.
      try CatalogEditing(url: temporary.url).header { header in
        header.removeSubrange(StoreHeader.size..<StoreHeader.size + 1 + names[0].utf8.count)
      }
      _ = try temporary.open()
      #expect(try header(temporary.url).dropFirst(StoreHeader.size) == used[...])
    }
  }

  /// An index on a text's lower case notes its data, which an older program would not keep up to date.
  @Test func aFeatureIsSetAtItsFirstUseAndStays() throws {
    try withTemporaryStore(of: Plain.Word.self, checksAtEnd: false) { temporary in
      let used = [21] + Array("versioned expressions".utf8)
      _ = try temporary.open()
      #expect(try header(temporary.url).count == StoreHeader.size)
      _ = try Store.open(at: temporary.url, models: Folded.Word.self, options: .forTests)
      #expect(try header(temporary.url).dropFirst(StoreHeader.size) == used[...])
      let plain = try temporary.open()
      try plain.write { try $0.insert(Plain.Word(id: 1, text: "A")) }
      #expect(try header(temporary.url).dropFirst(StoreHeader.size) == used[...])
      #expect(try plain.verify().problems == [])
    }
  }
}

/// Keys that a later version of Croft added to the catalog outlive this version's changes.
@Suite(.keepsFailedStores) struct CatalogJSONTests {
  /// The catalog was decoded and encoded again, and what a later version had added was lost.
  @Test func unknownKeysAreKeptWhereverTheyAre() throws {
    try withTemporaryStore(of: Song.self, Album.self) { temporary in
      let editing = CatalogEditing(url: temporary.url)
      try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<9)) }
      let added = CatalogJSON.object([
        "a": .list([.integer(1), .number(1.5), .null]), "b": .text("한"), "c": .bool(true),
      ])
      try editing.entry { entry in
        entry["later"] = added
        entry["fields"]?[1]["later"] = .unsigned(.max)
        entry["layouts"]?[0]["later"] = added
        entry["layouts"]?[0]["columns"]?[2]["later"] = .integer(3)
        entry["indexes"]?[1]["later"] = .integer(-4)
        entry["indexes"]?[1]["columns"]?[0]["later"] = .integer(5)
        entry["forms"]?[0]["later"] = .integer(6)
      }
      func kept(_ entry: CatalogJSON) -> [CatalogJSON?] {
        guard case .list(let indexes)? = entry["indexes"] else { return [] }
        return indexes.flatMap { [$0["later"], $0["columns"]?[0]["later"]] }.filter { $0 != nil }
      }
      // A newer form adds a field and an index, and all entries are written again.
      let new = try Store.open(at: temporary.url, models: Grown.Song.self, options: .forTests)
      #expect(kept(try editing.entry()) == [.integer(-4), .integer(5)])
      try new.rebuildIndexes()
      let entry = try editing.entry()
      #expect(kept(entry) == [.integer(-4), .integer(5)], "the index that replaces it has them")
      #expect(entry["later"] == added)
      #expect(entry["fields"]?[1]["later"] == .unsigned(.max))
      #expect(entry["layouts"]?[0]["later"] == added)
      #expect(entry["layouts"]?[0]["columns"]?[2]["later"] == .integer(3))
      #expect(entry["forms"]?[0]["later"] == .integer(6))
      #expect(entry["forms"]?[1]["later"] == nil, "what is new has no such key")
    }
  }

  @Test func anElementIsFoundByItsNumberAndWhatWasRemovedStaysRemoved() throws {
    func json(_ text: String) throws -> CatalogJSON {
      try JSONDecoder().decode(CatalogJSON.self, from: Data(text.utf8))
    }
    let stored = try json(
      #"{"x":[{"id":1,"new":1,"p":0},{"id":2,"new":2,"gone":7}],"y":[{"new":3},{}],"z":"text"}"#)
    let read = try json(
      #"{"x":[{"id":1,"p":0},{"id":2,"gone":7}],"y":[{},{}],"z":{"hash":"text"}}"#)
    let now = try json(#"{"x":[{"id":3},{"id":2},{"id":1,"p":5}],"y":[{},{}],"z":{"hash":"text"}}"#)
    #expect(
      now.keepingUnknown(of: stored, readAs: read)
        == (try json(
          #"""
          {"x":[{"id":3},{"id":2,"new":2},{"id":1,"new":1,"p":5}],"y":[{"new":3},{}],
          "z":{"hash":"text"}}
          """#)))
  }
}

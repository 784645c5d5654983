import Croft
import Foundation
import Testing

// One model's name, with many schemas.
enum Stored {
  @Model struct Note: Hashable {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank = 0
    var mark: Int32?
  }
}
enum WithTextAsRank {
  @Model struct Note {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank: String
    var mark: Int32?
  }
}
enum WithNarrowerMark {
  @Model struct Note {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank = 0
    var mark: Int16?
  }
}
enum WithUnsignedMark {
  @Model struct Note {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank = 0
    var mark: UInt64?
  }
}
enum WithAnotherProperty {
  @Model struct Note {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank = 0
    var mark: Int32?
    var place: String
  }
}
enum WithoutNil {
  @Model struct Note {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank = 0
    var mark: Int32
  }
}
enum WithAnotherKey {
  @Model struct Note {
    var id: Int
    @PrimaryKey var title: String
    @Indexed var rank = 0
    var mark: Int32?
  }
}
enum WithUnsignedKey {
  @Model struct Note {
    @PrimaryKey var id: UInt64
    var title: String
    @Indexed var rank = 0
    var mark: Int32?
  }
}
enum WithEnum {
  @Model struct Note: Hashable {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var rank: Genre = .none
    var mark: Int32?
  }
}

@Suite(.keepsFailedStores) struct SchemaMismatchTests {
  /// A schema of the model that does not match, the field at fault, and what the message says.
  struct Mismatch: CustomTestStringConvertible, Sendable {
    let version: any Model.Type
    let field: String?
    let words: [String]
    var testDescription: String { String(reflecting: version) }
  }

  static let mismatches = [
    Mismatch(
      version: WithTextAsRank.Note.self, field: "rank",
      words: [
        "int64", "string", "migrations: [.convert(\\Note.rank)",
        "new?.rank",
      ]),
    Mismatch(version: WithNarrowerMark.Note.self, field: "mark", words: ["int32?", "int16?"]),
    Mismatch(version: WithUnsignedMark.Note.self, field: "mark", words: ["int32?", "uint64?"]),
    Mismatch(
      version: WithoutNil.Note.self, field: "mark",
      words: ["int32?", "declares int32;", "give the property a default"]),
    Mismatch(
      version: WithAnotherProperty.Note.self, field: "place",
      words: ["1 stored objects have no value", "give the property a default", "optional"]),
    Mismatch(version: WithAnotherKey.Note.self, field: "title", words: ["primary key is id"]),
    Mismatch(version: WithUnsignedKey.Note.self, field: "id", words: ["int64", "uint64"]),
  ]

  @Test(arguments: mismatches)
  func aModelThatDiffersIsRefusedByFieldAndNothingChanges(mismatch: Mismatch) throws {
    try withTemporaryStore(of: Stored.Note.self) { temporary in
      let note = Stored.Note(id: 1, title: "a", rank: 2, mark: 3)
      try temporary.open().write { try $0.insert(note) }
      let before = try Data(contentsOf: temporary.url)
      // A model that the store lacks is not added either when another one does not match.
      let error = #expect(throws: StoreError.self) {
        _ = try Store.open(
          at: temporary.url, models: Song.self, mismatch.version, options: .forTests)
      }
      guard case .schemaMismatch("Note", mismatch.field, let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      for word in mismatch.words { #expect(reason.contains(word), "\(reason)") }
      let name = mismatch.field.map { "Note.\($0) " } ?? "Note "
      #expect(error?.description.hasPrefix(name) == true)
      #expect(try Data(contentsOf: temporary.url) == before)
      #expect(try temporary.open().get(Stored.Note.self, 1) == note)
    }
  }

  @Test func anEnumReadsTheIntegersThatItIsStoredAs() throws {
    try withTemporaryStore(of: Stored.Note.self) { temporary in
      try temporary.open().write { try $0.insert(Stored.Note(id: 1, title: "a", rank: 7)) }
      let store = try Store.open(at: temporary.url, models: WithEnum.Note.self, options: .forTests)
      #expect(try store.fetch(WithEnum.Note.where { $0.rank == .jazz }).map(\.rank) == [.jazz])
    }
  }

  @Test func modelsAreAddedToAStoreThatHoldsOthers() throws {
    try withTemporaryStore(of: Stored.Note.self, Song.self) { temporary in
      do {
        let store = try Store.open(
          at: temporary.url, models: Stored.Note.self, options: .forTests)
        try store.write { try $0.insert(Stored.Note(id: 1, title: "a")) }
      }
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      #expect(try store.count(Stored.Note.all) == 1)
      #expect(try store.count(Song.where { $0.plays == 1 }) == 1)
    }
  }
}

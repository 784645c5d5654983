import Foundation
import Testing

@testable import Croft

/// Models whose mistakes no macro sees: it reads the spelling of a type, not what the name stands for.
enum Wrong {
  typealias Text = String
  typealias Count = Int
  typealias Note = String?
  typealias Owner = Ref<Track>

  @Model struct Related {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var title: Wrong.Text = ""
  }

  @Model struct Nullified {
    @PrimaryKey var id: Int
    @Relation(onDelete: .nullify) var track: Wrong.Owner
  }

  @Model struct Twice {
    @PrimaryKey var id: Int
    var title: Wrong.Note? = nil
  }

  @Embedded struct Part {
    var note: Wrong.Note? = nil
  }

  @Model struct Inside {
    @PrimaryKey var id: Int
    var part = Wrong.Part()
  }

  @Model struct Folded {
    @PrimaryKey var id: Int
    @Indexed(.caseFolded) var plays: Wrong.Count = 0
  }

  @Model struct Computed {
    @PrimaryKey var id: Int
    var title = ""
    var length: Int { title.count }
  }

  /// Its entries could have 402 bytes beside the primary key's 200.
  @Model struct Wide {
    @PrimaryKey var id: Int
    var first: Ref<Track>?
    var second: Ref<Track>?
    #Index<Wrong.Wide>([\.first, \.second])
  }

  @Model struct Outer {
    @PrimaryKey var id: Int
    var track: Ref<Track>?
    #Index<Wrong.Outer> { [$0.track.title.ascending] }
  }

  @Model struct Deep {
    @PrimaryKey var id: Int
    var plays = 0
    #Index<Wrong.Deep> { [(0..<40).reduce($0.plays) { sum, _ in sum + 1 }.ascending] }
  }

  @Model struct Many {
    @PrimaryKey var id: Int
    var first: Ref<Wrong.Many.Board>?
    @Model struct Board {
      @PrimaryKey var a: Ref<Wrong.Many.Square>
      @PrimaryKey var b: Ref<Wrong.Many.Square>
      @PrimaryKey var c: Ref<Wrong.Many.Square>
    }
    @Model struct Square {
      @PrimaryKey var a: Int
      @PrimaryKey var b: Int
      @PrimaryKey var c: Int
      @PrimaryKey var d: Int
      @PrimaryKey var e: Int
      @PrimaryKey var f: Int
    }
  }
}

@Model struct Lists {
  @PrimaryKey var id: Int
  var tags: [String] = []
  var marks: Set<Int> = []
}

/// A declaration that no store can have ended the process at the opening: in release, without a word.
@Suite struct InvalidModelTests {
  @Test(
    arguments: [
      (Wrong.Related.self, "title is marked with @Relation and holds no reference; make it a Ref"),
      (Wrong.Nullified.self, "track must refer to an object, so it cannot be nullified"),
      (Wrong.Twice.self, "title is an optional of an optional; write one `?`"),
      (Wrong.Inside.self, "part.note is an optional of an optional; write one `?`"),
      (Wrong.Folded.self, "an index folds the case of plays, which holds no text"),
      (Wrong.Wide.self, "an index over first, second could have entries of more than"),
      (Wrong.Outer.self, "an index over track.title reads other objects or a collection"),
      (Wrong.Deep.self, "an index is over an expression that is nested more than 40 deep"),
      (Wrong.Many.self, "the primary key of Board has 18 parts, and at most 16 fit; use fewer"),
      (Wrong.Many.Board.self, "the primary key of Board has 18 parts, and at most 16 fit"),
    ] as [(any Model.Type, String)])
  func anOpeningThrowsWhatIsWrongWithAModel(model: any Model.Type, reason: String) {
    let error = StoreError.thrown { _ = try Store.inMemory(models: model, Track.self) }
    guard case .invalidModel(_, let told) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(told.contains(reason))
    #expect(error?.description.contains("cannot be stored: \(reason)") == true)
  }

  @Test func aRefusedModelMakesNoFile() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID()).store")
    #expect(throws: StoreError.self) { try Store.open(at: url, models: Wrong.Twice.self) }
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func anIndexOnAComputedPropertyIsAMistake() {
    let schema = _ModelSchema<Wrong.Computed>(
      "Computed", [_keyColumn(\Wrong.Computed.id, "id"), _column(\Wrong.Computed.title, "title")],
      indexes: [_Index<Wrong.Computed>([\.length])])
    #expect(schema.erased.mistake?.reason.contains("not a stored property with an order") == true)
    #expect(schema.erased.indexes == [])
  }

  @Test func anIndexOverTwoCollectionsIsAMistake() {
    let schema = _ModelSchema<Lists>(
      "Lists",
      [
        _keyColumn(\Lists.id, "id"), _column(\Lists.tags, "tags"), _column(\Lists.marks, "marks"),
      ],
      indexes: [_Index<Lists>([\.tags, \.id, \.marks])])
    #expect(
      schema.erased.mistake?.reason.contains("names two collections, tags, id, marks") == true)
  }

  @Test func anIndexOverMorePropertiesThanFitIsAMistake() {
    func schema(_ count: Int) -> Schema {
      _ModelSchema<Wrong.Computed>(
        "Computed",
        [_keyColumn(\Wrong.Computed.id, "id"), _column(\Wrong.Computed.title, "title")],
        indexes: [_Index<Wrong.Computed>(Array(repeating: \.title, count: count))]
      ).erased
    }
    #expect(schema(KeyCode.mostColumns).mistake == nil)
    #expect(schema(KeyCode.mostColumns).indexes.count == 1)
    #expect(
      schema(KeyCode.mostColumns + 1).mistake?.reason.contains("fit into a key; leave out") == true)
    #expect(
      KeyCode.longestKept(Array(repeating: StorageType(.string), count: KeyCode.mostColumns)) > 0)
    #expect(KeyCode.mostColumns * 25 <= KeyCode.longestKey - KeyCode.longestPrimaryKey)
  }

  /// A catalog entry that names no key of a model that the program does not declare was a trap, too.
  @Test func aStoredModelWithoutAKeyIsDamage() {
    let entry = CatalogEntry(name: "Song", id: 1)
    let error = StoreError.thrown { _ = try Schema(entry) }
    #expect(error?.description.contains("its catalog entry names no primary key") == true)
  }
}

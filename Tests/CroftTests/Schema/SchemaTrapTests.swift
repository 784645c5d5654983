import Foundation
import Testing

@testable import Croft

enum Wrong {
  @Model struct Related {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var title = ""
  }

  @Model struct Computed {
    @PrimaryKey var id: Int
    var title = ""
    var length: Int { title.count }
    #Index<Wrong.Computed>([\.length])
  }

  @Model struct Twice {
    @PrimaryKey var id: Int
    var title: String?? = nil
  }

  /// Its entries could have 402 bytes beside the primary key's 200.
  @Model struct Wide {
    @PrimaryKey var id: Int
    var first: Ref<Track>?
    var second: Ref<Track>?
    #Index<Wrong.Wide>([\.first, \.second])
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

@Suite struct SchemaTrapTests {
  @Test func aRelationOnWhatHoldsNoReferenceTraps() async {
    await #expect(processExitsWith: .failure) { _ = Wrong.Related._schema }
  }

  @Test func anIndexOnAComputedPropertyTraps() async {
    await #expect(processExitsWith: .failure) { _ = Wrong.Computed._schema }
  }

  @Test func anIndexOverTwoCollectionsTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = _ModelSchema<Lists>(
        "Lists",
        [
          _keyColumn(\Lists.id, "id"), _column(\Lists.tags, "tags"), _column(\Lists.marks, "marks"),
        ],
        indexes: [_Index<Lists>([\.tags, \.id, \.marks])])
    }
  }

  @Test func anIndexOverMorePropertiesThanFitTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = _ModelSchema<Wrong.Computed>(
        "Computed",
        [_keyColumn(\Wrong.Computed.id, "id"), _column(\Wrong.Computed.title, "title")],
        indexes: [_Index<Wrong.Computed>(Array(repeating: \.title, count: KeyCode.mostColumns + 1))]
      )
    }
  }

  @Test func anIndexOverAsManyPropertiesAsFitIsOne() {
    let schema = _ModelSchema<Wrong.Computed>(
      "Computed", [_keyColumn(\Wrong.Computed.id, "id"), _column(\Wrong.Computed.title, "title")],
      indexes: [_Index<Wrong.Computed>(Array(repeating: \.title, count: KeyCode.mostColumns))])
    #expect(schema.erased.indexes.count == 1)
    #expect(
      KeyCode.longestKept(Array(repeating: StorageType(.string), count: KeyCode.mostColumns)) > 0)
    #expect(KeyCode.mostColumns * 25 <= KeyCode.longestKey - KeyCode.longestPrimaryKey)
  }

  @Test func anOptionalOfAnOptionalTraps() async {
    await #expect(processExitsWith: .failure) { _ = Wrong.Twice._schema }
  }

  @Test func anIndexWhoseEntriesCouldBeTooLongTraps() async {
    await #expect(processExitsWith: .failure) { _ = Wrong.Wide._schema }
  }

  @Test func aReferenceToAKeyOfMoreThanSixteenPartsTraps() async {
    await #expect(processExitsWith: .failure) { _ = Wrong.Many._schema }
  }
}

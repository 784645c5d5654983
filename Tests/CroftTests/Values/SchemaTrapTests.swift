import Foundation
import Testing

@testable import Croft

@Model struct Wrong {
  @PrimaryKey var id: Int
  var title = ""
  @Coded var theme = Theme()
  var twice: Int?? = nil
  var length: Int { title.count }
}

@Model struct Lists {
  @PrimaryKey var id: Int
  var tags: [String] = []
  var marks: Set<Int> = []
}

@Suite struct SchemaTrapTests {
  @Test func aRelationOnWhatHoldsNoReferenceTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = _ModelSchema<Wrong>(
        "Wrong",
        [_keyColumn(\Wrong.id, "id"), _column(\Wrong.title, "title").onDelete(.cascade)])
    }
  }

  @Test func anIndexOnAComputedPropertyTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = _ModelSchema<Wrong>(
        "Wrong", [_keyColumn(\Wrong.id, "id")], indexes: [_Index<Wrong>([\.length])])
    }
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
      _ = _ModelSchema<Wrong>(
        "Wrong", [_keyColumn(\Wrong.id, "id"), _column(\Wrong.title, "title")],
        indexes: [_Index<Wrong>(Array(repeating: \.title, count: KeyCode.mostColumns + 1))])
    }
  }

  @Test func anIndexOverAsManyPropertiesAsFitIsOne() {
    let schema = _ModelSchema<Wrong>(
      "Wrong", [_keyColumn(\Wrong.id, "id"), _column(\Wrong.title, "title")],
      indexes: [_Index<Wrong>(Array(repeating: \.title, count: KeyCode.mostColumns))])
    #expect(schema.shape.indexes.count == 1)
    #expect(KeyCode.longestKept(columns: KeyCode.mostColumns) > 0)
    #expect(KeyCode.mostColumns * 25 <= KeyCode.longestKey - KeyCode.longestPrimaryKey)
  }

  @Test func anOptionalOfAnOptionalTraps() async {
    await #expect(processExitsWith: .failure) { _ = Wrong._schema }
  }

  @Test func aReferenceToAModelWithACompoundKeyTraps() async {
    await #expect(processExitsWith: .failure) { _ = Ref<Track>.storage }
  }
}

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

  @Test func anOptionalOfAnOptionalTraps() async {
    await #expect(processExitsWith: .failure) { _ = Wrong._schema }
  }

  @Test func aReferenceToAModelWithACompoundKeyTraps() async {
    await #expect(processExitsWith: .failure) { _ = Ref<Track>.storage }
  }
}

import Presentation
import Testing

@Suite("FieldPath")
struct FieldPathTests {
  @Test func literalsSpellWholePaths() {
    let title: FieldPath = "title"
    let third: FieldPath = ["items", 2, "title"]
    #expect(title.components == [.key("title")])
    #expect(third.components == [.key("items"), .index(2), .key("title")])
    #expect(([] as FieldPath).components.isEmpty)
    let name = "title"
    #expect(FieldPath(name) == title)
  }

  @Test func pathsReadAsPeopleWriteThem() {
    #expect((["items", 2, "title"] as FieldPath).description == "items[2].title")
    #expect(([0, 1] as FieldPath).description == "[0][1]")
    #expect(([] as FieldPath).description == "")
  }

  @Test func appendingKeepsTheOrderOfSteps() {
    let items: FieldPath = ["items", 2]
    #expect(items.appending("title") == ["items", 2, "title"])
    #expect(items.appending([]) == items)
  }

  @Test func positionsCanBeLeftOut() {
    #expect((["items", 2, "tags", 0] as FieldPath).withoutIndexes == ["items", "tags"])
  }

  @Test func aKeyThatLooksLikeAPositionIsNone() {
    #expect((["2"] as FieldPath) != ([2] as FieldPath))
  }
}

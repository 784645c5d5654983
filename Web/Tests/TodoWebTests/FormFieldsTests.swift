import Foundation
import Presentation
import Testing
import TodoKit

@testable import TodoWeb

/// Forms as browsers send them, and what the forms of items and groups make of them.
struct FormFieldsTests {
  private func parts(_ body: String, boundary: String = "xyz") -> FormFields {
    FormFields(
      body: Data(body.replacing("\n", with: "\r\n").utf8),
      contentType: "multipart/form-data; boundary=\(boundary)")
  }

  @Test func aFormOfPartsHasTextsAndFiles() {
    let form = parts(
      """
      --xyz
      Content-Disposition: form-data; name="name"

      우유 & 빵
      --xyz
      Content-Disposition: form-data; name="file"; filename="a.png"
      Content-Type: image/png

      --not the boundary
      --xyz
      Content-Disposition: form-data; name="empty"; filename=""


      --xyz--

      """)
    #expect(form["name"] == "우유 & 빵")
    #expect(form.files == ["file": Data("--not the boundary".utf8)])
    #expect(form["file"] == nil)
  }

  @Test(arguments: [
    "", "--xyz", "--xyz--", "--xyz\nname", "--xyz\nno disposition\n\nx\n--xyz--",
    "--xyz\nContent-Disposition: form-data; name=\"a\"\n\nnot ended", "--other\n\nx\n--other--",
  ])
  func aFormOfPartsThatIsBrokenHasNone(body: String) {
    #expect(parts(body) == FormFields(body: ""))
  }

  private func item() throws -> TodoItem {
    var item = TodoItem(title: "bread", priority: .high)
    item.due = try #require(CalendarDay("2031-02-03"))
    item.dueTime = TimeOfDay(hour: 14, minute: 30)
    item.tags = ["shop", "two words"]
    item.note = "with seeds\nsliced"
    item.groupID = UUID()
    item.estimate = Estimate(words: "1h")
    return item
  }

  @Test func theFormOfAnItemKeepsAllOfIt() throws {
    let item = try item()
    #expect(try ItemFields(item).item(from: item) == item)
    let draft = try ItemFields(item).draft(from: item)
    #expect(
      try TodoAction.editTask(item, draft).command.get()
        == .edit([item.id], ItemPatch())
        .expecting(ItemPatch()))
  }

  @Test func aDayThatIsNoneIsRefused() throws {
    let item = try item()
    for field in ["due=2031-02-30", "dueTime=25:00"] {
      let fields = ItemFields(FormFields(body: "title=x&" + field))
      #expect(throws: (any Error).self) { try fields.draft(from: item) }
    }
  }

  @Test func theFormOfAGroupChangesWhatDiffers() throws {
    let was = GroupFields(TodoGroup(name: "home", color: RGBA(rawValue: 0x1122_33FF)))
    var now = was
    #expect(now.patch(from: was) == GroupPatch())
    now.color = "#445566"
    #expect(now.patch(from: was) == GroupPatch(color: RGBA("#445566")))
    now.titles = "bread\n \nmilk\n"
    #expect(now.draft(image: nil).titles == ["bread", "milk"])
  }
}

extension TodoCommand {
  /// An edit that is refused unless values are the expected ones.
  fileprivate func expecting(_ expected: ItemPatch) -> TodoCommand {
    guard case .editItems(let ids, let patch, _, _) = self else { return self }
    return .editItems(ids: ids, patch: patch, ifStill: expected)
  }
}

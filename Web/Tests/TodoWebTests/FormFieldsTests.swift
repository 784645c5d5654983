import Foundation
import PageServer
import Presentation
import Testing
import TodoKit
import TodoPrompt

@testable import TodoWeb

/// Forms as browsers send them, and what the forms of items and groups make of them.
struct FormFieldsTests {
  private let settings = TodoSettings()

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
    item.due = CalendarDay("2031-02-03")
    item.dueTime = TimeOfDay(hour: 14, minute: 30)
    item.tags = ["shop", "two words"]
    item.note = "with seeds\nsliced"
    item.groupID = UUID()
    item.estimate = Estimate(words: "1h")
    return item
  }

  @Test func theFormOfAnItemKeepsAllOfIt() throws {
    let item = try item()
    #expect(try ItemFields(item).item(from: item, settings) == item)
    let draft = try ItemFields(item).draft(from: item, settings)
    #expect(
      try TodoAction.editTask(item, draft).command.get()
        == .edit([item.id], ItemPatch())
        .expecting(ItemPatch()))
  }

  /// What a form cannot hold as a whole is not changed by it, and is no conflict.
  @Test func valuesThatAFormCannotHoldAreKept() throws {
    var item = try item()
    item.note = "a\r\nb\rc"
    item.tags = ["a,b", "c"]
    let sent = ItemFields(FormFields(body: form(ItemFields(item))))
    #expect(sent == ItemFields(item))
    #expect(try sent.item(from: item, settings) == item)
    #expect(try sent.draft(from: item, settings).tags == ["a,b", "c"])
    let group = TodoGroup(name: "home", color: RGBA(rawValue: 0x1122_3380))
    #expect(GroupFields(group).shown(of: group) == group)
    var other = group
    other.color = RGBA(rawValue: 0x4455_66FF)
    #expect(GroupFields(group).shown(of: other).color == RGBA("#112233"))
  }

  /// A form as a browser sends it.
  private func form(_ fields: ItemFields) -> String {
    fields.named.map { name, value in
      let text = value.replacing("\r", with: "\n").replacing("\n", with: "\r\n")
      return name + "=" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }.joined(separator: "&")
  }

  @Test func aFormAfterAConflictHasWhatIsThereNow() throws {
    let was = try ItemFields(item())
    var (wanted, now) = (try item(), try item())
    wanted.title = "white bread"
    (now.title, now.tags) = ("rye bread", ["bakery"])
    let fields = ItemFields(wanted).rebased(from: was, onto: ItemFields(now))
    #expect(fields[.title] == "white bread" && fields[.tags] == "bakery")
    let home = GroupFields(TodoGroup(name: "home", color: RGBA(rawValue: 0x1122_33FF)))
    var (mine, others) = (home, home)
    mine.name = "house"
    (others.name, others.color) = ("flat", "#445566")
    let both = mine.rebased(from: home, onto: others)
    #expect(both.name == "house" && both.color == "#445566")
  }

  /// It was kept, and neither seen nor changed.
  @Test func theFormOfAnItemHasItsPlanAsALineSaysIt() throws {
    var item = try item()
    item.repeats = RepeatRule(words: "2 weeks")
    item.hiddenUntil = CalendarDay("2031-02-01")
    #expect(ItemFields(item)[.plan] == #"every:"2 weeks" wait:2031-02-01 est:1h"#)
    #expect(try ItemFields(item).item(from: item, settings) == item)
    let changed = try ItemFields(FormFields(body: "plan=est:30m")).draft(from: item, settings)
    #expect(changed.repeats == nil && changed.hiddenUntil == nil)
    #expect(changed.estimate == Estimate(words: "30m"))
    for line in ["bread", "%23shop", "@home", "!h", "due:fri", "every:never", "est:soon"] {
      let fields = ItemFields(FormFields(body: "plan=" + line))
      #expect(throws: PromptError.self, "\(line)") { try fields.draft(from: item, settings) }
    }
  }

  @Test func tagsMayHaveTheirSign() throws {
    let fields = ItemFields(FormFields(body: "tags=%23urgent,+%23%23two+words,shop,%23"))
    #expect(try fields.draft(from: item(), settings).tags == ["urgent", "two words", "shop"])
  }

  @Test func aFileThatWasSentIsThePicture() {
    let head = "--xyz\nContent-Disposition: form-data; name="
    let form = parts(
      "\(head)\"picture\"\n\ndrawn\n\(head)\"file\"; filename=\"a.png\"\n\nx\n--xyz--\n")
    #expect(GroupFields(form).picture == .file)
    #expect(GroupFields(parts("\(head)\"picture\"\n\ndrawn\n--xyz--\n")).picture == .drawn)
  }

  @Test func whatAPageWouldActOnIsShownAsASign() {
    #expect("a\u{0}b\u{202E}c\u{2066}d\u{1B}".shown == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}")
    #expect("우유 👩‍👩‍👧\n\t".shown == "우유 👩‍👩‍👧\n\t")
  }

  @Test func aDayThatIsNoneIsRefused() throws {
    let item = try item()
    for field in ["due=2031-02-30", "dueTime=25:00"] {
      let fields = ItemFields(FormFields(body: "title=x&" + field))
      #expect(throws: (any Error).self) { try fields.draft(from: item, settings) }
    }
  }

  @Test func theFormOfAGroupChangesWhatDiffers() throws {
    let was = GroupFields(TodoGroup(name: "home", color: RGBA(rawValue: 0x1122_33FF)))
    var now = was
    #expect(try now.patch(from: was) == GroupPatch())
    now.color = "#445566"
    #expect(try now.patch(from: was) == GroupPatch(color: RGBA("#445566")))
    now.titles = "bread\n \nmilk\n"
    #expect(try now.draft(image: nil).titles == ["bread", "milk"])
  }

  /// It was dropped without a word.
  @Test func aColorThatIsNoneIsRefused() throws {
    let was = GroupFields(TodoGroup(name: "home", color: RGBA(rawValue: 0x1122_33FF)))
    var now = was
    now.color = "mauve"
    #expect(throws: GroupFields.Problem.notAColor) { try now.patch(from: was) }
    #expect(throws: GroupFields.Problem.notAColor) { try now.draft(image: nil) }
    now.color = ""
    #expect(try now.draft(image: nil).color == nil)
  }
}

extension TodoCommand {
  /// An edit that is refused unless values are the expected ones.
  fileprivate func expecting(_ expected: ItemPatch) -> TodoCommand {
    guard case .editItems(let ids, let patch, _, _) = self else { return self }
    return .editItems(ids: ids, patch: patch, ifStill: expected)
  }
}

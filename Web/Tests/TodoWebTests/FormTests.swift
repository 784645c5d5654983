import Foundation
import Testing
import TodoKit

@testable import TodoWeb

struct FormTests {
  private let id = UUID()

  @Test func aFormIsReadAsABrowserSendsIt() {
    let form = FormFields(body: "text=%EC%9A%B0%EC%9C%A0+%26+bread&empty=&note=a%0D%0Ab")
    #expect(form["text"] == "우유 & bread")
    #expect(form["empty"] == "")
    #expect(form["note"] == "a\nb")
    #expect(form["missing"] == nil)
    #expect(FormFields(body: "a=%ZZ")["a"] == nil)
  }

  @Test func aFormIsOneAction() {
    func action(_ rest: String) -> FormAction? {
      FormAction(FormFields(body: "id=\(id.uuidString)&action=\(rest)"))
    }
    #expect(action("done") == .perform(.setDone([id], true), said: .done))
    #expect(action("unstar") == .perform(.setImportant([id], false), said: .unstarred))
    #expect(action("delete") == .askToDelete([id]))
    #expect(action("delete&ask=no") == .perform(.delete([id]), said: .deleted))
    #expect(action("retitle&text=new&was=old") == .retitle(id, to: "new", was: "old"))
    #expect(action("move&to=last") == .perform(.move([id], to: .last), said: .moved))
    #expect(action("deleteGroup") == .askToDeleteGroup(id))
    #expect(action("move") == nil)
    #expect(action("format") == nil)
    #expect(FormAction(FormFields(body: "action=done")) == nil)
  }

  @Test(arguments: ["all", "important", "ungrouped"])
  func anAddressIsReadAsItIsWritten(name: String) {
    let address = ListAddress(name: name, sort: "due", first: "400")
    #expect(address?.full == "/lists/\(name)?sort=due&from=400")
    #expect(ListAddress(name: name, sort: nil, first: nil)?.full == "/lists/\(name)")
    let far = ListAddress(name: name, sort: "no", first: "9223372036854775807")
    #expect(far?.request.rows?.count == ListAddress.rowCount)
    #expect(ListAddress(name: name, sort: nil, first: "-5")?.first == 0)
  }

  @Test func anAddressOfNoListIsNone() {
    #expect(ListAddress(name: "../etc", sort: nil, first: nil) == nil)
  }
}

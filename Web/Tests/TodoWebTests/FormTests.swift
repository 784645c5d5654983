import Foundation
import Testing
import TodoKit
import TodoScreens

@testable import PageServer
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

  /// Another type read the forms of the studio, and no files.
  @Test func theNamesOfFieldsKeepTheirOrder() {
    let form = FormFields(body: "set:0:b=1&key:0=x&set:0:a=2&set:0:b=3&set:0:c=%ZZ")
    #expect(form.names(after: "set:0:") == ["b", "a"])
    #expect(form["set:0:b"] == "3" && form["set:0:c"] == nil)
  }

  @Test func aFormIsOneAction() {
    func action(_ rest: String) -> FormAction? {
      FormAction(FormFields(body: "id=\(id.uuidString)&action=\(rest)"))
    }
    #expect(
      FormAction(FormFields(body: "action=star+\(id.uuidString)"))
        == .intent(
          .toggleImportant(id: id), on: ShownRow(id, isImportant: false), said: .starred))
    #expect(
      action("priority&priority=high")
        == .intent(.setPriority(id: id, priority: .high), on: ShownRow(id), said: .changed))
    #expect(action("priority&priority=none") == .perform(.removePriority([id]), said: .changed))
    #expect(action("group&group=ungrouped") == .perform(.setGroup([id], nil), said: .moved))
    #expect(action("group&group=all") == nil)
    #expect(action("deleteAll&list=all") == .askToDeleteAll(.all))
    #expect(
      action("done")
        == .intent(.toggleDone(id: id), on: ShownRow(id, isDone: false), said: .done))
    #expect(
      action("unstar")
        == .intent(
          .toggleImportant(id: id), on: ShownRow(id, isImportant: true), said: .unstarred))
    #expect(
      action("delete") == .intent(.askToDelete(items: [id]), on: ShownRow(id), said: nil))
    #expect(action("delete&ask=no") == .perform(.delete([id]), said: .deleted))
    #expect(
      action("retitle&text=new&was=old")
        == .intent(
          .retitleTask(id: id, title: "new"), on: ShownRow(id, title: "old"), said: .changed))
    #expect(action("newGroup&text=home") == .addList("home"))
    #expect(action("renameGroup&text=home") == .renameList(id, from: nil, to: "home"))
    #expect(
      action("renameGroup&text=home&was=house") == .renameList(id, from: "house", to: "home"))
    #expect(action("moveGroup&to=first") == .moveList(id, to: .first))
    #expect(action("move&to=last") == .perform(.move([id], to: .last), said: .moved))
    #expect(action("deleteGroup") == .askToDeleteGroup(id))
    #expect(action("move") == nil)
    #expect(action("format") == nil)
    #expect(FormAction(FormFields(body: "action=done")) == nil)
  }

  @Test(arguments: ["all", "important", "ungrouped"])
  func anAddressIsReadAsItIsWritten(name: String) throws {
    let query = ["sort": "due", "view": "grid", "mode": "edit", "from": "400"]
    let address = ListAddress(name: name) { query[$0] }
    #expect(address?.full == "/lists/\(name)?sort=due&view=grid&mode=edit&from=400")
    #expect(ListAddress(name: name)?.full == "/lists/\(name)")
    let far = ListAddress(name: name) { $0 == "from" ? "9223372036854775807" : "no" }
    let today = try #require(CalendarDay(year: 2031, month: 2, day: 3))
    #expect(far?.request(on: today).rows?.count == ListAddress.rowCount)
    #expect(far?.sort == .manual && far?.groupView == .list && far?.isEditing == false)
    #expect(ListAddress(name: name) { $0 == "from" ? "-5" : nil }?.first == 0)
  }

  @Test func aHostIsNamedAsBrowsersNameIt() {
    #expect(WebServer.name(of: "LocalHost", port: 80) == "localhost:80")
    #expect(WebServer.name(of: "0:0:0:0:0:0:0:1", port: 8080) == "[::1]:8080")
    #expect(WebServer.name(of: "127.0.0.1", port: 1) == "127.0.0.1:1")
  }

  @Test func anAddressOfNoListIsNone() {
    #expect(ListAddress(name: "../etc") == nil)
  }
}

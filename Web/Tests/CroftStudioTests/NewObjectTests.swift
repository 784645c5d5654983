import Croft
import Foundation
import PageServerTesting
import Testing

@testable import CroftStudio

/// The form of a new object: what it is filled with, and what must be given.
struct NewObjectTests {
  private func writable(_ fill: (inout WriteTransaction) throws -> Void) throws -> TestStudio {
    try TestStudio(writes: true, fill: fill)
  }

  private func poems(_ count: Int) -> [Poem] {
    (1...count).map { Poem(id: $0, title: "poem \($0)", code: "c\($0)") }
  }

  @Test func anObjectIsCreatedAndItsCreationUndone() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(1)) }
    var form = try studio.form(at: "/models/Poem/new")
    #expect(form["out:0:title"] == nil && form["set:0:title"] == "")
    let empty = try studio.post(form)
    #expect(empty.status == 422)
    for name in ["id", "title", "code"] { #expect(empty.text.contains("id=\"f0-\(name)-error\"")) }
    form["set:0:id"] = "1"
    form["set:0:title"] = "new"
    form["set:0:code"] = "n"
    form["set:0:mood"] = "=2"
    let taken = try studio.post(form)
    #expect(taken.status == 422 && taken.text.contains("id=\"f0-id-error\""))
    #expect(taken.text.contains("already has an object with key 1"))
    #expect(taken.text.contains("Choose another key") && !taken.text.contains("upsert"))
    form["set:0:id"] = "2"
    let created = try studio.post(form)
    #expect(created.status == 303)
    let path = try #require(created.headers["location"])
    #expect(path.hasPrefix("/models/Poem/objects/2?done="))
    #expect(try studio.page(path).text.contains("Committed: new Poem 2."))
    let poem = try #require(try studio.fetch("Poem where id == 2").first)
    #expect(
      try poem["mood"] == .int(2) && poem["tags"] == .list([]) && poem["note"] == StoredValue.none)
    #expect(try studio.undo().status == 303)
    #expect(try studio.fetch("Poem").count == 1)
  }

  /// The boxes of all fields said "default", also where the model has none, and a new object needed a value.
  @Test func aNewObjectHasTheDefaultsOfTheFileAndNoOthers() throws {
    let studio = try writable { _ in }
    var form = try studio.form(at: "/models/Poem/new")
    for (name, text) in [
      ("mood", "=1"), ("price", "0"), ("tags", ""), ("id", ""), ("title", ""), ("note", ""),
    ] { #expect(form["set:0:\(name)"] == text, "\(name)") }
    for name in ["note", "writtenAt", "author", "weight", "seal"] {
      #expect(form["nil:0:\(name)"] == "on", "\(name)")
    }
    form["set:0:id"] = "1"
    form["set:0:code"] = "c"
    form["out:0:title"] = "on"
    #expect(try studio.post(form).status == 303)
    let poem = try #require(try studio.fetch("Poem").first)
    #expect(try poem["title"] == .string("") && poem["mood"] == .int(1))
    #expect(try poem["price"] == .decimal(0) && poem["seal"] == StoredValue.none)

    // A Bool and an enum without a default are not set, and a Bool was not false by itself.
    form = try studio.form(at: "/models/Loan/new")
    #expect(form["set:0:isOpen"] == "" && form["set:0:state"] == "nil")
    #expect(form.options["set:0:isOpen"] == ["", "=true", "=false"])
    form["set:0:id"] = "1"
    let refused = try studio.post(form)
    #expect(refused.status == 422 && refused.text.contains("Choose a value."))
    #expect(
      refused.text.contains(#"<select id="f0-isOpen" name="set:0:isOpen" aria-required="true""#))
    form["set:0:isOpen"] = "=true"
    #expect(try studio.post(form).status == 303)
    let loan = try #require(try studio.fetch("Loan").first)
    #expect(try loan["isOpen"] == .bool(true) && loan["state"] == StoredValue.none)
  }

  @Test func aNewObjectWithAStructThatMayBeAbsentIsCreatedWithAndWithoutIt() throws {
    let studio = try writable { _ in }
    var form = try studio.form(at: "/models/Album/new")
    form["set:0:id"] = "1"
    #expect(try studio.post(form).status == 303)
    form["set:0:id"] = "2"
    form["set:0:picture.bytes"] = "00ff"
    form["nil:0:picture.bytes"] = nil
    form["set:0:picture.width"] = "3"
    form["nil:0:picture.width"] = nil
    #expect(try studio.post(form).status == 303)
    let albums = try studio.fetch("Album select picture.width")
    #expect(albums.map(\.values) == [[StoredValue.none], [.int(3)]])
  }
}

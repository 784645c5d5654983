import Croft
import Foundation
import PageServerTesting
import Testing

@testable import CroftStudio

/// Changing objects: forms, their review, one commit, and its undo.
struct EditTests {
  private func writable(_ fill: (inout WriteTransaction) throws -> Void) throws -> TestStudio {
    try TestStudio(writes: true, fill: fill)
  }

  private func poems(_ count: Int) -> [Poem] {
    (1...count).map { Poem(id: $0, title: "poem \($0)", code: "c\($0)") }
  }

  @Test func withoutWriteNoFormIsTaken() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "shelf")) }
    let object = "/models/Shelf/objects/1"
    for path in [
      "/models/Shelf/review", "/models/Shelf/commit", "/models/Shelf/new", "\(object)/delete",
      "/undo",
    ] {
      let answer = try studio.post(path, [("set:0:name", "x")])
      #expect(answer.status == 403 && answer.text.contains("--write"), "\(path)")
    }
    for path in ["/models/Shelf/edit", "\(object)/edit", "\(object)/delete", "/models/Shelf/new"] {
      #expect(try studio.page(path).status == 403, "\(path)")
    }
    for path in ["/", "/models/Shelf", object] {
      let page = try studio.page(path)
      #expect(!page.text.contains("/edit") && !page.text.contains("/new"), "\(path)")
    }
    #expect(try studio.page("/").text.contains("read-only"))
    #expect(try studio.fetch("Shelf").map(\.values) == [[.int(1), .string("shelf")]])
  }

  @Test func onlyFormsOfItsOwnPagesAreTaken() throws {
    let studio = try writable { try $0.insert(Shelf(id: 1, name: "shelf")) }
    let form = try studio.form(at: "/models/Shelf/objects/1/delete")
    for headers in [[:], ["Origin": "http://evil.example"], ["Origin": "null"]] {
      let answer = try studio.post("/models/Shelf/objects/1/delete", form.fields, headers)
      #expect(answer.status == 403)
    }
    #expect(try studio.fetch("Shelf").count == 1)
  }

  @Test func editsOfObjectsAreReviewedAndCommittedTogether() throws {
    let studio = try writable { tx in
      try tx.insert(contentsOf: poems(3))
      try tx.insert(
        Poem(id: 4, title: "two\r\nlines", code: "c4", note: "", tags: ["a", "b c"], price: 1.5))
    }
    var form = try studio.form(at: "/models/Poem/edit")
    #expect(form.action == "/models/Poem/review")
    form["set:0:title"] = "우유 <b>\"1\""
    form["set:1:note"] = "a note"
    form["set:2:mood"] = "=2"
    form["set:3:title"] = "two\r\nlines\r\nand more"
    form["set:3:tags"] = "b c\r\n집"
    form["nil:3:note"] = "on"
    form["set:3:price"] = "2.25"
    form["set:3:writtenAt"] = "2026-06-01T09:30:00.25Z"
    let review = try studio.post(form)
    #expect(review.status == 200)
    for text in [
      "4 objects change", "&quot;poem 1&quot;", "&quot;우유 &lt;b&gt;&quot;1&quot;&quot;", "calm",
      "wild",
      "[a, b c]", "[b c, 집]", "1.5", "2.25",
    ] { #expect(review.text.contains(text), "\(text)") }
    #expect(!review.text.contains("poem 2") && !review.text.contains("<b>"))
    #expect(try studio.fetch("Poem where title beginsWith \"poem\"").count == 3)
    let commit = try studio.post(try #require(review.form))
    #expect(commit.status == 303)
    let committed = try #require(commit.headers["location"])
    #expect(committed.hasPrefix("/models/Poem?done="))
    let stored = try studio.fetch("Poem")
    #expect(try stored[0]["title"] == .string("우유 <b>\"1\""))
    #expect(try stored[1]["note"] == .string("a note"))
    #expect(try stored[2]["mood"] == .int(2))
    #expect(try stored[3]["title"] == .string("two\r\nlines\r\nand more"))
    #expect(
      try Array(#require(stored[3]["title"].text).utf8) == Array("two\r\nlines\r\nand more".utf8))
    #expect(try stored[3]["tags"] == .list([.string("b c"), .string("집")]))
    #expect(try stored[3]["note"] == StoredValue.none && stored[3]["price"] == .decimal(2.25))
    let date = try #require(ISO8601DateFormatter().date(from: "2026-06-01T09:30:00Z"))
    #expect(try stored[3]["writtenAt"] == .date(date.timeIntervalSinceReferenceDate + 0.25))
    #expect(try stored[0]["note"] == StoredValue.none)
    #expect(try studio.page(committed).text.contains("Committed: change of 4 objects."))
    // The bar stayed on all pages.
    for path in ["/models/Poem", "/models/Poem/objects/1", "/models/Poem?done=x", "/models/Author"]
    {
      #expect(try !studio.page(path).text.contains("Committed"), "\(path)")
    }
    // Until the next commit it can be undone from the first page.
    #expect(try studio.page("/").text.contains("<button>Undo</button>"))
  }

  /// Twenty of a hundred were edited without a word.
  @Test func aFormOfManyObjectsTellsWhichTheyAre() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(50)) }
    #expect(try studio.page("/models/Poem").text.contains(">Edit the first 20 objects</a>"))
    let few = try studio.page("/models/Poem?query=id+%3C+3")
    #expect(few.text.contains(">Edit these objects</a>"))
    var (path, keys) = ("/models/Poem/edit?query=id+%3C+46&sort=id%20desc", [String]())
    while true {
      let page = try studio.page(path)
      let form = try #require(page.form)
      keys += (0..<20).compactMap { form["key:\($0)"] }
      let note = "This form has 20 objects of the list; others follow."
      #expect(page.text.contains(note) == (keys.count < 45))
      guard let next = page.next else { break }
      path = next
    }
    #expect(keys == (1...45).reversed().map { "\($0)" })
  }

  /// Twenty objects with long texts made a form that was too large to be taken.
  @Test func aFormIsAsLargeAsItCanBeSent() throws {
    let text = String(repeating: "우", count: 5_000)
    let studio = try writable { tx in
      try tx.insert(contentsOf: (1...20).map { Poem(id: $0, title: text, code: "c\($0)") })
    }
    var (path, keys) = ("/models/Poem/edit", [String]())
    while true {
      let page = try studio.page(path)
      let form = try #require(page.form)
      keys += (0..<20).compactMap { form["key:\($0)"] }
      #expect(try studio.post(form).text.contains("Nothing is changed."))
      guard let next = page.next else { break }
      path = next
    }
    #expect(keys == (1...20).map { "\($0)" })
  }

  /// The form was lost, after ten seconds.
  @Test func aFormIsKeptWhileAnotherProgramWrites() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(1)) }
    var form = try studio.form(at: "/models/Poem/objects/1/edit")
    form["set:0:title"] = "typed"
    let review = try #require(try studio.post(form).form)
    try studio.write { tx in
      try tx.update(Poem.all) { $0.note = "theirs" }
      #expect(try studio.page("/models/Poem/objects/1/edit").status == 200)
      for sent in [form, review] {
        let answer = try studio.post(sent)
        #expect(answer.status == 503 && answer.text.contains("Another program writes"))
        #expect(answer.form?["set:0:title"] == "typed")
      }
    }
    #expect(try studio.post(review).status == 303)
  }

  @Test func aFormThatChangesNothingIsToldSo() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(2)) }
    let answer = try studio.post(try studio.form(at: "/models/Poem/objects/1/edit"))
    #expect(answer.status == 200 && answer.text.contains("Nothing is changed."))
    #expect(try !studio.page("/").text.contains("Committed"))
  }

  /// Another program changes the object after the form was read, or after the review.
  @Test(arguments: [false, true]) func aChangeMeanwhileIsAConflict(afterReview: Bool) throws {
    let studio = try writable { try $0.insert(contentsOf: poems(2)) }
    var form = try studio.form(at: "/models/Poem/edit")
    form["set:0:title"] = "mine"
    form["set:1:title"] = "other"
    if afterReview { form = try #require(try studio.post(form).form) }
    try studio.write { try $0.update(Poem.where { $0.id == 2 }) { $0.title = "theirs" } }
    let answer = try studio.post(form)
    #expect(answer.status == 409)
    #expect(answer.text.contains("&quot;theirs&quot;"))
    #expect(answer.text.contains(">&quot;other&quot;<"))
    #expect(!answer.text.contains(">mine<"))
    #expect(
      try studio.fetch("Poem").map { try $0["title"] } == [.string("poem 1"), .string("theirs")])
    // Another property does not matter.
    var again = try studio.form(at: "/models/Poem/objects/1/edit")
    again["set:0:title"] = "mine"
    again = try #require(try studio.post(again).form)
    try studio.write { try $0.update(Poem.where { $0.id == 1 }) { $0.note = "theirs" } }
    #expect(try studio.post(again).status == 303)
  }

  /// It led back to the model, and all other edits had to be typed again.
  @Test(arguments: ["mine", "theirs"], [false, true])
  func aConflictKeepsTheForm(choice: String, afterReview: Bool) throws {
    let studio = try writable { try $0.insert(contentsOf: poems(4)) }
    var form = try studio.form(at: "/models/Poem/edit")
    form["set:0:title"] = "mine 1"
    form["set:1:title"] = "mine 2"
    form["set:1:note"] = "typed"
    form["set:3:title"] = "lost"
    if afterReview { form = try #require(try studio.post(form).form) }
    try studio.write { tx in
      try tx.update(Poem.where { $0.id == 2 }) { $0.title = "their <2>" }
      try tx.update(Poem.where { $0.id == 3 }) { $0.title = "not typed" }
      try tx.delete(Poem.where { $0.id == 4 })
    }
    let answer = try studio.post(form)
    #expect(answer.status == 409)
    for text in ["poem 2", "their &lt;2&gt;", "mine 2", "lost"] {
      #expect(answer.text.contains("<td class=\"text\">&quot;\(text)&quot;</td>"), "\(text)")
    }
    #expect(!answer.text.contains("not typed"))
    var chosen = try #require(answer.form)
    #expect(chosen.options["take:1:title"] == ["mine", "theirs"])
    chosen["take:1:title"] = choice
    let review = try studio.post(chosen)
    #expect(review.status == 200 && review.text.contains("2 objects change"))
    #expect(try studio.post(try #require(review.form)).status == 303)
    let stored = try studio.fetch("Poem")
    let second = choice == "mine" ? "mine 2" : "their <2>"
    #expect(try stored.map { try $0["title"].text } == ["mine 1", second, "not typed"])
    #expect(try stored[1]["note"] == .string("typed"))
  }

  /// Not a number is not the same as itself, and a list may have a case that the file does not know.
  @Test func aFieldThatWasNotChangedIsNoConflict() throws {
    let studio = try writable { tx in
      try tx.insert(Poem(id: 1, title: "a\r\nb\nc", code: "c", weight: .nan))
    }
    var form = try studio.form(at: "/models/Poem/objects/1/edit")
    form["set:0:note"] = "mine"
    form["nil:0:note"] = nil
    try studio.write { tx in
      try tx.update(Poem.all) { poem in
        (poem.weight, poem.title, poem.tags, poem.mood) = (1, "theirs", ["x"], .wild)
      }
    }
    let review = try studio.post(form)
    #expect(review.status == 200 && !review.text.contains("theirs"))
    #expect(try studio.post(try #require(review.form)).status == 303)
    let poem = try #require(try studio.fetch("Poem").first)
    #expect(try poem["title"] == .string("theirs") && poem["note"] == .string("mine"))
  }

  @Test func whatWasChosenIsAConflictAfterAnotherChange() throws {
    let studio = try writable { tx in
      try tx.insert(Poem(id: 1, title: "t", code: "c", mood: .wild, note: "a note"))
    }
    var form = try studio.form(at: "/models/Poem/objects/1/edit")
    form["nil:0:note"] = "on"
    for note in ["theirs", "theirs, too"] {
      try studio.write { try $0.update(Poem.all) { $0.note = note } }
      let answer = try studio.post(form)
      #expect(answer.status == 409 && answer.text.contains(">&quot;\(note)&quot;<"))
      #expect(answer.text.contains("<td class=\"text\">nil</td>"))
      form = try #require(answer.form)
    }
    #expect(try studio.post(try #require(try studio.post(form).form)).status == 303)
    #expect(try studio.fetch("Poem").first?["note"] == StoredValue.none)
  }

  @Test func aDeletedObjectIsAConflict() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(1)) }
    var form = try studio.form(at: "/models/Poem/objects/1/edit")
    form["set:0:title"] = "mine"
    try studio.write { try $0.delete(Poem.all) }
    let answer = try studio.post(form)
    #expect(answer.status == 409 && answer.text.contains(">deleted<"))
    #expect(answer.form == nil && answer.text.contains(">Back</a>"))
    #expect(answer.text.contains("These objects were deleted meanwhile. Nothing was written."))
  }

  @Test func whatTheStoreRefusesIsShownAtItsCell() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(3)) }
    var form = try studio.form(at: "/models/Poem/edit")
    form["set:0:title"] = "changed"
    form["set:1:code"] = "c3"
    let refused = try studio.post(form)
    #expect(refused.status == 422)
    let cell = #"id="f1-code" name="set:1:code" rows="2" aria-invalid="true""#
    #expect(refused.text.contains(cell))
    #expect(
      refused.text.contains("id=\"f1-code-error\"") && refused.text.contains("must be unique"))
    #expect(refused.text.contains(">\nchanged</textarea>"))
    #expect(try studio.fetch("Poem").map { try $0["title"] }.first == .string("poem 1"))
    // The typed texts are sent again, and committed once they fit.
    var again = try #require(refused.form)
    again["set:1:code"] = "c9"
    let review = try #require(try studio.post(again).form)
    // Another program takes it after the review.
    try studio.write { try $0.update(Poem.where { $0.id == 3 }) { $0.code = "c9" } }
    let late = try studio.post(review)
    #expect(late.status == 422 && late.text.contains(cell))
    try studio.write { try $0.update(Poem.where { $0.id == 3 }) { $0.code = "c3" } }
    #expect(try studio.post(review).status == 303)
    #expect(try studio.fetch("Poem where code == \"c9\" or title == \"changed\"").count == 2)
  }

  @Test func aTextThatIsNoValueIsShownAtItsCell() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(1)) }
    var form = try studio.form(at: "/models/Poem/objects/1/edit")
    #expect(form.options["set:0:mood"] == ["=1", "=2"])
    form["set:0:mood"] = "=7"
    form["set:0:price"] = "12x"
    form["set:0:writtenAt"] = "yesterday"
    form["set:0:author"] = "5"
    let answer = try studio.post(form)
    #expect(answer.status == 422)
    #expect(answer.text.contains("There is no such case. Choose one of calm, wild."))
    #expect(answer.text.contains("Type a number, such as 12.5."))
    #expect(
      answer.text.contains("Type a date in UTC") && answer.text.contains("value=\"yesterday\""))
    var dangling = try studio.form(at: "/models/Poem/objects/1/edit")
    dangling["set:0:author"] = "5"
    // It was told at the commit alone.
    let refused = try studio.post(dangling)
    #expect(refused.status == 422 && refused.text.contains("id=\"f0-author-error\""))
    #expect(try studio.fetch("Poem").first?["mood"] == .int(1))
  }

  @Test func aTextThatAFormWouldChangeHasNoField() throws {
    let studio = try writable { tx in
      for (id, title) in ["a\u{0}b", "a\rb", "\u{202E}", "\nleading", "plain"].enumerated() {
        try tx.insert(Poem(id: id, title: title, code: "c\(id)", tags: id == 4 ? ["", "x"] : []))
      }
    }
    for id in 0..<5 {
      let form = try studio.form(at: "/models/Poem/objects/\(id)/edit")
      #expect((form["set:0:title"] != nil) == (id > 2), "\(id)")
      #expect((form["set:0:tags"] != nil) == (id != 4))
      #expect(form["set:0:id"] == nil)
      #expect(try studio.post(form).text.contains("Nothing is changed."), "\(id)")
    }
  }

  /// They were refused at the commit alone.
  @Test func whatOnlyItsProgramCanWriteHasNoField() throws {
    let studio = try writable { try $0.insert(Medal(id: 1, ranks: [.high], facts: ["a": [1]])) }
    for path in ["/models/Medal/objects/1/edit", "/models/Medal/edit", "/models/Medal/new"] {
      let page = try studio.page(path)
      let form = try #require(page.form)
      for name in ["rank", "ranks", "facts"] {
        #expect(form["set:0:\(name)"] == nil, "\(path) \(name)")
      }
      for name in ["tone", "tones", "page"] { #expect(form["set:0:\(name)"] != nil, "\(name)") }
      #expect(
        page.text.components(separatedBy: "The file does not tell which values").count == 3)
      #expect(page.text.contains("stored as JSON, which only its program can write"))
    }
    var form = try studio.form(at: "/models/Medal/objects/1/edit")
    form["set:0:page"] = "https://example.com"
    #expect(try studio.post(try #require(try studio.post(form).form)).status == 303)
  }

  @Test func theLastCommitIsUndone() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(2)) }
    let before = try studio.fetch("Poem")
    var form = try studio.form(at: "/models/Poem/edit")
    form["set:0:title"] = "changed"
    form["set:1:note"] = "a note"
    _ = try studio.post(try #require(try studio.post(form).form))
    #expect(try studio.fetch("Poem") != before)
    let undone = try studio.undo()
    #expect(undone.status == 303)
    #expect(try studio.fetch("Poem") == before)
    let after = try studio.page(try #require(undone.headers["location"]))
    #expect(
      after.text.contains("Undone: change of 2 objects.") && !after.text.contains("<button>Undo"))
    #expect(try studio.undo().status == 404)
  }

  /// The button of an older page undid the commit after its own.
  @Test func aButtonUndoesItsOwnCommitAlone() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(2)) }
    var pages: [TestAnswer] = []
    for id in 1...2 {
      let form = try studio.form(at: "/models/Poem/objects/\(id)/delete")
      let deleted = try studio.post(form)
      pages.append(try studio.page(try #require(deleted.headers["location"])))
    }
    let answer = try studio.undo(on: pages[0])
    #expect(answer.status == 409 && answer.text.contains("Another commit came after it."))
    #expect(try studio.fetch("Poem").isEmpty)
    #expect(try studio.undo(on: pages[1]).status == 303)
    #expect(try studio.fetch("Poem").map { try $0["id"] } == [.int(2)])
  }

  @Test func anUndoAfterAnotherChangeIsAConflict() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(2)) }
    var form = try studio.form(at: "/models/Poem/edit")
    form["set:0:title"] = "changed"
    form["set:1:title"] = "changed, too"
    _ = try studio.post(try #require(try studio.post(form).form))
    try studio.write { try $0.update(Poem.where { $0.id == 2 }) { $0.title = "theirs" } }
    let answer = try studio.undo()
    #expect(answer.status == 409 && answer.text.contains("&quot;theirs&quot;"))
    #expect(
      try studio.fetch("Poem").map { try $0["title"] } == [.string("changed"), .string("theirs")])
  }

  @Test func anObjectThatOthersReferToIsNotUncreated() throws {
    let studio = try writable { _ in }
    var form = try studio.form(at: "/models/Author/new")
    form["set:0:id"] = "1"
    form["set:0:name"] = "author"
    #expect(try studio.post(form).status == 303)
    try studio.write { try $0.insert(Poem(id: 1, title: "t", code: "c", author: Ref(1))) }
    #expect(try studio.undo().status == 409)
    #expect(try studio.fetch("Poem").count == 1)
  }

  /// A program with a newer model opens the file between a commit and its undo.
  private func migrate(_ studio: TestStudio, floor: Int) throws {
    let store = try Store.open(at: studio.file, models: NewerProgram.Shelf.self)
    try store.write { try $0.update(NewerProgram.Shelf.all) { $0.floor = floor } }
  }

  @Test func anUndoAfterAPropertyWasAddedKeepsIt() throws {
    let studio = try writable { tx in
      try tx.insert(contentsOf: (1...3).map { Shelf(id: $0, name: "shelf \($0)") })
    }
    var form = try studio.form(at: "/models/Shelf/objects/1/edit")
    form["set:0:name"] = "changed"
    #expect(try studio.post(try #require(try studio.post(form).form)).status == 303)
    try migrate(studio, floor: 7)
    #expect(try studio.undo().status == 303)
    let shelf = try #require(try studio.fetch("Shelf where id == 1").first)
    #expect(try shelf["name"] == .string("shelf 1") && shelf["floor"] == .int(7))
  }

  @Test func anUndoOfADeletionAfterAPropertyWasAddedGivesAllBack() throws {
    let studio = try writable { tx in
      try tx.insert(contentsOf: (1...3).map { Shelf(id: $0, name: "shelf \($0)") })
      try tx.insert(Volume(id: 1, title: "t", shelf: Ref(2)))
    }
    let form = try studio.form(at: "/models/Shelf/objects/2/delete")
    #expect(try studio.post(form).status == 303)
    try migrate(studio, floor: 7)
    #expect(try studio.undo().status == 303)
    let shelves = try studio.fetch("Shelf")
    #expect(try shelves.map { try $0["name"] } == (1...3).map { .string("shelf \($0)") })
    #expect(try shelves.map { try $0["floor"] } == [.int(7), .int(3), .int(7)])
    #expect(try studio.fetch("Volume").first?["shelf"] == .int(2))
  }

  /// The object was deleted with the value that the other program had given it.
  @Test func anUndoOfANewObjectThatGotAPropertyIsRefused() throws {
    let studio = try writable { try $0.insert(Shelf(id: 1, name: "shelf 1")) }
    var form = try studio.form(at: "/models/Shelf/new")
    form["set:0:id"] = "2"
    form["set:0:name"] = "new"
    #expect(try studio.post(form).status == 303)
    try migrate(studio, floor: 7)
    let answer = try studio.undo()
    #expect(answer.status == 409 && answer.text.contains("Nothing was undone."))
    #expect(answer.text.contains("<td>floor</td><td class=\"text\">7</td>"))
    #expect(try studio.fetch("Shelf").map { try $0["floor"] } == [.int(7), .int(7)])
  }

  /// A program in which the property has another name, so that its old value cannot be written.
  @Test func anUndoAfterAPropertyWasRenamedGivesBackOrRefuses() throws {
    let studio = try writable { tx in
      try tx.insert(contentsOf: (1...2).map { Shelf(id: $0, name: "shelf \($0)") })
    }
    let form = try studio.form(at: "/models/Shelf/objects/2/delete")
    #expect(try studio.post(form).status == 303)
    do {
      let store = try Store.open(at: studio.file, models: RenamingProgram.Shelf.self)
      try store.write { try $0.update(RenamingProgram.Shelf.all) { $0.label += "!" } }
    }
    let answer = try studio.undo()
    #expect(answer.status == 409 && answer.text.contains("Nothing was undone."))
    #expect(try studio.fetch("Shelf").map { try $0["label"] } == [.string("shelf 1!")])
  }

  private func library() throws -> TestStudio {
    try writable { tx in
      let authors = (1...3).map { Author(id: $0, name: "author \($0)") }
      try tx.insert(contentsOf: authors)
      try tx.insert(
        contentsOf: (1...4).map {
          Poem(
            id: $0, title: "poem \($0)", code: "c\($0)", author: Ref(authors[$0 < 4 ? 0 : 1]))
        })
      try tx.update(Author.where { $0.id == 1 }) { $0.first = Ref(2) }
      try tx.insert(contentsOf: [
        Quote(id: 1, poem: Ref(1), others: [Ref(1), Ref(4)]), Quote(id: 2, poem: Ref(4)),
        Quote(id: 3, poem: nil, others: [Ref(2)]),
      ])
      try tx.insert(Prize(id: 1, author: Ref(3)))
    }
  }

  @Test func aDeletionNamesWhatItDoesAndIsUndone() throws {
    let studio = try library()
    let before = try ["Author", "Poem", "Quote"].map { try studio.fetch($0) }
    let page = try studio.page("/models/Author/objects/1/delete")
    #expect(page.text.contains("4 objects are deleted: 1 of Author, 3 of Poem."))
    #expect(page.text.contains("References are removed: 2 of Quote.others, 1 of Quote.poem."))
    #expect(!page.text.contains("cannot be undone"))
    let deleted = try studio.post(try #require(page.form))
    #expect(deleted.status == 303)
    #expect(deleted.headers["location"]?.hasPrefix("/models/Author?done=") == true)
    #expect(try studio.fetch("Author").count == 2 && studio.fetch("Poem").count == 1)
    #expect(try studio.fetch("Quote where poem == nil").count == 2)
    #expect(try studio.undo().status == 303)
    #expect(try ["Author", "Poem", "Quote"].map { try studio.fetch($0) } == before)
  }

  /// The properties of a struct that is nil were written one by one, which a store refuses.
  @Test(arguments: [nil, Picture(bytes: Data([1]), width: 2)])
  func aDeletionOfAStructIsUndone(picture: Picture?) throws {
    let studio = try writable { tx in
      try tx.insert(Album(id: 1, picture: picture))
      try tx.insert(contentsOf: [Track(id: 1, album: Ref(1)), Track(id: 2, album: Ref(1))])
    }
    let before = try ["Album", "Track"].map { try studio.fetch($0) }
    #expect(try studio.post(try studio.form(at: "/models/Album/objects/1/delete")).status == 303)
    #expect(try studio.fetch("Track").isEmpty)
    #expect(try studio.undo().status == 303)
    #expect(try ["Album", "Track"].map { try studio.fetch($0) } == before)
  }

  @Test func aDeletionThatIsDeniedIsNamed() throws {
    let studio = try library()
    let page = try studio.page("/models/Author/objects/3/delete")
    #expect(page.text.contains("References deny it: 1 of Prize.author."))
    #expect(!page.text.contains("<button>Delete</button>"))
    #expect(try studio.post(try #require(page.form)).status == 422)
    #expect(try studio.fetch("Author").count == 3)
  }

  @Test func aDeletionThatDoesMoreThanWasShownIsAConflict() throws {
    let studio = try library()
    let form = try studio.form(at: "/models/Author/objects/2/delete")
    try studio.write { try $0.insert(Poem(id: 9, title: "t", code: "c9", author: Ref(2))) }
    let answer = try studio.post(form)
    #expect(answer.status == 409 && answer.text.contains("3 objects are deleted"))
    #expect(try studio.fetch("Author").count == 3)
    #expect(try studio.post(try #require(answer.form)).status == 303)
    #expect(try studio.fetch("Author").count == 2)
  }

  @Test func anUndoOfADeletionThatWasMadeGoodIsAConflict() throws {
    let studio = try library()
    _ = try studio.post(try studio.form(at: "/models/Author/objects/1/delete"))
    try studio.write { try $0.insert(Poem(id: 2, title: "theirs", code: "new")) }
    let answer = try studio.undo()
    #expect(answer.status == 409 && answer.text.contains("inserted again"))
    #expect(try studio.fetch("Author").count == 2 && studio.fetch("Poem").count == 2)
  }

  @Test func aValueIsTheSameAfterAForm() throws {
    let store = try Store.inMemory(models: TestStudio.models)
    let model = try #require(try store.models.first { $0.name == "Poem" })
    func check(_ name: String, _ values: [StoredValue]) throws {
      let property = try #require(model.properties.first { $0.name == name })
      let field = PropertyField(property, of: model)
      for value in values {
        let text = try #require(field.text(of: value), "\(value)")
        #expect(try field.value(of: text, replacing: value).stamp == value.stamp, "\(value)")
      }
    }
    let texts = ["", "a\r\nb", "우유", " spaces "]
    try check("title", texts.map { StoredValue.string($0) })
    let prices: [Decimal] = [0, -12.5, 1_000_000]
    try check("price", prices.map { StoredValue.decimal($0) })
    let seconds = [0, 0.1, -1e9, 1e12, 123_456_789.015625]
    try check("writtenAt", seconds.map { StoredValue.date($0) })
    try check("tags", [.list([]), .list([.string("a"), .string("b")])])
    try check("mood", [.int(1), .int(2)])
    try check("author", [.int(-3)])
    try check("weight", [.double(0.1), .double(-0.0), .double(1e300)])
    try check("seal", [.data([]), .data([0, 255])])
  }
}

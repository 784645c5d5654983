import Croft
import Foundation
import PageServerTesting
import Testing

@testable import CroftStudio

/// Updates of several objects in one commit, which exchange unique values.
struct ObjectUpdatesTests {
  private func writable(_ fill: (inout WriteTransaction) throws -> Void) throws -> TestStudio {
    try TestStudio(writes: true, fill: fill)
  }

  private func poems(_ count: Int) -> [Poem] {
    (1...count).map { Poem(id: $0, title: "poem \($0)", code: "c\($0)") }
  }

  /// The first of them was refused, because the other one still had the value.
  @Test(arguments: [
    ["c2", "c1", "c3"], ["c2", "c3", "c1"], ["c2", "c3", "c4"], ["c3", "c2", "c1"],
  ])
  func objectsExchangeUniqueValuesInOneCommit(codes: [String]) throws {
    let studio = try writable { try $0.insert(contentsOf: poems(3)) }
    var form = try studio.form(at: "/models/Poem/edit")
    for (row, code) in codes.enumerated() { form["set:\(row):code"] = code }
    let review = try studio.post(form)
    #expect(review.status == 200 && review.text.contains("objects change"))
    #expect(try studio.post(try #require(review.form)).status == 303)
    func stored() throws -> [String?] { try studio.fetch("Poem").map { try $0["code"].text } }
    #expect(try stored() == codes)
    #expect(try studio.fetch("Poem where code == \"c2\"").count == 1)
    #expect(try studio.undo().status == 303)
    #expect(try stored() == ["c1", "c2", "c3"])
  }

  @Test func aValueThatIsNotGivenUpIsRefusedAmongExchanges() throws {
    let studio = try writable { try $0.insert(contentsOf: poems(4)) }
    var form = try studio.form(at: "/models/Poem/edit")
    for (row, code) in ["c2", "c1", "c4"].enumerated() { form["set:\(row):code"] = code }
    let refused = try studio.post(form)
    #expect(refused.status == 422 && refused.text.contains("Poem 4 has the same"))
    #expect(!refused.text.contains("f0-code-error") && !refused.text.contains("f1-code-error"))
    #expect(refused.text.contains("f2-code-error"))
    let codes = try studio.fetch("Poem").map { try $0["code"].text }
    #expect(codes == ["c1", "c2", "c3", "c4"])
  }

  @Test func anExchangeWithoutAnotherValueNamesBothObjects() throws {
    let folder = try TestServer.makeFolder()
    defer {
      // What stays is in the folder for temporary files.
      try? FileManager.default.removeItem(at: folder)
    }
    let file = folder.appending(path: "lamps.croft")
    do {
      try Store.open(at: file, models: Lamp.self).write { tx in
        try tx.insert(Lamp(id: 1, isOn: true))
        try tx.insert(Lamp(id: 2, isOn: false))
      }
    }
    let store = try ShownStore(path: file.path, isWritable: true)
    let model = try #require(try store.models.first)
    let updates = try [(1, false), (2, true)].map { id, isOn in
      ObjectUpdates.Update(
        row: id - 1, model: model, key: try #require(ObjectKey(path: "\(id)")),
        values: ["isOn": .bool(isOn)])
    }
    var review = EditReview()
    try store.write { tx in
      for refusal in try ObjectUpdates(updates: updates).apply(to: &tx) { review.refuse(refusal) }
    }
    #expect(review.issues.map(\.property) == ["isOn", "isOn"])
    #expect(review.issues.first?.text.hasPrefix("Lamp 1 gets the isOn of Lamp 2, which") == true)
    #expect(review.issues.first?.text.contains("make it two commits") == true)
    let stored = try store.read { try $0.fetch(DynamicQuery("Lamp select isOn")).map(\.values) }
    #expect(stored == [[.bool(true)], [.bool(false)]])
  }
}

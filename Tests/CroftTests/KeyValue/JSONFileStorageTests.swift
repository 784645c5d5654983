import Foundation
import Testing
import TestSupport

@testable import Croft

@Suite struct JSONFileStorageTests {
  /// Passes a file's path and a storage there to a test.
  private func withFile(_ text: String? = nil, _ body: (URL, JSONFileStorage) throws -> Void) throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "values.json")
    if let text { try Data(text.utf8).write(to: url) }
    try body(url, JSONFileStorage(at: url))
    #expect(
      !(try FileManager.default.contentsOfDirectory(atPath: folder.path)).contains {
        $0.contains("draft")
      })
    try FileManager.default.removeItem(at: folder)
  }

  private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

  @Test func theFileIsAnObjectThatPeopleCanRead() throws {
    try withFile { url, storage in
      try storage.trySave(["b": 1, "a": 2], forKey: "map")
      try storage.trySave("x/y", forKey: "path")
      #expect(try text(url) == "{\n  \"map\": {\"a\":2,\"b\":1},\n  \"path\": \"x/y\"\n}\n")
      try storage.tryRemove(forKey: "map")
      try storage.tryRemove(forKey: "path")
      #expect(try text(url) == "{}\n")
    }
  }

  @Test func noFileIsNoErrorAndReadingMakesNone() throws {
    try withFile { url, storage in
      let missing: Int? = try storage.tryLoad(forKey: "a")
      #expect(missing == nil)
      try storage.tryRemove(forKey: "a")
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test(arguments: [
    "hostname\n", "[1, 2]", "{\"a\": 1", "{\"a\": 1} x", "{\"a\": }", "\"a\"", "{\"a\": \"\u{1}\"",
  ])
  func aFileThatIsNoObjectIsAnErrorAndIsKept(broken: String) throws {
    try withFile(broken) { url, storage throws in
      let errors = [
        StoreError.thrown { try storage.trySave(1, forKey: "a") },
        StoreError.thrown { _ = try storage.tryLoad(forKey: "a") as Int? },
        StoreError.thrown { try storage.tryRemove(forKey: "a") },
      ]
      for error in errors {
        guard case .corrupt(nil, nil, let reason) = error else {
          Issue.record("another error: \(String(describing: error))")
          continue
        }
        #expect(reason.contains(url.lastPathComponent))
      }
      #expect(try text(url) == broken)
    }
  }

  @Test func whatAPersonWroteIsReadAndOtherValuesStayAsTheyStand() throws {
    let written = """
      { "one" : 1.10 , "list": [ {"a, }": "]\\"" }, 2 ],
        "\\u006bey": null, "big": 123456789012345678901234567890 }
      """
    try withFile(written) { url, storage in
      let one: Double? = try storage.tryLoad(forKey: "one")
      #expect(one == 1.1)
      let nothing: Int?? = try storage.tryLoad(forKey: "key")
      #expect(nothing == .some(nil))
      try storage.trySave(2, forKey: "two")
      #expect(
        try text(url)
          == "{\n  \"one\": 1.10,\n  \"list\": [ {\"a, }\": \"]\\\"\" }, 2 ],\n"
          + "  \"key\": null,\n  \"big\": 123456789012345678901234567890,\n  \"two\": 2\n}\n")
    }
  }

  @Test func anEmptyFileHoldsNothing() throws {
    try withFile("") { url, storage in
      let missing: Int? = try storage.tryLoad(forKey: "a")
      #expect(missing == nil)
      try storage.trySave(1, forKey: "a")
      #expect(try text(url) == "{\n  \"a\": 1\n}\n")
    }
  }

  @Test func aMarkAtTheFrontOfTheFileIsPassedOver() throws {
    try withFile("\u{FEFF}{\"a\": 1}") { _, storage in
      let one: Int? = try storage.tryLoad(forKey: "a")
      #expect(one == 1)
    }
  }

  @Test func aLinkStaysALinkAndItsFileIsReplaced() throws {
    try withFile("{}") { url, _ in
      let link = url.deletingLastPathComponent().appending(path: "link.json")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      try JSONFileStorage(at: link).trySave(1, forKey: "a")
      #expect(try text(url).contains("\"a\": 1"))
      let attributes = try FileManager.default.attributesOfItem(atPath: link.path)
      #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
    }
  }

  /// Whatever members a file has, each is found again, and saving one changes no other.
  @Test func aFileOfRandomMembersKeepsEachOfThem() throws {
    var random = SeededGenerator.forTest("json members")
    for _ in 0..<200 {
      var twin: [String: String] = [:]
      var members = JSONMembers()
      for _ in 0..<random.below(8) {
        let (key, value) = (random.text(), random.text(longest: 9))
        twin[key] = value
        members[key] = try StorageCoding.json([value], key)
      }
      let read = try #require(JSONMembers(Data(try members.json())))
      #expect(try read.json() == members.json(), "seed \(random.seed)")
      for (key, value) in twin {
        let json = try #require(read[key])
        let found: [String] = try StorageCoding.value(json, key)
        #expect(found == [value], "seed \(random.seed)")
      }
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import TodoKit

/// What the history keeps of bytes: the records of imported tasks, and pictures.
@Suite struct HistoryJSONTests {
  @Test func bytesComeBack() throws {
    var random = SeededGenerator.forTest("bytesComeBack")
    var samples = [
      "", "utf8:", "utf8:utf8:a", "a", "AAAA", "{\"t\":\"우유 \\\"x\\\"\"}", "\u{0}\n\u{7F}",
      "\u{FEFF}a",
      "e\u{301}", "\u{301}", "\u{1F469}\u{200D}\u{1F4BB}",
    ].map { Data($0.utf8) }
    samples += [Data([0xFF]), Data([0x61, 0xC3]), Data([0xED, 0xA0, 0x80]), Data([0xC0, 0x80])]
    for _ in 0..<200 {
      samples.append(Data((0..<random.below(9)).map { _ in UInt8(random.below(256)) }))
    }
    for bytes in samples {
      let json = try HistoryJSON.encode([bytes])
      #expect(try HistoryJSON.decode([Data].self, from: json) == [bytes], "seed \(random.seed)")
      // Earlier programs wrote Base64.
      let earlier = try JSONEncoder().encode([bytes])
      #expect(try HistoryJSON.decode([Data].self, from: earlier) == [bytes], "\(Array(bytes))")
    }
    #expect(throws: DecodingError.self) {
      try HistoryJSON.decode([Data].self, from: Data(#"["no Base64"]"#.utf8))
    }
  }

  @Test func aTextIsLegibleAndAPictureIsBase64() throws {
    let json = try HistoryJSON.encode([Data(#"{"t":"a"}"#.utf8), Data([0xFF])])
    #expect(String(decoding: json, as: UTF8.self) == #"["utf8:{\"t\":\"a\"}","\/w=="]"#)
  }

  /// The undo and redo of an import have the records of its tasks.
  @Test func anImportComesBackFromTheHistory() throws {
    let folder = TemporaryFolder()
    let repository = try CroftTodoRepository(path: folder.path(to: "todo.croft"))
    // On both sides of the number of rows of a portion.
    for count in [1, 2_500] {
      let items = (0..<count).map { number in
        var item = TodoItem(title: "\(number)", in: nil)
        item.foreignID = "\(count)/\(number)"
        item.foreignRecord =
          number.isMultiple(of: 3) ? Data([0xFF, 0]) : Data("{\"t\":\"\(number)\"}".utf8)
        return item
      }
      try repository.perform(.importItems(groups: [], items: items, edits: []))
      let stored = try repository.items(.all)
      try repository.perform(.undo)
      try repository.perform(.redo)
      #expect(try repository.items(.all) == stored)
      try repository.perform(.deleteAll(in: .all))
      try repository.perform(.undo)
      #expect(try repository.items(.all) == stored)
    }
  }
}

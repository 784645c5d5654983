import Foundation
import TestSupport
import Testing

@testable import TodoFormats

/// A record as a store keeps it: JSON with the fields that are not as in a new record.
@Suite struct TaskRecordTests {
  @Test func everyRecordComesBackFromItsJSON() throws {
    var random = SeededGenerator.forTest("everyRecordComesBackFromItsJSON")
    for _ in 0..<500 {
      var record = RandomRecord.any(for: random.pick(TaskFormat.allCases), &random)
      record.readingZone = random.below(2) == 0 ? nil : "Asia/Seoul"
      record.readerVersion = random.below(2) == 0 ? nil : 2
      let bytes = try JSONEncoder().encode(record)
      #expect(
        try JSONDecoder().decode(TaskRecord.self, from: bytes) == record, "seed \(random.seed)")
    }
  }

  /// A field that the code by hand forgets would be lost.
  @Test func everyFieldIsWritten() throws {
    var record = TaskRecord(title: "a")
    record.foreignID = "a"
    record.notes = [TaskNote("a")]
    record.group = "a"
    record.tags = ["a"]
    record.isDone = true
    record.isCancelled = true
    record.createdAt = Date(timeIntervalSince1970: 1)
    record.doneAt = Date(timeIntervalSince1970: 2)
    let date = try #require(TaskDate("2026-08-21"))
    (record.due, record.start, record.wait) = (date, date, date)
    record.priority = .high
    record.isImportant = true
    record.estimate = "1h"
    record.repeats = TaskRepeat(.phrase, "every day")
    record.occurrence = "a"
    record.otherOccurrences = [date]
    record.parent = "a"
    record.level = 1
    record.order = 1
    record.source = .vtodo
    record.readingZone = "Asia/Seoul"
    record.readerVersion = 2
    record.unknown = [TaskRecord.Part("a", "b")]
    let bytes = try JSONEncoder().encode(record)
    var fields = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    #expect(try JSONDecoder().decode(TaskRecord.self, from: bytes) == record)
    // Earlier programs wrote each field under its name.
    for (key, name) in Self.names {
      fields[name] = fields.removeValue(forKey: key)
    }
    #expect(Set(fields.keys) == Set(Mirror(reflecting: record).children.compactMap(\.label)))
    let earlier = try JSONSerialization.data(withJSONObject: fields)
    #expect(try JSONDecoder().decode(TaskRecord.self, from: earlier) == record)
  }

  /// The letters of the fields that most records have.
  private static let names = [
    "t": "title", "g": "group", "l": "tags", "c": "createdAt", "d": "due", "p": "priority",
    "z": "readingZone", "v": "readerVersion",
  ]

  /// Each field of a new record was written too, which took more bytes than the task.
  @Test func whatIsAsInANewRecordIsLeftOut() throws {
    var record = TaskRecord(title: "Buy milk")
    #expect(try text(of: record) == #"{"t":"Buy milk"}"#)
    record.isDone = true
    record.tags = ["home"]
    #expect(try text(of: record) == #"{"isDone":true,"l":["home"],"t":"Buy milk"}"#)
  }

  /// Earlier programs wrote all of them.
  @Test func aRecordWithAllFieldsIsRead() throws {
    let stored = """
      {"level":0,"readerVersion":2,"isCancelled":false,"isImportant":false,"priority":"high","isDone":false,\
      "title":"Kitchen","readingZone":"Etc/UTC","tags":["pc"],"notes":[],"due":"2026-08-21","group":"work",\
      "unknown":[],"order":null}
      """
    let record = try JSONDecoder().decode(TaskRecord.self, from: Data(stored.utf8))
    var expected = TaskRecord(title: "Kitchen")
    expected.readerVersion = 2
    expected.priority = .high
    expected.readingZone = "Etc/UTC"
    expected.tags = ["pc"]
    expected.due = TaskDate("2026-08-21")
    expected.group = "work"
    #expect(record == expected)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TaskRecord.self, from: Data(#"{"tags":[]}"#.utf8))
    }
  }

  private func text(of record: TaskRecord) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(record), as: UTF8.self)
  }
}

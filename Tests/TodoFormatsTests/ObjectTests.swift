import Foundation
import TerminalText
import TestSupport
import Testing

@testable import TodoFormats

@Suite("JSON")
struct ObjectTests {
  @Test func whatTheListPrintsIsRead() throws {
    let record = try #require(read(Samples.json, .json).records.first)
    #expect(record.foreignID == "a" && record.title == "Buy milk" && record.isImportant)
    #expect(record.priority == .high && record.group == "집" && record.tags == ["shop"])
    #expect(record.due == TaskDate("2026-12-24") && record.notes == [TaskNote("two\nlitres")])
    #expect(record.createdAt == (try Date(utc: "2026-12-01T08:00:00Z")) && record.doneAt == nil)
  }

  @Test func theKeysAreThoseOfTheListInTheirOrder() {
    let text = write([TaskRecord(title: "a")], .ndjson).text
    #expect(
      text == #"{"id":null,"number":null,"title":"a","isDone":false,"isImportant":false,"#
        + #""priority":"none","group":null,"due":null,"tags":[],"note":"","createdAt":null,"#
        + #""doneAt":null,"repeat":null,"wait":null,"estimate":null}"# + "\n")
  }

  @Test(arguments: [
    "{}", #"{"title":1}"#, #"{"title":"a","due":"tomorrow"}"#, #"{"title":"a","isDone":"yes"}"#,
    #"{"title":"a","priority":"urgent"}"#, #"{"title":"a","tags":"b"}"#,
    #"{"title":"a","order":1.5}"#, #"{"title":"a","repeat":{"kind":"rec"}}"#,
    #"{"title":"a","unknown":[["x"]]}"#, #"{"title":"a","repeat":7}"#, #"{"name":" "}"#,
    #"{"name":"a","image":{"type":"image/png","base64":"?"}}"#, #"{"title":"a","createdAt":"now"}"#,
  ])
  func aValueOfTheWrongKindIsAnErrorAndTheNextOneIsRead(json: String) {
    let file = read("\(json)\n{\"title\":\"next\"}\n", .ndjson)
    #expect(file.errors.map(\.row) == [1])
    #expect(file.records.map(\.title) == ["next"])
  }

  /// Code points that turn the direction of a terminal were written as they are.
  @Test func whatATerminalActsOnIsEscaped() throws {
    let title = "a\u{202E}b\u{2066}c\u{200F}\u{1B}\u{85}"
    let text = write([TaskRecord(title: title)], .json).text
    #expect(!text.unicodeScalars.contains { $0.isControl && $0 != "\n" })
    #expect(text.contains(#"a\u202eb\u2066c\u200f\u001b\u0085"#))
    #expect(read(text, .json).records.first?.title == title)
    let name = "a\u{1B}[2J\u{7F}\u{9B}2J\u{202E}é\u{1F600}"
    #expect(name.jsonQuoted == #""a\u001b[2J\u007f\u009b2J\u202eé"# + "\u{1F600}\"")
    #expect(try JSONDecoder().decode(String.self, from: Data(name.jsonQuoted.utf8)) == name)
  }

  /// Files of earlier versions have an object for each recurrence.
  @Test func aRecurrenceIsATextOrAnObject() {
    let text = #"""
      {"title":"a","repeat":"2 weeks"}
      {"title":"b","repeat":{"kind":"phrase","text":"every week"}}
      {"title":"c","repeat":{"kind":"rrule","text":"FREQ=DAILY"}}
      """#
    let file = read(text + "\n", .ndjson)
    #expect(
      file.records.map(\.repeats) == [
        TaskRepeat(.phrase, "2 weeks"), TaskRepeat(.phrase, "every week"),
        TaskRepeat(.rrule, "FREQ=DAILY"),
      ])
  }

  @Test func aKeyThatIsUnknownIsWarnedOf() {
    let file = read(#"{"title":"a","colour":"red"}"#, .ndjson)
    #expect(file.records.count == 1 && file.warnings.count == 1)
  }

  @Test func whatOtherFormatsKeepIsKept() throws {
    for (format, text) in Samples.all {
      let records = read(text, format).records
      for own in [TaskFormat.json, .ndjson] {
        let output = write(records, own)
        #expect(output.warnings.isEmpty)
        #expect(read(output.text, own).records == records)
      }
      let coded = try JSONDecoder().decode(
        [TaskRecord].self, from: try JSONEncoder().encode(records))
      #expect(coded == records)
      #expect(write(coded, format).text == write(records, format).text)
    }
  }

  /// What Foundation takes for JSON is taken here, and the other way round.
  @Test func theScannerAgreesWithFoundation() throws {
    var random = SeededGenerator.forTest("theScannerAgreesWithFoundation")
    let tokens = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u00e9\"", "\"\\ud83d\\ude00\"", "1", "-0.5",
      "true", "false", "null", " ", "\n", "\"\\n\"", "01", "1.", "\"", "\\", "tru", "-",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      let text =
        random.oneIn(3)
        ? Self.value(&random, depth: 0)
        : (0..<random.below(8)).map { _ in random.pick(tokens) }.joined()
      var scanner = JSONScanner(Array(text.utf8)[...])
      var isTaken = false
      do {
        _ = try scanner.value()
        isTaken = scanner.peek() == nil
      } catch {}
      let object = try? JSONSerialization.jsonObject(
        with: Data(text.utf8), options: [.fragmentsAllowed])
      // Foundation passes over a comma after the last element, which the standard does not allow.
      if !isTaken, text.contains(/,\s*[\]}]/) { continue }
      #expect(isTaken == (object != nil), "\(text.debugDescription)")
      if isTaken { accepted += 1 }
      // Foundation leaves out a byte order mark inside a text; a file that is kept has it.
      if isTaken, let string = object as? String, !text.unicodeScalars.contains("\u{FEFF}") {
        let value = Array(text.utf8)[...].trimmed
        #expect(
          try JSONScanner.string(value, line: 1) == string,
          "\(text.debugDescription) \(string.debugDescription)")
      }
    }
    #expect(accepted > 1000)
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
    switch random.below(depth > 3 ? 3 : 6) {
    case 0: return random.pick(["1", "-2.50", "1E+2", "true", "null"])
    case 1, 2: return RandomRecord.text(&random).jsonQuoted
    case 3, 4:
      return "["
        + (0..<random.below(4)).map { _ in value(&random, depth: depth + 1) }
        .joined(separator: ", ") + "]"
    default:
      return "{"
        + (0..<random.below(4)).map { "\"k\($0)\" : " + value(&random, depth: depth + 1) }
        .joined(separator: ",") + "}"
    }
  }

  @Test func whatIsNestedTooDeepIsAnErrorAndNoCrash() {
    let text = String(repeating: "[", count: 100_000)
    #expect(!read("{\"title\":" + text, .json).errors.isEmpty)
    #expect(!read(String(repeating: "{\"a\":", count: 100_000), .json).errors.isEmpty)
  }
}

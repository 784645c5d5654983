import Foundation
import Presentation
import TerminalText
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// Hostile texts come back from every format unchanged.
@Suite struct RecordFormatTests {
  private let items = [
    TodoItem(
      id: KnownRepository.id(1), title: "a,\"b\"|c\\d\te", priority: .high,
      createdAt: Date(timeIntervalSince1970: 1_767_323_041), note: "one\ntwo\r\nthree",
      tags: ["x y", "z"]),
    TodoItem(
      id: KnownRepository.id(2), title: "보고서", priority: .none,
      createdAt: Date(timeIntervalSince1970: 1_767_323_041)),
  ]
  private var records: [OutputRecord] { items.map { OutputRecord($0, number: 3, group: nil) } }

  @Test func objectsStandOnLines() throws {
    let lines = RecordFormat.ndjson.text(of: records, keys: OutputRecord.itemKeys)
      .split(separator: "\n")
    #expect(lines.map(String.init) == records.map(\.json))
    #expect(RecordFormat.ndjson.text(of: [], keys: OutputRecord.itemKeys) == "")
  }

  @Test func tabsAndLineFeedsAreEscaped() throws {
    let lines = RecordFormat.tsv.text(of: records, keys: OutputRecord.itemKeys)
      .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    #expect(lines.map(\.count) == [15, 15, 15])
    #expect(lines[0].map(String.init) == OutputRecord.itemKeys)
    #expect(lines[1][2] == "a,\"b\"|c\\\\d\\te" && lines[1][9] == "one\\ntwo\\r\\nthree")
    #expect(lines[1][8] == "#\"x y\" #z" && lines[2][8] == "")
  }

  @Test func cellsOfMarkdownStayInTheirRow() {
    let lines = RecordFormat.md.text(of: records, keys: OutputRecord.itemKeys)
      .split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1] == "|" + String(repeating: " --- |", count: 15))
    #expect(lines[2].contains("a,\"b\"\\|c\\\\d\te") && lines[2].contains("one<br>two<br>three"))
  }

  @Test func valuesWithCommasAndQuotesAreQuoted() throws {
    let text = RecordFormat.csv.text(of: records, keys: OutputRecord.itemKeys)
    #expect(text.hasPrefix(OutputRecord.itemKeys.joined(separator: ",") + "\n"))
    #expect(text.contains(",\"a,\"\"b\"\"|c\\d\te\",false,"))
    #expect(text.contains("\"one\ntwo\r\nthree\""))
    #expect(text.contains(",보고서,"))
  }

  @Test func aTerminalGetsNothingThatItActsOn() {
    let hostile = TodoItem(
      id: KnownRepository.id(1), title: "\u{1B}[31mred", priority: .none,
      createdAt: Date(timeIntervalSince1970: 0), note: "\u{9B}", tags: ["\u{7F}"])
    let record = OutputRecord(hostile, number: nil, group: "\u{202E}")
    for format in [RecordFormat.csv, .tsv, .md] {
      let text = format.text(of: [record.visible], keys: OutputRecord.itemKeys)
      #expect(!text.unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" })
      #expect(format.text(of: [record], keys: []).contains("\u{1B}[31mred"))
    }
  }

  @Test func oneRecordHasItsKeysToo() {
    let record = records[1]
    #expect(RecordFormat.json.text(of: record) == record.json + "\n")
    #expect(RecordFormat.ndjson.text(of: record) == record.json + "\n")
    #expect(RecordFormat.csv.text(of: record).hasPrefix("id,number,title,"))
    #expect(
      RecordFormat.csv.text(of: [], keys: OutputRecord.groupKeys)
        == "id,name,color,total,done,createdAt\n")
  }
}

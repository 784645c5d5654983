import Foundation
import Testing
import TodoFormats

@Suite("TaskFormat")
struct TaskFormatTests {
  @Test(arguments: Samples.all.map(\.format))
  func theFormatOfASampleIsDetectedByItsContent(format: TaskFormat) throws {
    let sample = try #require(Samples.all.first { $0.format == format })
    #expect(TaskFormat.detect(in: Data(sample.text.utf8)) == format)
    #expect(TaskFormat.detect(in: Data(sample.text.utf8), fileName: "x.txt") == format)
  }

  @Test(arguments: TaskFormat.allCases)
  func aFormatIsFoundByItsName(format: TaskFormat) {
    #expect(TaskFormat(name: format.name) == format)
    #expect(TaskFormat(name: format.name.uppercased()) == format)
  }

  /// An export says all that an item has; only objects and tables of others may leave some of it out.
  @Test(arguments: TaskFormat.allCases)
  func whatWeWriteLeavesNoFieldOfAnItemOut(format: TaskFormat) throws {
    let file = read(write([TaskRecord(title: "a")], format).text, format)
    let fields: [TaskField] = [
      .title, .notes, .group, .tags, .isDone, .isCancelled, .createdAt, .doneAt, .due, .dueTime,
      .wait, .priority, .isImportant, .repeats,
    ]
    #expect(try #require(file.omissions.first).fields.isDisjoint(with: fields))
    let sample = read(Samples.all.first { $0.format == format }?.text ?? "", format)
    #expect(sample.omissions.count == sample.records.count)
    if [.todoTxt, .taskwarrior, .vtodo, .markdown].contains(format) {
      #expect(sample.omissions.allSatisfy { $0.fields.isEmpty })
    }
  }

  @Test func textThatIsNothingIsNothing() {
    #expect(TaskFormat.detect(in: Data("Dear Sir,\nthank you.\n".utf8)) == nil)
    #expect(TaskFormat.detect(in: Data()) == nil)
    #expect(TaskFormat.detect(in: Data([0xFF, 0xFE, 0x00])) == nil)
    #expect(TaskFormat(name: "org") == nil)
  }

  @Test func theNameOfAFileDecidesWhereTheContentDoesNot() {
    let lines = Data("Buy milk\nPay rent\n".utf8)
    #expect(TaskFormat.detect(in: lines, fileName: "todo.txt") == .todoTxt)
    #expect(TaskFormat.detect(in: lines, fileName: "notes.md") == .markdown)
    #expect(TaskFormat.detect(in: Data(), fileName: "a/b.ics") == .vtodo)
  }

  @Test func oneObjectALineOfTaskwarriorIsTaskwarrior() {
    let text = #"{"description":"a","status":"pending"}"# + "\n" + #"{"description":"b"}"#
    #expect(TaskFormat.detect(in: Data(text.utf8)) == .taskwarrior)
  }

  @Test func aMarkIsNoReasonNotToDetect() {
    let text = "\u{FEFF}title\tdue\nMilk\t2026-01-01\n"
    #expect(TaskFormat.detect(in: Data(text.utf8)) == .csv)
  }

  @Test func aLineThatBeginsWithABracketIsNoJSON() {
    let text = "[call] Mom @phone due:2026-01-01\n"
    #expect(TaskFormat.detect(in: Data(text.utf8)) == .todoTxt)
  }
}

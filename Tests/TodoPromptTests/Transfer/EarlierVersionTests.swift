import Foundation
import TestSupport
import Testing
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// Items that an earlier version imported keep what that did not understand.
@Suite struct EarlierVersionTests {
  /// A file, and what its items became before recurrences and wait dates were understood.
  private struct Sample {
    let format: TaskFormat
    let text: String
    /// What the item has by the present version.
    let rule: String?
    let hiddenUntil: String?
  }

  private static let samples = [
    Sample(
      format: .todoist,
      text: "TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG\n"
        + "task,Water,4,1,every monday at 9am,en\n", rule: "mon", hiddenUntil: nil),
    Sample(
      format: .taskwarrior,
      text: """
        [
        {"description":"Water","entry":"20261201T080000Z","status":"waiting",\
        "uuid":"00000000-0000-4000-8000-000000000001","wait":"20270304T000000Z"}
        ]

        """, rule: nil, hiddenUntil: "2027-03-04"),
    Sample(
      format: .vtodo,
      text: """
        BEGIN:VCALENDAR
        VERSION:2.0
        BEGIN:VTODO
        UID:one@example.org
        SUMMARY:Water
        DUE;VALUE=DATE:20270112
        RRULE:FREQ=MONTHLY;BYDAY=2TU
        STATUS:NEEDS-ACTION
        END:VTODO
        END:VCALENDAR

        """.replacing("\n", with: "\r\n"), rule: "second tue", hiddenUntil: nil),
    Sample(
      format: .markdown, text: "- [ ] Water 🔁 every other monday ⏳ 2027-03-04\n", rule: nil,
      hiddenUntil: "2027-03-04"),
  ]

  /// A store with the items that an earlier version made of a file.
  private func place(of sample: Sample) throws -> Place {
    let place = try Place()
    _ = try place.importText(sample.text, as: sample.format)
    for item in try place.repository.items(.all) {
      #expect(item.repeats?.rawValue == sample.rule)
      #expect(item.hiddenUntil == sample.hiddenUntil.flatMap { CalendarDay($0) })
      let record = try #require(item.foreignRecord)
      var object = try #require(
        try JSONSerialization.jsonObject(with: record) as? [String: Any])
      #expect(object.removeValue(forKey: "v") != nil)
      var old = item
      old.foreignRecord = try JSONSerialization.data(withJSONObject: object)
      (old.repeats, old.hiddenUntil, old.dueTime) = (nil, nil, nil)
      if sample.format == .todoist { old.due = nil }
      _ = try place.repository.perform(.edit([item.id], ItemPatch(from: item, to: old)))
    }
    return place
  }

  /// An export took the empty field of the item for a recurrence that the user had removed.
  @Test func whatWasNotUnderstoodGoesOutUnchanged() throws {
    for sample in Self.samples {
      let place = try place(of: sample)
      let original = place.records(sample.text, sample.format)
      #expect(place.records(place.export(sample.format), sample.format) == original)
      let id = try #require(try place.repository.items(.all).first).id.uuidString
      #expect(place.terminal.run(["pri", id, "high"]).status == .done)
      let changed = try #require(place.records(place.export(sample.format), sample.format).first)
      #expect(changed.priority == .high)
      #expect(changed.repeats == original.first?.repeats && changed.wait == original.first?.wait)
    }
  }

  /// A recurrence of the user replaces the one that was not understood.
  @Test func whatTheUserChangesIsWritten() throws {
    for sample in Self.samples where sample.format != .markdown {
      let place = try place(of: sample)
      let id = try #require(try place.repository.items(.all).first).id.uuidString
      #expect(place.terminal.run(["repeat", id, "2 weeks"]).status == .done)
      #expect(place.terminal.run(["wait", id, "2028-01-01"]).status == .done)
      let changed = try #require(place.records(place.export(sample.format), sample.format).first)
      #expect(changed.repeats.flatMap(RepeatRule.init)?.rawValue == "2 weeks")
      if sample.format == .taskwarrior {
        #expect(changed.wait?.description.hasPrefix("2028") == true)
      }
    }
  }

  /// The next import of the same file brings in what is understood by now, and nothing else.
  @Test func theNextImportUnderstandsIt() throws {
    for sample in Self.samples {
      let place = try place(of: sample)
      let old = try #require(try place.repository.items(.all).first)
      #expect(place.terminal.run(["note", old.id.uuidString, "mine"]).status == .done)
      let isNew = sample.rule != nil || sample.hiddenUntil != nil
      let answer = try place.importText(sample.text, as: sample.format)
      #expect(answer.contains(isNew ? ", 1 changed" : ", 0 changed"), "\(answer)")
      let item = try #require(try place.repository.item(old.id))
      #expect(item.repeats?.rawValue == sample.rule && item.note == "mine")
      #expect(item.hiddenUntil == sample.hiddenUntil.flatMap { CalendarDay($0) })
      let again = try place.importText(sample.text, as: sample.format)
      #expect(again.contains(": 0 added, 0 changed, 1 unchanged"), "\(again)")
      // From now on an empty field is what the user wants.
      #expect(place.terminal.run(["repeat", old.id.uuidString, "none"]).status == .done)
      let exported = try #require(place.records(place.export(sample.format), sample.format).first)
      if sample.rule != nil { #expect(exported.repeats == nil) }
    }
  }

  /// A plain recurrence was understood by every version, so an empty field is one that the user removed.
  @Test func whatWasUnderstoodAndRemovedIsNotWritten() throws {
    let sample = Sample(
      format: .todoTxt, text: "Water due:2027-01-05 rec:+2w\n", rule: "2 weeks", hiddenUntil: nil)
    let place = try place(of: sample)
    #expect(place.export(.todoTxt) == "Water due:2027-01-05\n")
    #expect(try place.importText(sample.text, as: .todoTxt).contains(": 0 added, 0 changed"))
  }

  /// Labels in a column of their own, and dates with the name of a month, were verbatim pieces before.
  @Test func verbatimPiecesThatAreFieldsByNowGoOutUnchanged() throws {
    let text =
      "TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG,LABELS\n"
      + "task,Water,4,1,5 Oct 2027,en,\"home,garden\"\n"
    let place = try Place()
    _ = try place.importText(text, as: .todoist)
    let item = try #require(try place.repository.items(.all).first)
    #expect(item.tags == ["home", "garden"] && item.due == CalendarDay("2027-10-05"))
    var record = try #require(try item.record())
    record.tags = []
    record.due = nil
    record.readerVersion = nil
    var old = item
    (old.tags, old.due, old.foreignRecord) = ([], nil, try JSONEncoder().encode(record))
    _ = try place.repository.perform(.edit([item.id], ItemPatch(from: item, to: old)))
    let exported = place.export(.todoist)
    #expect(exported.contains("5 Oct 2027") && exported.contains("\"home,garden\""), "\(exported)")
    #expect(try place.importText(text, as: .todoist).contains(": 0 added, 1 changed"))
    let now = try #require(try place.repository.item(item.id))
    #expect(now.tags == item.tags && now.due == item.due)
  }
}

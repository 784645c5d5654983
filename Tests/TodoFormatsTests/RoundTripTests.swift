import Foundation
import TestSupport
import Testing

@testable import TodoFormats

@Suite("Round trips")
struct RoundTripTests {
  /// Records that a format can say are read as they were written, without a warning.
  @Test(arguments: TaskFormat.allCases)
  func whatAFormatCanSayIsReadAsItWasWritten(format: TaskFormat) {
    var random = SeededGenerator.forTest("whatAFormatCanSayIsReadAsItWasWritten \(format)")
    for _ in 0..<60 {
      let random = (0..<(1 + random.below(5))).map { _ in
        RandomRecord.sayable(in: format, &random)
      }
      let records = gathered(random, format)
      let output = write(records, format)
      #expect(output.warnings.isEmpty, "\(output.warnings)")
      let file = read(output.text, format)
      #expect(file.issues.filter { $0.severity == .error }.isEmpty)
      #expect(file.records == records, "\(output.text)")
      #expect(
        TaskFormat.detect(in: Data(output.text.utf8), fileName: "a.txt") == format
          || format == .markdown)
    }
  }

  /// Records in the order in which a format has them: two gather them by group.
  private func gathered(_ records: [TaskRecord], _ format: TaskFormat) -> [TaskRecord] {
    guard [.markdown, .todoist].contains(format) else { return records }
    var names: [String] = []
    for record in records {
      if let group = record.group, !names.contains(group) { names.append(group) }
    }
    return records.filter { $0.group == nil }
      + names.flatMap { name in records.filter { $0.group == name } }
  }

  /// A field that another record has after writing and reading is one that was warned of.
  @Test(arguments: TaskFormat.allCases)
  func whatIsLostIsWarnedOf(format: TaskFormat) throws {
    var random = SeededGenerator.forTest("whatIsLostIsWarnedOf \(format)")
    let precision: TimePrecision =
      [.todoTxt, .markdown].contains(format) ? .days(options().timeZone) : .seconds
    for _ in 0..<400 {
      let record = RandomRecord.any(for: format, &random)
      let output = write([record], format)
      let warned = Set(output.warnings.compactMap(\.field))
      let records = read(output.text, format).records
      guard records.count == 1, let read = records.first else {
        #expect(!warned.isDisjoint(with: [.title, .isDone]), "\(output.text.debugDescription)")
        continue
      }
      let lost = Set(record.differences(from: read, precision: precision))
      #expect(
        lost.isSubset(of: warned),
        "\(lost.subtracting(warned)) of \(record) in \(output.text.debugDescription)")
    }
  }

  /// Files that are broken at random are read the same after they were written.
  @Test(arguments: Samples.all.map(\.format))
  func whatIsReadIsWrittenAndReadTheSame(format: TaskFormat) throws {
    var random = SeededGenerator.forTest("whatIsReadIsWrittenAndReadTheSame \(format)")
    let sample = try #require(Samples.all.first { $0.format == format }).text
    var count = 0
    for _ in 0..<400 {
      let data = RandomRecord.broken(sample, &random)
      let first = format.read(data, options())
      let output = write(first.records, format)
      let second = read(output.text, format)
      let warned = Set(output.warnings.compactMap(\.row))
      guard warned.isEmpty else { continue }
      count += 1
      #expect(second.errors.isEmpty, "\(second.errors) in \(output.text)")
      #expect(
        second.records == gathered(first.records, format),
        "\(String(decoding: data, as: UTF8.self)) became \(output.text)")
      #expect(write(second.records, format).text == output.text)
    }
    #expect(count > 100)
  }

  /// Of the formats that promise it, each line, attribute or property of a task is there again.
  @Test(arguments: [TaskFormat.todoTxt, .taskwarrior, .vtodo])
  func nothingOfATaskIsLost(format: TaskFormat) throws {
    var random = SeededGenerator.forTest("nothingOfATaskIsLost \(format)")
    let sample = try #require(Samples.all.first { $0.format == format }).text
    for _ in 0..<300 {
      let data = RandomRecord.broken(sample, &random)
      let file = format.read(data, options())
      let text = write(file.records, format).text
      switch format {
      case .todoTxt:
        let lines = String(decoding: data, as: UTF8.self).lineTexts
        let expected = file.rows.map { lines[$0 - 1] + "\n" }.joined()
        #expect(Array(text.utf8) == Array(expected.utf8))
      case .taskwarrior:
        let again = read(text, format).records
        for (one, other) in zip(file.records, again) {
          #expect(Set(one.unknown).isSubset(of: Set(other.unknown)))
        }
        #expect(again.count == file.records.count)
      default:
        for part in file.records.flatMap(\.unknown) {
          let folded = part.text.split(separator: "\n").map { ContentLine.folded(String($0)) }
            .joined()
          #expect(text.contains(folded), "\(part)")
        }
      }
    }
  }

  @Test(arguments: TaskFormat.allCases)
  func noBytesCrashAReader(format: TaskFormat) throws {
    var random = SeededGenerator.forTest("noBytesCrashAReader \(format)")
    for sample in Samples.all {
      for end in stride(from: 0, to: sample.text.utf8.count, by: sample.format == format ? 1 : 37) {
        let data = Data(sample.text.utf8.prefix(end))
        _ = TaskFormat.detect(in: data)
        _ = format.read(data, options())
      }
    }
    for _ in 0..<300 {
      let bytes = (0..<random.below(200)).map { _ in UInt8(random.below(256)) }
      let data = Data(bytes)
      _ = TaskFormat.detect(in: data)
      _ = format.read(data, options())
    }
  }

  /// The issues of readers and writers were English alone, also in Korean answers.
  @Test func everyIssueIsToldInBothLanguages() throws {
    var random = SeededGenerator.forTest("everyIssueIsToldInBothLanguages")
    var texts: [String: String] = [:]
    for sample in Samples.all {
      for _ in 0..<150 {
        let data = RandomRecord.broken(sample.text, &random)
        let file = sample.format.read(data, options())
        for issue in file.issues { texts[issue.text.english] = issue.text.korean }
      }
      for _ in 0..<20 {
        let output = write([RandomRecord.any(for: sample.format, &random)], sample.format)
        for issue in output.warnings { texts[issue.text.english] = issue.text.korean }
      }
    }
    #expect(texts.count > 50)
    for (english, korean) in texts {
      #expect(korean.contains(/[가-힣]/) && korean != english, "\(english)")
      #expect(english.hasSuffix(".") && korean.hasSuffix("."), "\(english) \(korean)")
    }
  }

  @Test func noDateCrashesAWriter() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e12, -1e12, 0.5, -0.5] {
      var record = TaskRecord(title: "a")
      record.isDone = true
      record.createdAt = Date(timeIntervalSince1970: seconds)
      record.doneAt = Date(timeIntervalSinceReferenceDate: seconds)
      for format in TaskFormat.allCases { #expect(!write([record], format).text.isEmpty) }
    }
  }
}

import LMDB
import Testing
import TestSupport

@testable import Croft

@Suite struct LogRecordTests {
  @Test func aRecordIsVersionModelsCountsAndKeysAsTheFormatSays() throws {
    let commit = LogRecord(
      sequence: 7,
      models: [
        .init(model: 1, keys: [[0x80, 1], [0x80, 1, 0]]), .init(model: 0x0102, keys: []),
      ])
    let bytes: [UInt8] =
      [1, 0, 0, 0, 2, 0, 0, 0] + [2, 0x80, 1] + [3, 0x80, 1, 0] + [2, 1, 0, 0, 0, 0, 0, 0]
    let record = [2] + bytes
    #expect(commit.record == record + Checksum.bytes(CommitLog.key(7), record))
    #expect(LogRecord(sequence: 7, commit.record) == commit)
    #expect(LogRecord(sequence: 8, commit.record) == nil)
    // Records of the first version have no checksum.
    #expect(LogRecord(sequence: 7, [1] + bytes) == commit)
    #expect(LogRecord(sequence: 9, [1]) == LogRecord(sequence: 9, models: []))
  }

  @Test func aModelWhoseKeysDoNotFitIsSaidToHaveChanged() {
    var encoder = LogRecordEncoder(largestKeyBytes: 40)
    for (model, count) in [(1, 2), (2, 9), (3, 1), (4, 3)] {
      encoder.beginModel(model)
      for key in 0..<UInt8(count) { [key, 5].withUnsafeBytes { unsafe encoder.append(key: $0) } }
    }
    let record = unsafe Array(encoder.bytes.bytes)
    let read = LogRecord(sequence: 1, record + Checksum.bytes(CommitLog.key(1), record))
    let keys = [[[0, 5], [1, 5]], [], [[0, 5]], []] as [[[UInt8]]]
    #expect(read?.models.map(\.model) == [1, 2, 3, 4])
    #expect(read?.models.map(\.keys) == keys)
  }

  @Test func recordsOfOtherVersionsAreNotRead() {
    #expect(LogRecord(sequence: 1, []) == nil)
    #expect(LogRecord(sequence: 1, [0]) == nil)
    #expect(LogRecord(sequence: 1, [2]) == nil)
    #expect(LogRecord(sequence: 1, [3]) == nil)
  }

  @Test(
    arguments: [
      [1, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 255, 255, 255, 255, 1, 5],
      [1, 0, 0, 0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 3, 1, 2],
      [1, 0, 0, 0, 2, 0, 0, 0, 1, 5, 1, 5], [1, 0, 0, 0, 2, 0, 0, 0, 1, 5, 1, 4],
      [2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func whatIsCutOffOrOutOfOrderIsNotRead(body: [UInt8]) {
    #expect(LogRecord(sequence: 1, ([1] + body)) == nil)
  }

  /// Encoding what was read gives the same bytes, so that no byte was skipped.
  @Test func damagedRecordsAreReadExactlyOrNotAtAll() {
    var random = SeededGenerator.forTest("damagedRecordsAreReadExactlyOrNotAtAll")
    for _ in 0..<2_000 {
      let commit = LogRecord.random(&random)
      #expect(LogRecord(sequence: commit.sequence, commit.record) == commit)
      var bytes = commit.record
      for _ in 0...random.below(3) { Self.damage(&bytes, &random) }
      guard let read = LogRecord(sequence: commit.sequence, bytes) else { continue }
      // A record of the first version has the same bytes without a checksum.
      let isFirst = bytes.first == LogRecord.versionWithoutChecksum
      #expect((isFirst ? [1] + read.record.dropFirst().dropLast(4) : read.record) == bytes)
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = random.below(bytes.count)
    switch random.below(4) {
    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes[place] &+= 1
    case 2: bytes.removeSubrange(place...)
    default: bytes.insert(UInt8(random.below(3)), at: place)
    }
  }
}

extension LogRecord {
  init?(sequence: UInt64, _ bytes: [UInt8]) { self.init(sequence: sequence, bytes.span.bytes) }

  /// The commit's record.
  var record: [UInt8] {
    var encoder = LogRecordEncoder()
    for entry in models {
      encoder.beginModel(entry.model)
      for key in entry.keys { key.withUnsafeBytes { unsafe encoder.append(key: $0) } }
    }
    let body = unsafe Array(encoder.bytes.bytes)
    return body + Checksum.bytes(CommitLog.key(sequence), body)
  }

  static func random(_ random: inout SeededGenerator) -> LogRecord {
    var models: [ModelKeys] = []
    for _ in 0..<random.below(4) {
      let last = models.last?.model ?? 0
      let keys = Set(
        (0..<random.below(5)).map { _ in
          (0...random.below(random.oneIn(9) ? 200 : 9)).map { _ in UInt8(random.below(256)) }
        })
      models.append(
        ModelKeys(
          model: last + 1 + random.below(300),
          keys: keys.sorted { $0.lexicographicallyPrecedes($1) }))
    }
    return LogRecord(sequence: random.next(), models: models)
  }
}

import Foundation
import LMDB
import Testing

@testable import Croft

@Suite struct CommitLogTests {
  /// Passes an empty log in a file of its own to a test.
  private func withLog(_ body: (LMDB.Environment, CommitLog) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    do {
      var options = LMDB.Environment.Options()
      options.mapSizeBytes = 256 << 20
      options.durability = .unsafe
      let environment = try LMDB.Environment.open(
        at: folder.appending(path: "log").path, options: options)
      let tree = try environment.write { try $0.openDatabase(named: CommitLog.treeName) }
      try body(environment, CommitLog(tree: tree))
    }
    try FileManager.default.removeItem(at: folder)
  }

  /// A commit of one model that changed keys of a number of bytes.
  private func commit(_ sequence: UInt64, keyBytes: Int = 8) -> LogRecord {
    let keys = (0..<max(1, keyBytes / 100)).map { place in
      [UInt8(place)] + Array(repeating: UInt8(sequence & 0xFF), count: min(keyBytes, 100) - 1)
    }
    return LogRecord(sequence: sequence, models: [.init(model: 3, keys: keys)])
  }

  private func append(
    _ commit: LogRecord, to log: CommitLog, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    var encoder = LogRecordEncoder()
    for entry in commit.models {
      encoder.beginModel(entry.model)
      for key in entry.keys { key.withUnsafeBytes { unsafe encoder.append(key: $0) } }
    }
    try log.append(encoder.bytes, of: commit.sequence, &transaction)
  }

  @Test func commitsComeBackInOrderFromAnyPlace() throws {
    try withLog { environment, log throws in
      for sequence in 5...300 as ClosedRange<UInt64> {
        try environment.write { try append(commit(sequence), to: log, &$0) }
      }
      try environment.read { tx throws in
        for known in [4, 5, 200, 298, 299, 300] as [UInt64] {
          let expected = (known..<300).map { commit($0 + 1) }
          #expect(try log.commits(after: known, through: 300, in: tx) == expected)
        }
        #expect(try log.commits(after: 10, through: 12, in: tx) == [commit(11), commit(12)])
      }
    }
  }

  @Test func aGapIsFoundWhereverItIs() throws {
    try withLog { environment, log throws in
      try environment.write { tx throws in
        for sequence in [2, 3, 5, 6] as [UInt64] { try append(commit(sequence), to: log, &tx) }
      }
      try environment.read { tx throws in
        #expect(try log.commits(after: 0, through: 3, in: tx) == nil)
        #expect(try log.commits(after: 2, through: 5, in: tx) == nil)
        #expect(try log.commits(after: 4, through: 7, in: tx) == nil)
        #expect(try log.commits(after: 6, through: 8, in: tx) == nil)
        #expect(try log.commits(after: 4, through: 6, in: tx)?.count == 2)
        #expect(try log.commits(after: 9, through: 8, in: tx) == nil)
      }
    }
  }

  @Test func aRecordThatCannotBeReadIsAGap() throws {
    try withLog { environment, log throws in
      try environment.write { tx throws in
        for sequence in 1...3 as ClosedRange<UInt64> {
          try append(commit(sequence), to: log, &tx)
        }
        let (key, bytes) = (CommitLog.key(2), [UInt8](repeating: 9, count: 5))
        try tx.put(bytes.span.bytes, at: key.span.bytes, in: log.tree)
      }
      try environment.read { tx throws in
        #expect(try log.commits(after: 0, through: 3, in: tx) == nil)
        #expect(try log.commits(after: 2, through: 3, in: tx) == [commit(3)])
      }
    }
  }

  @Test func noMoreCommitsAreKeptThanTheBoundSays() throws {
    try withLog { environment, log throws in
      let last: UInt64 = 10_000
      var least = Threshold.loggedCommits.value
      for sequence in 1...last {
        try environment.write { tx throws in
          try append(commit(sequence), to: log, &tx)
          let count = try tx.count(of: log.tree)
          #expect(count <= Threshold.loggedCommits.value)
          if sequence > Threshold.loggedCommits.value { least = min(least, count) }
        }
      }
      // The newest are kept, and never fewer than seven eighths of the bound.
      #expect(least >= Threshold.loggedCommits.value / 8 * 7)
      try environment.read { tx throws in
        let count = UInt64(try tx.count(of: log.tree))
        #expect(try log.commits(after: last - count, through: last, in: tx) != nil)
        #expect(try log.commits(after: last - count - 1, through: last, in: tx) == nil)
      }
    }
  }

  @Test func noMoreBytesAreKeptThanTheBoundSays() throws {
    try withLog { environment, log throws in
      for sequence in 1...1_000 as ClosedRange<UInt64> {
        try environment.write { tx throws in
          let keyBytes = sequence < 900 ? Threshold.loggedKeyBytes.value - 400 : 8
          try append(commit(sequence, keyBytes: keyBytes), to: log, &tx)
          #expect(try tx.statistics(of: log.tree).bytes <= Threshold.loggedBytes.value)
        }
      }
      try environment.read { tx throws in
        let commits = try log.commits(after: 800, through: 1_000, in: tx)
        #expect(commits?.map(\.sequence) == Array(801...1_000))
      }
    }
  }
}

import LMDB
import TestSupport
import Testing

@testable import Croft

/// The tree of a search index has the terms of its rows, whatever was written, undone and merged.
@Suite struct TextTreeTests {
  /// Limits that a few rows exceed.
  private static func tiny(_ random: inout SeededGenerator) -> TextIndexBounds {
    TextIndexBounds(
      waitingRows: random.pick([0, 4, 24]), waitingBytes: random.pick([0, 200, 100_000]),
      segmentsPerMerge: 2 + random.below(3), longestBlock: random.pick([20, 60, 400]),
      leastMoved: random.pick([1, 100, 2_000]))
  }

  /// Keys of a few lengths, in no order.
  private static func key(_ place: Int) -> [UInt8] {
    let hash = UInt8(truncatingIfNeeded: place &* 0x9E37_79B1)
    return [hash, UInt8(place & 0xFF)] + [UInt8](repeating: hash, count: place % 5 * 40)
  }

  private static func changes(
    _ random: inout SeededGenerator, keys: Int
  ) -> [[UInt8]: [String]?] {
    var changes: [[UInt8]: [String]?] = [:]
    for _ in 0...random.below(random.oneIn(5) ? 30 : 3) {
      let key = key(random.below(keys))
      changes[key] = random.oneIn(4) ? .some(nil) : [random.searchedText(), random.searchedText()]
    }
    return changes
  }

  @Test func theTreeHasTheTermsOfItsTwin() throws {
    var random = SeededGenerator.forTest("TextTreeTests")
    var total = TextTreeTwin.Counts()
    for _ in 0..<Torture.steps(short: 8, long: 400) {
      let twin = try TextTreeTwin(Self.tiny(&random))
      if random.oneIn(3) {
        for start in [0, 20] {
          let built = (start..<start + 20).map {
            (Self.key($0), [random.searchedText(), random.searchedText()])
          }
          try twin.build(Dictionary(uniqueKeysWithValues: built))
        }
      }
      for step in 0..<60 {
        let changes = Self.changes(&random, keys: 50)
        try twin.commit(changes, isUndone: random.oneIn(12))
        try twin.check("seed \(random.seed), step \(step)")
      }
      total.merging += twin.counts.merging
      total.undone += twin.counts.undone
      total.postings += twin.counts.postings
    }
    #expect(total.merging > 20)
    #expect(total.undone > 8)
    print("counts: postings compared \(total.postings), commits while merging \(total.merging)")
  }

  @Test func aTreeWhoseRowsAreGoneHasNoSegments() throws {
    let bounds = TextIndexBounds(waitingRows: 0, segmentsPerMerge: 2, leastMoved: 1 << 20)
    let twin = try TextTreeTwin(bounds)
    for place in 0..<100 { try twin.commit([Self.key(place): ["우유 \(place)", "a"]]) }
    for place in 0..<100 { try twin.commit([Self.key(place): nil as [String]?]) }
    // Each flush moves what there is, so that the last dead numbers go with these.
    for place in 0..<4 { try twin.commit([Self.key(place): nil as [String]?]) }
    try twin.check("the end")
    try twin.environment.read { transaction in
      let head = try twin.index.head(in: transaction)
      #expect(head.segments == [])
      #expect(head.live == 0)
      #expect(head.lengths == [0, 0])
      // All that is left is the head, the bits of dead numbers, and the last group of owners.
      #expect(try transaction.count(of: twin.index.tree) == 3)
    }
  }

  /// The level of a segment grows with its size, so that few are searched.
  @Test func segmentsAreFew() throws {
    let bounds = TextIndexBounds(
      waitingRows: 0, segmentsPerMerge: 4, longestBlock: 100, leastMoved: 200)
    let twin = try TextTreeTwin(bounds)
    var most = 0
    for place in 0..<300 {
      try twin.commit([Self.key(place): ["w\(place % 7) w\(place)", "우유"]])
      most = try twin.environment.read { max(most, try twin.index.head(in: $0).segments.count) }
    }
    try twin.check("the end")
    #expect(most < 40)
  }

  @Test func aDamagedHeadIsAnError() throws {
    let twin = try TextTreeTwin(TextIndexBounds())
    try twin.commit([[1]: ["a", "b"]])
    var record = try twin.environment.read { try twin.index.head(in: $0).record }
    for place in record.indices {
      record[place] ^= 0x10
      #expect(TextIndexHead(record, properties: 2) == nil)
      #expect(TextIndexHead(Array(record[..<place]), properties: 2) == nil)
      record[place] ^= 0x10
    }
    #expect(TextIndexHead(record, properties: 1) == nil)
    record[3] ^= 1
    try twin.environment.write {
      try $0.put(
        record.span.bytes, at: [UInt8](repeating: 0, count: 1).span.bytes, in: twin.index.tree)
    }
    let error = #expect(throws: StoreError.self) {
      try twin.environment.read { try twin.index.head(in: $0) }
    }
    #expect("\(error, default: "")".contains("rebuildIndexes()"))
  }
}

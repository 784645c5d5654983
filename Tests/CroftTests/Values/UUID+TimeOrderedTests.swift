import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// A source of randomness that always gives the same bits.
private struct Constant: RandomNumberGenerator {
  let bits: UInt64
  mutating func next() -> UInt64 { bits }
}

extension UUID {
  fileprivate var milliseconds: UInt64 { words.0 >> 16 }
  fileprivate var version: UInt64 { words.0 >> 12 & 0xF }
  fileprivate var variant: UInt64 { words.1 >> 62 }
}

@Suite(.serialized) struct UUIDTimeOrderedTests {
  @Test func versionAndVariantAreThoseOfRFC9562() {
    for _ in 0..<1_000 {
      let uuid = UUID.timeOrdered()
      #expect(uuid.version == 7)
      #expect(uuid.variant == 0b10)
    }
  }

  @Test func theFirstBitsAreTheTimeInMilliseconds() {
    let before = UInt64(Date.now.timeIntervalSince1970 * 1000)
    let time = UUID.timeOrdered().milliseconds
    // Values made faster than one a millisecond, or under a test's clock, run ahead of the clock.
    #expect(time >= before)
  }

  @Test func aHundredThousandAscendStrictly() {
    var last = UUID.timeOrdered()
    var descents = 0
    for _ in 0..<100_000 {
      let next = UUID.timeOrdered()
      if next.words.0 < last.words.0
        || (next.words.0 == last.words.0 && next.words.1 <= last.words.1)
      {
        descents += 1
      }
      last = next
    }
    #expect(descents == 0)
  }

  @Test func thoseOfManyThreadsAreDistinctAndEachThreadsAscend() async {
    let all = await withTaskGroup(of: [UUID].self) { group in
      for _ in 0..<8 { group.addTask { (0..<5_000).map { _ in UUID.timeOrdered() } } }
      return await group.reduce(into: [[UUID]]()) { $0.append($1) }
    }
    #expect(Set(all.joined()).count == 40_000)
    for uuids in all {
      #expect(zip(uuids, uuids.dropFirst()).allSatisfy { $0.uuidString < $1.uuidString })
    }
  }

  @Test func aClockThatStepsBackDoesNotTurnTheOrder() {
    var random = SeededGenerator(seed: 1)
    let now = UUID.timeOrdered().milliseconds + 10
    var last = UUID.timeOrdered(milliseconds: now, using: &random)
    #expect(last.milliseconds == now)
    for back in [0, 1, 1_000, 1_000_000] as [UInt64] {
      let next = UUID.timeOrdered(milliseconds: now - back, using: &random)
      #expect(next.uuidString > last.uuidString)
      #expect(next.milliseconds == now)
      last = next
    }
  }

  @Test func withinAMillisecondTheCounterAscends() {
    var random = Constant(bits: 0)
    let now = UUID.timeOrdered().milliseconds + 10
    let first = UUID.timeOrdered(milliseconds: now, using: &random)
    let second = UUID.timeOrdered(milliseconds: now, using: &random)
    #expect(second.words.1 == first.words.1 + 1)
    let later = UUID.timeOrdered(milliseconds: now + 1, using: &random)
    #expect(later.milliseconds == now + 1)
  }

  @Test func aFullCounterBorrowsTheNextMillisecond() {
    var full = TimeOrderedState(milliseconds: 5, high: (1 << 12) - 1, low: (1 << 62) - 1)
    full.count(by: 1)
    #expect((full.milliseconds, full.high, full.low) == (6, 0, 0))
    var low = TimeOrderedState(milliseconds: 5, high: 3, low: (1 << 62) - 2)
    low.count(by: 5)
    #expect((low.milliseconds, low.high, low.low) == (5, 4, 3))
  }
}

import TestSupport
import Testing

@testable import Croft

/// Stamps, and the clock that gives them.
@Suite struct ReplicaClockTests {
  @Test func stampsAscendWhateverTheLocalClockDoes() {
    var random = SeededGenerator.forTest("stamps")
    var clock = ReplicaClock(replica: 3)
    var last = Stamp(time: 0, replica: 3)
    for _ in 0..<1_000 {
      if random.oneIn(5) { clock.offset = Int64(random.below(2_000_000)) - 1_000_000 }
      let stamp = clock.tick(UInt64(random.below(1_000_000)))
      #expect(stamp > last, "seed \(random.seed)")
      last = stamp
    }
  }

  @Test func theServersTimeIsTheLocalOneWithTheOffset() {
    var clock = ReplicaClock(replica: 1)
    #expect(clock.tick(1_000).time == 1_000 << 16)
    #expect(clock.tick(1_000).time == 1_000 << 16 + 1)
    clock.offset = 500
    #expect(clock.tick(1_000).time == 1_500 << 16)
    // A clock before 1970 by the server's time gives one stamp after the other.
    clock.offset = -9_000
    #expect(clock.tick(1_000).time == 1_500 << 16 + 1)
  }

  @Test func stampsCompareAsTheirBytes() {
    var random = SeededGenerator.forTest("bytes of stamps")
    func stamp() -> Stamp {
      Stamp(time: UInt64(random.below(3)) << 60, replica: UInt16(random.below(3)))
    }
    for _ in 0..<200 {
      let (left, right) = (stamp(), stamp())
      #expect((left < right) == left.bytes.lexicographicallyPrecedes(right.bytes))
    }
  }

  @Test func theRecordIsReadAsItWasWritten() {
    var clock = ReplicaClock(replica: 500)
    (clock.offset, clock.last, clock.sent) = (-70_000, 1 << 62, 77)
    #expect(ReplicaClock(clock.bytes) == clock)
    for place in clock.bytes.indices {
      var damaged = clock.bytes
      damaged[place] ^= 1
      #expect(ReplicaClock(damaged) == nil)
    }
    #expect(ReplicaClock(clock.bytes.dropLast()) == nil)
    #expect(ReplicaClock([]) == nil)
  }
}

extension Stamp {
  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}

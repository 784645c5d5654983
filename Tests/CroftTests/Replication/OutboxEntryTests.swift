import TestSupport
import Testing

@testable import Croft

/// Entries of the outbox as bytes.
@Suite struct OutboxEntryTests {
  private func entry(_ random: inout SeededGenerator) -> OutboxEntry {
    func stamp() -> Stamp { Stamp(time: random.next(), replica: UInt16(random.below(1 << 16))) }
    var entry = OutboxEntry(
      random.pick([.insertion, .update, .deletion, .replacement]), at: stamp())
    for _ in 0..<random.below(5) {
      entry.stamps[UInt16(random.below(300))] = stamp()
      entry.server[UInt16(random.below(300))] = OutboxEntry.Field(
        random.oneIn(3) ? nil : (0..<random.below(9)).map { UInt8($0) })
    }
    if random.oneIn(3) { entry.priorInsertions = (0...random.below(3)).map { _ in stamp() } }
    return entry
  }

  @Test func anEntryIsReadAsItWasWritten() {
    var random = SeededGenerator.forTest("entries")
    for _ in 0..<500 {
      let entry = entry(&random)
      #expect(OutboxEntry(entry.bytes[...]) == entry, "seed \(random.seed)")
    }
  }

  @Test func bytesThatAreNoEntryAreRefused() {
    var random = SeededGenerator.forTest("damaged entries")
    for _ in 0..<500 {
      let bytes = entry(&random).bytes
      // A part is none, and neither is a whole one with more after it.
      #expect(OutboxEntry(bytes.prefix(random.below(bytes.count))) == nil, "seed \(random.seed)")
      #expect(OutboxEntry((bytes + [0])[...]) == nil, "seed \(random.seed)")
      var changed = bytes
      changed[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      // Whatever it says now, it is read within its bytes.
      _ = OutboxEntry(changed[...])
    }
  }
}

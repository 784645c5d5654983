import Harness
import Testing

/// In processes of their own: other tests allocate, and reset the peak, at the same time.
@Suite struct PeakMemoryTests {
  @Test func memoryThatWasGivenBackStillCounts() async {
    await #expect(processExitsWith: .success) {
      let memory = PeakMemory()
      touch(64 << 20)
      #expect(memory.growthBytes() >= 60 << 20)
    }
  }

  #if os(Linux)
    @Test func whatCameBeforeTheStartDoesNotHideTheGrowth() async {
      await #expect(processExitsWith: .success) {
        touch(256 << 20)
        let memory = PeakMemory()
        #expect(memory.growthBytes() < 4 << 20)
        touch(64 << 20)
        #expect((60 << 20..<100 << 20).contains(memory.growthBytes()))
      }
    }
  #endif
}

/// Allocates, writes to every page, frees.
private func touch(_ bytes: Int) {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
  for offset in stride(from: 0, to: bytes, by: 4_096) {
    memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
  }
  memory.deallocate()
}

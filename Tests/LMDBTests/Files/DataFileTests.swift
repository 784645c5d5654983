import TestSupport
import Testing

@testable import LMDB

#if os(Linux)
  @Suite struct DataFileTests {
    private let folder = TemporaryFolder()

    /// Two descriptors of a file have locks apart, as those of two processes have.
    private func file() throws -> DataFile { try DataFile(openingAt: folder.path(), .forTests()) }

    /// A process that wrote in a loop took the lock again and again, until others had waited for too long.
    @Test func aWaitingProcessIsNextWhenTheLockIsReleased() throws {
      let (looping, waiting) = (try file(), try file())
      let isFree = Deadline(after: .zero)
      for _ in 0..<20 {
        #expect(try looping.lock(before: isFree))
        let next = OtherThread { begun in
          begun()
          guard try waiting.lock(before: .farAhead) else { return }
        }
        // The holder of the lock may take it again, until the other's first attempt takes the turn.
        while try looping.lock(before: isFree) {}
        looping.unlock()
        #expect(try !looping.lock(before: isFree))
        next.join()
        waiting.unlock()
      }
      #expect(try looping.lock(before: isFree))
      looping.unlock()
    }
  }
#endif

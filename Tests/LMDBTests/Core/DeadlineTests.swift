import Testing

@testable import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct DeadlineTests {
  /// A clock of the year 3000 has more nanoseconds than 64 bits: opening a store trapped.
  @Test func aClockOfAnyYearHasDeadlines() {
    let now = Duration.seconds(40_000_000_000)
    #if !canImport(Darwin)
      let time = Deadline(after: .milliseconds(1_500), from: now).timespecForWaiting
      #expect(time.tv_sec == 40_000_000_001 && time.tv_nsec == 500_000_000)
    #endif
    #expect(Deadline(after: .seconds(10), from: now).remainingNanoseconds > 10_000_000_000)
    #expect(Deadline(after: .seconds(-1), from: .zero).remainingNanoseconds == 0)
  }
}

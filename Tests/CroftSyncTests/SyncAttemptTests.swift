import Synchronization
import Testing

@testable import CroftSync

/// Attempts to reach a server that does not answer, and the calls that come meanwhile.
@Suite struct SyncAttemptTests {
  private let household: Household

  init() throws { household = try Household() }

  /// A synchronization whose first push is under way, and gets no answer.
  private func unanswered() async throws -> (Sync, Household.Line) {
    let line = Household.Line(to: household.server)
    line.state.withLock { $0.isSilent = true }
    let sync = try household.join(try household.open("a"), by: line)
    for await _ in line.unanswered.stream { break }
    return (sync, line)
  }

  /// A server that never answers a push is left after twenty seconds.
  @Test func anAnswerThatNeverComesIsNotWaitedFor() async throws {
    let (sync, line) = try await unanswered()
    line.state.withLock { $0.isSilent = false }
    await household.time.pass(.seconds(20))
    try await sync.now()
    await sync.stop()
  }

  /// A call that comes while an earlier attempt has no answer is not answered by the end of that one.
  ///
  /// It had the error of an attempt that began before it, although the server could be reached by then, and no other
  /// attempt was made before the delay was over.
  @Test func aCallDuringAnAttemptThatFailsHasTheNextOne() async throws {
    let (sync, line) = try await unanswered()
    let call = await sync.beginNow()
    // The actor takes calls in their order: that one has begun.
    await sync.settle()
    line.state.withLock { $0.isSilent = false }
    await household.time.pass(.seconds(20))
    try await call.value
    #expect(household.time.now == .seconds(20))
    await sync.stop()
  }

  /// A call that comes while the server cannot be reached is answered by the next attempt, however that one ends.
  @Test func aCallDuringAnAttemptThatFailsFailsWithTheNextOne() async throws {
    let (sync, line) = try await unanswered()
    let call = await sync.beginNow()
    await sync.settle()
    line.state.withLock { $0.isConnected = false }
    await household.time.pass(.seconds(20))
    await #expect(throws: SyncError.unreachable(reason: "the line is down")) {
      try await call.value
    }
    // Nobody waits for an answer now: the next attempt is made after the delay of a second failure.
    let delays: Range<Duration> = .milliseconds(200)..<(.seconds(20))
    #expect(await household.time.delay(in: delays) >= .milliseconds(500))
    #expect(await sync.reaches { if case .offline = $0 { true } else { false } })
    await sync.stop()
  }
}

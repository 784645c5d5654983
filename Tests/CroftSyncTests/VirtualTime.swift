import Synchronization

@testable import CroftSync

/// Time that passes only when a test says so, but for short delays, which are over at once.
final class VirtualTime: SyncTime {
  private struct Sleeper {
    let number: Int
    let duration: Duration
    let end: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var last = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    /// Tests that wait for a sleep of a duration in a range.
    var waiting: [(range: Range<Duration>, continuation: CheckedContinuation<Duration, Never>)] = []
  }

  private let state = Mutex(State())
  private let clock = Mutex<UInt64>(1_000_000_000)

  /// The time that tests have let pass.
  var now: Duration { state.withLock { $0.now } }

  /// The clock of the server and of all stores; no two readings are the same.
  func milliseconds() -> UInt64 {
    advance(milliseconds: 1)
    return clock.withLock { $0 }
  }

  func advance(milliseconds: UInt64) { clock.withLock { $0 += milliseconds } }

  func wait(for duration: Duration) async throws {
    if duration <= .milliseconds(100) {
      return advance(milliseconds: UInt64(duration / .milliseconds(1)))
    }
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let waiting = state.withLock { state -> [CheckedContinuation<Duration, Never>] in
          if state.cancelled.remove(number) != nil {
            continuation.resume(throwing: CancellationError())
            return []
          }
          state.sleepers.append(
            Sleeper(
              number: number, duration: duration, end: state.now + duration,
              continuation: continuation))
          defer { state.waiting.removeAll { $0.range.contains(duration) } }
          return state.waiting.filter { $0.range.contains(duration) }.map(\.continuation)
        }
        for test in waiting { test.resume(returning: duration) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets a duration pass again and again, whenever somebody sleeps for it, until something holds.
  func pass(_ duration: Duration, until isDone: () async throws -> Bool) async rethrows {
    while try await !isDone() { await pass(duration) }
  }

  /// Waits until somebody sleeps for a duration of a range; that duration.
  func delay(in range: Range<Duration>) async -> Duration {
    await withCheckedContinuation { continuation in
      let sleeping = state.withLock { state -> Duration? in
        if let sleeper = state.sleepers.first(where: { range.contains($0.duration) }) {
          return sleeper.duration
        }
        state.waiting.append((range, continuation))
        return nil
      }
      if let sleeping { continuation.resume(returning: sleeping) }
    }
  }

  /// Waits until somebody sleeps for a duration, and lets it pass.
  func pass(_ duration: Duration) async { await pass(duration, of: duration) }

  /// Waits until somebody sleeps for a whole duration, and lets a part of it pass.
  func pass(_ duration: Duration, of whole: Duration) async {
    _ = await delay(in: whole..<whole + .nanoseconds(1))
    let ended = state.withLock { state in
      state.now += duration
      let now = state.now
      defer { state.sleepers.removeAll { $0.end <= now } }
      return state.sleepers.filter { $0.end <= now }
    }
    for sleeper in ended { sleeper.continuation.resume() }
  }
}

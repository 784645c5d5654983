/// What makes a synchronization look again, and whether it waits for that.
struct SyncSignals {
  struct Reasons: OptionSet {
    let rawValue: Int
    static let commit = Self(rawValue: 1 << 0)
    static let wake = Self(rawValue: 1 << 1)
    static let now = Self(rawValue: 1 << 2)
    static let stop = Self(rawValue: 1 << 3)
    static let all: Self = [.commit, .wake, .now, .stop]
  }

  private var present: Reasons = []
  private var wanted: Reasons = []
  /// The number of the present wait; a timer of an earlier one ends nothing.
  private var number = 0
  private var isOver = false
  private var waiter: CheckedContinuation<Void, Never>?

  mutating func set(_ signal: Reasons) {
    present.insert(signal)
    resumeIfDone()
  }

  mutating func begin(_ wanted: Reasons) -> Int {
    self.wanted = wanted
    number += 1
    isOver = false
    return number
  }

  /// Ends a wait because its time is over.
  mutating func end(_ number: Int) {
    guard number == self.number else { return }
    isOver = true
    resumeIfDone()
  }

  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiter = continuation
    resumeIfDone()
  }

  mutating func take(_ wanted: Reasons) -> Reasons {
    let seen = present.intersection(wanted)
    present.subtract(seen)
    return seen
  }

  private mutating func resumeIfDone() {
    guard isOver || !present.isDisjoint(with: wanted) else { return }
    waiter.take()?.resume()
  }
}

/// The order of a store's asynchronous writes: who runs next, with whom, and who hears what.
///
/// A value without threads, locks or closures: events go in, and what is to be done comes out.
/// ``GroupWriter`` does it. Writes run in the order they were submitted. Those that wait when the
/// store is theirs to write form a group, which shares one commit.
struct WriteSchedule<Write> {
  /// The most writes of one group, so that the first of many is not kept for ever.
  let largestGroup: Int
  /// The writes that have not started, by number.
  private var waiting: [Int: Write] = [:]
  /// The number of the last write submitted.
  private var last = 0
  /// Up to this number, none waits any more.
  private var settled = 0
  /// Up to this number, writes asked before the store was asked for.
  private var patient = 0
  /// Up to this number, writes belong to the group.
  private var groupEnd = 0
  /// What has run of the group, in order, each with the error that it ended with.
  private var group: [(write: Write, error: (any Error)?)] = []
  /// Whether the writer is at work or about to be.
  private var isAtWork = false

  init(largestGroup: Int) { self.largestGroup = largestGroup }

  /// How many writes have not started.
  var waitingCount: Int { waiting.count }

  /// A write comes in.
  ///
  /// - Returns: Its number, and whether the writer has to be sent to work.
  mutating func submit(_ write: Write) -> (number: Int, startsWork: Bool) {
    last += 1
    waiting[last] = write
    defer { isAtWork = true }
    return (last, !isAtWork)
  }

  /// A write is cancelled; the write, if it has not started, else nil.
  mutating func cancel(_ number: Int) -> Write? { waiting.removeValue(forKey: number) }

  /// The writer is about to ask for the store; false when there is nothing to do and it rests.
  mutating func prepare() -> Bool {
    patient = last
    isAtWork = !waiting.isEmpty
    return isAtWork
  }

  /// The store was not to be had: the writes that have waited for it, which are done.
  mutating func beginFailed() -> [Write] {
    defer { settled = patient }
    guard settled < patient else { return [] }
    return (settled + 1...patient).compactMap { waiting.removeValue(forKey: $0) }
  }

  /// The store is the writer's: all that wait now are the group.
  mutating func begun() { groupEnd = min(last, settled + largestGroup) }

  /// The next write of the group, which starts; nil when the group is complete.
  ///
  /// - Returns: The write, and whether it is the group's only one.
  mutating func next() -> (write: Write, isAlone: Bool)? {
    while settled < groupEnd {
      settled += 1
      guard let write = waiting.removeValue(forKey: settled) else { continue }
      let others = settled < groupEnd && (settled + 1...groupEnd).contains { waiting[$0] != nil }
      return (write, group.isEmpty && !others)
    }
    return nil
  }

  /// A write has run.
  ///
  /// - Parameters:
  ///   - error: What it threw, if it failed; it failed alone.
  ///   - endsGroup: Whether those that have not started go to the next group.
  mutating func ended(_ write: Write, with error: (any Error)?, endsGroup: Bool) {
    group.append((write, error))
    if endsGroup { groupEnd = settled }
  }

  /// The group is committed, or not.
  ///
  /// - Parameter error: What kept the commit from happening; then nothing of the group has
  ///   happened, and each of its writes fails with this error, those included that saw changes of
  ///   the others and failed.
  /// - Returns: All that ran, in order, with what each is told.
  mutating func finish(_ error: (any Error)?) -> [(write: Write, error: (any Error)?)] {
    defer { group.removeAll() }
    return group.map { ($0.write, error ?? $0.error) }
  }
}

import Croft
import Foundation
import Synchronization
import Testing

@testable import CroftSync

/// What happens between two messages of one synchronization.
@Suite struct SyncRaceTests {
  private let household: Household
  private let line: Household.Line

  init() throws {
    household = try Household()
    line = Household.Line(to: household.server)
  }

  private func guest(_ id: Int) -> Guest { Guest(id: id, title: 0, number: 0) }

  /// What another store pushed between a pull and a push is there when the call returns.
  ///
  /// A push of a unique value is refused, and made again; another one is accepted, and a pull follows it.
  @Test(arguments: [false, true])
  func aPushBetweenAPullAndAPushIsSeen(isStrict: Bool) async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    try await a.write { tx in
      try tx.insert(guest(1))
      try tx.insert(Group(id: 1, name: "home", color: 0))
    }
    let sync = try household.join(a, by: line)
    try await sync.now()
    let other = try await push(of: guest(2), from: b)
    let isDone = Mutex(false)
    let errors = Mutex<[any Error]>([])
    line.state.withLock { [server = household.server] state in
      state.changesPull = { _ in
        let isFirst = isDone.withLock { isDone in
          defer { isDone = true }
          return !isDone
        }
        guard isFirst else { return }
        _ = server.pushSilently(other)
        do {
          try a.write { tx in
            if isStrict {
              try tx.update(Group.self, 1) { $0.name = "work" }
            } else {
              try tx.update(Guest.self, 1) { $0.title = 7 }
            }
          }
        } catch { errors.withLock { $0.append(error) } }
      }
    }
    try await sync.now()
    #expect(try await a.get(Guest.self, 2) != nil)
    #expect(try a.unsentCount() == 0)
    let failures = errors.withLock { $0 }
    #expect(failures.isEmpty)
    await sync.stop()
  }

  /// How many pushes and how many pulls were answered.
  private func flights(of line: Household.Line) -> [Int] {
    line.state.withLock { [$0.pushes, $0.pulls] }
  }

  /// A commit takes one flight to the server, and one from there to another store.
  @Test func aCommitTakesOneFlightOfEachStore() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    let other = Household.Line(to: household.server)
    let first = try household.join(a, by: line)
    try await first.now()
    let second = try household.join(b, by: other)
    try await second.now()
    let commits = b.commits.makeAsyncIterator()
    // The first commit is there so that no signal of the joining comes after it.
    for id in 1...2 {
      for line in [line, other] { line.state.withLock { ($0.pushes, $0.pulls) = (0, 0) } }
      try await a.write { try $0.insert(guest(id)) }
      while try await b.get(Guest.self, id) == nil { _ = try #require(await commits.next()) }
      // The other store may hear of the push before its answer is counted.
      while flights(of: line)[0] == 0 { await Task.yield() }
    }
    await first.stop()
    await second.stop()
    #expect(flights(of: line) == [1, 0])
    #expect(flights(of: other) == [0, 1])
  }

  /// A push that is refused comes back with what it lacked, and is made again without a pull.
  @Test func aRefusedPushHasWhatItLacked() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    try await a.write { try $0.insert(Group(id: 1, name: "home", color: 0)) }
    let sync = try household.join(a, by: line)
    try await sync.now()
    let other = try await push(of: guest(2), from: b)
    let isFirst = Mutex(true)
    line.state.withLock { [server = household.server] state in
      (state.pushes, state.pulls) = (0, 0)
      state.beforePush = {
        let pushes = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if pushes { _ = server.pushSilently(other) }
      }
    }
    let commits = a.commits.makeAsyncIterator()
    try await a.write { try $0.update(Group.self, 1) { $0.name = "work" } }
    while try a.unsentCount() > 0 { _ = try #require(await commits.next()) }
    #expect(try await a.get(Guest.self, 2) != nil)
    await sync.stop()
    #expect(flights(of: line) == [2, 0])
  }

  /// The push of a store that has everything, which was not sent yet.
  private func push(of guests: Guest..., from store: Store) async throws -> SyncPush {
    let sync = try household.join(store)
    try await sync.now()
    await sync.stop()
    try await store.write { tx in for guest in guests { try tx.insert(guest) } }
    let replica = try Replica(store)
    try replica.receive(try household.server.hello(try replica.makeHello()), local: 1)
    return try #require(try replica.makePush())
  }

  /// A call that comes while a push is under way waits for the next one, with what was changed until then.
  @Test func aCallDuringAPushWaitsForTheNextOne() async throws {
    let a = try household.open("a")
    let sync = try household.join(a, by: line)
    try await sync.now()
    let count = Mutex(0)
    let later = Mutex<Task<Void, any Error>?>(nil)
    let errors = Mutex<[any Error]>([])
    line.state.withLock { state in
      state.beforePush = {
        let number = count.withLock { count in
          count += 1
          return count
        }
        guard number == 1 else {
          // A call that does not wait would return before this.
          for _ in 0..<1_000 { await Task.yield() }
          return
        }
        do { try await a.write { try $0.insert(guest(2)) } } catch {
          errors.withLock { $0.append(error) }
        }
        let call = await sync.beginNow()
        later.withLock { $0 = call }
        // The actor takes calls in their order: that one has begun.
        await sync.settle()
      }
    }
    try await a.write { try $0.insert(guest(1)) }
    try await sync.now()
    let call = later.withLock { $0 }
    try await #require(call).value
    #expect(try a.unsentCount() == 0)
    let failures = errors.withLock { $0 }
    #expect(failures.isEmpty)
    await sync.stop()
  }

  /// Rows that were asked for, and are not needed any more, are not waited for without an end.
  @Test func anUnwantedAnswerThatNeverComesIsNotWaitedFor() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    try await a.write { tx in for id in 0..<9 { try tx.insert(guest(id)) } }
    let first = try household.join(a)
    try await first.now()
    line.state.withLock { [line] state in
      // Deletions were forgotten between the first part and the second: all begins from the first row on.
      state.changesPull = { answer in
        if line.state.withLock({ $0.pulls }) == 2 { answer.floor = 1 }
      }
      // The third part is under way then.
      state.isPullSilent = { $0 == 2 }
    }
    var options = Sync.Options()
    options.pullLimit = 3
    let second = try household.join(b, by: line, options: options)
    for await _ in line.unanswered.stream { break }
    line.state.withLock { $0.isPullSilent = { _ in false } }
    await household.time.pass(.seconds(20))
    try await second.now()
    #expect(try b.world() == a.world())
    await first.stop()
    await second.stop()
  }

  /// A call during which the synchronization ends does not succeed where a part of the rows has come.
  @Test func aCallDuringWhichItEndsFails() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    var options = Sync.Options()
    options.pullLimit = 1
    let sync = try household.join(a, by: line, options: options)
    try await sync.now()
    let other = try await push(of: guest(1), guest(2), from: b)
    _ = household.server.pushSilently(other)
    line.state.withLock { state in
      state.afterPull = {
        _ = await sync.beginStop()
        // The actor takes calls in their order: that one has begun.
        await sync.settle()
      }
    }
    await #expect(throws: SyncError.unreachable(reason: "the synchronization was stopped")) {
      try await sync.now()
    }
    await sync.stop()
    #expect(try await a.count(Guest.all) == 0)
    line.state.withLock { $0.afterPull = {} }
    let next = try household.join(a, by: line, options: options)
    try await next.now()
    #expect(try await a.count(Guest.all) == 2)
    await next.stop()
  }

  /// A server that was reached is tried again soon when it cannot be reached, however often that was before.
  @Test func aDelayGrowsWithFailuresInARow() async throws {
    var options = Sync.Options()
    // All other waits are longer than any delay.
    (options.answerTimeout, options.pollInterval) = (.seconds(1_000), .seconds(1_000))
    let delays: Range<Duration> = .milliseconds(200)..<(.seconds(100))
    let sync = try household.join(try household.open("a"), by: line, options: options)
    line.state.withLock { $0.isConnected = false }
    for _ in 0..<3 { await #expect(throws: SyncError.self) { try await sync.now() } }
    #expect(await household.time.delay(in: delays) > .seconds(1))
    line.state.withLock { $0.isConnected = true }
    try await sync.now()
    line.state.withLock { $0.isConnected = false }
    await #expect(throws: SyncError.self) { try await sync.now() }
    // A call that comes during an attempt that fails is answered by another one, made at once.
    #expect(await household.time.delay(in: delays) <= .seconds(1))
    await sync.stop()
  }

  /// A server that loses pushes again is recognized again, and at once.
  @Test func aServerIsRestoredTwice() async throws {
    let a = try household.open("a")
    let sync = try household.join(a, by: line)
    try await sync.now()
    for number in 1...2 {
      let backup = household.server.backUp()
      try await a.write { try $0.insert(guest(number)) }
      try await sync.now()
      household.server.restore(backup)
      try await sync.now()
      let objects = household.server.rows.values.filter { $0.object.model != SpaceSchema.model }
      #expect(objects.count == number && objects.allSatisfy { !$0.isDeleted })
    }
    await sync.stop()
  }
}

import Croft
import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import CroftSync

/// Stores that are synchronized, over a server in memory and a time that tests let pass.
@Suite struct SyncTests {
  private let household: Household

  init() throws { household = try Household() }

  private func guest(_ id: Int, _ title: Int = 0) -> Guest {
    Guest(id: id, title: title, number: 0)
  }

  /// Two stores get each other's objects, also those from before they were shared.
  @Test func twoStoresBecomeTheSame() async throws {
    let (a, b) = (try household.open("a"), try household.open("b", World.models.reversed()))
    try await a.write { try $0.insert(Group(id: 1, name: "home", color: 1)) }
    let (first, second) = (try household.join(a), try household.join(b))
    try await first.now()
    try await b.write { try $0.insert(guest(5)) }
    try await second.now()
    try await first.now()
    for store in [a, b] {
      #expect(try await store.get(Group.self, 1)?.name == "home")
      #expect(try await store.get(Guest.self, 5) != nil)
    }
    try await b.write { _ = try $0.update(Group.self, 1) { $0.name = "work" } }
    try await second.now()
    try await first.now()
    #expect(try await a.get(Group.self, 1)?.name == "work")
    await first.stop()
    await second.stop()
  }

  /// A commit is sent soon, and the other store hears of it from the server; there it is a remote one.
  @Test func aCommitArrivesByItself() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    let (first, second) = (try household.join(a), try household.join(b))
    try await first.now()
    try await second.now()
    let commits = b.commits.makeAsyncIterator()
    try await a.write { try $0.insert(guest(1)) }
    while let commit = await commits.next() {
      guard try await b.get(Guest.self, 1) != nil else { continue }
      #expect(commit.isRemote)
      break
    }
    await first.stop()
    await second.stop()
  }

  /// A live query has each change of another store once, and no change when its own are acknowledged.
  @Test func aLiveQueryHasEachChangeOnce() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    let (first, second) = (try household.join(a), try household.join(b))
    try await first.now()
    try await second.now()
    let changes = b.changes(of: Guest.all).makeAsyncIterator()
    #expect(await changes.next()?.after.isEmpty == true)
    for (count, store) in [a, a, b, a, b, b, a].enumerated() {
      try await store.write { try $0.insert(guest(count)) }
      for sync in [second, first, second] { try await sync.now() }
      #expect(await changes.next()?.after.map(\.id) == Array(0...count))
    }
    await first.stop()
    await second.stop()
  }

  /// Without a word of the server a store asks from time to time.
  @Test func theServerIsAskedFromTimeToTime() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    try await a.write { try $0.insert(guest(1)) }
    let second = try household.join(b)
    try await second.now()
    let replica = try replica(of: a)
    try send(replica)
    try await household.time.pass(.seconds(30)) { try await b.get(Guest.self, 1) != nil }
    await second.stop()
  }

  /// Commits that are not shared, more often than the server is asked, do not put the question off.
  @Test func commitsDoNotKeepTheServerFromBeingAsked() async throws {
    let a = try household.open("a")
    let b = try household.open("b", World.models + [Draft.self])
    try await a.write { try $0.insert(guest(1)) }
    var options = Sync.Options()
    // No other wait is as long as a part of it.
    options.pollInterval = .seconds(300)
    let second = try household.join(b, options: options)
    try await second.now()
    let replica = try replica(of: a)
    try send(replica)
    let commits = b.commits.makeAsyncIterator()
    for rest in [300, 200, 100] {
      await household.time.pass(.seconds(100), of: .seconds(rest))
      try await b.write { try $0.insert(Draft(id: rest)) }
    }
    while try await b.get(Guest.self, 1) == nil { _ = try #require(await commits.next()) }
    await second.stop()
  }

  /// A replica without a session, whose pushes wake nobody.
  private func replica(of store: Store) throws -> Replica {
    try store.replicate(World.models, as: 0)
    let replica = try Replica(store)
    try replica.receive(try household.server.hello(try replica.makeHello()), local: 1)
    return replica
  }

  private func send(_ replica: Replica) throws {
    let server = household.server
    repeat {
      let position = replica.position
      try replica.receive(
        server.pull(after: position, cursor: replica.cursor, limit: 100), after: position)
      guard let push = try replica.makePush() else { return }
      try replica.receive(server.pushSilently(push), to: push)
    } while true
  }

  /// While the server cannot be reached changes are kept, and `now()` says so.
  @Test func changesAreKeptWhileTheServerCannotBeReached() async throws {
    let store = try household.open("a")
    let line = Household.Line(to: household.server)
    line.state.withLock { $0.isConnected = false }
    let sync = try household.join(store, by: line)
    try await store.write { try $0.insert(guest(1)) }
    await #expect(throws: SyncError.unreachable(reason: "the line is down")) {
      try await sync.now()
    }
    #expect(await sync.reaches { if case .offline(_, 1) = $0 { true } else { false } })
    line.state.withLock { $0.isConnected = true }
    try await sync.now()
    #expect(household.server.rows.values.contains { $0.object.model != 0 })
    #expect(await sync.reaches { if case .live(0, 2) = $0 { true } else { false } })
    await sync.stop()
    #expect(await sync.reaches { $0 == .stopped(nil) })
  }

  /// Events are kept until they are read, also by the next program.
  @Test func eventsAreKeptUntilTheyAreRead() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    try await a.write { tx in for id in 1...2 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    let (first, second) = (try household.join(a), try household.join(b))
    try await first.now()
    try await second.now()
    await second.stop()
    try await b.write { tx in
      for id in 1...2 { _ = try tx.update(Guest.self, id) { $0.title = 1 } }
    }
    household.time.advance(milliseconds: 1_000)
    try await a.write { tx in
      for id in 1...2 { _ = try tx.update(Guest.self, id) { $0.title = 2 } }
    }
    try await first.now()
    var third = try household.join(b)
    try await third.now()
    var events = third.events.makeAsyncIterator()
    let event = try #require(await events.next())
    #expect(event.kind == .overwritten && event.model == "Guest" && event.field == "title")
    #expect(event.concerns(Guest.self, 1) && !event.concerns(Guest.self, 2))
    #expect(event.mine.map { "\($0)" } == "\(StoredValue.int(1))")
    #expect(event.theirs.map { "\($0)" } == "\(StoredValue.int(2))")
    #expect(event.time != nil)
    #expect(await events.next()?.concerns(Guest.self, 2) == true)
    await third.stop()
    // The second event was given to a program that ended: it comes again.
    third = try household.join(b)
    events = third.events.makeAsyncIterator()
    #expect(await events.next()?.concerns(Guest.self, 2) == true)
    await third.stop()
    #expect(await events.next() == nil)
    await first.stop()
  }

  /// An event that cannot be read ends the synchronization, which says so.
  ///
  /// The sequence of events just ended.
  @Test func anEventThatCannotBeReadEndsTheSynchronization() async throws {
    let store = try household.open("a")
    let sync = try household.join(store)
    try await sync.now()
    try store.writeRemote { tx in
      try tx.setValue([1], at: Array("event/".utf8) + [0, 0, 0, 0, 0, 0, 0, 1], in: .replica)
    }
    var events = sync.events.makeAsyncIterator()
    #expect(await events.next() == nil)
    #expect(await sync.reaches { $0.hasFailedStore })
    await #expect(throws: SyncError.self) { try await sync.now() }
  }

  /// Whichever call of the engine finds damage, the synchronization ends and says so.
  ///
  /// Errors of calls inside a transaction were taken for a server that cannot be reached, and a store whose
  /// changes cannot be counted had none.
  @Test func aStoreThatCannotBeReadEndsTheSynchronization() async throws {
    let counting = FaultPlan(failingCall: .max, with: .corrupted)
    _ = try await synchronize("0", counting)
    let step = max(1, counting.callCount / Torture.steps(short: 40, long: 2_000))
    var (ended, refused) = (0, 0)
    for call in stride(from: 1, to: counting.callCount, by: step) {
      let plan = FaultPlan(failingCall: call, with: .corrupted)
      guard let (sync, failure) = try await synchronize("\(call)", plan) else {
        refused += 1
        continue
      }
      guard let failure else { continue }
      #expect(await sync.reaches { $0.hasFailedStore }, "call \(call): \(failure)")
      ended += 1
    }
    #expect(ended > 10 && refused > 0)
  }

  /// Synchronizes a store once; nil where that could not begin.
  private func synchronize(
    _ name: String, _ plan: FaultPlan
  ) async throws -> (sync: Sync, failure: (any Error)?)? {
    let store = try household.open(name)
    try await store.write { try $0.insert(guest(Int(name) ?? 0)) }
    let sync: Sync
    do { sync = try FaultPlan.$current.withValue(plan) { try household.join(store) } } catch {
      return nil
    }
    var failure: (any Error)?
    do { try await sync.now() } catch { failure = error }
    await sync.stop()
    return (sync, failure)
  }

  /// Of two programs with one store the first one synchronizes it, for both; then the second one.
  @Test func oneProgramSynchronizesAStore() async throws {
    let (a, same) = (try household.open("a"), try household.open("a"))
    let first = try household.join(a)
    try await first.now()
    let second = try household.join(same)
    #expect(await second.reaches { $0 == .elsewhere })
    await #expect(throws: SyncError.anotherProgram) { try await second.now() }
    try await same.write { try $0.insert(guest(1)) }
    try await first.now()
    #expect(household.server.rows.values.contains { $0.object.model != 0 })
    await first.stop()
    // Another program has it in between, and the server knows the store by another identity then.
    let third = try household.join(a)
    try await third.now()
    await third.stop()
    await household.time.pass(.seconds(30)) {
      if case .live = await second.present { true } else { false }
    }
    // It is the same replica: the server knows it.
    #expect(try a.writeRemote { try $0.clock().replica } == 1)
    await second.stop()
  }

  /// Two copies of one store are two replicas, and both keep what they change.
  @Test func aCopyIsAReplicaOfItsOwn() async throws {
    let a = try household.open("a")
    try await a.write { try $0.insert(guest(1)) }
    let first = try household.join(a)
    try await first.now()
    try await a.write { _ = try $0.update(Guest.self, 1) { $0.number = 7 } }
    try await a.backup(to: household.folder.appending(path: "copy"))
    let copy = try household.open("copy")
    try await copy.write { _ = try $0.update(Guest.self, 1) { $0.title = 8 } }
    let second = try household.join(copy)
    try await second.now()
    try await a.write { try $0.insert(guest(2)) }
    try await first.now()
    try await first.now()
    try await second.now()
    for store in [a, copy] {
      #expect(try await store.get(Guest.self, 1) == Guest(id: 1, title: 8, number: 7))
      #expect(try await store.get(Guest.self, 2) != nil)
    }
    let numbers = [
      try a.writeRemote { try $0.clock().replica }, try copy.writeRemote { try $0.clock().replica },
    ]
    #expect(Set(numbers).count == 2)
    await first.stop()
    await second.stop()
  }

  /// A store that leaves notes nothing any more, and may become one of another space.
  @Test(arguments: [Sync.Leaving.keep, .erase])
  func aStoreLeaves(_ leaving: Sync.Leaving) async throws {
    let store = try household.open("a")
    try await store.write { try $0.insert(guest(1)) }
    let sync = try household.join(store)
    try await sync.now()
    try await sync.leave(leaving)
    #expect(try await store.count(Guest.all) == (leaving == .keep ? 1 : 0))
    try await store.write { try $0.insert(guest(2)) }
    #expect(try store.unsentCount() == 0)
    #expect(try await store.verify().problems == [])
    let other = try household.join(store, space: UUID())
    try await other.now()
    #expect(try store.unsentCount() == 0)
    await other.stop()
  }

  @Test func aStoreHasOneSpace() async throws {
    let store = try household.open("a")
    let sync = try household.join(store)
    await sync.stop()
    #expect(throws: SyncError.anotherSpace) { try household.join(store, space: UUID()) }
  }

  /// A model goes with those that it refers to.
  @Test func partsOfAStoreAreNotSharedAlone() throws {
    let store = try household.open("a")
    #expect(throws: StoreError.self) { try household.join(store, [Guest.self]) }
  }

  /// A program whose model is another one is told so, and its store stays usable.
  @Test func aModelThatDoesNotFitIsRefused() async throws {
    let first = try household.join(try household.open("a"))
    try await first.now()
    let models: [any Model.Type] = [Group.self, Part.self, Other.Guest.self, Anchor.self]
    let store = try household.open("b", models)
    let second = try household.join(store, models)
    await #expect(throws: SyncError.self) { try await second.now() }
    #expect(
      await second.reaches {
        if case .stopped(.schemaMismatch("Guest", "title", _)) = $0 { true } else { false }
      })
    try await store.write { try $0.insert(Other.Guest(id: 1, title: "", number: 0)) }
    #expect(try store.unsentCount() == 1)
    await first.stop()
  }

  /// Changes of a user who may only read are kept.
  @Test func aReadersChangesAreKept() async throws {
    let store = try household.open("a")
    let line = Household.Line(to: household.server)
    line.state.withLock { $0.changesHello = { $0.isWritable = false } }
    let sync = try household.join(store, by: line)
    try await store.write { try $0.insert(guest(1)) }
    await #expect(throws: SyncError.forbidden) { try await sync.now() }
    #expect(await sync.reaches { $0 == .readOnly(pending: 1, version: 0) })
    #expect(household.server.version == 0)
    await sync.stop()
  }

  /// What the system has no room for now is tried again, and other errors of it end the synchronization.
  ///
  /// A push that is too long for memory opens and writes a file, which ended it but for a full disk.
  @Test func resourcesOfTheSystemAreWaitedFor() {
    for code in [ENOSPC, EDQUOT, EMFILE, ENFILE, EIO] {
      let error = StoreError.system(reason: "no room", code: code)
      #expect(SyncError(error) == .storeBusy(reason: "no room."))
    }
    for code in [EACCES, EROFS, EFBIG, EINVAL] {
      let error = StoreError.system(reason: "not allowed", code: code)
      #expect(SyncError(error) == .storeFailed(reason: "not allowed."))
    }
  }

  /// A check finds changes that do not fit the objects, also in a program that has none of the models.
  ///
  /// Such as `croft verify`, which read the changes and compared them with nothing.
  @Test(arguments: [false, true]) func aCheckComparesChangesWithObjects(hasModels: Bool) throws {
    let store = try household.open("a")
    try store.replicate(World.models, as: 1)
    try store.write { try $0.insert(guest(1)) }
    let checker = try household.open("a", hasModels ? World.models : [])
    #expect(try checker.verify().problems == [])
    let (object, entry) = try #require(try store.outbox().first)
    try store.writeRemote { tx in
      try tx.setEntry(OutboxEntry(.deletion, at: entry.stamp), of: object)
    }
    let found = try checker.verify()
    #expect(found.problemCount == 1 && !found.isSound)
    #expect(
      found.problems.first?.hasPrefix("the outbox has the deletion of Guest [") == true
        && found.problems.first?.hasSuffix("], which is there") == true)
    try store.writeRemote { tx in
      try tx.setEntry(entry, of: object)
      try tx.setEntry(entry, of: ObjectKey(model: object.model, key: [1, 2, 3, 4]))
    }
    #expect(
      try checker.verify().problems == [
        "the outbox has the insertion of Guest [1, 2, 3, 4], which is missing"
      ])
  }

  @Test func aNewerServerIsRefused() async throws {
    let line = Household.Line(to: household.server)
    line.state.withLock { $0.changesHello = { $0.format = 3 } }
    let sync = try household.join(try household.open("a"), by: line)
    await #expect(throws: SyncError.newerServer(format: 3)) { try await sync.now() }
    await #expect(throws: SyncError.newerServer(format: 3)) { try await sync.now() }
  }

  /// A server that only older programs can use is waited for: rows of this one would be no rows to them.
  @Test func anOlderServerIsWaitedFor() async throws {
    let line = Household.Line(to: household.server)
    line.state.withLock { $0.changesHello = { $0.format = 1 } }
    let store = try household.open("a")
    try await store.write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    let sync = try household.join(store, by: line)
    await #expect(throws: SyncError.olderServer(format: 1)) { try await sync.now() }
    #expect(household.server.version == 0)
    line.state.withLock { $0.changesHello = { _ in } }
    try await sync.now()
    #expect(try store.outbox().isEmpty)
    await sync.stop()
  }

  /// Whatever the server sends, the store stays sound, and the synchronization says what was wrong.
  @Test func anInvalidServerIsLeft() async throws {
    let full = try household.open("a")
    try await full.write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    let first = try household.join(full)
    try await first.now()
    let changes: [@Sendable (inout SyncPullAnswer) -> Void] = [
      { $0.rows.reverse() }, { $0.version = 0 }, { $0.floor = 9 }, { $0.push = nil },
      { ($0.rows, $0.isPart) = ([], true) }, { $0.rows[0].fields = [7] },
      { $0.rows[0].version = 99 }, { $0.rows[0].object.key = [] }, { $0.version = .max },
      // A model that is described twice.
      { answer in
        let text = String(decoding: answer.rows[0].fields ?? [], as: UTF8.self)
        answer.rows[0].fields = Array(text.replacing(/"number":1,/, with: "\"number\":65535,").utf8)
      },
    ]
    for (number, change) in changes.enumerated() {
      let store = try household.open("b\(number)")
      let line = Household.Line(to: household.server)
      line.state.withLock { $0.changesPull = change }
      let sync = try household.join(store, by: line)
      await #expect(throws: SyncError.self, "\(number)") { try await sync.now() }
      #expect(
        await sync.reaches {
          if case .stopped(.serverInvalid) = $0 { true } else { false }
        }, "\(number)")
      #expect(try await store.verify().problems == [])
    }
    await first.stop()
  }

  /// Rows that cannot be objects of the program are set aside, and all else is there.
  @Test func rowsThatAreNoObjectsAreSetAside() async throws {
    let full = try household.open("a")
    try await full.write { tx in
      for id in 1...2 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    let first = try household.join(full)
    try await first.now()
    let changes: [@Sendable (inout SyncRow) -> Void] = [
      // Of another model; without a title; of a time that leaves no room; no key.
      { $0.object.model = 77 }, { $0.fields = [0, 0] }, { $0.object.key = [255] },
      { $0.stamps.replaceSubrange(1..<9, with: repeatElement(255, count: 8)) },
    ]
    for (number, change) in changes.enumerated() {
      let store = try household.open("b\(number)")
      let line = Household.Line(to: household.server)
      line.state.withLock { state in
        state.changesPull = { answer in
          guard !answer.rows.isEmpty else { return }
          change(&answer.rows[answer.rows.count - 1])
        }
      }
      let sync = try household.join(store, by: line)
      try await sync.now()
      #expect(try await sync.asideCount() == 1, "\(number)")
      #expect(try await store.fetch(Guest.all).map(\.id) == [1], "\(number)")
      var events = sync.events.makeAsyncIterator()
      let event = await events.next()
      #expect(event?.kind == .setAside && event?.count == 1, "\(number)")
      #expect(try await store.verify().problems == [])
      await sync.stop()
    }
    await first.stop()
  }

  /// A change waits where an object that is out of sight has its unique value, and the call says so.
  @Test func changesThatWaitAreCounted() async throws {
    let (a, b) = (try household.open("a"), try household.open("b"))
    let line = Household.Line(to: household.server)
    try await a.write { try $0.insert(Group(id: 1, name: "home", color: 0)) }
    let first = try household.join(a)
    try await first.now()
    let second = try household.join(b, by: line)
    #expect(try await second.now() == 0)
    line.state.withLock { state in
      state.changesPull = { answer in
        for place in answer.rows.indices { answer.rows[place].fields = [7] }
      }
    }
    try await a.write { _ = try $0.update(Group.self, 1) { $0.color = 1 } }
    try await first.now()
    #expect(try await second.now() == 0)
    #expect(try await second.asideCount() == 1)
    try await b.write { try $0.insert(Group(id: 2, name: "home", color: 2)) }
    #expect(try await second.now() == 1)
    line.state.withLock { $0.changesPull = { _ in } }
    try await a.write { _ = try $0.update(Group.self, 1) { $0.color = 3 } }
    try await first.now()
    #expect(try await second.now() == 0)
    #expect(try b.world() == a.world() && b.unsentCount() == 0)
    await first.stop()
    await second.stop()
  }

  /// Programs that write while messages are lost come to the same objects.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func storesConvergeOverABadLine(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let faults = MemoryTransport.Faults(
      lost: 20, unanswered: 15, doubled: 10, late: 15, unconnected: 10)
    let transport = MemoryTransport(
      to: household.server, faults, random: SeededGenerator(seed: seed &+ 1_000))
    let stores = try (0..<3).map { try household.open("\($0)") }
    var options = Sync.Options()
    (options.pushLimit, options.pullLimit) = (2, 3)
    let syncs = try stores.map { try household.join($0, by: transport, options: options) }
    for _ in 0..<60 {
      let place = random.below(3)
      let id = random.below(6)
      let title = random.below(100)
      let choice = random.below(4)
      try await stores[place].write { tx in
        switch choice {
        case 0: try tx.delete(Guest.self, id)
        case 1:
          if try tx.get(Guest.self, id) == nil {
            try tx.insert(Guest(id: id, title: title, number: 0))
          }
        default: try tx.update(Guest.self, id) { $0.title = title }
        }
      }
      if random.oneIn(3) { _ = try? await syncs[place].now() }
    }
    transport.deliverAll()
    for _ in 0..<4 { for sync in syncs { try await patiently(sync) } }
    let world = try stores[0].world()
    for store in stores {
      #expect(try store.world() == world, "seed \(seed)")
      #expect(try store.unsentCount() == 0, "seed \(seed)")
    }
    for sync in syncs { await sync.stop() }
  }

  /// Calls `now()` until it succeeds.
  private func patiently(_ sync: Sync) async throws {
    for attempt in 0..<100 {
      do {
        try await sync.now()
        return
      } catch let error as SyncError {
        guard error.isRetryable, attempt < 99 else { throw error }
      }
    }
  }
}

extension Sync.Status {
  fileprivate var hasFailedStore: Bool {
    if case .stopped(.storeFailed) = self { true } else { false }
  }
}

/// A model that is not shared.
@Model struct Draft: Hashable {
  @PrimaryKey var id: Int
}

/// The models of another program.
enum Other {
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var number: Int
    var group: Ref<Group>?
  }
}

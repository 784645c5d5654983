import Croft
import CroftReactive
import Foundation
import Reactive
import ReactiveTesting
import Synchronization
import Testing

@Model struct Chore: Hashable {
  @PrimaryKey var id: Int
  var title: String
  var isDone = false
}

@Model struct Absent: Hashable {
  @PrimaryKey var id: Int
}

/// Events of an observable, to be awaited one by one.
private struct Heard<Element: Sendable> {
  private var iterator: AsyncStream<Event<Element>>.Iterator
  private let subscription: any Disposable

  init(_ source: Observable<Element>) {
    let (stream, continuation) = AsyncStream<Event<Element>>.makeStream()
    iterator = stream.makeAsyncIterator()
    subscription = source.subscribe { continuation.yield($0) }
  }

  mutating func next() async -> Event<Element>? { await iterator.next() }

  func dispose() { subscription.dispose() }
}

struct RxStoreTests {
  private let store: Store

  init() throws { store = try Store.inMemory(models: Chore.self) }

  private func add(_ ids: ClosedRange<Int>) throws {
    try store.write { tx in
      try tx.insert(contentsOf: ids.map { Chore(id: $0, title: "chore \($0)") })
    }
  }

  @Test func aResultComesAtFirstAndAfterEachCommitThatChangedIt() async throws {
    try add(1...2)
    var heard = Heard(store.rx.observe(Chore.where { !$0.isDone }))
    #expect(await heard.next()?.element.map { $0.map(\.id) } == [1, 2])
    try await store.write { _ = try $0.update(Chore.self, 1) { $0.isDone = true } }
    #expect(await heard.next()?.element.map { $0.map(\.id) } == [2])
    // Not in the result, before or after.
    try await store.write { _ = try $0.update(Chore.self, 1) { $0.title = "done" } }
    try add(3...3)
    #expect(await heard.next()?.element.map { $0.map(\.id) } == [2, 3])
    heard.dispose()
  }

  @Test func valuesAndAggregatesComeWhenTheyHaveChanged() async throws {
    let open = Chore.where { !$0.isDone }
    var values = Heard(store.rx.observe(ReadRequest { tx in try tx.fetch(open).map(\.title) }))
    var counts = Heard(store.rx.observe(open.count))
    var sums = Heard(store.rx.observe(open.sum(\.id)))
    var averages = Heard(store.rx.observe(open.average(\.id)))
    var least = Heard(store.rx.observe(open.min(\.title)))
    var greatest = Heard(store.rx.observe(open.max(\.title)))
    var groups = Heard(
      store.rx.observe(Chore.all.grouped(by: \.isDone, .count, .sum(\.id))).map { groups in
        groups.map { [$0.values.0, $0.values.1] }
      })
    #expect(await values.next()?.element == [])
    #expect(await counts.next()?.element == 0)
    #expect(await sums.next()?.element == 0)
    #expect(await averages.next()?.element == .some(nil))
    #expect(await least.next()?.element == .some(nil))
    #expect(await greatest.next()?.element == .some(nil))
    #expect(await groups.next()?.element == [])
    // What is done changes the groups alone.
    try await store.write { try $0.insert(Chore(id: 9, title: "done", isDone: true)) }
    #expect(await groups.next()?.element == [[1, 9]])
    try add(1...3)
    #expect(await values.next()?.element == ["chore 1", "chore 2", "chore 3"])
    #expect(await counts.next()?.element == 3)
    #expect(await sums.next()?.element == 6)
    #expect(await averages.next()?.element == 2)
    #expect(await least.next()?.element == "chore 1")
    #expect(await greatest.next()?.element == "chore 3")
    #expect(await groups.next()?.element == [[3, 6], [1, 9]])
    for heard in [counts, sums] { heard.dispose() }
    values.dispose()
    averages.dispose()
    least.dispose()
    greatest.dispose()
    groups.dispose()
  }

  @Test func queriesTogetherAreNeverOfTwoCommits() async throws {
    let (open, done) = (Chore.where { !$0.isDone }, Chore.where { $0.isDone })
    try add(1...10)
    var lists = Heard(store.rx.observe(CombinedRequest(open, done)).map { [$0.count, $1.count] })
    var changes = Heard(
      store.rx.changes(of: CombinedRequest(open, done)).map { $0.after.count + $1.after.count })
    for id in 1...10 {
      try await store.write { _ = try $0.update(Chore.self, id) { $0.isDone = true } }
    }
    var last: [Int]?
    while last != [0, 10] {
      last = await lists.next()?.element
      #expect(last?.reduce(0, +) == 10)
    }
    #expect(await changes.next()?.element == 10)
    lists.dispose()
    changes.dispose()
  }

  @Test func nothingIsObservedBeforeSomebodySubscribes() async throws {
    let results = store.rx.observe(Chore.all)
    try add(1...3)
    var heard = Heard(results)
    #expect(await heard.next()?.element?.count == 3)
    heard.dispose()
  }

  @Test func changesLeadFromOneResultToTheNext() async throws {
    var heard = Heard(store.rx.changes(of: Chore.all.order(by: \.title.descending)))
    var shown: [Chore] = []
    var first = true
    for step in 1...20 {
      try await store.write { tx in
        try tx.insert(Chore(id: step, title: "\(step % 7)"))
        if step > 3 { try tx.update(Chore.self, step - 3) { $0.title = "\(step % 5)" } }
        if step.isMultiple(of: 4) { try tx.delete(Chore.self, step - 1) }
      }
      let expected = try await store.fetch(Chore.all.order(by: \.title.descending))
      // The first change may show a commit already, and late ones may show several.
      repeat {
        let change = try #require(await heard.next()?.element)
        #expect(change.isInitial == first)
        first = false
        #expect(Array(change.before) == shown)
        shown = Array(change.after)
      } while shown != expected
    }
    heard.dispose()
  }

  @Test func anObjectIsFollowedFromNothingToItsEnd() async throws {
    var heard = Heard(store.rx.changes(of: Chore.object(7)))
    let first = await heard.next()?.element
    #expect(first?.kind == .initial && first?.new == nil)
    try add(7...7)
    #expect(await heard.next()?.element?.kind == .inserted)
    try await store.write { _ = try $0.update(Chore.self, 7) { $0.title = "new" } }
    let changed = await heard.next()?.element
    #expect(changed?.values(of: \.title)?.old == "chore 7")
    #expect(changed?.values(of: \.title)?.new == "new")
    try await store.write { _ = try $0.delete(Chore.self, 7) }
    #expect(await heard.next()?.element?.kind == .deleted)
    heard.dispose()
  }

  @Test func everyCommitAfterTheSubscriptionComesOnce() async throws {
    try add(1...1)
    var heard = Heard(store.rx.commits)
    try add(2...2)
    try add(3...4)
    for ids in [[2], [3, 4]] {
      let commit = try #require(await heard.next()?.element)
      #expect(try commit.changes(of: Chore.self)?.map { $0.new?.id } == ids)
    }
    heard.dispose()
  }

  @Test func aDisposedSubscriptionHearsNoMore() async throws {
    let count = Atomic(0)
    let subscription = store.rx.observe(Chore.all)
      .subscribe(onNext: { _ in count.add(1, ordering: .relaxed) })
    subscription.dispose()
    let before = count.load(ordering: .relaxed)
    var other = Heard(store.rx.observe(Chore.all))
    _ = await other.next()
    try add(1...1)
    _ = await other.next()
    #expect(count.load(ordering: .relaxed) == before)
    other.dispose()
  }

  @Test func whatCannotBeReadEndsTheStreamWithItsError() async throws {
    store.onDiagnostic = { _ in }
    var results = Heard(store.rx.observe(Absent.all))
    #expect(await results.next()?.error as? StoreError == .unknownModel(model: "Absent"))
    var changes = Heard(store.rx.changes(of: Absent.all.sections(by: \.id)))
    #expect(await changes.next()?.error as? StoreError == .unknownModel(model: "Absent"))
    var object = Heard(store.rx.changes(of: Absent.object(1)))
    #expect(await object.next()?.error as? StoreError == .unknownModel(model: "Absent"))
  }

  @Test func sectionsComeAndGo() async throws {
    try add(1...2)
    var heard = Heard(store.rx.changes(of: Chore.all.sections(by: \.isDone)))
    #expect(await heard.next()?.element?.isInitial == true)
    try await store.write { _ = try $0.update(Chore.self, 2) { $0.isDone = true } }
    let change = try #require(await heard.next()?.element)
    #expect(change.sectionInsertions == [1])
    heard.dispose()
  }

  @Test func eachSubscriptionIsAWriteOfItsOwn() async throws {
    let addition = store.rx.write { tx -> Int in
      let id = try tx.count(Chore.all) + 1
      try tx.insert(Chore(id: id, title: "\(id)"))
      return id
    }
    #expect(try await store.count(Chore.all) == 0)
    #expect(try await addition.value == 1)
    #expect(try await addition.value == 2)
    #expect(try await store.rx.fetch(Chore.all).value.map(\.id) == [1, 2])
    #expect(try await store.rx.fetch(Chore.all.count).value == 2)
    #expect(try await store.rx.read { try $0.get(Chore.self, 2)?.title }.value == "2")
  }

  // Each test of a repository waited in a thread of the cooperative pool, and none was left for the
  // answer: on two cores two tests never ended.
  @Test func answersComeWhileEveryThreadOfThePoolWaits() async throws {
    try add(1...1)
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 2..<(2 + count) {
        group.addTask { [store] in
          let chore = Chore(id: id, title: "chore")
          try store.rx.write { try $0.insert(chore) }.toBlocking(timeout: 60).single()
          #expect(try store.rx.fetch(Chore.all).toBlocking(timeout: 60).single().contains(chore))
          #expect(try store.rx.fetch(Chore.all.count).toBlocking(timeout: 60).single() > 1)
          let title = store.rx.read { try $0.get(Chore.self, 1)?.title }
          #expect(try title.toBlocking(timeout: 60).single() == "chore 1")
          let live = store.rx.observe(Chore.all.count).toBlocking(timeout: 60)
          #expect(try live.first().map { $0 > 1 } == true)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.count(Chore.all) == count + 1)
  }

  @Test func whatAWriteThrowsIsTheAnswerAndNothingIsChanged() async throws {
    try add(1...1)
    let clash = store.rx.write { tx in
      try tx.insert(Chore(id: 2, title: "two"))
      try tx.insert(Chore(id: 1, title: "one"))
    }
    await #expect(throws: StoreError.self) { try await clash.value }
    #expect(try await store.count(Chore.all) == 1)
  }
}

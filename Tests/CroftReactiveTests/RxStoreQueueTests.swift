import Croft
import CroftReactive
import Dispatch
import Foundation
import Reactive
import Synchronization
import Testing

/// The queue of a test, by which closures tell where they run.
private final class TestQueue: Sendable {
  private static let key = DispatchSpecificKey<Bool>()
  let queue = DispatchQueue(label: "test.results")

  init() { queue.setSpecific(key: Self.key, value: true) }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}

/// What an observable emitted, and whether each element came on the test's queue.
///
/// `@unchecked Sendable`: the condition's lock protects what was emitted.
private final class Emitted<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var log: [(element: Element, isOnQueue: Bool)] = []
  private var error: (any Error)?
  private let subscription = SerialDisposable()

  init(_ source: Observable<Element>) {
    subscription.disposable = source.subscribe(
      onNext: { [weak self] element in
        self?.note { $0.log.append((element, TestQueue.isCurrent)) }
      }, onError: { [weak self] error in self?.note { $0.error = error } })
  }

  private func note(_ change: (Emitted) -> Void) {
    condition.withLock {
      change(self)
      condition.broadcast()
    }
  }

  var elements: [Element] { condition.withLock { log.map(\.element) } }
  var isOnQueue: [Bool] { condition.withLock { log.map(\.isOnQueue) } }
  var failure: (any Error)? { condition.withLock { error } }

  /// Waits until so many elements have come.
  func wait(for count: Int) {
    let limit = Date(timeIntervalSinceNow: 60)
    condition.withLock {
      while log.count < count, error == nil, condition.wait(until: limit) {}
    }
  }

  func dispose() { subscription.dispose() }
}

@Suite("RxStore, on a queue")
struct RxStoreQueueTests {
  private let store: Store
  private let test = TestQueue()

  init() throws { store = try Store.inMemory(models: Chore.self) }

  private func add(_ ids: ClosedRange<Int>) throws {
    try store.write { tx in
      try tx.insert(contentsOf: ids.map { Chore(id: $0, title: "chore \($0)") })
    }
  }

  @Test func theFirstResultComesDuringTheSubscriptionAndLaterOnesOnTheQueue() throws {
    try add(1...2)
    let emitted = Emitted(
      store.rx.observe(Chore.where { !$0.isDone }, on: .immediate(then: .queue(test.queue))))
    #expect(emitted.elements.map { $0.map(\.id) } == [[1, 2]])
    try store.write { _ = try $0.update(Chore.self, 1) { $0.isDone = true } }
    emitted.wait(for: 2)
    try store.write { _ = try $0.update(Chore.self, 2) { $0.title = "changed" } }
    emitted.wait(for: 3)
    try add(3...3)
    emitted.wait(for: 4)
    #expect(emitted.elements.map { $0.map(\.id) } == [[1, 2], [2], [2], [2, 3]])
    #expect(emitted.elements[2].map(\.title) == ["changed"])
    #expect(emitted.isOnQueue == [false, true, true, true])
  }

  @Test func whatIsCommittedRightAfterTheFirstReadIsNotMissed() throws {
    // The first read and the beginning of the observation are two: a commit falls between.
    let store = store
    let hasWritten = Atomic(false)
    let emitted = Emitted(
      store.rx.observe(Chore.all, on: .immediate(then: .queue(test.queue))).do(onNext: { _ in
        if hasWritten.exchange(true, ordering: .relaxed) { return }
        try store.write { try $0.insert(Chore(id: 1, title: "between")) }
      }))
    emitted.wait(for: 2)
    #expect(emitted.elements.map(\.count) == [0, 1])
  }

  @Test func randomCommitsAreFollowedToTheEnd() throws {
    let query = Chore.all.order(by: \.title.descending)
    let emitted = Emitted(store.rx.observe(query, on: .immediate(then: .queue(test.queue))))
    for step in 1...40 {
      try store.write { tx in
        try tx.insert(Chore(id: step, title: "\(step % 7)"))
        if step > 3 { _ = try tx.update(Chore.self, step - 3) { $0.title = "\(step % 5)" } }
        if step.isMultiple(of: 4) { try tx.delete(Chore.self, step - 1) }
      }
    }
    // A marker that no other commit changes ends the wait.
    try store.write { try $0.insert(Chore(id: 99, title: "z")) }
    let expected = try store.fetch(query)
    while emitted.failure == nil, emitted.elements.last.map(Array.init) != expected {
      emitted.wait(for: emitted.elements.count + 1)
    }
    #expect(emitted.elements.last.map(Array.init) == expected)
    #expect(zip(emitted.elements, emitted.elements.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func anObjectIsNilUntilItComesAndWhenItHasGone() throws {
    let emitted = Emitted(
      store.rx.observe(Chore.object(7), on: .immediate(then: .queue(test.queue))))
    #expect(emitted.elements == [nil])
    try add(7...7)
    emitted.wait(for: 2)
    try store.write { _ = try $0.delete(Chore.self, 7) }
    emitted.wait(for: 3)
    #expect(emitted.elements == [nil, Chore(id: 7, title: "chore 7"), nil])
    #expect(emitted.isOnQueue == [false, true, true])
  }

  @Test func aValueOfSeveralQueriesIsReadAgainWhenOneOfThemChanged() throws {
    let emitted = Emitted(
      store.rx.observe(
        ReadRequest { tx in
          [try tx.count(Chore.where { $0.isDone }), try tx.count(Chore.where { !$0.isDone })]
        }, on: .immediate(then: .queue(test.queue))))
    #expect(emitted.elements == [[0, 0]])
    try add(1...3)
    emitted.wait(for: 2)
    try store.write { _ = try $0.update(Chore.self, 1) { $0.isDone = true } }
    emitted.wait(for: 3)
    // Both queries changed, and the value is told once.
    try store.write { _ = try $0.update(Chore.self, 2) { $0.title = "same counts" } }
    try add(4...4)
    emitted.wait(for: 4)
    #expect(emitted.elements == [[0, 0], [0, 3], [1, 2], [1, 3]])
    #expect(emitted.isOnQueue == [false, true, true, true])
  }

  @Test func aResultThatCannotBeReadEndsTheSubscriptionAtOnce() {
    let failure = Emitted(
      store.rx.observe(Absent.all.order(by: \.id), on: .immediate(then: .queue(test.queue)))
    ).failure
    #expect(failure as? StoreError == .unknownModel(model: "Absent"))
    struct Refused: Error {}
    let other = Emitted(
      store.rx.observe(
        ReadRequest { _ -> Int in throw Refused() }, on: .immediate(then: .queue(test.queue))))
    #expect(other.failure is Refused)
  }

  @Test func aDisposedSubscriptionGetsNoMore() throws {
    let ended = Emitted(store.rx.observe(Chore.all, on: .immediate(then: .queue(test.queue))))
    let other = Emitted(store.rx.observe(Chore.all, on: .immediate(then: .queue(test.queue))))
    ended.dispose()
    try add(1...1)
    other.wait(for: 2)
    #expect(ended.elements.count == 1)
  }

  @Test func changesComeOnTheQueueTheFirstIncluded() throws {
    try add(1...1)
    let rows = Emitted(store.rx.changes(of: Chore.all, on: .queue(test.queue)).map(\.isInitial))
    let sections = Emitted(
      store.rx.changes(of: Chore.all.sections(by: \.isDone), on: .queue(test.queue)).map(
        \.isInitial))
    let object = Emitted(
      store.rx.changes(of: Chore.object(1), on: .queue(test.queue)).map { $0.kind == .initial })
    for emitted in [rows, sections, object] {
      emitted.wait(for: 1)
      #expect(emitted.elements == [true])
      #expect(emitted.isOnQueue == [true])
    }
  }
}

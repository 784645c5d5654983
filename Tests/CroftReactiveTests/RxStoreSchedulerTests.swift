import Croft
import CroftReactive
import Dispatch
import Reactive
import ReactiveTesting
import Testing

@Suite("RxStore, on a scheduler")
struct RxStoreSchedulerTests {
  private let store: Store
  private let scheduler = TestScheduler(initialClock: 0)

  init() throws {
    store = try Store.inMemory(models: Chore.self)
    try store.write { tx in
      try tx.insert(
        contentsOf: ["dust", "dishes", "laundry"].enumerated().map { index, title in
          Chore(id: index, title: title)
        })
    }
  }

  @Test func aSearchWhileTypingIsAnsweredInVirtualTime() {
    let typed = scheduler.createHotObservable([
      .next(210, "d"), .next(215, "du"), .next(260, "la"), .completed(400),
    ])
    let found = scheduler.start { [store, scheduler] in
      typed.debounce(.seconds(30), scheduler: scheduler).flatMapLatest { text in
        store.rx.fetch(Chore.where { $0.title.hasPrefix(text) }, on: scheduler).asObservable()
          .map { $0.map(\.title) }
      }
    }
    #expect(
      found.events == [.next(246, ["dust"]), .next(291, ["laundry"]), .completed(400)])
  }

  @Test func everyQuestionIsAskedWhenTheSchedulerRunsAndNotBefore() throws {
    let counts = scheduler.createObserver(Int.self)
    let read = store.rx.read(on: scheduler) { try $0.count(Chore.where { $0.isDone }) }
    let write = store.rx.write(on: scheduler) { tx in
      try tx.update(Chore.where { $0.id < 2 }, set: \.isDone, to: true)
    }
    let count = store.rx.fetch(Chore.where { $0.isDone }.count, on: scheduler)
    for (time, single) in [(10, read), (20, write), (30, read), (40, count)] {
      scheduler.scheduleAt(time) {
        _ = single.asObservable().subscribe(onNext: { counts.on(.next($0)) })
      }
    }
    #expect(try store.count(Chore.where { $0.isDone }) == 0)
    scheduler.start()
    #expect(counts.events == [.next(11, 0), .next(21, 2), .next(31, 2), .next(41, 2)])
  }

  @Test func anErrorOfTheClosureIsTheAnswerAndTheWriteIsUndone() throws {
    struct Refused: Error {}
    let events = scheduler.start { [store, scheduler] in
      store.rx.write(on: scheduler) { tx -> Int in
        try tx.deleteAll(Chore.self)
        throw Refused()
      }
    }.events
    #expect(events.map(\.time) == [201])
    #expect(events.first?.value.error is Refused)
    #expect(try store.count(Chore.all) == 3)
  }

  @Test func whatIsDisposedBeforeItStartsDoesNotRun() throws {
    let write = store.rx.write(on: scheduler) { try $0.deleteAll(Chore.self) }
    write.subscribe().dispose()
    scheduler.start()
    #expect(try store.count(Chore.all) == 3)
  }
}

import Croft
import CroftReactive
import Dispatch
import Reactive
import ReactiveTesting
import Testing

/// The code of the page of recipes.
@Suite("Recipes with observables") struct RecipesSnippets {
  struct ChoreSearch: Sendable {
    let store: Store
    let scheduler: any SchedulerType

    func results(_ typed: Observable<String>) -> Observable<[Chore]> {
      typed
        .debounce(.milliseconds(300), scheduler: scheduler)
        .distinctUntilChanged()
        .flatMapLatest { [store, scheduler] text in
          let query = Chore.where { $0.title.contains(text, options: .caseInsensitive) }
          return store.rx.fetch(query.order(by: \.title).limit(20), on: scheduler)
        }
    }
  }

  @Test func aSearchWaitsForAPause() throws {
    let store = try Store.inMemory(models: Chore.self)
    try store.write { tx in
      try tx.insert(Chore(id: 1, title: "Do the dishes"))
      try tx.insert(Chore(id: 2, title: "Dust"))
    }
    let scheduler = TestScheduler(initialClock: 0, resolution: 0.1)
    let search = ChoreSearch(store: store, scheduler: scheduler)

    let typed = scheduler.createHotObservable([
      .next(210, "d"), .next(211, "du"), .next(230, "dish"),
      .next(240, "dishe"), .next(242, "dish"),
    ])
    let found = scheduler.start { search.results(typed).map { $0.map(\.title) } }
    #expect(found.events == [.next(215, ["Dust"]), .next(234, ["Do the dishes"])])
  }

  @Test func aListFollowsTheTextAndTheStore() async throws {
    let store = try Store.inMemory(models: Chore.self)
    try await store.write { tx in
      try tx.insert(Chore(id: 1, title: "Dishes"))
      try tx.insert(Chore(id: 2, title: "Laundry"))
    }
    let (queue, typed) = (DispatchQueue(label: "list"), PublishSubject<String>())

    let shown = typed.distinctUntilChanged().flatMapLatest { text in
      store.rx.observe(
        Chore.where { $0.title.hasPrefix(text) }.order(by: \.title),
        on: .immediate(then: .queue(queue)))
    }

    let (lists, continuation) = AsyncStream<[String]>.makeStream()
    let subscription = shown.subscribe(onNext: { continuation.yield($0.map(\.title)) })
    var list = lists.makeAsyncIterator()
    typed.onNext("D")
    #expect(await list.next() == ["Dishes"])
    try await store.write { try $0.insert(Chore(id: 3, title: "Dust")) }
    #expect(await list.next() == ["Dishes", "Dust"])
    typed.onNext("L")
    #expect(await list.next() == ["Laundry"])
    subscription.dispose()
  }

  @Test func aWriteThatFailsDoesNotEndTheTaps() throws {
    let store = try Store.inMemory(models: Chore.self)
    let scheduler = TestScheduler(initialClock: 0)
    let taps = scheduler.createHotObservable([
      .next(210, Chore(id: 1, title: "Dust")), .next(220, Chore(id: 1, title: "Again")),
      // The second one is tapped while the first one is written.
      .next(230, Chore(id: 2, title: "Dishes")), .next(230, Chore(id: 3, title: "Laundry")),
    ])

    let saved = taps.flatMapFirst { chore in
      store.rx.write(on: scheduler) { tx in try tx.insert(chore) }.asObservable().materialize()
    }

    let events = scheduler.start { saved.map { $0.error as? StoreError } }.events
    let errors = events.compactMap { event in event.value.element.flatMap(\.self) }
    #expect(errors.count == 1)
    #expect(events.map(\.time) == [211, 211, 221, 231, 231])
    #expect(try store.fetch(Chore.all).map(\.title) == ["Dust", "Dishes"])
  }
}

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

    func results(_ typed: Observable<String>) -> Observable<[SearchExcerpt]> {
      typed
        .debounce(.milliseconds(300), scheduler: scheduler)
        .distinctUntilChanged()
        .flatMapLatest { [store, scheduler] text in
          let search = TextSearch(text, .asTyped)
          let query = Chore.where { $0.title.matches(search) }.order(by: \.title).limit(20)
          return store.rx.fetch(query, on: scheduler).map { chores in
            chores.map { search.excerpt(of: $0.title, characters: 60) }
          }
        }
    }
  }

  func marked(_ line: SearchExcerpt) -> String {
    var (marked, read) = ("", line.text.startIndex)
    for range in line.ranges {
      marked += line.text[read..<range.lowerBound] + "[\(line.text[range])]"
      read = range.upperBound
    }
    return marked + line.text[read...]
  }

  @Test func aSearchWaitsForAPause() throws {
    let store = try Store.inMemory(models: Chore.self)
    try store.write { tx in
      try tx.insert(Chore(id: 1, title: "저녁 설거지"))
      try tx.insert(Chore(id: 2, title: "서랍 닦기"))
    }
    let scheduler = TestScheduler(initialClock: 0, resolution: 0.1)
    let search = ChoreSearch(store: store, scheduler: scheduler)

    let typed = scheduler.createHotObservable([
      .next(210, "ㅅ"), .next(211, "서"), .next(230, "설겆"),
      .next(240, "설거지"), .next(242, "설겆"),
    ])
    let found = scheduler.start { search.results(typed).map { $0.map(marked) } }
    #expect(
      found.events == [
        .next(215, ["[서]랍 닦기", "저녁 [설]거지"]), .next(234, ["저녁 [설거지]"]),
      ])
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

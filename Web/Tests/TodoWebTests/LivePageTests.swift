import Reactive
import Synchronization
import Testing
import TodoKit

@testable import TodoWeb

/// The state that connections share, without a server.
struct LivePageTests {
  private struct Broken: Error {}

  /// States that a test emits, of which the first subscriptions fail.
  private final class Source: Sendable {
    let shown: BehaviorSubject<ShownPage>
    private let counts: Mutex<(failures: Int, subscriptions: Int, disposals: Int)>

    init(failures: Int = 0) throws {
      shown = BehaviorSubject(value: try LivePageTests.page("first"))
      counts = Mutex((failures, 0, 0))
    }

    var subscriptions: Int { counts.withLock { $0.subscriptions } }
    var isObserved: Bool { counts.withLock { $0.disposals < $0.subscriptions } }

    /// A page of these states, which is rendered as the titles of its items.
    var page: LivePage {
      LivePage(
        states: .create { [self] observer in
          let fails = counts.withLock { counts in
            counts.subscriptions += 1
            return counts.subscriptions <= counts.failures
          }
          if fails { observer.onError(Broken()) }
          let subscription = shown.subscribe(onNext: { observer.onNext($0) })
          return Disposables.create {
            subscription.dispose()
            self.counts.withLock { $0.disposals += 1 }
          }
        },
        render: { shown, _ in
          RenderedPage(
            rows: shown.page.items.map { .init(id: $0.title, section: "open", html: $0.title) },
            parts: [:], extent: .init(first: 0, open: 1, completed: 0))
        }, message: { "\($0)" })
    }
  }

  private static func page(_ title: String) throws -> ShownPage {
    let repository = try CroftTodoRepository.inMemory()
    try repository.perform(.add(TodoItem(title: title)))
    return try ShownPage(
      page: repository.page(ListPage.Request(.all)), groups: [], all: Tally(), important: Tally(),
      ungrouped: Tally(), history: CommandHistory())
  }

  /// What a connection has after each waking, until something holds.
  private func snapshots(
    _ page: LivePage, until isLast: (LivePage.Snapshot) -> Bool
  ) async -> [LivePage.Snapshot] {
    let (id, wakings) = page.join()
    defer { _ = page.leave(id) }
    var snapshots: [LivePage.Snapshot] = []
    for await _ in wakings {
      snapshots.append(page.snapshot)
      if isLast(page.snapshot) { break }
    }
    return snapshots
  }

  @Test func aStoreThatFailsIsTriedAgain() async throws {
    let source = try Source(failures: 1)
    let seen = await snapshots(source.page) { $0.page != nil }
    #expect(seen.first?.failure == "Broken()" && seen.first?.page == nil)
    #expect(seen.last?.failure == nil && seen.last?.page?.rows.map(\.id) == ["first"])
    #expect(source.subscriptions == 2)
  }

  @Test func connectionsOfOnePageShareOneObservation() async throws {
    let source = try Source()
    let page = source.page
    let (first, wakings) = page.join()
    for await _ in wakings where page.snapshot.page != nil { break }
    let (second, others) = page.join()
    // The state is there at once.
    for await _ in others { break }
    #expect(page.snapshot.page != nil && source.subscriptions == 1)
    #expect(!page.leave(first) && source.isObserved)
    #expect(page.leave(second))
    #expect(page.snapshot.page == nil)
  }

  @Test func aConnectionThatMissedStatesGetsTheDifferenceToTheLast() async throws {
    let source = try Source()
    let page = source.page
    let (id, wakings) = page.join()
    defer { _ = page.leave(id) }
    var iterator = wakings.makeAsyncIterator()
    await iterator.next()
    let start = try #require(page.snapshot.page)
    for title in ["second", "third"] {
      source.shown.onNext(try Self.page(title))
      while page.snapshot.page?.rows.map(\.id) != [title] { await iterator.next() }
    }
    let event = try #require(page.snapshot.event(after: start))
    #expect(event.contains(#""deleted":["first"]"#) && event.contains("third"))
    #expect(!event.contains("second"))
  }

  /// The day changes under an open page, on which something is then overdue.
  @Test func aPageIsRenderedAgainWithoutACommit() async throws {
    let hours = Mutex(0)
    let page = LivePage(
      states: .concat(.just(try Self.page("first")), .never()),
      render: { _, _ in
        let hour = hours.withLock { hours in
          hours += 1
          return hours
        }
        return RenderedPage(
          rows: [], parts: ["hour": "\(hour)"], extent: .init(first: 0, open: 0, completed: 0))
      }, message: { "\($0)" }, refreshing: .milliseconds(1))
    let seen = await snapshots(page) { $0.page?.parts["hour"] ?? "" > "2" }
    #expect(seen.first?.page != nil)
  }

  @Test func aStateThatLooksTheSameWakesNobody() async throws {
    let source = try Source()
    let page = source.page
    let (id, wakings) = page.join()
    defer { _ = page.leave(id) }
    var iterator = wakings.makeAsyncIterator()
    await iterator.next()
    let start = try #require(page.snapshot.page)
    source.shown.onNext(try Self.page("first"))
    source.shown.onNext(try Self.page("second"))
    await iterator.next()
    #expect(page.snapshot.page?.rows.map(\.id) == ["second"])
    #expect(page.snapshot.event(after: start)?.contains("event: batch") == true)
  }
}

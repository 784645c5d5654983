import NIOCore
import PageServerTesting
import Presentation
import Reactive
import Synchronization
import Testing
import TodoKit
import TodoPrompt

@testable import TodoWeb

/// The state that connections share, without a server.
struct LivePageTests {
  private struct Broken: Error {}

  /// States that a test emits, of which the first subscriptions fail.
  private final class Source: Sendable {
    let shown: BehaviorSubject<TodoOverview>
    private let counts: Mutex<(failures: Int, subscriptions: Int, disposals: Int)>

    init(failures: Int = 0) throws {
      shown = BehaviorSubject(value: try LivePageTests.page("first"))
      counts = Mutex((failures, 0, 0))
      (ends, end) = AsyncStream.makeStream()
    }

    var subscriptions: Int { counts.withLock { $0.subscriptions } }
    var isObserved: Bool { counts.withLock { $0.disposals < $0.subscriptions } }
    /// Has an element for each subscription that has ended.
    let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

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
            self.end.yield()
          }
        },
        render: { shown, _ in
          RenderedPage(
            rows: shown.page.items.map { .init(id: $0.title, section: "open", html: $0.title) },
            parts: [:], extent: .init(first: 0, open: 1, completed: 0))
        }, message: { "\($0)" })
    }
  }

  private static func page(_ title: String) throws -> TodoOverview {
    let repository = try CroftTodoRepository.inMemory()
    try repository.perform(.add(TodoItem(title: title)))
    return try repository.overview(ListPage.Request(.all))
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
    // Nothing is observed without a connection.
    for await _ in source.ends { break }
    #expect(!source.isObserved && source.subscriptions == 1)
  }

  /// A connection to a page that shows the first state, and what wakes it.
  private struct Connection {
    let page: LivePage
    let start: RenderedPage
    private let id: Int
    private var iterator: AsyncStream<Void>.Iterator

    init(_ source: Source) async throws {
      page = source.page
      let (id, wakings) = page.join()
      (self.id, iterator) = (id, wakings.makeAsyncIterator())
      await iterator.next()
      start = try #require(page.snapshot.page)
    }

    mutating func wait() async { await iterator.next() }

    func leave() { _ = page.leave(id) }
  }

  @Test func aConnectionThatMissedStatesGetsTheDifferenceToTheLast() async throws {
    let source = try Source()
    var connection = try await Connection(source)
    defer { connection.leave() }
    let page = connection.page
    for title in ["second", "third"] {
      source.shown.onNext(try Self.page(title))
      while page.snapshot.page?.rows.map(\.id) != [title] { await connection.wait() }
    }
    let event = try #require(page.snapshot.events?.event(after: connection.start)).text
    #expect(event.contains(#""deleted":["first"]"#) && event.contains("third"))
    #expect(!event.contains("second"))
  }

  /// Two hundred readers that take nothing would otherwise hold two hundred copies.
  @Test func connectionsSendTheSameBytes() async throws {
    let source = try Source()
    var connection = try await Connection(source)
    defer { connection.leave() }
    let page = connection.page
    let first = try #require(page.snapshot.events)
    #expect(first.first(shown: nil)?.address == first.first(shown: "other")?.address)
    let same = try #require(first.first(shown: first.page.version)).text
    #expect(same.contains("event: same"))
    source.shown.onNext(try Self.page("second"))
    await connection.wait()
    let next = try #require(page.snapshot.events)
    let event = next.event(after: connection.start)
    #expect(event?.text.contains("event: batch") == true)
    #expect(event?.address == next.event(after: connection.start)?.address)
    #expect(event?.address != first.first(shown: nil)?.address)
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

  @Test(arguments: [
    (nil, ""), (0, "Shared: all changes are sent."), (1, "Shared: 1 change is not sent yet."),
    (3, "Shared: 3 changes are not sent yet."),
  ])
  func aSharedListSaysWhatIsNotSent(unsent: Int?, text: String) throws {
    var shown = try Self.page("bread")
    #expect(shown.unsent == nil)
    shown.unsent = unsent
    let settings = TodoSettings()
    let page = try PageRenderer().parts(
      of: shown, at: ListAddress(.all), today: settings.today, time: settings.time,
      in: PageText(language: .english))
    #expect(page.parts["shared"] == text)
  }

  @Test func aStateThatLooksTheSameWakesNobody() async throws {
    let source = try Source()
    var connection = try await Connection(source)
    defer { connection.leave() }
    let page = connection.page
    source.shown.onNext(try Self.page("first"))
    source.shown.onNext(try Self.page("second"))
    await connection.wait()
    #expect(page.snapshot.page?.rows.map(\.id) == ["second"])
    let event = page.snapshot.events?.event(after: connection.start)
    #expect(event?.text.contains("event: batch") == true)
  }
}

extension ByteBuffer {
  fileprivate var text: String { String(buffer: self) }

  /// Where its bytes are.
  fileprivate var address: UnsafeRawPointer? {
    withUnsafeReadableBytes { UnsafeRawPointer($0.baseAddress) }
  }
}

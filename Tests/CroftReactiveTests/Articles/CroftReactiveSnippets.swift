import Croft
import CroftReactive
import Foundation
import Reactive
import Testing

/// The code of the module's page.
@MainActor @Suite struct CroftReactiveSnippets {
  @Model struct TodoItem: Hashable {
    @PrimaryKey var id: Int
    var isDone = false
    var createdAt = Date.distantPast
  }

  @Model struct Book {
    @PrimaryKey var id: Int
  }

  @Model struct Session {
    @PrimaryKey var id: Int
  }

  /// What a screen shows, in order.
  private final class Screen: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func next() async -> String? {
      for await shown in stream { return shown }
      return nil
    }

    var text: String {
      get { "" }
      set { continuation.yield(newValue) }
    }

    func reload(_ items: LiveResults<TodoItem>) { text = "reload \(items.map(\.id))" }
    func apply(_ change: ResultChange<TodoItem>) { text = "insert \(change.insertions)" }
    func draw(_ items: [TodoItem]) { text = "draw \(items.map(\.id))" }
  }

  private let bag = DisposeBag()

  @Test func aListFollowsTheChangesOfAQuery() async throws {
    let (store, list) = (try Store.inMemory(models: TodoItem.self), Screen())

    let open = TodoItem.where { !$0.isDone }.order(by: \.createdAt)

    store.rx.changes(of: open)
      .subscribe(onNext: { change in
        if change.isInitial { list.reload(change.after) } else { list.apply(change) }
      })
      .disposed(by: bag)

    #expect(await list.next() == "reload []")
    try await store.write { try $0.insert(TodoItem(id: 1)) }
    #expect(await list.next() == "insert [0]")
  }

  @Test func aListIsDrawnAtOnce() async throws {
    let (store, list) = (try Store.inMemory(models: TodoItem.self), Screen())
    try await store.write { try $0.insert(TodoItem(id: 1)) }
    let open = TodoItem.where { !$0.isDone }.order(by: \.createdAt)

    store.rx.observe(open, on: .immediate(then: .main))
      .subscribe(onNext: { list.draw(Array($0)) })
      .disposed(by: bag)

    #expect(await list.next() == "draw [1]")
    try await store.write { try $0.insert(TodoItem(id: 2)) }
    #expect(await list.next() == "draw [1, 2]")
  }

  @Test func aTitleShowsTwoCounts() async throws {
    let (store, title) = (try Store.inMemory(models: Book.self, Session.self), Screen())

    store.rx.observe(
      ReadRequest { tx in [try tx.count(Book.all), try tx.count(Session.all)] },
      on: .immediate(then: .main)
    )
    .subscribe(onNext: { counts in title.text = "\(counts[0]) books, read \(counts[1]) times" })
    .disposed(by: bag)

    #expect(await title.next() == "0 books, read 0 times")
    try await store.write { try $0.insert(Book(id: 1)) }
    #expect(await title.next() == "1 books, read 0 times")
  }

  @Test func aTitleShowsTwoResultsOfOneCommit() async throws {
    let (store, title) = (try Store.inMemory(models: Book.self, Session.self), Screen())

    store.rx.observe(CombinedRequest(Book.all, Session.all))
      .observe(on: MainScheduler.instance)
      .subscribe(onNext: { books, sessions in
        title.text = "\(books.count) books, read \(sessions.count) times"
      })
      .disposed(by: bag)

    #expect(await title.next() == "0 books, read 0 times")
    try await store.write { tx in
      try tx.insert(Book(id: 1))
      try tx.insert(Session(id: 1))
    }
    #expect(await title.next() == "1 books, read 1 times")
  }
}

import Croft
import Dispatch
import Foundation
import Synchronization
import Testing

/// The code of the article about live queries.
@Suite struct LiveQueriesSnippets {
  @Model struct TodoItem: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var isDone = false
    var place = 0
  }

  @Model struct Book {
    @PrimaryKey var id: UUID = .timeOrdered()
    @Indexed var year: Int
    var title: String
  }

  func follow(_ store: Store, _ show: @escaping @Sendable (String) -> Void) -> ObservationToken {
    store.observe(Book.where { $0.year < 1900 }.order(by: \.title)) { change in
      for index in change.deletions { show("- \(change.before[index].title)") }
      for index in change.insertions { show("+ \(change.after[index].title)") }
      show(change.after.map(\.title).joined(separator: ", "))
    }
  }

  @Test func theFirstExampleShowsWhatThePageSays() throws {
    let store = try Store.inMemory(models: Book.self)
    let lines = Mutex<[String]>([])
    let delivered = DispatchSemaphore(value: 0)
    let token = follow(store) { line in
      lines.withLock { $0.append(line) }
      if !line.hasPrefix("+") && !line.hasPrefix("-") { delivered.signal() }
    }
    delivered.wait()
    let emma = Book(year: 1815, title: "Emma")
    try store.write { tx in
      try tx.insert(contentsOf: [emma, Book(year: 1965, title: "Dune")])
    }
    delivered.wait()
    try store.write { tx in
      try tx.delete(Book.self, emma.id)
      try tx.insert(Book(year: 1819, title: "Ivanhoe"))
    }
    delivered.wait()
    token.cancel()
    let shown = lines.withLock { $0 }
    #expect(shown == ["", "+ Emma", "Emma", "- Emma", "+ Ivanhoe", "Ivanhoe"])
    let root = (0..<4).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) { url, _ in
      url.deletingLastPathComponent()
    }
    let page = try String(
      contentsOf: root.appending(path: "Sources/Croft/Croft.docc/LiveQueries.md"), encoding: .utf8)
    #expect(page.contains("```\n\(shown.dropFirst().joined(separator: "\n"))\n```"))
  }

  /// A list on a screen.
  private final class List: Sendable {
    private let items = Mutex<[TodoItem]>([])
    let told = DispatchSemaphore(value: 0)
    var titles: [String] { items.withLock { $0.map(\.title) } }

    func reload(_ results: LiveResults<TodoItem>) {
      items.withLock { $0 = Array(results) }
      told.signal()
    }
    func apply(_ change: ResultChange<TodoItem>) { reload(change.after) }
  }

  @Test func theListFollowsTheStore() throws {
    let store = try Store.inMemory(models: TodoItem.self)
    let list = List()
    let queue = DispatchQueue(label: "screen")

    let token = store.observe(TodoItem.where { !$0.isDone }.order(by: \.title), on: .queue(queue)) {
      change in
      if change.isInitial { list.reload(change.after) } else { list.apply(change) }
    }

    list.told.wait()
    let item = TodoItem(id: 1, title: "Read")
    try store.write { try $0.insert(contentsOf: [item, TodoItem(id: 2, title: "Write")]) }
    list.told.wait()
    #expect(list.titles == ["Read", "Write"])
    token.cancel()
  }

  @Test func theKindOfAChangeIsShown() throws {
    let store = try Store.inMemory(models: TodoItem.self)
    let screen = Screen<String>()
    let queue = DispatchQueue(label: "screen")

    let watch = store.observe(TodoItem.object(1), on: .queue(queue)) { change in
      switch change.kind {
      case .initial: screen.show("begins with \(change.new?.title ?? "nothing")")
      case .inserted: screen.show("inserted")
      case .modified: screen.show("changed: \(change.fields.map(\.name))")
      case .deleted: screen.show("deleted \(change.old?.title ?? "")")
      }
    }

    #expect(screen.next() == "begins with nothing")
    try store.write { try $0.insert(TodoItem(id: 1, title: "Read")) }
    #expect(screen.next() == "inserted")
    try store.write { tx in
      try tx.update(TodoItem.self, 1) { item in
        item.title = "Write"
        item.place = 2
      }
    }
    #expect(screen.next() == #"changed: ["title", "place"]"#)
    try store.write { try $0.delete(TodoItem.self, 1) }
    #expect(screen.next() == "deleted Write")
    watch.cancel()
  }

  @MainActor final class TitleScreen {
    private(set) var titles: [String] = []
    private(set) var count = 0
    private var tokens: [ObservationToken] = []

    init(_ store: Store) {
      tokens = [
        store.observe(TodoItem.where { !$0.isDone }) { @MainActor [weak self] change in
          self?.titles = change.after.map(\.title)
        },
        store.observe(TodoItem.all.count) { @MainActor [weak self] count in self?.count = count },
      ]
    }
  }

  @MainActor @Test func closuresOfTheMainActorAreCalledOnIt() async throws {
    let store = try Store.inMemory(models: TodoItem.self)
    let screen = TitleScreen(store)
    try await store.write {
      try $0.insert(TodoItem(id: 1, title: "Read"))
      try $0.insert(TodoItem(id: 2, title: "Write", isDone: true))
    }
    await Tracking {}.drain(store)
    #expect(screen.titles == ["Read"] && screen.count == 2)
  }

  @MainActor final class TodoScreen {
    let open: ObservedValue<LiveResults<TodoItem>>
    let next: ObservedValue<TodoItem?>
    let count: ObservedValue<Int>

    init(_ store: Store) {
      let items = TodoItem.where { !$0.isDone }
      open = ObservedValue(of: items.order(by: \.title), in: store)
      let first = ReadRequest { tx in try tx.first(items.order(by: \.place)) }
      next = ObservedValue(nil, of: first, in: store)
      count = ObservedValue(0, of: items.count, in: store)
    }
  }

  @MainActor @Test func observedValuesFollowTheStore() async throws {
    let store = try Store.inMemory(models: TodoItem.self)
    try await store.write { try $0.insert(TodoItem(id: 1, title: "Read", place: 1)) }
    let screen = TodoScreen(store)
    #expect(screen.open.value.map(\.title) == ["Read"])
    #expect(screen.next.value?.title == "Read" && screen.count.value == 1)

    let tracking = Tracking { _ = (screen.open.value, screen.next.value) }
    let counts = Tracking { _ = screen.count.value }
    try await store.write {
      try $0.insert(TodoItem(id: 2, title: "Play"))
      try $0.insert(TodoItem(id: 3, title: "Write", isDone: true))
    }
    await tracking.drain(store)
    #expect(screen.open.value.map(\.title) == ["Play", "Read"])
    #expect(screen.next.value?.title == "Play")
    while screen.count.value < 2 { try await counts.next() }
    #expect(screen.count.value == 2)
  }

  /// What a screen shows of the whole store.
  private struct Dashboard: Equatable {
    let open: Int
    let next: String?
  }

  /// A screen, by what it shows.
  private final class Screen<Content: Sendable>: Sendable {
    private let shown = Mutex<[Content]>([])
    private let told = DispatchSemaphore(value: 0)
    var all: [Content] { shown.withLock { $0 } }

    func show(_ content: Content) {
      shown.withLock { $0.append(content) }
      told.signal()
    }

    /// Waits for another content.
    func next() -> Content? {
      told.wait()
      return all.last
    }
  }

  @Test func aClosureIsReadAgain() throws {
    let store = try Store.inMemory(models: TodoItem.self)
    let screen = Screen<Dashboard>()
    let queue = DispatchQueue(label: "screen")

    let token = store.observe(
      ReadRequest { tx in
        Dashboard(
          open: try tx.count(TodoItem.where { !$0.isDone }),
          next: try tx.first(TodoItem.where { !$0.isDone }.order(by: \.place))?.title)
      }, on: .queue(queue)
    ) { dashboard in
      screen.show(dashboard)
    }

    #expect(screen.next() == Dashboard(open: 0, next: nil))
    try store.write {
      try $0.insert(TodoItem(id: 1, title: "Read", place: 2))
      try $0.insert(TodoItem(id: 2, title: "Write", place: 1))
    }
    #expect(screen.next() == Dashboard(open: 2, next: "Write"))
    try store.write { try $0.insert(TodoItem(id: 3, title: "Rest", isDone: true)) }
    _ = try store.write { try $0.delete(TodoItem.self, 2) }
    #expect(screen.next() == Dashboard(open: 1, next: "Read"))
    #expect(screen.all.count == 3)
    token.cancel()
  }

  @Test func aCountIsKept() throws {
    let store = try Store.inMemory(models: TodoItem.self)
    let screen = Screen<Int>()
    let queue = DispatchQueue(label: "screen")

    let badge = store.observe(TodoItem.where { !$0.isDone }.count, on: .queue(queue)) { count in
      screen.show(count)
    }

    #expect(screen.next() == 0)
    try store.write { try $0.insert(TodoItem(id: 1, title: "Read")) }
    #expect(screen.next() == 1)
    badge.cancel()
  }

  /// A screen with two lists.
  private final class Lists: Sendable {
    let screen = Screen<[Int]>()
    func show(_ open: LiveResults<TodoItem>, _ done: LiveResults<TodoItem>) {
      screen.show([open.count, done.count])
    }
  }

  @Test func twoListsAreOfOneCommit() throws {
    let store = try Store.inMemory(models: TodoItem.self)
    let screen = Lists()
    let queue = DispatchQueue(label: "screen")

    let both = store.observe(
      CombinedRequest(TodoItem.where { !$0.isDone }, TodoItem.where { $0.isDone }),
      on: .queue(queue)
    ) { open, done in
      screen.show(open.after, done.after)
    }

    #expect(screen.screen.next() == [0, 0])
    try store.write { try $0.insert(TodoItem(id: 1, title: "Read")) }
    #expect(screen.screen.next() == [1, 0])
    try store.write { _ = try $0.update(TodoItem.self, 1) { $0.isDone = true } }
    #expect(screen.screen.next() == [0, 1])
    both.cancel()
  }

  @Test func theChangesAreASequence() async throws {
    let store = try Store.inMemory(models: TodoItem.self)
    await Task {
      func show(_ results: LiveResults<TodoItem>) {
        #expect(results.isEmpty)
        // The first change is enough: a task that is cancelled ends the sequence.
        withUnsafeCurrentTask { $0?.cancel() }
      }

      for await change in store.changes(of: TodoItem.all) {
        show(change.after)
      }
    }.value
    let token = store.observe(TodoItem.all.observing(\.title)) { _ in }
    token.cancel()
  }

  @Test func commitsAndObjectsAreFollowed() async throws {
    let store = try Store.inMemory(models: TodoItem.self)
    let deltas = Mutex<[ObjectDelta<TodoItem>]>([])
    func index(_ delta: ObjectDelta<TodoItem>) { deltas.withLock { $0.append(delta) } }
    let commits = store.commits.makeAsyncIterator()
    let (begun, renamed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let names = Mutex<[String]>([])
    @Sendable func rename(_ old: String, to new: String) {
      names.withLock { $0 = [old, new] }
      renamed.signal()
    }

    let token = store.observe(TodoItem.object(1)) { change in
      if change.kind != .modified { begun.signal() }
      if let title = change.values(of: \.title) { rename(title.old, to: title.new) }
    }

    await pass(begun)
    try await store.write { try $0.insert(TodoItem(id: 1, title: "Read")) }
    await pass(begun)
    let commit = try #require(await commits.next())
    for delta in try commit.changes(of: TodoItem.self) ?? [] { index(delta) }
    #expect(deltas.withLock { $0.map(\.new?.title) } == ["Read"])
    _ = try await store.write { try $0.update(TodoItem.self, 1) { $0.title = "Write" } }
    await pass(renamed)
    #expect(names.withLock { $0 } == ["Read", "Write"])
    token.cancel()
  }

  /// Waits for a signal, on a thread of its own.
  private func pass(_ semaphore: DispatchSemaphore) async {
    await OwnThreads.run { semaphore.wait() }
  }
}

import Croft
import Dispatch
import Foundation
import Observation
import TestSupport
import Testing

/// The code of the page of recipes.
@Suite struct RecipesSnippets {
  @Model struct Chore: Hashable, Codable {
    @PrimaryKey var id: Int
    @Renamed(from: "name") var title: String
    var minutes = 0
    var isDone = false
  }

  typealias UndoStep = (inout WriteTransaction) throws -> Void

  @Test func aDashboardIsToldOfOneMoment() throws {
    try withStore(of: Chore.self) { store in
      let queue = DispatchQueue(label: "dashboard")
      let shown = Recorder<[Int]>()
      @Sendable func show(_ numbers: [Int]) { shown.add(numbers) }

      let token = store.observe(
        reading: { tx in
          [
            try tx.count(Chore.where { !$0.isDone }), try tx.count(Chore.where { $0.isDone }),
            try tx.sum(of: \.minutes, Chore.where { $0.isDone }),
          ]
        },
        on: queue
      ) { numbers in show(numbers) }

      try store.write { tx in
        try tx.insert(Chore(id: 1, title: "Read", minutes: 30, isDone: true))
        try tx.insert(Chore(id: 2, title: "Write"))
      }
      store.drainObservers()
      queue.sync {}
      #expect(shown.all.last == [1, 1, 30])
      token.cancel()
    }
  }

  @Test func aChangeIsUndoneByTheOldObject() throws {
    try withStore(of: Chore.self) { store in
      func change(_ id: Int, _ body: @escaping (inout Chore) -> Void) throws -> UndoStep? {
        try store.write { tx in
          guard let old = try tx.get(Chore.self, id) else { return nil }
          try tx.update(Chore.self, id, body)
          return { tx in try tx.upsert(old) }
        }
      }

      try store.write { try $0.insert(Chore(id: 1, title: "Read")) }
      let undo = try #require(try change(1) { $0.title = "Write" })
      #expect(try store.get(Chore.self, 1)?.title == "Write")
      try store.write(undo)
      #expect(try store.get(Chore.self, 1)?.title == "Read")
      #expect(try change(2) { $0.isDone = true } == nil)
    }
  }

  @Test func anImportTellsItsProgress() async throws {
    let chores = (0..<2_500).map { Chore(id: $0, title: "\($0)") }
    let store = try Store.inMemory(models: Chore.self)
    func importChores(_ chores: [Chore], progress: (Int) -> Void) async throws {
      for start in stride(from: 0, to: chores.count, by: 1_000) {
        try Task.checkCancellation()
        let part = Array(chores[start..<min(start + 1_000, chores.count)])
        try await store.write { tx in
          for chore in part { try tx.upsert(chore) }
        }
        progress(start + part.count)
      }
    }

    var told: [Int] = []
    try await importChores(chores) { told.append($0) }
    try await importChores(chores) { told.append($0) }
    #expect(told == [1_000, 2_000, 2_500, 1_000, 2_000, 2_500])
    #expect(try await store.fetch(Chore.all) == chores)
  }

  @Test func anotherProgramsCommitIsTold() throws {
    try withTemporaryStore(of: Chore.self, checksAtEnd: false) { temporary in
      let url = temporary.url
      let queue = DispatchQueue(label: "watch")
      let (shown, told) = (Recorder<[Int]>(), DispatchSemaphore(value: 0))
      @Sendable func show(_ numbers: [Int]) {
        shown.add(numbers)
        told.signal()
      }

      let mine = try Store.open(at: url, models: Chore.self)
      let theirs = try Store.open(at: url, models: Chore.self)
      let watch = mine.observe(Chore.where { !$0.isDone }, on: queue) { change in
        show([change.after.count])
      }
      try theirs.write { tx in try tx.insert(Chore(id: 1, title: "Read")) }

      // The first result may have the object already.
      told.wait()
      if shown.all.last != [1] { told.wait() }
      #expect(shown.all.last == [1])
      watch.cancel()
    }
  }

  @Test func objectsAreEncodedAndDecoded() throws {
    try withStore(of: Chore.self) { store in
      try store.write { try $0.insert(Chore(id: 1, title: "Read", minutes: 5)) }
      let before = try store.fetch(Chore.all)

      let json = try JSONEncoder().encode(store.fetch(Chore.all))
      let chores = try JSONDecoder().decode([Chore].self, from: json)
      try store.write { tx in
        for chore in chores { try tx.upsert(chore) }
      }

      #expect(try store.fetch(Chore.all) == before)
    }
  }

  @MainActor final class ChoreScreen {
    let open: ObservedValue<LiveResults<Chore>>
    let minutes: ObservedValue<Int>

    init(_ store: Store) {
      open = ObservedValue(of: Chore.where { !$0.isDone }.order(by: \.title), in: store)
      minutes = ObservedValue(0, following: store.values(sum: \.minutes, of: Chore.all))
    }
  }

  @MainActor @Test func aScreenFollowsItsQueries() async throws {
    let store = try Store.inMemory(models: Chore.self)
    let screen = ChoreScreen(store)
    try await store.write { try $0.insert(Chore(id: 1, title: "Read", minutes: 30)) }
    while true {
      let changed = AsyncStream<Void>.makeStream()
      let isShown = withObservationTracking {
        screen.open.value.map(\.title) == ["Read"] && screen.minutes.value == 30
      } onChange: {
        changed.continuation.finish()
      }
      if isShown { break }
      for await _ in changed.stream {}
    }
  }

  enum Untimed {
    @Model struct Chore {
      @PrimaryKey var id: Int
      var length: String
      var price: Int
    }
  }

  enum Timed {
    @Model struct Chore {
      @PrimaryKey var id: Int
      var length: Int
      var price: Int
    }
  }

  @Test func valuesOfAnotherTypeAndOfAnotherMeaningAreMigrated() throws {
    try withTemporaryStore(of: Timed.Chore.self) { temporary in
      let url = temporary.url
      do {
        let old = try Store.open(at: url, models: Untimed.Chore.self)
        try old.write { try $0.insert(Untimed.Chore(id: 1, length: "90", price: 3)) }
      }
      let store = try Store.open(
        at: url, models: Timed.Chore.self,
        migrations: [
          .model(Timed.Chore.self, replacing: \.length) { old, new in
            new?.length = Int(try old["length", as: String.self]) ?? 0
          }
        ])
      #expect(try store.get(Timed.Chore.self, 1)?.length == 90)
      for _ in 0..<2 {
        let priced = try Store.open(
          at: url, models: Timed.Chore.self,
          migrations: [
            Migration("cents", Timed.Chore.self) { _, new in new?.price *= 100 }
          ])
        #expect(try priced.get(Timed.Chore.self, 1)?.price == 300)
      }
    }
  }
}

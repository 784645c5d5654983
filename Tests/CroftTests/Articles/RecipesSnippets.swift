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

  @Model struct Step: Hashable {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var chore: Ref<RecipesSnippets.Chore>
  }

  typealias UndoStep = (inout WriteTransaction) throws -> Void

  @Test func aDashboardIsToldOfOneMoment() throws {
    try withStore(of: Chore.self) { store in
      let queue = DispatchQueue(label: "dashboard")
      let shown = Recorder<[Int]>()
      @Sendable func show(_ numbers: [Int]) { shown.add(numbers) }

      let token = store.observe(
        ReadRequest { tx in
          [
            try tx.count(Chore.where { !$0.isDone }), try tx.count(Chore.where { $0.isDone }),
            try tx.fetch(Chore.where { $0.isDone }.sum(\.minutes)),
          ]
        }, on: .queue(queue)
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

  @Test func aDeleteIsUndoneWithTheObjectsThatItDeletedToo() throws {
    try withStore(of: Chore.self, Step.self) { store in
      func delete(_ chore: Chore) throws -> UndoStep {
        try store.write { tx in
          let steps = try tx.fetch(Step.where { $0.chore == chore })
          try tx.delete(Chore.self, chore.id)
          return { tx in
            try tx.upsert(chore)
            try tx.upsert(contentsOf: steps)
          }
        }
      }

      let chore = Chore(id: 1, title: "Read")
      let steps = [Step(id: 1, chore: Ref(chore)), Step(id: 2, chore: Ref(chore))]
      try store.write { tx in
        try tx.insert(chore)
        try tx.insert(contentsOf: steps)
      }
      let undo = try delete(chore)
      #expect(try store.count(Step.all) == 0)
      try store.write(undo)
      #expect(try store.fetch(Chore.all) == [chore])
      #expect(try store.fetch(Step.all) == steps)
    }
  }

  @Test func anImportTellsItsProgress() async throws {
    let chores = (0..<2_500).map { Chore(id: $0, title: "\($0)") }
    let store = try Store.inMemory(models: Chore.self)
    func importChores(_ chores: [Chore], progress: (Int) -> Void) async throws {
      for start in stride(from: 0, to: chores.count, by: 1_000) {
        try Task.checkCancellation()
        let part = Array(chores[start..<min(start + 1_000, chores.count)])
        try await store.write { tx in try tx.upsert(contentsOf: part) }
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
      let watch = mine.observe(Chore.where { !$0.isDone }, on: .queue(queue)) { change in
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

  @Model struct Room {
    @PrimaryKey var id: Int
    var name: String
  }

  @Model struct Plant {
    @PrimaryKey var id: Int
    var name: String
    var room: Ref<Room>?
  }

  struct PlantRow: Equatable, Sendable {
    let name: String
    let room: String?
  }

  @Test func rowsOfTwoModelsFollowBoth() throws {
    try withStore(of: Plant.self, Room.self) { store in
      let queue = DispatchQueue(label: "plants")
      let shown = Recorder<[PlantRow]>()
      @Sendable func show(_ rows: [PlantRow]) { shown.add(rows) }
      try store.write { tx in
        try tx.insert(Room(id: 1, name: "Kitchen"))
        try tx.insert(Room(id: 2, name: "Attic"))
        try tx.insert(Plant(id: 1, name: "Basil", room: Ref(1)))
        try tx.insert(Plant(id: 2, name: "Mint", room: Ref(1)))
        try tx.insert(Plant(id: 3, name: "Fern", room: Ref(2)))
        try tx.insert(Plant(id: 4, name: "Moss"))
      }

      let rows = store.observe(
        ReadRequest { tx in
          let plants = Plant.all.order { [$0.room.name.ascending, $0.name.descending] }
          return try tx.fetch(plants.including(\.room)).map { plant, room in
            PlantRow(name: plant.name, room: room?.name)
          }
        }, on: .queue(queue)
      ) { rows in show(rows) }

      func wait() {
        store.drainObservers()
        queue.sync {}
      }
      wait()
      #expect(shown.all.last?.map(\.name) == ["Moss", "Fern", "Mint", "Basil"])
      #expect(shown.all.last?.map(\.room) == [nil, "Attic", "Kitchen", "Kitchen"])
      try store.write { try $0.update(Room.self, 1) { $0.name = "Aisle" } }
      wait()
      #expect(shown.all.last?.map(\.room) == [nil, "Aisle", "Aisle", "Attic"])
      try store.write { try $0.insert(Room(id: 3, name: "Hall")) }
      wait()
      #expect(shown.all.count == 2)
      rows.cancel()
    }
  }

  @MainActor @Observable final class ChoreList {
    private(set) var chores: ObservedValue<LiveResults<Chore>>
    let minutes: ObservedValue<Int>
    var text = "" {
      didSet { chores = ObservedValue(of: Self.query(text), in: store) }
    }
    private let store: Store

    init(_ store: Store) {
      self.store = store
      chores = ObservedValue(of: Self.query(""), in: store)
      minutes = ObservedValue(0, of: Chore.all.sum(\.minutes), in: store)
    }

    func finish(_ chore: Chore) async throws {
      _ = try await store.write { tx in try tx.update(Ref(chore)) { $0.isDone = true } }
    }

    private static func query(_ text: String) -> Query<Chore> {
      Chore.where { !$0.isDone && $0.title.contains(text, options: .caseInsensitive) }
        .order(by: \.title)
    }
  }

  @MainActor @Test func aScreenFollowsItsQueryAndItsText() async throws {
    let store = try Store.inMemory(models: Chore.self)
    try await store.write { tx in
      try tx.insert(Chore(id: 1, title: "Write", minutes: 20))
      try tx.insert(Chore(id: 2, title: "Read", minutes: 10))
    }
    let list = ChoreList(store)
    #expect(list.chores.value.map(\.title) == ["Read", "Write"])

    let minutes = Tracking { _ = list.minutes.value }
    while list.minutes.value != 30 { try await minutes.next() }
    let tracking = Tracking { _ = list.chores.value }
    list.text = "wr"
    try await tracking.next()
    #expect(list.chores.value.map(\.title) == ["Write"])
    await tracking.drain(store)
    try await list.finish(Chore(id: 1, title: "Write"))
    try await tracking.next()
    #expect(list.chores.value.isEmpty && list.chores.error == nil)
  }

  @Model struct Place {
    @PrimaryKey var id: Int
    var name: String
    @Indexed var letters: String
  }

  @Test(arguments: [
    ("하늘공원", ["ㅎ", "하", "한", "하느", "하늘", "하늘ㄱ", "하늘고", "하늘공", "하늘공우", "하늘공원"]),
    ("닭갈비 Bar", ["ㄷ", "다", "달", "닭", "닭ㄱ", "닭가", "닭갈비 b", "닭갈비 BAR"]),
    ("괜찮아", ["ㄱ", "고", "괘", "괜", "괜차", "괜찬", "괜찮", "괜찮아"]),
  ])
  func aPlaceIsFoundAtEachLetter(name: String, steps: [String]) throws {
    try withStore(of: Place.self) { store in
      let names = [name, "바다", "Hanulpark"]
      try store.write { tx in
        for (id, name) in names.enumerated() {
          let place = Place(id: 1, name: name, letters: name.hangulLetters)
          try tx.insert(Place(id: id, name: name, letters: place.letters))
        }
      }
      for step in steps {
        for typed in [step, step.decomposedStringWithCanonicalMapping] {
          let prefix = typed.hangulLetters
          let found = try store.fetch(Place.where { $0.letters.hasPrefix(prefix) }.limit(20))
          #expect(found.map(\.name) == [name], "\(typed)")
        }
      }
    }
  }

  /// The model of the pages about changes of it, version by version.
  enum First {
    @Model struct Chore {
      @PrimaryKey var id: Int
      var name: String
    }
  }

  enum Second {
    @Model struct Chore {
      @PrimaryKey var id: Int
      var name: String
      var minutes = 0
    }
  }

  enum Unnamed {
    @Model struct Chore {
      @PrimaryKey var id: Int
      var title: String
    }
  }

  @Test func aPropertyIsAddedAndAnotherRenamed() throws {
    try withTemporaryStore(checksAtEnd: false) { temporary in
      let url = temporary.url
      try Store.open(at: url, models: First.Chore.self).write { tx in
        try tx.insert(First.Chore(id: 1, name: "Read"))
      }
      try Store.open(at: url, models: Second.Chore.self).write { tx in
        #expect(try tx.get(Second.Chore.self, 1)?.minutes == 0)
        try tx.insert(Second.Chore(id: 2, name: "Write", minutes: 5))
      }
      #expect(throws: StoreError.self) { try Store.open(at: url, models: Unnamed.Chore.self) }
      let chores = try Store.open(at: url, models: Chore.self).fetch(Chore.all)
      #expect(chores == [Chore(id: 1, title: "Read"), Chore(id: 2, title: "Write", minutes: 5)])
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
          .convert(\Timed.Chore.length) { old, new in
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

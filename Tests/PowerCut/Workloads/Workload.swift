import CPowerCut
import Croft
import Foundation
import TestSupport

/// Something that a program does with a store, and how one tells what must be left of it.
///
/// A new one is a case, a line in `run` and one in `check`.
enum Workload: String, CaseIterable {
  /// Commits of all kinds of changes.
  case commits
  /// Asynchronous writes of several tasks, many in one commit.
  case group
  /// One of several processes that write at the same time.
  case processes
  /// A program that adds indexes, one of them unique, to objects that exist.
  case indexes
  /// A program that changes the type of a property.
  case migration
  /// Commits, and compactions while nobody has the store open.
  case compaction
  /// Commits, beside copies that another thread makes, each in the place of the copy before.
  case backup
  /// A program that adds an index for searches in steps, and flushes and merges it in its commits.
  case searches
  /// Commits that fill a small map again and again.
  case growth
  /// Commits, while snapshots of earlier states are held, and the journal rests between some.
  case snapshots
  /// Adds indexes to a store that stays open with the models of before, in its session.
  case additions
  /// Commits, while writes and syncs fail now and then.
  case faults

  /// Does it.
  func run(_ scene: Scene) async throws {
    var scene = scene
    switch self {
    case .commits: try scene.commits()
    case .group: try await scene.group()
    case .processes: try scene.process()
    case .indexes: try scene.indexes()
    case .migration: try scene.migration()
    case .compaction: try scene.compaction()
    case .backup: try await scene.backup()
    case .searches: try scene.searches()
    case .growth: try scene.growth()
    case .snapshots: try scene.snapshots()
    case .additions: try scene.additions()
    case .faults: try scene.faults()
    }
  }

  /// Sets the limits that the workload is to exceed, in each process that has to do with it.
  func setThresholds() {
    guard self == .searches else { return }
    let values: [(Threshold, Int)] = [
      (.rowsIndexedAtOnce, 20), (.rowsPerIndexStep, 30), (.waitingTextRows, 3),
      (.waitingTextBytes, 3_000), (.segmentsPerMerge, 2), (.postingBlockBytes, 60),
      (.movedPostingBytes, 400),
    ]
    for (threshold, value) in values { threshold.value = value }
  }

  /// Looks at what a power cut has left in the scene's folder.
  ///
  /// - Parameters:
  ///   - mayLose: How many acknowledged commits the durability gives up.
  ///   - writes: Whether the store is written to afterwards, and opened once more.
  func check(_ scene: Scene, _ told: Told, mayLose: Int, writes: Bool) throws {
    // Before the first acknowledgement there need be no store.
    guard FileManager.default.fileExists(atPath: scene.url.path) else {
      for lane in told.lanes { try told.check(0, nil, lane: lane, mayLose: mayLose) }
      return
    }
    try scene.check(self, told, mayLose: mayLose)
    guard writes else { return }
    try scene.write()
    try scene.check(self, told, mayLose: mayLose)
  }
}

extension Scene {
  fileprivate mutating func commits() throws {
    let store = try open()
    var number = 0
    for _ in 0..<steps { try commit(to: store, &number) }
  }

  fileprivate mutating func compaction() throws {
    var number = 0
    for _ in 0..<4 {
      do {
        let store = try open()
        for _ in 0..<max(1, steps / 4) { try commit(to: store, &number) }
      }
      try Store.compact(at: url, options: options)
    }
  }

  fileprivate func backup() async throws {
    let store = try open()
    var first = self
    var number = 0
    try first.commit(to: store, &number)
    let (writer, last) = (first, number)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var (writer, number) = (writer, last)
        for _ in 1..<max(2, steps) { try writer.commit(to: store, &number) }
      }
      group.addTask {
        for copy in 0..<max(1, steps / 3) {
          let state = try store.get(Lane.self, 0)?.number ?? 0
          let replaces = FileManager.default.fileExists(atPath: copyURL.path)
          attempt(state, lane: 1)
          if copy.isMultiple(of: 2) {
            try store.backup(to: copyURL, replacesExisting: replaces)
          } else {
            try store.compact(to: copyURL, replacesExisting: replaces)
          }
          acknowledge(state, lane: 1)
        }
      }
      try await group.waitForAll()
    }
  }

  fileprivate mutating func growth() throws {
    mapBytes = 1 << 20
    let store = try openEntries()
    var refusals = 0
    for number in 1...max(1, steps) {
      attempt(number, lane: Self.longLane)
      while true {
        do {
          try store.write { tx in
            try tx.insert(entry(Self.longLane, number))
            try tx.upsert(Lane(id: Self.longLane, number: number))
          }
          break
        } catch StoreError.mapFull where refusals < steps {
          // The map is larger now.
          refusals += 1
        }
      }
      acknowledge(number, lane: Self.longLane)
    }
    guard try store.statistics.fileBytes > mapBytes else {
      throw Damage.wrong("the map has not grown")
    }
  }

  fileprivate mutating func snapshots() throws {
    let store = try open()
    var number = 0
    var held: [(snapshot: StoreSnapshot, number: Int, digest: UInt64)] = []
    func state(_ snapshot: StoreSnapshot) throws -> (number: Int, digest: UInt64) {
      try snapshot.read { tx in
        let items = try tx.fetch(Indexed.Item.all).map(\.row)
        return (
          try tx.get(Lane.self, 0)?.number ?? 0, contentDigest(items, try tx.fetch(Owner.all))
        )
      }
    }
    func release(_ place: Int) throws {
      let released = held.remove(at: place)
      guard try state(released.snapshot) == (released.number, released.digest) else {
        throw Damage.wrong("the snapshot of state \(released.number) has another content")
      }
    }
    for _ in 0..<steps {
      try commit(to: store, &number)
      if random.oneIn(3) {
        let snapshot = try store.snapshot()
        let (number, digest) = try state(snapshot)
        held.append((snapshot, number, digest))
      }
      // The first one is held to the end.
      if held.count > 3 { try release(1 + random.below(held.count - 1)) }
      if random.oneIn(3) { store.restJournal() }
    }
    while !held.isEmpty { try release(0) }
  }

  fileprivate mutating func additions() throws {
    let first = try plain()
    let store = try open()
    var number = max(1, steps / 2)
    for _ in 0..<steps / 2 { try commit(to: store, &number) }
    guard try first.count(Plain.Item.all) == store.count(Indexed.Item.all) else {
      throw Damage.wrong("the program of before sees other items")
    }
  }

  fileprivate mutating func faults() throws {
    var store: Store?
    var number = 0
    var last: (number: Int, digest: UInt64)?
    for _ in 0..<steps {
      // One call: where a disk refuses several in a row, its file system is mounted again, with an empty cache.
      if random.oneIn(2) { powercut_fail_at(1 + random.below(20)) }
      do {
        let used = try store ?? open()
        // What a commit that failed has left is known when it is read.
        let state = try tellState(of: used)
        // A relaxed commit that failed may be read until its session is replayed.
        if let last, durability != .relaxed,
          state.number < last.number || state.number == last.number && state != last
        {
          throw Damage.lost("state \(state.number) was read after state \(last.number)")
        }
        (number, last, store) = (state.number, state, used)
        try commit(to: used, &number)
        if random.oneIn(4) {
          // The end of a session, and the replay after one that could not be ended.
          powercut_fail_at(1 + random.below(4))
          store = nil
        }
      } catch let damage as Damage {
        throw damage
      } catch {
        if random.oneIn(2) { store = nil }
      }
    }
    powercut_fail_at(0)
    store = nil
    let reopened = try open()
    number = try tellState(of: reopened).number
    try commit(to: reopened, &number)
  }

  /// Acknowledges the state that a store is in, which nothing may take back once it was read.
  private func tellState(of store: Store) throws -> (number: Int, digest: UInt64) {
    let state = try store.state(try store.fetch(Indexed.Item.all).map(\.row))
    if state.number > 0 { acknowledge(state.number, digest: state.digest) }
    return state
  }

  /// Commits of the first program; the state stays the same afterwards.
  @discardableResult
  private mutating func plain() throws -> Store {
    let store = try Store.open(
      at: url, models: Plain.Item.self, Owner.self, Lane.self, options: options)
    for number in 1...max(1, steps / 2) {
      try store.write { tx in
        try tx.upsert(Owner(id: number % 6, name: "owner \(number)"))
        let items = (0..<40).map { place in
          Plain.Item(
            id: number * 40 + place, rank: random.below(20), code: "code \(number * 40 + place)",
            text: String(repeating: "x", count: random.below(60)), owner: Ref(number % 6))
        }
        try tx.insert(contentsOf: items)
        try tx.upsert(Lane(id: 0, number: number))
        let content = contentDigest(
          try tx.fetch(Plain.Item.all).map(\.row), try tx.fetch(Owner.all))
        attempt(number, digest: content)
      }
      acknowledge(number)
    }
    return store
  }

  fileprivate mutating func indexes() throws {
    try plain()
    let store = try open()
    var number = max(1, steps / 2)
    for _ in 0..<steps / 2 { try commit(to: store, &number) }
  }

  fileprivate mutating func migration() throws {
    try plain()
    let number = max(1, steps / 2) + 1
    let store = try openChanged()
    try store.write { tx in
      let item = Changed.Item(id: 1, rank: "rank 7", code: "new", text: "new", owner: nil)
      try tx.upsert(item)
      try tx.upsert(Lane(id: 0, number: number))
      let content = contentDigest(
        try tx.fetch(Changed.Item.all).map(\.row), try tx.fetch(Owner.all))
      attempt(number, digest: content)
    }
    acknowledge(number)
  }

  fileprivate mutating func searches() throws {
    try plain()
    let store = try open()
    var number = max(1, steps / 2)
    for _ in 0..<steps { try commit(to: store, &number) }
  }

  private func openChanged() throws -> Store {
    try Store.open(
      at: url, models: Changed.Item.self, Owner.self, Lane.self, options: options,
      migrations: [Changed.migration])
  }

  private func openEntries() throws -> Store {
    try Store.open(at: url, models: Entry.self, Lane.self, options: options)
  }

  /// The lane whose entries fill a map.
  private static let longLane = 7

  private func entry(_ lane: Int, _ number: Int) -> Entry {
    let letters = lane == Self.longLane ? 150_000 : number % 7 == 0 ? 5_000 : number % 50
    let text = String(repeating: "x", count: letters)
    return Entry(id: lane * 1_000_000 + number, lane: lane, number: number, text: text)
  }

  fileprivate func group() async throws {
    let store = try openEntries()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<6 {
        group.addTask {
          for number in 1...max(1, steps) {
            attempt(number, lane: lane)
            try await store.write { tx in
              try tx.insert(entry(lane, number))
              try tx.upsert(Lane(id: lane, number: number))
            }
            acknowledge(number, lane: lane)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  fileprivate func process() throws {
    let store = try openEntries()
    guard steps > 0 else { return }
    // One that replaces a process that died continues where that was.
    let last = try store.get(Lane.self, lane)?.number ?? 0
    for number in last + 1...last + steps {
      attempt(number, lane: lane)
      try store.write { tx in
        try tx.insert(entry(lane, number))
        try tx.upsert(Lane(id: lane, number: number))
        // Old entries go, so that pages are used again.
        if number % 10 == 0 {
          try tx.delete(Entry.where { $0.lane == lane && $0.number < number - 20 })
        }
      }
      acknowledge(number, lane: lane)
    }
  }
}

extension Scene {
  fileprivate func check(_ workload: Workload, _ told: Told, mayLose: Int) throws {
    switch workload {
    case .commits, .compaction, .indexes, .snapshots, .additions, .faults:
      try checkItems(at: url, told, mayLose: mayLose)
    case .migration:
      let store = try openChanged()
      try store.checkSoundness()
      let (number, digest) = try store.state(try store.fetch(Changed.Item.all).map(\.row))
      try told.check(number, digest, lane: 0, mayLose: mayLose)
    case .group, .processes, .growth: try checkEntries(told, mayLose: mayLose)
    case .searches:
      try checkItems(at: url, told, mayLose: mayLose)
      try checkSearches()
    case .backup:
      try checkItems(at: url, told, mayLose: mayLose)
      try checkCopy(told, mayLose: mayLose)
    }
  }

  private func checkItems(at url: URL, _ told: Told, mayLose: Int) throws {
    let store = try open(at: url)
    try store.checkSoundness()
    let (number, digest) = try store.state(try store.fetch(Indexed.Item.all).map(\.row))
    try told.check(number, digest, lane: 0, mayLose: mayLose)
  }

  /// The index for searches finds what reading all items finds.
  private func checkSearches() throws {
    let store = try open()
    let items = try store.fetch(Indexed.Item.all)
    for query in ["우유", "ㅇㅇ", "장보", "sale", "co*", "\"of 12\"", "보기를"] {
      let search = TextSearch(query)
      let expected = items.filter { search.matches($0.text) || search.matches($0.code) }
      guard try store.fetch(Indexed.Item.where { $0.matches(query) }) == expected else {
        throw Damage.wrong("a search for \(query) does not find \(expected.count) items")
      }
    }
  }

  /// A copy is complete or not there, and there once it was acknowledged.
  private func checkCopy(_ told: Told, mayLose: Int) throws {
    guard FileManager.default.fileExists(atPath: copyURL.path) else {
      // A copy waits for the disk whatever commits wait for.
      return try told.check(0, nil, lane: 1, mayLose: 0)
    }
    let copy = try open(at: copyURL)
    try copy.checkSoundness()
    let (number, digest) = try copy.state(try copy.fetch(Indexed.Item.all).map(\.row))
    guard number >= told.acknowledged[1] ?? 0 else {
      throw Damage.lost("the copy is of state \(number), acknowledged was a later one")
    }
    guard told.attempted[0]?[number]?.contains(digest) == true else {
      throw Damage.wrong("the copy of state \(number) has another content")
    }
  }

  private func checkEntries(_ told: Told, mayLose: Int) throws {
    let store = try openEntries()
    try store.checkSoundness()
    // Others may be writing.
    let (lanes, entries) = try store.read { tx in
      (try tx.fetch(Lane.all), try tx.fetch(Entry.all))
    }
    for lane in told.lanes {
      let last = lanes.first { $0.id == lane }?.number ?? 0
      try told.check(last, nil, lane: lane, mayLose: mayLose)
      let found = entries.filter { $0.lane == lane }
      let first = found.first?.number ?? 1
      guard found == (first..<max(first, last + 1)).map({ entry(lane, $0) }),
        found.count >= min(last, 10)
      else { throw Damage.wrong("the entries of lane \(lane) have a gap before \(last)") }
    }
  }

  /// Writes objects that no check looks at, as a program that continues would.
  fileprivate func write() throws {
    let store = try Store.open(at: url, models: Afterwards.self, options: options)
    for id in 0..<4 { try store.write { _ = try $0.upsert(Afterwards(id: id)) } }
    guard try store.count(Afterwards.all) == 4 else {
      throw Damage.wrong("what was written afterwards is not there")
    }
  }
}

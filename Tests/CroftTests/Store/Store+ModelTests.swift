import Testing
import TestSupport

@testable import Croft

/// A store against a dictionary: thousands of random operations, and never a difference.
@Suite(.keepsFailedStores) struct StoreModelTests {
  @Test func aStoreDoesWhatADictionaryDoes() throws {
    var random = SeededGenerator.forTest("store model")
    try withTemporaryStore(of: Indexed.Thing.self) { temporary in
      var twin: [Int16: Indexed.Thing] = [:]
      var store: Store? = try temporary.open()
      let steps = Torture.steps(short: 6_000, long: 2_000_000)
      var (step, round) = (0, 0)
      while step < steps {
        if random.oneIn(12) {
          store = nil
          store = try temporary.open()
        }
        guard let store else { return }
        twin = try transact(store, twin, &step, &random)
        round += 1
        if round % 20 == 0 {
          #expect(try store.verify().problems == [], "seed \(random.seed)")
        }
        try compare(store, twin, random.seed)
      }
    }
  }

  /// One transaction of some operations, committed or not; the twin afterwards.
  private func transact(
    _ store: Store, _ before: [Int16: Indexed.Thing], _ step: inout Int,
    _ random: inout SeededGenerator
  ) throws -> [Int16: Indexed.Thing] {
    var twin = before
    let isCommitted = !random.oneIn(5)
    do {
      try store.write { tx in
        for _ in 0..<1 + random.below(25) {
          try operate(&tx, &twin, &random)
          step += 1
        }
        if !isCommitted { throw Refused() }
      }
    } catch is Refused {}
    return isCommitted ? twin : before
  }

  private func operate(
    _ tx: inout WriteTransaction, _ twin: inout [Int16: Indexed.Thing],
    _ random: inout SeededGenerator
  ) throws {
    let id = Int16(random.below(300))
    let about: Comment = "seed \(random.seed)"
    switch random.below(24) {
    case 0..<6:
      let thing = Indexed.Thing.random(id, &random)
      do {
        try tx.insert(thing)
        #expect(twin.updateValue(thing, forKey: id) == nil, about)
      } catch StoreError.duplicateKey {
        #expect(twin[id] != nil, about)
      }
    case 6..<10:
      let thing = Indexed.Thing.random(id, &random)
      let result = try tx.upsert(thing)
      let old = twin.updateValue(thing, forKey: id)
      #expect((result == .inserted) == (old == nil), about)
    case 10..<15:
      // The same changes on both sides: each with its own copy of the generator.
      var (left, right) = (random, random)
      let result = try tx.update(Indexed.Thing.self, id) { $0.change(&left) }
      twin[id]?.change(&right)
      #expect((result == nil) == (twin[id] == nil), about)
      _ = random.next()
    case 15..<19:
      let isDeleted = try tx.delete(Indexed.Thing.self, id)
      #expect(isDeleted == (twin.removeValue(forKey: id) != nil), about)
    case 19, 20: try deleteSome(&tx, &twin, &random)
    case 21:
      let free = (0..<20).map { _ in Int16(random.below(300)) }.filter { twin[$0] == nil }
      let things = Set(free).map { Indexed.Thing.random($0, &random) }
      try tx.insert(contentsOf: things)
      for thing in things { twin[thing.id] = thing }
    case 22:
      let found = try tx.fetch(Indexed.Thing.where { $0.genre == .jazz })
      #expect(found.map(\.id) == twin.values.filter { $0.genre == .jazz }.map(\.id).sorted(), about)
    default:
      guard random.oneIn(6) else { return }
      #expect(try tx.deleteAll(Indexed.Thing.self) == twin.count, about)
      twin = [:]
    }
  }

  private func deleteSome(
    _ tx: inout WriteTransaction, _ twin: inout [Int16: Indexed.Thing],
    _ random: inout SeededGenerator
  ) throws {
    let objects = Array(twin.values)
    let rows = objects.map(\.values)
    let reference = random.query(Indexed.Thing._schema.erased, rows)
    let gone = reference.run(rows)
    let count = try tx.delete(Query<Indexed.Thing>(reference))
    #expect(count == gone.count, "seed \(random.seed): \(reference)")
    for place in gone { twin[objects[place].id] = nil }
  }

  private func compare(_ store: Store, _ twin: [Int16: Indexed.Thing], _ seed: UInt64) throws {
    let stored = try store.fetch(Indexed.Thing.all)
    let expected = twin.values.sorted { $0.id < $1.id }
    let isSame =
      stored.count == expected.count && zip(stored, expected).allSatisfy { $0.isSame(as: $1) }
    #expect(isSame, "seed \(seed)")
  }
}

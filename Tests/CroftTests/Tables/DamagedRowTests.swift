import LMDB
import Testing
import TestSupport

@testable import Croft

/// A row that cannot be read can be deleted and replaced, and leaves no index entry.
@Suite(.keepsFailedStores) struct DamagedRowTests {
  private func withDamage(
    _ damage: RowDamage, of keys: [Int] = [7], isObserved: Bool = false,
    _ body: (Store) throws -> Void
  ) throws {
    try withStore(of: Tune.self, Platter.self) { store in
      try StoreRebuildingIndexesTests.fill(store, 60)
      let token = isObserved ? store.observe(Tune.all) { _ in } : nil
      store.live.drain()
      for key in keys { try store.damageRow(key, damage, value: "Title \(key % 13)") }
      try body(store)
      token?.cancel()
    }
  }

  private func expectWhole(_ store: Store, without keys: [Int] = []) throws {
    #expect(try store.verify().problems == [])
    #expect(
      try store.fetch(Tune.all.order(by: \.id)).map(\.id) == (0..<62).filter { !keys.contains($0) })
    for title in 0..<13 {
      let expected = (0..<60).filter { $0 % 13 == title && !keys.contains($0) }
      let found = try store.fetch(Tune.where { $0.title == "Title \(title)" }.order(by: \.id))
      #expect(found.map(\.id) == expected)
    }
  }

  /// The row was read to find its index entries: one that could not be read could not be deleted, and
  /// of one with a wrong value other entries were removed, so that later queries threw.
  @Test(arguments: RowDamage.allCases) func aDamagedRowIsDeletedByKey(_ damage: RowDamage) throws {
    try withDamage(damage) { store in
      guard
        case .corrupt("Tune", "7", _)? = StoreError.thrown(by: { _ = try store.get(Tune.self, 7) })
      else {
        Issue.record("it was read")
        return
      }
      #expect(try store.write { try $0.delete(Tune.self, 7) })
      #expect(try store.write { try !$0.delete(Tune.self, 7) })
      try expectWhole(store, without: [7])
      // The unique value is free, and the key as well.
      try store.write { try $0.insert(StoreRebuildingIndexesTests.tune(7)) }
      try expectWhole(store)
    }
  }

  @Test(arguments: RowDamage.allCases) func aDamagedRowIsReplaced(_ damage: RowDamage) throws {
    try withDamage(damage) { store in
      var tune = StoreRebuildingIndexesTests.tune(7)
      try store.write { tx throws in
        // A refused replacement leaves the row and the transaction.
        tune.code = "code 9"
        guard case .uniqueViolation? = StoreError.thrown(by: { _ = try tx.upsert(tune) }) else {
          Issue.record("it was replaced")
          return
        }
        tune.code = "another"
        #expect(try tx.upsert(tune) == .inserted)
        #expect(try tx.upsert(tune) == .unchanged)
      }
      #expect(try store.fetch(Tune.where { $0.code == "another" }) == [tune])
      #expect(try store.count(Tune.where { $0.code == "code 7" }) == 0)
      try expectWhole(store)
    }
  }

  /// A statement about many objects names a damaged one and does nothing; the key deletes it.
  @Test(arguments: RowDamage.allCases) func damagedRowsAreDeletedWithOthers(_ damage: RowDamage)
    throws
  {
    for isObserved in [false, true] {
      let damaged = [7, 20, 33]
      try withDamage(damage, of: damaged, isObserved: isObserved) { store in
        let range = Tune.where { $0.id >= 5 && $0.id <= 40 }
        let error = StoreError.thrown { try store.write { _ = try $0.delete(range) } }
        guard case .corrupt("Tune", "7", _)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        for key in damaged { #expect(try store.write { try $0.delete(Tune.self, key) }) }
        try expectWhole(store, without: damaged)
        let count = try store.write { tx in try tx.delete(range) }
        #expect(count == 33)
        try expectWhole(store, without: Array(5...40))
      }
    }
  }

  @Test(arguments: RowDamage.allCases) func allAreDeletedAlthoughSomeAreDamaged(_ damage: RowDamage)
    throws
  {
    for isObserved in [false, true] {
      try withDamage(damage, of: [7, 33], isObserved: isObserved) { store in
        let count = try store.write { tx in try tx.deleteAll(Tune.self) }
        #expect(count == 62)
        #expect(try store.verify().problems == [])
        #expect(try store.count(Tune.all) == 0)
      }
    }
  }

  /// Observers are told of the deletion of a row that nobody can read.
  @Test(arguments: RowDamage.allCases) func observersLearnOfTheDeletion(_ damage: RowDamage) throws
  {
    try withStore(of: Tune.self, Platter.self) { store in
      try StoreRebuildingIndexesTests.fill(store, 20)
      let counts = Recorder<Int>()
      let token = store.observe(Tune.where { $0.rank > -9 }) { counts.add($0.after.count) }
      store.live.drain()
      try store.damageRow(7, damage, value: "Title 7")
      #expect(try store.write { try $0.delete(Tune.self, 7) })
      store.live.drain()
      #expect(counts.all == [22, 21] && token.error == nil)
      #expect(try store.verify().problems == [])
    }
  }

  /// Delete rules find what refers to a damaged row, and a damaged row that refers to another.
  @Test(arguments: RowDamage.allCases) func deleteRulesHoldForADamagedRow(_ damage: RowDamage)
    throws
  {
    try withDamage(damage) { store in
      #expect(try store.write { try $0.delete(Tune.self, 7) })
      let count = try store.count(Tune.where { $0.disc == Ref(2) })
      #expect(count > 0)
      try store.write { _ = try $0.delete(Platter.self, 2) }
      #expect(try store.verify().problems == [])
      #expect(try store.count(Tune.where { $0.disc == Ref(2) }) == 0)
    }
  }

  /// The row was read where it refers to itself by a cascade, so that it could not be deleted.
  @Test(arguments: RowDamage.allCases) func aDamagedRowInACycleIsDeleted(_ damage: RowDamage) throws
  {
    for (twins, gone) in [
      ([1: [1]], 1), ([1: [2], 2: [1]], 2), ([1: [1, 3], 2: [1], 3: [2]], 3),
    ] {
      try withStore(of: Knot.self) { store in
        try store.write { tx in
          for id in 1...3 { try tx.insert(Knot(id: id, name: "knot \(id)")) }
          for id in 1...3 {
            let twins = twins[id, default: []].map { Ref<Knot>($0) }
            try tx.update(Knot.self, id) { $0.twins = twins }
          }
        }
        try store.damageRow(1, damage, value: "knot 1")
        #expect(try store.write { try $0.delete(Knot.self, 1) })
        #expect(try store.count(Knot.all) == 3 - gone)
        #expect(try store.verify().problems == [])
      }
    }
  }

  /// A row with the right checksum whose text ends past it was left out, as one with an unknown case.
  @Test func aDamagedRowIsNotLeftOutAsOneThatTheProgramDoesNotKnow() throws {
    try withTemporaryStore(of: Buoy.self) { temporary in
      do {
        let store = try temporary.open()
        try store.write { tx in
          for id in 1...4 { try tx.insert(Buoy(id: id, name: "buoy \(id)")) }
        }
      }
      do {
        var options = Store.Options.forTests
        options.usesStoredModels = true
        let store = try Store.open(at: temporary.url, models: [], options: options)
        try store.write { tx in
          let statement = try DynamicStatement("update Buoy where id == 2 set shape = 5")
          let count = try tx.perform(statement, allowingUnknownCases: true)
          #expect(count == 1)
        }
      }
      let store = try temporary.open()
      var told: [String] = []
      func read() throws -> [Int] {
        told = []
        return try store.read { tx in
          try tx.fetch(Buoy.all.order(by: \.id), unreadable: { key, _ in told.append(key) })
            .map(\.id)
        }
      }
      #expect(try read() == [1, 3, 4])
      #expect(told == ["2"])
      let key: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 3]
      try store.environment.write { tx in
        guard let rows = try tx.database(named: "e1"),
          var row = try tx.get(key.span.bytes, in: rows)?.copied(),
          let start = row.indices.first(where: { row[$0...].starts(with: "buoy 3".utf8) })
        else {
          Issue.record("the row is not there")
          return
        }
        row.removeLast(Checksum.size)
        // The end of the text is in the two bytes before it.
        row[start - 2] += 50
        let sum = Checksum.bytes(key, row)
        row += sum
        _ = try tx.put(row.span.bytes, at: key.span.bytes, in: rows)
      }
      guard case .corrupt("Buoy", "3", _)? = StoreError.thrown(by: { _ = try read() }) else {
        Issue.record("it was left out")
        return
      }
      #expect(told == ["2"])
      try store.write { tx in
        try tx.delete(Buoy.self, 2)
        try tx.delete(Buoy.self, 3)
      }
      #expect(try read() == [1, 4])
    }
  }
}

/// An enum whose cases the store does not list, so that other programs may write other values.
enum BuoyShape: Int, StoredEnum { case can = 1, cone }

/// An object with one text, and a raw value that may be unknown.
@Model struct Buoy {
  @PrimaryKey var id: Int
  var name: String
  var shape: BuoyShape = .can
}

/// An object that goes with each of those that it refers to.
@Model struct Knot {
  @PrimaryKey var id: Int
  var name: String
  @Relation(onDelete: .cascade) var twins: [Ref<Knot>] = []
}

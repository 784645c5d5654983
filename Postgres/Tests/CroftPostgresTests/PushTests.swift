import Foundation
import Testing

@testable import CroftPostgres

/// What the server makes of a push.
@Suite struct PushTests {
  @Test func aPushIsOneVersionOfAllItsObjects() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    #expect(try await replica.push([.init(key: "a"), .init(key: "b")]) == ("ok", 1))
    #expect(
      try await replica.push([.init(key: "a", base: 1, value: "x"), .init(key: "c")]) == ("ok", 2))
    #expect(try await replica.push([.init(key: "b", base: 1, value: nil)], cursor: 2) == ("ok", 3))
    #expect(try await replica.objects() == ["a=x 2", "c=value 2"])
    let greeting = try await replica.hello(versions: [2, 3, 4])
    #expect(
      greeting == .init(status: "ok", number: 1, writes: true, version: 3, floor: 0, pushes: 2))
    #expect(try await replica.number("SELECT count(*) FROM croft.pushes") == 3)
  }

  /// An empty text and bytes of any value arrive unchanged.
  @Test func valuesComeBackUnchanged() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    try await replica.push([.init(key: "", value: ""), .init(key: "z\u{0}", value: "\u{0}é")])
    let rows = try await replica.run("SELECT key, fields FROM croft.objects ORDER BY key")
    try rows.check(.bytea, .bytea)
    #expect(try (0..<2).map { try rows.bytes($0, 0) } == [[], [122, 0]])
    #expect(try (0..<2).map { try rows.bytes($0, 1) } == [[], [0, 0xc3, 0xa9]])
  }

  /// Two pushes over one version of an object: the second is refused whole, and may be tried first.
  @Test func anotherVersionOfAnObjectIsAConflict() async throws {
    let database = try await TestDatabase()
    let (first, second) = (try await TestReplica(database), try await TestReplica(database))
    for replica in [first, second] { try await replica.hello() }
    try await first.push([.init(key: "a")])
    try await first.push([.init(key: "a", base: 1, value: "first")])
    let late = TestReplica.Object(key: "a", base: 1, value: "second")
    #expect(try await second.push([.init(key: "b"), late]) == ("conflict", 2))
    #expect(try await second.objects() == ["a=first 2"])
    // Nobody overtakes the replica that was refused, whatever it pushes.
    #expect(try await first.push([.init(key: "c")]).status == "held")
    #expect(try await second.push([.init(key: "a", base: 2, value: "second")]) == ("ok", 3))
    #expect(try await first.push([.init(key: "c")]) == ("ok", 4))
  }

  @Test func anObjectThatIsThereIsNotInsertedAgain() async throws {
    let database = try await TestDatabase()
    let (first, second) = (try await TestReplica(database), try await TestReplica(database))
    for replica in [first, second] { try await replica.hello() }
    try await first.push([.init(key: "a")])
    #expect(try await second.push([.init(key: "a", value: "mine")]) == ("conflict", 1))
    // Changes whose answer was lost are pushed again: they are refused, and their rows tell why.
    #expect(try await second.push([.init(key: "b")]).status == "ok")
    #expect(try await second.push([.init(key: "b")]).status == "conflict")
  }

  /// A push that comes twice, by its id, is answered as the first time, whatever was pushed since.
  @Test func aPushThatComesTwiceIsAnsweredAsTheFirstTime() async throws {
    let database = try await TestDatabase()
    let (first, second) = (try await TestReplica(database), try await TestReplica(database))
    for replica in [first, second] { try await replica.hello() }
    try await second.push([.init(key: "b")])
    let push = UUID()
    let objects = [TestReplica.Object(key: "a"), .init(key: "b", base: 1, value: "new")]
    #expect(try await first.push(objects, cursor: 1, id: push) == ("ok", 2))
    #expect(try await first.push(objects, cursor: 1, id: push) == ("ok", 2))
    try await second.push([.init(key: "a", base: 2, value: "later")])
    // Another one may push first for a moment.
    #expect(try await second.push([.init(key: "c")], cursor: 0).status == "overtaken")
    #expect(try await first.push(objects, cursor: 1, id: push) == ("ok", 2))
    #expect(try await first.objects() == ["a=later 3", "b=new 2"])
    #expect(try await first.number("SELECT count(*) FROM croft.pushes") == 3)
    // A copy of its store has come since.
    #expect(try await TestReplica(database).push(objects, cursor: 1, id: push).status == "unknown")
  }

  /// A push that comes again when its id is forgotten is a conflict: law 8, what it costs is one more push.
  @Test func aPushThatComesAgainAfterItsIDIsForgottenIsAConflict() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    let push = UUID()
    let objects = [TestReplica.Object(key: "a")]
    #expect(try await replica.push(objects, id: push) == ("ok", 1))
    try await replica.push([.init(key: "b")])
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("UPDATE croft.pushes SET at = '2001-01-01'")
    try await Postgres.collect(before: .now, on: database.owner)
    #expect(try await owner.number("SELECT count(*) FROM croft.pushes") == 1)
    #expect(try await replica.push(objects, id: push) == ("conflict", 2))
    #expect(try await replica.objects() == ["a=value 1", "b=value 2"])
  }

  /// The last push of a replica is known until its next session, which asks for it, whatever is forgotten meanwhile.
  ///
  /// The floor does not go back where tombstones are collected that are older than those before.
  @Test func theLastPushOfEachReplicaIsKept() async throws {
    let database = try await TestDatabase()
    let (first, second) = (try await TestReplica(database), try await TestReplica(database))
    for replica in [first, second] { try await replica.hello() }
    let owner = try await TestReplica(database, as: "owner")
    func versions() async throws -> [Int64] {
      let rows = try await owner.run(
        "SELECT array_agg(p.version ORDER BY p.version) FROM croft.pushes p")
      return try rows.int8s(rows.only(), 0)
    }
    for (replica, key) in [(first, "a"), (first, "b"), (second, "c"), (second, "d"), (second, "e")]
    {
      try await replica.push([.init(key: key)])
    }
    try await Postgres.collect(before: .distantFuture, on: database.owner)
    #expect(try await versions() == [2, 5])
    // Of a time before the last collection only the push that was kept is.
    try await owner.run("UPDATE croft.pushes SET at = '2001-01-01' WHERE version = 2")
    try await Postgres.collect(
      before: Date(timeIntervalSince1970: 1_000_000_000), on: database.owner)
    #expect(try await owner.number("SELECT floor FROM croft.spaces") == 5)
    // The next session has begun.
    try await first.hello()
    try await Postgres.collect(before: .distantFuture, on: database.owner)
    #expect(try await versions() == [5])
  }

  @Test func theRightToPushFirstEnds() async throws {
    let database = try await TestDatabase()
    let (first, second) = (try await TestReplica(database), try await TestReplica(database))
    for replica in [first, second] { try await replica.hello() }
    try await first.push([.init(key: "a")])
    #expect(try await second.push([.init(key: "a")]).status == "conflict")
    #expect(try await first.push([.init(key: "b")]).status == "held")
    let owner = try await TestReplica(database, as: "owner")
    #expect(
      try await owner.number(
        "SELECT count(*) FROM croft.spaces WHERE held_until <= clock_timestamp() + interval '2 s'")
        == 1)
    try await owner.run("UPDATE croft.spaces SET held_until = clock_timestamp() - interval '1 us'")
    #expect(try await first.push([.init(key: "b")]).status == "ok")
  }

  @Test func aStrictPushNeedsTheLastVersion() async throws {
    let database = try await TestDatabase()
    let (first, second) = (try await TestReplica(database), try await TestReplica(database))
    for replica in [first, second] { try await replica.hello() }
    try await first.push([.init(key: "a")], cursor: 0)
    #expect(try await second.push([.init(key: "b")], cursor: 0) == ("overtaken", 1))
    #expect(try await first.push([.init(key: "c")]).status == "held")
    #expect(try await second.push([.init(key: "b")], cursor: 1) == ("ok", 2))
    #expect(try await first.push([.init(key: "c")]) == ("ok", 3))
  }

  /// Of two deletions and references that were made at one version the server takes the first.
  @Test func whatAPushRefersToMustBeThere() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    try await replica.push([.init(key: "a"), .init(key: "b")])
    #expect(
      try await replica.push([.init(key: "c")], references: ["a", "x"]).status == "reference")
    try await replica.push([.init(key: "a", base: 1, value: nil)])
    #expect(try await replica.push([.init(key: "c")], references: ["a"]).status == "reference")
    // Nobody waits for a replica that was refused for this.
    let other = try await TestReplica(database)
    try await other.hello()
    #expect(try await other.push([.init(key: "c")], references: ["b", "c"]).status == "ok")
    #expect(try await replica.objects() == ["b=value 1", "c=value 3"])
  }

  /// A tombstone that was collected is known once and gone: no edit of the object makes it again.
  @Test(arguments: ["edit", nil])
  func anObjectThatWasCollectedIsAConflict(value: String?) async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    try await replica.push([.init(key: "a"), .init(key: "b")])
    try await replica.push([.init(key: "a", base: 1, value: nil)])
    try await Postgres.collect(before: .distantFuture, on: database.owner)
    #expect(try await replica.number("SELECT count(*) FROM croft.objects") == 1)
    for base in [1, 2] as [Int64] {
      #expect(
        try await replica.push([.init(key: "a", base: base, value: value)]) == ("conflict", 2))
    }
    #expect(try await replica.push([.init(key: "a", value: "new")]) == ("ok", 3))
  }

  /// Younger tombstones stay, and the push of the floor proves the lineage of replicas that are there.
  @Test func collectingKeepsWhatIsYounger() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    try await replica.push([.init(key: "a"), .init(key: "b")])
    try await replica.push([.init(key: "a", base: 1, value: nil)])
    try await replica.push([.init(key: "b", base: 1, value: nil)])
    try await replica.upload([.init(key: "c")], part: 0, of: UUID())
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("UPDATE croft.pushes SET at = at - interval '1 day' WHERE version < 3")
    let yesterday = Date.now.addingTimeInterval(-3_600)
    for _ in 0..<2 {
      try await Postgres.collect(before: yesterday, on: database.owner)
      #expect(try await owner.number("SELECT count(*) FROM croft.objects") == 1)
      #expect(try await owner.number("SELECT count(*) FROM croft.pushes") == 2)
      #expect(try await owner.number("SELECT count(*) FROM croft.parts") == 1)
      let greeting = try await replica.hello(versions: [1, 2])
      #expect(
        greeting == .init(status: "ok", number: 1, writes: true, version: 3, floor: 2, pushes: 1))
    }
    try await owner.run("UPDATE croft.parts SET at = at - interval '1 day'")
    try await Postgres.collect(before: yesterday, on: database.owner)
    #expect(try await owner.number("SELECT count(*) FROM croft.parts") == 0)
  }

  /// Parts of a push that is refused are gone, and those of a push never made, a day later.
  ///
  /// They stayed until tombstones were collected: all of a push that was overtaken, once for each attempt.
  @Test func partsOfPushesThatAreGivenUpAreRemoved() async throws {
    let database = try await TestDatabase()
    let (first, second) = (try await TestReplica(database), try await TestReplica(database))
    let owner = try await TestReplica(database, as: "owner")
    func parts() async throws -> Int64 {
      try await owner.number("SELECT count(*) FROM croft.parts")
    }
    for replica in [first, second] { try await replica.hello() }
    try await second.push([.init(key: "a")])
    let refused: [(cursor: Int64?, object: TestReplica.Object, references: [String], String)] = [
      (0, .init(key: "b"), [], "overtaken"), (nil, .init(key: "b"), ["x"], "reference"),
      (nil, .init(key: "a"), [], "conflict"),
    ]
    for (cursor, object, references, status) in refused {
      let push = UUID()
      for part in 0..<3 as Range<Int32> {
        try await first.upload([.init(key: "\(status) \(part)")], part: part, of: push)
      }
      let answer = try await first.push(
        [object], cursor: cursor, references: references, parts: 3, id: push)
      #expect(answer.status == status)
      guard status == "overtaken" else {
        #expect(try await parts() == 0, "\(status)")
        continue
      }
      // It may be sent once more, with the same parts.
      #expect(try await parts() == 3)
      #expect(try await first.push([], cursor: 1, parts: 3, id: push) == ("ok", 2))
      #expect(try await parts() == 0)
    }
    // A replica that ends blocks others for seconds, however many parts it had.
    #expect(
      try await owner.number(
        """
        SELECT count(*) FROM croft.spaces s, croft.replicas r
        WHERE r.id = s.holder AND s.held_until <= r.seen + interval '3 s'
        """) == 1)
    // Where a copy of the store has come since, the push is made again.
    let copied = UUID()
    try await first.upload([.init(key: "c")], part: 0, of: copied)
    let copy = try await TestReplica(database, id: first.id)
    try await copy.hello()
    #expect(try await first.push([], parts: 1, id: copied).status == "unknown")
    #expect(try await parts() == 0)
    // Parts of a push that is held stay.
    try await owner.run(
      "UPDATE croft.spaces SET holder = $1, held_until = now() + interval '1 hour'", .uuid(UUID()))
    let held = UUID()
    try await second.upload([.init(key: "c")], part: 0, of: held)
    #expect(try await second.push([], parts: 1, id: held).status == "held")
    #expect(try await parts() == 1)
    try await owner.run("UPDATE croft.parts SET at = at - interval '25 hours'")
    // An upload, whose locks are held until its client ends it, removes nothing.
    try await second.upload([.init(key: "c")], part: 0, of: UUID())
    #expect(try await parts() == 2)
    try await owner.run("UPDATE croft.spaces SET held_until = now() - interval '1 s'")
    let later = UUID()
    try await second.upload([.init(key: "d")], part: 0, of: later)
    #expect(try await second.push([], parts: 1, id: later).status == "ok")
    #expect(try await parts() == 1)
  }

  @Test func aLargePushIsUploadedInPartsBefore() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    var push = UUID()
    func upload(_ parts: Range<Int32>) async throws {
      for part in parts {
        let objects = (0..<4).map { TestReplica.Object(key: "\(part) \($0)") }
        // The answer to an upload may be lost, too.
        for _ in 0..<2 { try await replica.upload(objects, part: part, of: push) }
      }
    }
    for count in 0..<3 as Range<Int32> {
      try await upload(0..<count)
      #expect(try await replica.push([], parts: 3, id: push).status == "conflict")
      push = UUID()
    }
    try await upload(0..<3)
    #expect(try await replica.objects().isEmpty)
    let rest = [TestReplica.Object(key: "rest")]
    #expect(
      try await replica.push(rest, references: ["x"], parts: 3, id: push).status == "reference")
    #expect(try await replica.objects().isEmpty)
    push = UUID()
    try await upload(0..<3)
    #expect(try await replica.push(rest, references: ["0 0"], parts: 3, id: push) == ("ok", 1))
    #expect(try await replica.objects().count == 13)
    #expect(try await replica.number("SELECT count(*) FROM croft.parts") == 0)
  }

  /// An uploaded part refers to an object that is not there.
  @Test func partsBringTheirReferences() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    let push = UUID()
    try await replica.upload([.init(key: "a")], references: ["b"], part: 0, of: push)
    #expect(try await replica.push([], parts: 1, id: push).status == "reference")
    try await replica.upload([.init(key: "a")], references: ["b"], part: 0, of: push)
    #expect(try await replica.push([.init(key: "b")], parts: 1, id: push).status == "ok")
  }

  @Test func aLargePushThatIsRefusedWritesNothing() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    try await replica.push([.init(key: "b")])
    let push = UUID()
    try await replica.upload([.init(key: "a"), .init(key: "b")], part: 0, of: push)
    #expect(try await replica.push([], parts: 1, id: push).status == "conflict")
    #expect(try await replica.objects() == ["b=value 1"])
  }

  @Test func aSpaceThatIsGoneIsSaid() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("DELETE FROM croft.spaces")
    #expect(try await replica.hello().status == "nospace")
    #expect(try await replica.push([.init(key: "a")]) == ("nospace", nil))
  }
}

/// The numbers of replicas, and stores that were copied.
@Suite struct ReplicaNumberTests {
  @Test func replicasThatComeAtTheSameTimeHaveNumbersOfTheirOwn() async throws {
    let database = try await TestDatabase()
    let numbers = try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let replica = try await TestReplica(database)
          let first = try await replica.hello().number
          // A replica that comes again keeps its number.
          let second = try await replica.hello().number
          return first == second ? first : nil
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers.compactMap(\.self).sorted() == Array(1...8))
  }

  /// A replica that never said hello has no number, so that its stamps could be another one's.
  @Test func onlyAReplicaWithANumberPushes() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    #expect(try await replica.push([.init(key: "a")]).status == "unknown")
  }

  /// A store is copied, and both copies are used: the one that comes later gets a number of its own.
  @Test func aCopyOfAStoreGetsANumber() async throws {
    let database = try await TestDatabase()
    let original = try await TestReplica(database)
    try await original.hello()
    let copy = try await TestReplica(database, id: original.id)
    #expect(try await copy.hello().number == 1)
    #expect(try await original.push([.init(key: "a")]).status == "unknown")
    #expect(try await original.hello().number == 2)
    #expect(try await original.push([.init(key: "a")]).status == "ok")
    #expect(try await copy.push([.init(key: "b")]).status == "ok")
  }

  /// The answer to a hello is lost, and it is said again.
  @Test func aHelloMayBeRepeated() async throws {
    let database = try await TestDatabase()
    let (first, second) = (UUID(), UUID())
    for _ in 0..<2 {
      let replica = try await TestReplica(database, id: first)
      #expect(try await replica.hello(next: second).number == 1)
    }
  }
}
